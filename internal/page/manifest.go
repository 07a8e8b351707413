package page

import (
	"fmt"
	"strconv"
)

// Manifest tells how a picture came about. It is stored with the screenshot. An older engine knew less: what it did not write
// is zero.
type Manifest struct {
	Engine          string          `json:"engine"`   // product and build of the browser
	Fonts           string          `json:"fonts"`    // fingerprint of the fonts that the engine finds
	Pipeline        string          `json:"pipeline"` // virtual-time or real-time, see package capture
	PipelineVersion int             `json:"pipeline_version"`
	Region          string          `json:"region,omitempty"` // where it was taken, as the request says; empty when unknown
	Proxy           *ProxyUse       `json:"proxy,omitempty"`  // nil for none
	Device          string          `json:"device"`           // desktop or mobile
	Viewport        Viewport        `json:"viewport"`
	Stages          []StageTime     `json:"stages"`
	WaitedFor       []string        `json:"waited_for"`        // what kept the readiness gate closed: network, fonts, images …
	TimedOut        []string        `json:"timed_out"`         // what was not waited for to its end; the picture was taken all the same
	Consent         string          `json:"consent,omitempty"` // the consent manager whose banner was accepted
	FinalURL        string          `json:"final_url"`
	Status          int             `json:"status"`
	Redirects       []string        `json:"redirects"` // addresses left, in order
	FailedRequests  []FailedRequest `json:"failed_requests"`
	Truncated       bool            `json:"truncated"`
	Unstable        []Box           `json:"unstable"`    // where the page did not hold still: pictures of the same visit differ there
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

// StageTime is how long a stage of a capture took. A stage that was repeated because the page moved on appears again.
type StageTime struct {
	Stage        string  `json:"stage"`
	Milliseconds float64 `json:"ms"`
}

// FailedRequest is a resource of the page that did not arrive. The capture engine keeps at most 50 of a page.
type FailedRequest struct {
	URL    string `json:"url"`
	Type   string `json:"type"`             // Image, Script, Stylesheet …
	Status int    `json:"status,omitempty"` // from 400 when there was an answer
	Error  string `json:"error,omitempty"`  // net::ERR_… or "egress: …" when there was none
}

// sentence is what the browser's console says of such a request.
func (f FailedRequest) sentence() string {
	if f.Status == 0 {
		return FailedLoadPrefix + f.Error
	}
	return FailedLoadPrefix + "the server responded with a status of " + strconv.Itoa(f.Status)
}
