package capture

import "fmt"

// PipelineVersion rises whenever a change of ours may change pixels: comparing pictures of different versions, or of
// different pipelines, says more about us than about the page.
const PipelineVersion = 5

// Shot is a captured page.
type Shot struct {
	PNG           []byte
	Width, Height int  // pixels of the picture
	Truncated     bool // the page is larger than MaxHeight, MaxWidth or MaxPixels and was cut there
	Title         string
	RetryAfter    string // the document's field of that name, with which a site asks for a pause
	Status        int    // HTTP status of the document
	FinalURL      string // after all redirects, including those made by the page
	Console       []ConsoleEntry
	Unstable      []Box     // where the page did not hold still: pictures of it taken one after the other differ there
	Elements      []Element // what is to be seen, in document order
	Text          string    // what is to be read in the picture, one line for each run of text, at most 200,000 bytes
	Robots        string    // content of <meta name=robots>
	Canonical     string    // address of <link rel=canonical>, as the page spells it
	Assets        []Asset   // scripts and styles that the page loaded, by address; at most 300
	Manifest      Manifest
}

// ConsoleEntry is one line of the browser's console. At most 100 are kept, each cut at 2,000 bytes.
type ConsoleEntry struct {
	Text string `json:"text"`
	Type string `json:"type"` // log, info, warning, error, debug …
	URL  string `json:"url"`
}

// Manifest tells how a picture came about. It is stored with the screenshot.
type Manifest struct {
	Engine          string          `json:"engine"`
	Fonts           string          `json:"fonts"`    // fingerprint of the fonts that the engine finds
	Pipeline        string          `json:"pipeline"` // VirtualTimePipeline or RealTimePipeline
	PipelineVersion int             `json:"pipeline_version"`
	Region          string          `json:"region,omitempty"` // where it was taken, as the request says
	Proxy           *ProxyUse       `json:"proxy,omitempty"`  // nil for none
	Device          Device          `json:"device"`
	Viewport        Viewport        `json:"viewport"`
	Stages          []StageTime     `json:"stages"`
	WaitedFor       []string        `json:"waited_for"`        // what kept the readiness gate closed: network, fonts, images, videos, busy, dom, script
	TimedOut        []string        `json:"timed_out"`         // what was not waited for to its end; the picture was taken all the same
	Consent         string          `json:"consent,omitempty"` // the consent manager whose banner was accepted
	FinalURL        string          `json:"final_url"`
	Status          int             `json:"status"`
	Redirects       []string        `json:"redirects"` // addresses left, in order
	FailedRequests  []FailedRequest `json:"failed_requests"`
	Truncated       bool            `json:"truncated"`
	Unstable        []Box           `json:"unstable"`    // as in the Shot
	PageHeight      int             `json:"page_height"` // CSS pixels before truncation
	ReceivedBytes   int64           `json:"received_bytes"`
}

// Version names all of ours that has a say in the pixels: engine, fonts and pipeline. Two pictures of different versions
// may differ although the page is the same.
func (m *Manifest) Version() string {
	return fmt.Sprintf("%s fonts/%s %s/%d", m.Engine, m.Fonts, m.Pipeline, m.PipelineVersion)
}

// ProxyUse names the upstream proxy that the page was reached through.
type ProxyUse struct {
	Type    string `json:"type"`
	Country string `json:"country"`
}

// Viewport is in CSS pixels.
type Viewport struct {
	Width            int     `json:"width"`
	Height           int     `json:"height"`
	DevicePixelRatio float64 `json:"device_pixel_ratio"`
}

// StageTime is how long a stage took. A stage that was repeated because the page moved on appears again.
type StageTime struct {
	Stage        string  `json:"stage"`
	Milliseconds float64 `json:"ms"`
}

// FailedRequest is a resource of the page that did not arrive. At most 50 are kept.
type FailedRequest struct {
	URL    string `json:"url"`
	Type   string `json:"type"`             // Image, Script, Stylesheet …
	Status int    `json:"status,omitempty"` // from 400 when there was an answer
	Error  string `json:"error,omitempty"`  // net::ERR_… or "egress: …" when there was none
}
