package capture

import (
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/egress"
	"afterimage/internal/page"
)

const (
	crowd             = 50     // more requests by scripts than a page waits for
	maxInFlight       = 10_000 // requests tracked; beyond that, waiting for a page is inexact
	maxFailedRequests = 50
	maxAddressKept    = 500 // bytes of an address kept in lists
)

// unquiet are the kinds of request that may stay open forever on a page that is ready.
var unquiet = map[proto.NetworkResourceType]bool{
	proto.NetworkResourceTypeMedia:              true,
	proto.NetworkResourceTypeWebSocket:          true,
	proto.NetworkResourceTypeEventSource:        true,
	proto.NetworkResourceTypePing:               true,
	proto.NetworkResourceTypePrefetch:           true,
	proto.NetworkResourceTypeCSPViolationReport: true,
	proto.NetworkResourceTypeTextTrack:          true,
}

func (o *observer) requestWillBeSent(e proto.NetworkRequestWillBeSent) {
	if e.Request == nil {
		return
	}
	if len(o.addresses) < maxInFlight {
		o.addresses[e.RequestID] = shorten(e.Request.URL)
	}
	o.pictures.asked(e)
	o.heard = time.Now()
	// A worker's script has no loader; its end is reported to the worker's own session, not to us.
	counts := !unquiet[e.Type] && e.LoaderID != "" && !strings.HasPrefix(e.Request.URL, "data:")
	o.workers = o.workers || e.LoaderID == "" && e.Type != proto.NetworkResourceTypePing
	switch {
	case counts && len(o.inFlight) < maxInFlight:
		data := e.Type == proto.NetworkResourceTypeFetch || e.Type == proto.NetworkResourceTypeXHR
		o.inFlight[e.RequestID] = pendingRequest{
			loader: e.LoaderID, kind: e.Type, data: data, blocks: blocks(e), news: data && o.asksForNews(e.Request),
		}
	case !counts && len(o.lingering) < maxInFlight && !strings.HasPrefix(e.Request.URL, "data:"):
		o.lingering[e.RequestID] = e.Type == proto.NetworkResourceTypeEventSource
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

// blocks tells from a request's urgency, which is low for scripts and styles that the document does not wait for.
func blocks(e proto.NetworkRequestWillBeSent) bool {
	urgency := e.Request.InitialPriority
	return isCode(e.Type) && urgency != proto.NetworkResourcePriorityLow && urgency != proto.NetworkResourcePriorityVeryLow
}

// isDocument identifies the main document's request: it is the one whose id is that of its loader.
func (o *observer) isDocument(
	id proto.NetworkRequestID, loader proto.NetworkLoaderID, frame proto.PageFrameID, kind proto.NetworkResourceType,
) bool {
	return kind == proto.NetworkResourceTypeDocument && string(id) == string(loader) && frame == o.tab.Frame()
}

func (o *observer) responseReceived(e proto.NetworkResponseReceived) {
	if e.Response == nil {
		return
	}
	o.heard = time.Now()
	if r, ok := o.inFlight[e.RequestID]; ok {
		r.begun, r.streams = true, !endsAtOnce(e.Response.MIMEType)
		if r.data && len(o.answers) < maxInFlight {
			o.answers[placeOf(o.addresses[e.RequestID])] = true
		}
		o.inFlight[e.RequestID] = r
	}
	refused := refusal(e.Response)
	if refused != "" {
		o.failed(page.FailedRequest{URL: shorten(e.Response.URL), Type: string(e.Type), Error: refused})
	} else if e.Response.Status >= 400 {
		o.failed(page.FailedRequest{URL: shorten(e.Response.URL), Type: string(e.Type), Status: e.Response.Status})
		o.pictures.refused(e.RequestID)
	}
	if refused == "" {
		o.arrived(e)
		o.drawings.arrived(e)
	}
	if !o.isDocument(e.RequestID, e.LoaderID, e.FrameID, e.Type) {
		return
	}
	if o.doc.loader != e.LoaderID { // usually arrives before the commit
		o.doc = document{loader: e.LoaderID, requested: o.asked, url: e.Response.URL, count: o.doc.count + 1}
	}
	o.doc.status, o.doc.mime, o.doc.refused = e.Response.Status, e.Response.MIMEType, refused != ""
	o.doc.pause = cut(header(e.Response, "Retry-After"), maxAddressKept)
	o.reuse.document(e.Response)
	disposition := strings.ToLower(strings.TrimSpace(header(e.Response, "Content-Disposition")))
	o.doc.attached = strings.HasPrefix(disposition, "attachment")
}

// refusal returns how the egress proxy responded in place of the target, "" when the target itself did.
func refusal(response *proto.NetworkResponse) string {
	code, ok := strings.CutPrefix(header(response, egress.ProxyStatus), "afterimage; error=")
	if !ok {
		return ""
	}
	return "egress: " + code
}

func header(response *proto.NetworkResponse, name string) string {
	return field(response.Headers, name)
}

// field returns the value of a header; "" when there is none.
func field(headers proto.NetworkHeaders, name string) string {
	for key, value := range headers {
		if strings.EqualFold(key, name) {
			return value.Str()
		}
	}
	return ""
}

func (o *observer) loadingFinished(e proto.NetworkLoadingFinished) {
	o.reuse.complete(e)
	o.finished(e.RequestID)
}

func (o *observer) loadingFailed(e proto.NetworkLoadingFailed) {
	if !e.Canceled {
		o.failed(page.FailedRequest{URL: o.addresses[e.RequestID], Type: string(e.Type), Error: e.ErrorText})
	}
	o.reuse.failed(e.RequestID)
	o.finished(e.RequestID)
}

func (o *observer) finished(id proto.NetworkRequestID) {
	o.heard = time.Now()
	delete(o.inFlight, id)
	delete(o.lingering, id)
	delete(o.addresses, id)
}

func (o *observer) failed(f page.FailedRequest) {
	if len(o.failures) < maxFailedRequests {
		o.failures = append(o.failures, f)
	}
}

// pending lists the requests of the document that are still in flight, in the order of their addresses.
func (o *observer) pending(which func(proto.NetworkRequestID, pendingRequest) bool) []page.FailedRequest {
	var list []page.FailedRequest
	for id, r := range o.inFlight {
		if which(id, r) {
			list = append(list, page.FailedRequest{URL: o.addresses[id], Type: string(r.kind), Error: page.NoAnswer})
		}
	}
	slices.SortFunc(list, func(a, b page.FailedRequest) int { return strings.Compare(a.URL, b.URL) })
	return list
}

// unanswered records the requests of the document that are still pending as failed.
func (o *observer) unanswered() {
	for _, f := range o.pending(func(_ proto.NetworkRequestID, r pendingRequest) bool { return !r.data }) {
		o.failed(f)
	}
}

// overdue notes the scripts and style sheets for which the page was waited in vain, and with data also what scripts asked for to show it.
// Scripts ask for all of that without keeping the document from loading.
func (o *observer) overdue(data bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, r := range o.inFlight {
		r.overdue = r.overdue || isCode(r.kind) || data && r.forPage()
		o.inFlight[id] = r
	}
}

// awaitedCode lists the scripts and style sheets that were overdue and have not come since.
func (o *observer) awaitedCode() []page.FailedRequest {
	return o.pending(func(_ proto.NetworkRequestID, r pendingRequest) bool { return r.overdue && isCode(r.kind) })
}

func isCode(kind proto.NetworkResourceType) bool {
	return kind == proto.NetworkResourceTypeScript || kind == proto.NetworkResourceTypeStylesheet
}

// awaitsData reports whether scripts wait for an answer that has not begun.
func (o *observer) awaitsData() bool {
	for _, r := range o.inFlight {
		if r.data && !r.begun {
			return true
		}
	}
	return false
}

// quiet reports whether the document has loaded, no request is pending and the document is not about to be replaced.
func (o *observer) quiet() bool { return o.doc.loaded && len(o.inFlight) == 0 && !o.leaving }

func (o *observer) socketOpened(e proto.NetworkWebSocketCreated) {
	if len(o.lingering) < maxInFlight {
		o.lingering[e.RequestID] = true
	}
}

// streaming reports whether an event stream or a socket is open, or a worker may send something.
func (o *observer) streaming() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.workers {
		return true
	}
	for _, stream := range o.lingering {
		if stream {
			return true
		}
	}
	return false
}

// message returns a channel that is closed at the next message of an event stream or a socket.
func (o *observer) message() <-chan struct{} {
	o.mu.Lock()
	heard := o.messages
	o.mu.Unlock()
	return o.when(func() bool { return o.messages != heard })
}

// Idle implements [Network].
func (o *observer) Idle() <-chan struct{} {
	document := o.current().count
	return o.when(func() bool { return len(o.inFlight) == 0 || o.doc.count != document })
}

func (o *observer) isIdle() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.inFlight) == 0
}

// Lingers implements [Network].
func (o *observer) Lingers() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.lingering) > 0
}

// Document implements [Network].
func (o *observer) Document() int { return o.current().count }

// Patience implements [Network].
func (o *observer) Patience() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.crowded():
		return crowdBudget
	case o.doc.loaded:
		return quietBudget
	case o.mute():
		return muteBudget
	}
	return loadBudget
}

// Abandon implements [Network].
func (o *observer) Abandon() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.doc.abandoned = !o.doc.loaded && !o.crowded()
	o.wake()
}

// mute reports whether the document has all that it needs to be drawn, and nothing has been heard of the rest for some time.
func (o *observer) mute() bool {
	for _, r := range o.inFlight {
		if (r.begun || r.blocks) && !r.data {
			return false
		}
	}
	return len(o.inFlight) > 0 && time.Since(o.heard) > muteTime
}

// crowded reports whether nothing but a crowd of requests by scripts is pending. They do not keep the document from loading,
// and a page with a slow service behind it waits for a few.
func (o *observer) crowded() bool {
	for _, r := range o.inFlight {
		if !r.data {
			return false
		}
	}
	return len(o.inFlight) > crowd
}

func (o *observer) isQuiet() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.quiet()
}

// shorten truncates an address for the record; data: and blob: addresses are reduced to their scheme.
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
