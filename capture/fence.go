package capture

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// fence keeps secrets that were typed into a page from being sent to other hosts than theirs, by a form or a script as well as after a
// redirect. The browser pauses all requests for it, from the first secret on.
type fence struct {
	vault *vault
	told  string // the first request that was refused
	own   string // the origin to which the authenticator adds what it has
}

// commands makes the browser pause requests.
func (f *fence) commands(auth *authenticator) []proto.Request {
	request := proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{URLPattern: "*"}}}
	if auth != nil {
		f.own = auth.origin
		request.HandleAuthRequests = auth.credentials != nil
	}
	return []proto.Request{request}
}

// refuses reports whether a request would carry a secret to a host that must not have it.
func (f *fence) refuses(request *proto.NetworkRequest) bool {
	u, err := url.Parse(request.URL)
	if err != nil || !isWeb(request.URL) {
		return false
	}
	carried := request.URL + "\n" + request.PostData
	for _, entry := range request.PostDataEntries {
		carried += "\n" + string(entry.Bytes)
	}
	for _, value := range request.Headers {
		carried += "\n" + value.Str()
	}
	for _, k := range f.vault.known {
		if _, ok := f.vault.accepts(k.name, u.Scheme+":", u.Host); ok {
			continue
		}
		if k.forms.MatchString(carried) {
			if f.told == "" {
				f.told = fmt.Sprintf("The page tried to send the secret %s to %s, which was prevented.", k.name, u.Host)
			}
			return true
		}
	}
	return false
}

// fenced decides about a request that the browser has paused.
func (o *observer) fenced(e proto.FetchRequestPaused) {
	switch {
	case e.Request != nil && o.fence.refuses(e.Request):
		o.tab.Post(proto.FetchFailRequest{RequestID: e.RequestID, ErrorReason: proto.NetworkErrorReasonBlockedByClient})
	case o.auth != nil && e.Request != nil && strings.HasPrefix(e.Request.URL, o.fence.own+"/"):
		o.auth.paused(o.tab, e)
	default:
		o.tab.Post(proto.FetchContinueRequest{RequestID: e.RequestID})
	}
}
