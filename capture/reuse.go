package capture

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/assetcache"
)

// shareable are the resource types that pages of a site have in common. Documents, and what scripts ask for, are always
// fetched.
var shareable = []proto.NetworkResourceType{
	proto.NetworkResourceTypeStylesheet, proto.NetworkResourceTypeScript, proto.NetworkResourceTypeFont, proto.NetworkResourceTypeImage,
}

// isolating are headers of a document by which the browser blocks some responses of other sites. It does so in its network
// stack, which an answer of ours does not pass.
var isolating = []string{"Cross-Origin-Embedder-Policy", "Document-Isolation-Policy"}

const (
	maxReading = 16      // bodies that are read out of the browser at the same time, of one page
	maxPacked  = 1 << 20 // bytes of a response with content encoding: it may unpack to a thousand times as much
)

// reuse shares assets with other captures. The browser pauses the page's requests for them (Fetch domain): one that another
// capture has made is answered with what that one received, and all others go to the network as ever, by the browser's own
// stack with its certificates, cookies and checks. What comes back is copied for the others when the browser has reported
// that it is complete.
//
// Its methods are called with the observer locked; those of a nil reuse do nothing.
type reuse struct {
	ctx    context.Context
	events *observer
	visit  *assetcache.Visit
	off    bool // this page shares nothing any more
	reads  int  // bodies that are being read

	fetching map[proto.NetworkRequestID]*fetched // requests that others may wait for

	requests int
	bytes    int64
}

// fetched is an asset on its way. It is shared when all about it is known, in whatever order the browser reports that.
type fetched struct {
	key      assetcache.Key
	cookie   string            // that the key contains
	asset    *assetcache.Asset // nil until its body has been read
	sent     bool              // the request's true headers are known
	answered bool              // the response's true headers are known
	wire     int64             // bytes on the network; 0 until the browser has the whole response
}

// newReuse joins a scope; nil when nothing is shared.
func newReuse(ctx context.Context, events *observer, scope *assetcache.Scope) *reuse {
	visit := scope.Join()
	if visit == nil {
		return nil
	}
	return &reuse{ctx: ctx, events: events, visit: visit, fetching: make(map[proto.NetworkRequestID]*fetched)}
}

// end leaves the scope. The observer must not be locked.
func (u *reuse) end() {
	if u != nil {
		u.visit.Leave()
	}
}

// total is what the page got from others.
func (u *reuse) total() (requests int, bytes int64) {
	if u == nil {
		return 0, 0
	}
	return u.requests, u.bytes
}

// commands enables interception.
func (u *reuse) commands() []proto.Request {
	if u == nil {
		return nil
	}
	enable := proto.FetchEnable{}
	for _, kind := range shareable {
		enable.Patterns = append(enable.Patterns, &proto.FetchRequestPattern{URLPattern: "http*", ResourceType: kind})
	}
	return []proto.Request{enable}
}

// document looks whether a document that has arrived permits answers of ours.
func (u *reuse) document(response *proto.NetworkResponse) {
	if u == nil {
		return
	}
	for _, name := range isolating {
		u.off = u.off || header(response, name) != ""
	}
}

// sent compares the cookies that were sent with those that the browser had shown, which lack partitioned ones (CHIPS).
func (u *reuse) sent(e proto.NetworkRequestWillBeSentExtraInfo) {
	if u == nil {
		return
	}
	f, cookie := u.fetching[e.RequestID], field(e.Headers, "Cookie")
	switch {
	case f == nil:
	case cookie != f.cookie:
		u.off = true
		u.refuse(e.RequestID, f)
	default:
		f.sent = true
		u.share(e.RequestID, f)
	}
}

// answered looks for cookies that a response sets, which the browser shows here only. A page with partitioned cookies shares
// nothing from then on.
func (u *reuse) answered(e proto.NetworkResponseReceivedExtraInfo) {
	if u == nil {
		return
	}
	set := field(e.Headers, "Set-Cookie")
	u.off = u.off || strings.Contains(strings.ToLower(set), "partitioned")
	f := u.fetching[e.RequestID]
	switch {
	case f == nil:
	case set != "":
		u.refuse(e.RequestID, f)
	default:
		f.answered = true
		u.share(e.RequestID, f)
	}
}

// refuse tells the others that an asset is not for them.
func (u *reuse) refuse(id proto.NetworkRequestID, f *fetched) {
	delete(u.fetching, id)
	u.visit.Refuse(f.key)
}

// fail tells the others that an asset did not arrive.
func (u *reuse) fail(id proto.NetworkRequestID, f *fetched) {
	delete(u.fetching, id)
	u.visit.Fail(f.key)
}

// share shares an asset if all about it is known.
func (u *reuse) share(id proto.NetworkRequestID, f *fetched) {
	if f.asset == nil || f.wire == 0 || !f.sent || !f.answered {
		return
	}
	if u.off || len(f.asset.Body) > assetcache.MaxBody {
		u.refuse(id, f)
		return
	}
	delete(u.fetching, id)
	f.asset.Wire = f.wire
	u.visit.Store(f.key, f.asset)
}

// paused decides about a request that the browser has paused, before it is sent or when its response has begun.
func (u *reuse) paused(e proto.FetchRequestPaused) {
	if e.ResponseStatusCode != nil || e.ResponseErrorReason != "" {
		u.responded(e)
		return
	}
	key, ok := u.key(e)
	if !ok {
		u.proceed(e.RequestID)
		return
	}
	outcome, asset := u.visit.Ask(key, string(e.NetworkID), func(asset *assetcache.Asset) {
		u.events.mu.Lock()
		defer u.events.mu.Unlock()
		u.answer(e.RequestID, asset)
	})
	switch outcome {
	case assetcache.Hit:
		u.answer(e.RequestID, asset)
	case assetcache.Fetch:
		u.fetching[e.NetworkID] = &fetched{key: key, cookie: field(e.Request.Headers, "Cookie")}
		u.events.tab.Post(proto.FetchContinueRequest{RequestID: e.RequestID, InterceptResponse: true})
	case assetcache.Pass:
		u.proceed(e.RequestID)
	case assetcache.Wait:
	}
}

// key returns the key of a request that may be shared. Frames share nothing: they usually belong to other sites.
func (u *reuse) key(e proto.FetchRequestPaused) (assetcache.Key, bool) {
	if u.off || e.Request == nil || e.NetworkID == "" || e.RedirectedRequestID != "" || e.FrameID != u.events.tab.Frame() ||
		e.Request.HasPostData || len(u.fetching) >= maxInFlight {
		return assetcache.Key{}, false
	}
	document, err := url.Parse(u.events.doc.url)
	if err != nil || !isWeb(u.events.doc.url) {
		return assetcache.Key{}, false
	}
	request := assetcache.Request{
		Site: document.Scheme + "://" + document.Host, Kind: string(e.ResourceType), Method: e.Request.Method, URL: e.Request.URL,
	}
	for name, value := range e.Request.Headers {
		request.Headers = append(request.Headers, assetcache.Header{Name: name, Value: value.Str()})
	}
	return request.Key()
}

// proceed lets the browser go on.
func (u *reuse) proceed(id proto.FetchRequestID) {
	u.events.tab.Post(proto.FetchContinueRequest{RequestID: id})
}

// answer answers a request with an asset, and sends it to the network without one. If the browser does not take the asset, it
// is to ask the site.
func (u *reuse) answer(id proto.FetchRequestID, asset *assetcache.Asset) {
	if asset == nil {
		u.proceed(id)
		return
	}
	u.requests++
	u.bytes += asset.Wire
	u.events.tab.Guard().Reuse(asset.Wire)
	fulfil := proto.FetchFulfillRequest{RequestID: id, ResponseCode: 200, Body: asset.Body}
	for _, h := range asset.HeadersAt(time.Now()) {
		fulfil.ResponseHeaders = append(fulfil.ResponseHeaders, &proto.FetchHeaderEntry{Name: h.Name, Value: h.Value})
	}
	taken := u.events.tab.Begin(fulfil)
	go func() {
		if _, err := taken.Result(u.ctx); err != nil && u.ctx.Err() == nil {
			u.proceed(id)
		}
	}()
}

// responded copies the response to a request that others may wait for, if it may be shared.
func (u *reuse) responded(e proto.FetchRequestPaused) {
	f := u.fetching[e.NetworkID]
	if f == nil || e.ResponseErrorReason != "" { // whether an error is the end of a request is reported later
		u.proceed(e.RequestID)
		return
	}
	headers := make(assetcache.Headers, 0, len(e.ResponseHeaders))
	for _, h := range e.ResponseHeaders {
		headers = append(headers, assetcache.Header{Name: h.Name, Value: h.Value})
	}
	received := time.Now()
	lifetime := assetcache.Lifetime(headers, received)
	switch {
	case *e.ResponseStatusCode >= 400, u.reads >= maxReading: // the next one may have more luck
		u.fail(e.NetworkID, f)
		u.proceed(e.RequestID)
		return
	case *e.ResponseStatusCode != 200, lifetime <= 0, !u.copyable(e, headers):
		u.refuse(e.NetworkID, f)
		u.proceed(e.RequestID)
		return
	}
	u.reads++
	body := u.events.tab.Begin(proto.FetchGetResponseBody{RequestID: e.RequestID})
	go func() {
		content, err := readBody(u.ctx, body)
		u.events.mu.Lock()
		defer u.events.mu.Unlock()
		u.reads--
		short := err == nil && cutShort(headers, content)
		if short {
			u.events.tab.Post(proto.FetchFailRequest{RequestID: e.RequestID, ErrorReason: proto.NetworkErrorReasonConnectionClosed})
		} else {
			u.proceed(e.RequestID)
		}
		switch {
		case err == nil && !short:
			f.asset = assetcache.NewAsset(headers, content, received, lifetime)
		case u.fetching[e.NetworkID] == f:
			u.fail(e.NetworkID, f)
		}
	}()
}

// cutShort reports whether a response ended before the length that it declares. The browser does not always notice that of one that it
// has paused.
func cutShort(headers assetcache.Headers, content []byte) bool {
	declared := 0
	for _, h := range headers {
		switch strings.ToLower(h.Name) {
		case "content-encoding": // the length is that of the packed body
			return false
		case "content-length":
			declared, _ = strconv.Atoi(strings.TrimSpace(h.Value))
		}
	}
	return len(content) < declared
}

// copyable reports whether the size of a response is known to be moderate, and whether the response may do without the
// browser's network stack.
func (u *reuse) copyable(e proto.FetchRequestPaused, headers assetcache.Headers) bool {
	length, packed := -1, false
	for _, h := range headers {
		switch strings.ToLower(h.Name) {
		case "content-length":
			if _, err := fmt.Sscanf(h.Value, "%d", &length); err != nil {
				return false
			}
		case "content-encoding":
			packed = true
		case "strict-transport-security":
			if strings.HasPrefix(u.events.doc.url, "http:") {
				return false // later requests of this page to that host are sent encrypted
			}
		}
	}
	if length < 0 { // a picture that is sent piece by piece may never be complete, and is shown as far as it has come
		return e.ResourceType != proto.NetworkResourceTypeImage
	}
	return length <= assetcache.MaxBody && (!packed || length <= maxPacked)
}

// readBody returns the body of a paused response.
func readBody(ctx context.Context, pending Answer) ([]byte, error) {
	raw, err := pending.Result(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := decodeAnswer[proto.FetchGetResponseBodyResult](proto.FetchGetResponseBody{}, raw)
	if err != nil {
		return nil, err
	}
	if !answer.Base64Encoded {
		return []byte(answer.Body), nil
	}
	return base64.StdEncoding.DecodeString(answer.Body)
}

// complete notes that the browser has received an asset to its end.
func (u *reuse) complete(e proto.NetworkLoadingFinished) {
	if u == nil {
		return
	}
	if f := u.fetching[e.RequestID]; f != nil {
		f.wire = max(1, int64(e.EncodedDataLength))
		u.share(e.RequestID, f)
	}
}

// failed gives up an asset that did not arrive.
func (u *reuse) failed(id proto.NetworkRequestID) {
	if u == nil {
		return
	}
	if f := u.fetching[id]; f != nil {
		u.fail(id, f)
	}
}
