package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// authenticator identifies us to one origin: it answers basic authentication and adds headers. The browser pauses only
// requests to that origin, so neither can reach another one, whether by a redirect, an image or a challenge of the proxy.
type authenticator struct {
	origin      string // in the browser's spelling
	headers     []Header
	credentials *Credentials                  // nil for none
	answered    map[proto.FetchRequestID]bool // requests that were given the credentials once: a second challenge means they are wrong
}

// newAuthenticator returns nil without credentials and headers. The origin is obtained from the browser itself, which knows
// punycode and default ports: the two spellings must be equal.
func newAuthenticator(tab within, req *Request) (*authenticator, error) {
	if req.Credentials == nil && len(req.Headers) == 0 {
		return nil, nil
	}
	address, err := json.Marshal(req.URL)
	if err != nil {
		return nil, fmt.Errorf("encode the address: %w", err)
	}
	answer, err := proto.RuntimeEvaluate{Expression: "new URL(" + string(address) + ").origin", ReturnByValue: true}.Call(tab)
	if err != nil {
		return nil, err
	}
	if answer.Result == nil || !strings.HasPrefix(answer.Result.Value.Str(), "http") {
		return nil, failed(ReasonInvalidAddress, "the browser cannot parse the address")
	}
	return &authenticator{
		origin: answer.Result.Value.Str(), headers: req.Headers, credentials: req.Credentials,
		answered: make(map[proto.FetchRequestID]bool),
	}, nil
}

// commands enables interception.
func (a *authenticator) commands() []proto.Request {
	if a == nil {
		return nil
	}
	return []proto.Request{proto.FetchEnable{HandleAuthRequests: a.credentials != nil,
		Patterns: []*proto.FetchRequestPattern{{URLPattern: a.origin + "/*"}}}}
}

// paused lets a request continue, with the headers added. What the browser set under the same names is replaced.
func (a *authenticator) paused(tab Tab, e proto.FetchRequestPaused) {
	request := proto.FetchContinueRequest{RequestID: e.RequestID}
	if a != nil && len(a.headers) > 0 && e.Request != nil {
		for name, value := range e.Request.Headers {
			ours := slices.ContainsFunc(a.headers, func(h Header) bool { return strings.EqualFold(h.Name, name) })
			if !ours {
				request.Headers = append(request.Headers, &proto.FetchHeaderEntry{Name: name, Value: value.Str()})
			}
		}
		for _, h := range a.headers {
			request.Headers = append(request.Headers, &proto.FetchHeaderEntry{Name: h.Name, Value: h.Value})
		}
	}
	tab.Post(request)
}

func (a *authenticator) challenged(tab Tab, e proto.FetchAuthRequired) {
	response := &proto.FetchAuthChallengeResponse{Response: proto.FetchAuthChallengeResponseResponseCancelAuth}
	if a.accepts(e) {
		a.answered[e.RequestID] = true
		response = &proto.FetchAuthChallengeResponse{
			Response: proto.FetchAuthChallengeResponseResponseProvideCredentials, Username: a.credentials.User,
			Password: a.credentials.Password,
		}
	}
	tab.Post(proto.FetchContinueWithAuth{RequestID: e.RequestID, AuthChallengeResponse: response})
}

func (a *authenticator) accepts(e proto.FetchAuthRequired) bool {
	return a != nil && a.credentials != nil && !a.answered[e.RequestID] && len(a.answered) < maxInFlight && e.AuthChallenge != nil &&
		e.AuthChallenge.Source != proto.FetchAuthChallengeSourceProxy && strings.TrimSuffix(e.AuthChallenge.Origin, "/") == a.origin
}

// cookieCommands set the request's cookies, none for a request without any. The browser context is a fresh one.
func cookieCommands(req *Request) []proto.Request {
	commands := make([]proto.Request, len(req.Cookies))
	for i, c := range req.Cookies {
		commands[i] = proto.NetworkSetCookie{Name: c.Name, Value: c.Value, URL: req.URL}
	}
	return commands
}

// Session is what a browser keeps of a visit: cookies, and what pages stored by origin. It does not print itself.
type Session struct {
	cookies []*proto.NetworkCookieParam
	stored  map[string]pageStorage // by origin
}

// pageStorage is what the pages of an origin stored.
type pageStorage struct {
	Local   map[string]string `json:"local,omitempty"`
	Session map[string]string `json:"session,omitempty"`
}

// storedSession is how a session is encoded.
type storedSession struct {
	Cookies []*proto.NetworkCookieParam `json:"cookies"`
	Stored  map[string]pageStorage      `json:"stored"`
}

// maxSession limits an encoded session, in bytes.
const maxSession = 2 << 20

// Encode writes a session down, for ReadSession.
func (s *Session) Encode() ([]byte, error) {
	raw, err := json.Marshal(storedSession{s.cookies, s.stored})
	if err == nil && len(raw) > maxSession {
		return nil, fmt.Errorf("the browser keeps %d bytes of cookies and storage, at most %d are supported", len(raw), maxSession)
	}
	return raw, err
}

// ReadSession reads what Encode wrote.
func ReadSession(raw []byte) (*Session, error) {
	var read storedSession
	if err := json.Unmarshal(raw, &read); err != nil {
		return nil, errors.New("this is not a session") // the error of the decoder could repeat a part of it
	}
	return &Session{read.Cookies, read.Stored}, nil
}

// String implements fmt.Stringer.
func (*Session) String() string { return "[session]" }

// GoString implements fmt.GoStringer.
func (*Session) GoString() string { return "[session]" }

// MarshalJSON implements json.Marshaler.
func (s *Session) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// restoreScript fills the storage of a page in the main frame before its scripts run, in a world of its own: pages do not see what
// belongs to other origins. What is there stays.
const restoreScript = `(() => {
  const stored = STORED[location.origin];
  if (!stored || self !== top) return;
  const fill = (storage, values) => {
    if (storage.length === 0) for (const [name, value] of Object.entries(values)) storage.setItem(name, value);
  };
  try {
    fill(localStorage, stored.local ?? {});
    fill(sessionStorage, stored.session ?? {});
  } catch {} // the page has no storage
})()`

// commands give an empty tab the session.
func (s *Session) commands() []proto.Request {
	if s == nil {
		return nil
	}
	var commands []proto.Request
	if len(s.cookies) > 0 {
		commands = append(commands, proto.NetworkSetCookies{Cookies: s.cookies})
	}
	if stored, err := json.Marshal(s.stored); err == nil && len(s.stored) > 0 { // maps of strings always are JSON
		commands = append(commands, proto.PageAddScriptToEvaluateOnNewDocument{
			Source: strings.ReplaceAll(restoreScript, "STORED", string(stored)), WorldName: worldName})
	}
	return commands
}

// keeper collects what a flow leaves in the browser.
type keeper struct {
	hosts  map[string]bool // of the documents of the main frame
	stored map[string]pageStorage
}

func newKeeper() *keeper { return &keeper{map[string]bool{}, map[string]pageStorage{}} }

// visited notes the host of a document.
func (k *keeper) visited(address string) {
	if u, err := url.Parse(address); err == nil && isWeb(address) {
		k.hosts[strings.ToLower(u.Hostname())] = true
	}
}

// keeps tells whether a cookie is of a host that was visited.
func (k *keeper) keeps(c *proto.NetworkCookie) bool {
	domain := strings.ToLower(strings.TrimPrefix(c.Domain, "."))
	if k.hosts[domain] || k.hosts[strings.Trim(domain, "[]")] {
		return true
	}
	for host := range k.hosts {
		if strings.HasPrefix(c.Domain, ".") && strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return false
}

// readStorage returns what the page stored, and its origin.
const readStorage = `(() => {
  const all = (name) => { try { return { ...self[name] } } catch { return {} } };
  return { origin: location.origin, local: all('localStorage'), session: all('sessionStorage') };
})()`

// keepStorage notes what the page on which a step ended has stored. A page that does not answer is left out: what counts is mostly in
// cookies, and the captures tell if it was not.
func (w *walk) keepStorage() {
	if w.keeper == nil {
		return
	}
	w.keeper.visited(w.events.current().url)
	world := w.events.world()
	if world == 0 || w.ctx.Err() != nil {
		return
	}
	answer, err := w.evaluate(proto.RuntimeEvaluate{Expression: readStorage, ContextID: world, ReturnByValue: true}, stillBudget)
	if err != nil || answer == nil || answer.ExceptionDetails != nil || answer.Result == nil {
		return
	}
	var found struct {
		Origin string
		pageStorage
	}
	if answer.Result.Value.Unmarshal(&found) != nil {
		return
	}
	if len(found.Local)+len(found.Session) > 0 {
		w.keeper.stored[found.Origin] = found.pageStorage
	} else {
		delete(w.keeper.stored, found.Origin)
	}
}

// keepSession returns what the browser keeps of the hosts that the flow has visited.
func (w *walk) keepSession(walked *Walked) error {
	w.events.mu.Lock()
	redirects := slices.Clone(w.events.redirect)
	w.events.mu.Unlock()
	for _, address := range append(redirects, w.flow.Start) {
		w.keeper.visited(address)
	}
	found, err := proto.NetworkGetAllCookies{}.Call(w.tab)
	if err != nil {
		return w.secretless(w.explain(fmt.Errorf("read the cookies: %w", err), "keep"))
	}
	session := &Session{stored: w.keeper.stored}
	for _, c := range found.Cookies {
		if w.keeper.keeps(c) {
			session.cookies = append(session.cookies, sameCookie(c))
		}
	}
	walked.Session = session
	return nil
}

// sameCookie sets a cookie as it was. One without a domain of its own is that of one host only.
func sameCookie(c *proto.NetworkCookie) *proto.NetworkCookieParam {
	same := &proto.NetworkCookieParam{
		Name: c.Name, Value: c.Value, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: c.SameSite, Priority: c.Priority,
		SourceScheme: c.SourceScheme, PartitionKey: c.PartitionKey,
	}
	if !c.Session {
		same.Expires = c.Expires
	}
	if strings.HasPrefix(c.Domain, ".") {
		same.Domain = c.Domain
		return same
	}
	same.URL = "http://" + c.Domain + c.Path
	if c.Secure || c.SourceScheme == proto.NetworkCookieSourceSchemeSecure {
		same.URL = "https://" + c.Domain + c.Path
	}
	return same
}
