package capture

import (
	"encoding/json"
	"fmt"
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
