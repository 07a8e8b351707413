package page

import (
	"fmt"
	"strconv"
)

// Manifest records how a picture was made. It is stored with the screenshot. Fields that an older engine did not write
// are zero.
type Manifest struct {
	Engine          string          `json:"engine"`   // product and build of the browser
	Fonts           string          `json:"fonts"`    // fingerprint of the fonts that the engine finds
	Pipeline        string          `json:"pipeline"` // virtual-time or real-time, see package capture
	PipelineVersion int             `json:"pipeline_version"`
	Region          string          `json:"region,omitempty"` // where the picture was taken, as requested; empty when unknown
	Proxy           *ProxyUse       `json:"proxy,omitempty"`  // nil for none
	Device          string          `json:"device"`           // desktop or mobile
	Viewport        Viewport        `json:"viewport"`
	Stages          []StageTime     `json:"stages"`
	WaitedFor       []string        `json:"waited_for"`        // what delayed readiness: network, fonts, images …
	TimedOut        []string        `json:"timed_out"`         // what was not ready in time; the picture was taken all the same
	Consent         string          `json:"consent,omitempty"` // the consent manager whose banner was accepted
	FinalURL        string          `json:"final_url"`
	Status          int             `json:"status"`
	Redirects       []string        `json:"redirects"` // addresses that redirected, in order
	FailedRequests  []FailedRequest `json:"failed_requests"`
	Truncated       bool            `json:"truncated"`
	// Complete reports whether the picture shows all that a reader could bring on the screen, and Missing what it does not show, at
	// most MaxMissing parts. Nil where it was not measured.
	Complete *bool      `json:"complete,omitempty"`
	Missing  []Missing  `json:"missing,omitempty"`
	Wall     *Wall      `json:"wall,omitempty"`   // what the site shows instead of the page; nil for the page
	Empty    string     `json:"empty,omitempty"`  // the element that an application was to fill, of a page that shows nothing
	Hidden   []Selected `json:"hidden,omitempty"` // what the request had hidden
	Styled   []Selected `json:"styled,omitempty"` // what the CSS of the request is for; its first selectors
	// ClosedTrees are the shadow trees in which selectors find nothing.
	ClosedTrees   int   `json:"closed_trees,omitempty"`
	Unstable      []Box `json:"unstable"`    // where pictures of the same visit differ because the page kept moving
	PageHeight    int   `json:"page_height"` // CSS pixels before truncation
	ReceivedBytes int64 `json:"received_bytes"`
	// ReusedRequests are the requests that were answered with what another capture of the batch had received, and ReusedBytes
	// what they would have taken on the network. ReceivedBytes does not contain them.
	ReusedRequests int   `json:"reused_requests,omitempty"`
	ReusedBytes    int64 `json:"reused_bytes,omitempty"`
}

// Version combines everything on our side that affects the pixels: engine, fonts and pipeline. Two pictures of
// different versions may differ although the page is the same.
func (m *Manifest) Version() string {
	return fmt.Sprintf("%s fonts/%s %s/%d", m.Engine, m.Fonts, m.Pipeline, m.PipelineVersion)
}

// Selected is a selector of the request, and how many elements it matched; -1 where the browser does not understand it.
type Selected struct {
	Selector string `json:"selector"`
	Elements int    `json:"elements"`
}

// ProxyUse names the upstream proxy through which the page was loaded.
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

// StageTime is the duration of a stage of a capture. A stage that was repeated because the page navigated appears
// again.
type StageTime struct {
	Stage        string  `json:"stage"`
	Milliseconds float64 `json:"ms"`
}

// FailedRequest is a resource of the page that failed to load. The capture engine keeps at most 50 per page.
type FailedRequest struct {
	URL    string `json:"url"`
	Type   string `json:"type"`             // Image, Script, Stylesheet …
	Status int    `json:"status,omitempty"` // 400 or higher if there was a response
	Error  string `json:"error,omitempty"`  // net::ERR_…, "egress: …" or NoAnswer if there was none
}

// NoAnswer is the error of a request that was still pending when the picture was taken, and that the page was waiting for.
const NoAnswer = "no answer"

// sentence is the message that the browser's console shows for such a request.
func (f FailedRequest) sentence() string {
	if f.Status == 0 {
		return FailedLoadPrefix + f.Error
	}
	return FailedLoadPrefix + "the server responded with a status of " + strconv.Itoa(f.Status)
}
