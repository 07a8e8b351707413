package capture

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// authenticator answers basic authentication for one origin. The browser pauses only requests to that origin, so the
// credentials cannot reach another one, whether by a redirect, an image or a challenge of the proxy.
type authenticator struct {
	origin      string // in the browser's spelling
	credentials Credentials
	answered    map[proto.FetchRequestID]bool // requests that were given the credentials once: a second challenge means they are wrong
}

// newAuthenticator returns nil without credentials. The origin is obtained from the browser itself, which knows
// punycode and default ports: the two spellings must be equal.
func newAuthenticator(tab within, req Request) (*authenticator, error) {
	if req.Credentials == nil {
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
		return nil, failed(ReasonInvalidAddress, "the browser does not understand the address")
	}
	return &authenticator{origin: answer.Result.Value.Str(), credentials: *req.Credentials, answered: make(map[proto.FetchRequestID]bool)},
		nil
}

// commands enables interception.
func (a *authenticator) commands() []proto.Request {
	if a == nil {
		return nil
	}
	return []proto.Request{proto.FetchEnable{HandleAuthRequests: true,
		Patterns: []*proto.FetchRequestPattern{{URLPattern: a.origin + "/*"}}}}
}

func (a *authenticator) paused(tab Tab, e proto.FetchRequestPaused) {
	tab.Post(proto.FetchContinueRequest{RequestID: e.RequestID})
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
	return a != nil && !a.answered[e.RequestID] && len(a.answered) < maxInFlight && e.AuthChallenge != nil &&
		e.AuthChallenge.Source != proto.FetchAuthChallengeSourceProxy && strings.TrimSuffix(e.AuthChallenge.Origin, "/") == a.origin
}
