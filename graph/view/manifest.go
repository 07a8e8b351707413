package view

import (
	"afterimage/internal/page"
	"afterimage/vcd"
)

// Manifest shows how a screenshot came about.
type Manifest struct {
	*page.Manifest
}

// NewManifest shows m, which may be nil.
func NewManifest(m *page.Manifest) *Manifest {
	if m == nil {
		return nil
	}
	return &Manifest{m}
}

// Region is where the screenshot was taken.
func (m *Manifest) Region() *vcd.Region {
	if m.Manifest.Region == "" {
		return nil
	}
	return new(vcd.Region(m.Manifest.Region))
}

// Proxy is what it was taken through.
func (m *Manifest) Proxy() *ProxyUse {
	if m.Manifest.Proxy == nil {
		return nil
	}
	return &ProxyUse{m.Manifest.Proxy}
}

// ProxyUse shows the upstream proxy that a screenshot was taken through.
type ProxyUse struct {
	*page.ProxyUse
}

// Type is the kind of proxy.
func (p *ProxyUse) Type() vcd.ProxyType { return vcd.ProxyType(p.ProxyUse.Type) }

// ReceivedBytes is how much arrived for the page.
func (m *Manifest) ReceivedBytes() float64 { return float64(m.Manifest.ReceivedBytes) }

// CSSSelectors are what the CSS of the group and the URL is for.
func (m *Manifest) CSSSelectors() []*page.Selected {
	selectors := make([]*page.Selected, len(m.Styled))
	for i := range selectors {
		selectors[i] = &m.Styled[i]
	}
	return selectors
}

// FailedRequests are files of the page that did not arrive.
func (m *Manifest) FailedRequests() []*FailedRequest {
	failed := make([]*FailedRequest, len(m.Manifest.FailedRequests))
	for i := range failed {
		failed[i] = &FailedRequest{m.Manifest.FailedRequests[i]}
	}
	return failed
}

// FailedRequest shows a file of a page that did not arrive.
type FailedRequest struct {
	page.FailedRequest
}

// Status is that of the answer.
func (f *FailedRequest) Status() *int {
	if f.FailedRequest.Status == 0 {
		return nil
	}
	return &f.FailedRequest.Status
}

// Error is why there was no answer.
func (f *FailedRequest) Error() *string { return nonEmpty(f.FailedRequest.Error) }
