package capture

import (
	"strings"

	"afterimage/internal/egress"
)

const (
	maxInFlight       = 10_000 // requests followed; a page with more is not waited for exactly
	maxFailedRequests = 50
	maxAddressKept    = 500 // bytes of an address kept in lists
)

// unquiet are the kinds of request that may stay open for ever on a page that is ready.
var unquiet = map[string]bool{
	"Media": true, "WebSocket": true, "EventSource": true, "Ping": true, "Prefetch": true, "CSPViolationReport": true, "TextTrack": true,
}

type requestWillBeSent struct {
	RequestID string `json:"requestId"`
	LoaderID  string `json:"loaderId"`
	FrameID   string `json:"frameId"`
	Type      string `json:"type"`
	Request   struct {
		URL string `json:"url"`
	} `json:"request"`
	RedirectResponse *struct {
		URL string `json:"url"`
	} `json:"redirectResponse"`
}

func (o *observer) requestWillBeSent(e requestWillBeSent) {
	if len(o.kinds) < maxInFlight {
		o.kinds[e.RequestID] = request{url: shorten(e.Request.URL), kind: e.Type}
	}
	// A worker's script has no loader; its end is told to the worker's own session, not to us.
	counts := !unquiet[e.Type] && e.LoaderID != "" && !strings.HasPrefix(e.Request.URL, "data:")
	if counts && len(o.inFlight) < maxInFlight {
		o.inFlight[e.RequestID] = e.LoaderID
	}
	if !o.isDocument(e.RequestID, e.LoaderID, e.FrameID, e.Type) {
		return
	}
	if e.RedirectResponse != nil && len(o.redirect) < maxRedirectsKept {
		o.redirect = append(o.redirect, shorten(e.RedirectResponse.URL))
	}
	o.asked = e.Request.URL
	if o.doc.loader != e.LoaderID {
		o.leaving = o.doc.count > 0
	}
}

// isDocument tells the main document's request: it is the one that carries its loader's id.
func (o *observer) isDocument(requestID, loaderID, frameID, kind string) bool {
	return kind == "Document" && requestID == loaderID && frameID == o.tab.Frame()
}

type responseReceived struct {
	RequestID string `json:"requestId"`
	LoaderID  string `json:"loaderId"`
	FrameID   string `json:"frameId"`
	Type      string `json:"type"`
	Response  struct {
		URL      string            `json:"url"`
		Status   int               `json:"status"`
		MimeType string            `json:"mimeType"`
		Headers  map[string]string `json:"headers"`
	} `json:"response"`
}

func (o *observer) responseReceived(e responseReceived) {
	refused := e.refused()
	if refused != "" {
		o.failed(FailedRequest{URL: shorten(e.Response.URL), Type: e.Type, Error: refused})
	} else if e.Response.Status >= 400 {
		o.failed(FailedRequest{URL: shorten(e.Response.URL), Type: e.Type, Status: e.Response.Status})
	}
	if !o.isDocument(e.RequestID, e.LoaderID, e.FrameID, e.Type) {
		return
	}
	if o.doc.loader != e.LoaderID { // arrives before the commit, as a rule
		o.doc = document{loader: e.LoaderID, requested: o.asked, url: e.Response.URL, count: o.doc.count + 1}
	}
	o.doc.status, o.doc.mime, o.doc.refused = e.Response.Status, e.Response.MimeType, refused != ""
	disposition := strings.ToLower(strings.TrimSpace(e.header("Content-Disposition")))
	o.doc.attached = strings.HasPrefix(disposition, "attachment")
}

// refused tells how the egress proxy answered in the target's place, "" when the target itself did.
func (e *responseReceived) refused() string {
	code, ok := strings.CutPrefix(e.header(egress.ProxyStatus), "afterimage; error=")
	if !ok {
		return ""
	}
	return "egress: " + code
}

func (e *responseReceived) header(name string) string {
	for key, value := range e.Response.Headers {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

func (o *observer) loadingFinished(e struct {
	RequestID string `json:"requestId"`
}) {
	o.finished(e.RequestID)
}

func (o *observer) loadingFailed(e struct {
	RequestID string `json:"requestId"`
	Type      string `json:"type"`
	ErrorText string `json:"errorText"`
	Canceled  bool   `json:"canceled"`
}) {
	if !e.Canceled {
		o.failed(FailedRequest{URL: o.kinds[e.RequestID].url, Type: e.Type, Error: e.ErrorText})
	}
	o.finished(e.RequestID)
}

func (o *observer) finished(requestID string) {
	delete(o.inFlight, requestID)
	delete(o.kinds, requestID)
}

func (o *observer) failed(f FailedRequest) {
	if len(o.failures) < maxFailedRequests {
		o.failures = append(o.failures, f)
	}
}

// quiet holds when the document has loaded, nothing is under way and it is not about to be replaced.
func (o *observer) quiet() bool { return o.doc.loaded && len(o.inFlight) == 0 && !o.leaving }

// shorten cuts an address for the record; of data: and blob: addresses only the kind is of interest.
func shorten(address string) string {
	for _, scheme := range []string{"data:", "blob:"} {
		if strings.HasPrefix(address, scheme) {
			return scheme
		}
	}
	return cut(address, maxAddressKept)
}

// cut shortens a text to at most n bytes without splitting a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
