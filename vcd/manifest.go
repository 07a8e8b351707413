package vcd

import (
	"encoding/json"
	"fmt"
)

// Manifest tells how a screenshot came about, as the capture engine wrote it down. An older engine knew less: what it did
// not write is zero.
type Manifest struct {
	Engine          string          `json:"engine"` // product and build of the browser
	Fonts           string          `json:"fonts"`  // fingerprint of the fonts that the browser finds
	Pipeline        string          `json:"pipeline"`
	PipelineVersion int             `json:"pipeline_version"`
	Region          Region          `json:"region"` // where it was taken; empty when unknown
	Proxy           *ManifestProxy  `json:"proxy"`  // nil for none
	Viewport        Viewport        `json:"viewport"`
	Stages          []StageTime     `json:"stages"`
	TimedOut        []string        `json:"timed_out"` // what was not waited for to its end
	Redirects       []string        `json:"redirects"` // addresses left, in order
	FailedRequests  []FailedRequest `json:"failed_requests"`
	Unstable        []Box           `json:"unstable"`    // where the page did not hold still
	PageHeight      int             `json:"page_height"` // CSS pixels, before truncation
	ReceivedBytes   int64           `json:"received_bytes"`
}

// ManifestProxy is the upstream proxy that a screenshot was taken through.
type ManifestProxy struct {
	Type    ProxyType `json:"type"`
	Country string    `json:"country"`
}

// Viewport is in CSS pixels.
type Viewport struct {
	Width            int     `json:"width"`
	Height           int     `json:"height"`
	DevicePixelRatio float64 `json:"device_pixel_ratio"`
}

// StageTime is how long a stage of a capture took. A stage that was repeated appears again.
type StageTime struct {
	Stage        string  `json:"stage"`
	Milliseconds float64 `json:"ms"`
}

// FailedRequest is a resource of the page that did not arrive.
type FailedRequest struct {
	URL    string `json:"url"`
	Type   string `json:"type"`   // Image, Script, Stylesheet …
	Status int    `json:"status"` // from 400; 0 without an answer
	Error  string `json:"error"`
}

// Box is a rectangle of a picture in pixels.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Overlaps tells whether the two boxes share a pixel.
func (b Box) Overlaps(other Box) bool {
	return b.X < other.X+other.Width && other.X < b.X+b.Width && b.Y < other.Y+other.Height && other.Y < b.Y+b.Height
}

// Covers tells whether the other box lies within.
func (b Box) Covers(other Box) bool {
	return b.X <= other.X && b.Y <= other.Y && b.X+b.Width >= other.X+other.Width && b.Y+b.Height >= other.Y+other.Height
}

// ReadManifest decodes the screenshot's manifest; nil when it has none.
func (shot *Screenshot) ReadManifest() (*Manifest, error) {
	if len(shot.Manifest) == 0 {
		return nil, nil
	}
	m := &Manifest{}
	if err := json.Unmarshal(shot.Manifest, m); err != nil {
		return nil, fmt.Errorf("decode the manifest of screenshot %s: %w", shot.ID, err)
	}
	return m, nil
}
