package capture

import "afterimage/internal/page"

// PipelineVersion is incremented whenever a change of ours may change pixels: a comparison of pictures of different
// versions, or of different pipelines, says more about us than about the page.
const PipelineVersion = 8

// Shot is a captured page. Its Content is never nil.
type Shot struct {
	PNG           []byte
	Width, Height int     // pixels of the picture
	Truncated     bool    // the page is larger than MaxHeight, MaxWidth or MaxPixels and was cut there
	RetryAfter    string  // the document's Retry-After header, with which a site asks for a pause
	Probes        *Probes // nil without Request.Probe
	page.Visit
}

// newShot makes the lists empty rather than nil: [] in JSON, not null.
func newShot() *Shot {
	return &Shot{Visit: page.Visit{
		Console: []page.ConsoleEntry{}, Content: &page.Content{Elements: []page.Element{}},
		Manifest: page.Manifest{WaitedFor: []string{}, TimedOut: []string{}, Unstable: []page.Box{}},
	}}
}
