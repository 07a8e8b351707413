package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// authenticator answers basic authentication for one origin. The browser pauses only requests to that origin, so
// credentials cannot reach another one, be it by redirect, by image or by a challenge of the proxy.
type authenticator struct {
	origin      string // as the browser writes it
	credentials Credentials
	answered    map[string]bool // requests that had the credentials once: a second challenge means they are wrong
}

// newAuthenticator returns nil without credentials. The browser itself is asked for the origin: it knows punycode and
// default ports, and the two spellings must be equal.
func newAuthenticator(ctx context.Context, tab Tab, req Request) (*authenticator, error) {
	if req.Credentials == nil {
		return nil, nil
	}
	address, err := json.Marshal(req.URL)
	if err != nil {
		return nil, fmt.Errorf("encode the address: %w", err)
	}
	var answer struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	err = tab.Call(ctx, "Runtime.evaluate", params{"expression": "new URL(" + string(address) + ").origin", "returnByValue": true}, &answer)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(answer.Result.Value, "http") {
		return nil, failed(ReasonInvalidAddress, "the browser does not understand the address")
	}
	return &authenticator{origin: answer.Result.Value, credentials: *req.Credentials, answered: make(map[string]bool)}, nil
}

// commands switches interception on.
func (a *authenticator) commands() []Command {
	if a == nil {
		return nil
	}
	return []Command{{"Fetch.enable", params{"handleAuthRequests": true, "patterns": []params{{"urlPattern": a.origin + "/*"}}}}}
}

type pausedRequest struct {
	RequestID string `json:"requestId"`
}

func (a *authenticator) paused(tab Tab, e pausedRequest) {
	tab.Post("Fetch.continueRequest", params{"requestId": e.RequestID})
}

type authChallenge struct {
	RequestID string `json:"requestId"`
	Challenge struct {
		Source string `json:"source"`
		Origin string `json:"origin"`
	} `json:"authChallenge"`
}

func (a *authenticator) challenged(tab Tab, e authChallenge) {
	response := params{"response": "CancelAuth"}
	if a.accepts(e) {
		a.answered[e.RequestID] = true
		response = params{"response": "ProvideCredentials", "username": a.credentials.User, "password": a.credentials.Password}
	}
	tab.Post("Fetch.continueWithAuth", params{"requestId": e.RequestID, "authChallengeResponse": response})
}

func (a *authenticator) accepts(e authChallenge) bool {
	return a != nil && !a.answered[e.RequestID] && len(a.answered) < maxInFlight &&
		e.Challenge.Source != "Proxy" && strings.TrimSuffix(e.Challenge.Origin, "/") == a.origin
}
