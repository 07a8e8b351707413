package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"afterimage/internal/retryafter"
)

// Limits of answers.
const (
	maxAnswer = 64 << 20 // bytes
	maxRefuse = 3        // times that a request is repeated because the server had no time for it
	maxPause  = time.Minute
)

// Client is a connection to the API of one account.
type Client struct {
	base  *url.URL
	token string
	agent string
	http  *http.Client
	pause func(ctx context.Context, d time.Duration) error // waits; tests do not
}

// New returns a client of the server at an address such as https://afterimage.example.com. The agent is the name and version of
// the program.
func New(server, token, agent string) (*Client, error) {
	if !strings.Contains(server, "://") {
		server = "https://" + server
	}
	base, err := url.Parse(server)
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" {
		return nil, fmt.Errorf("%q is not the address of a server; write it like https://afterimage.example.com", server)
	}
	if base.User != nil {
		return nil, errors.New("the address of the server must not contain a user name or a password")
	}
	if token = strings.TrimSpace(token); token == "" || strings.ContainsAny(token, " \t\r\n") {
		return nil, errors.New("the API token is empty or has spaces in it: copy it exactly as the dashboard showed it")
	}
	base = &url.URL{Scheme: base.Scheme, Host: base.Host, Path: strings.TrimRight(base.Path, "/")}
	return &Client{base: base, token: token, agent: agent, http: &http.Client{CheckRedirect: stay}, pause: sleep}, nil
}

// stay refuses redirects: a redirected POST would become a GET, and the token belongs to the server that was named.
func stay(r *http.Request, _ []*http.Request) error {
	return fmt.Errorf("it redirects to %s://%s; give that address if it is the server's", r.URL.Scheme, r.URL.Host)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// Address is that of a path of the server, for people and for pictures.
func (c *Client) Address(path string) string { return c.base.String() + path }

// String is the server's address.
func (c *Client) String() string { return c.base.String() }

type request struct {
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables,omitempty"`
}

type response struct {
	Data   json.RawMessage `json:"data"`
	Errors []*Refusal      `json:"errors"`
}

// do executes a document and decodes its data. What the server had no time for is repeated after the pause that it asks for; a
// mutation only if nothing of it was done.
func (c *Client) do(ctx context.Context, document string, variables map[string]any, into any) error {
	for again := 0; ; again++ {
		err := c.once(ctx, document, variables, into)
		var refused *Refusal
		if err == nil || again == maxRefuse || !errors.As(err, &refused) || !refused.passes(isMutation(document)) {
			return err
		}
		if err := c.pause(ctx, min(max(refused.wait(), time.Second<<again), maxPause)); err != nil {
			return err
		}
	}
}

func isMutation(document string) bool { return strings.HasPrefix(document, "mutation") }

func (c *Client) once(ctx context.Context, document string, variables map[string]any, into any) error {
	answer, err := c.post(ctx, document, variables, "application/json")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err != nil {
		return c.unreachable(ctx, err)
	}
	if len(text) > maxAnswer {
		return fmt.Errorf("the answer of %s is longer than %d MiB", c.base, maxAnswer>>20)
	}
	var decoded response
	if err := json.Unmarshal(text, &decoded); err != nil || decoded.Data == nil && decoded.Errors == nil {
		return c.notOurs(answer)
	}
	if len(decoded.Errors) > 0 {
		return decoded.Errors[0].at(answer.Header)
	}
	if err := json.Unmarshal(decoded.Data, into); err != nil {
		return fmt.Errorf("the answer of %s cannot be read; does the server run another version? %w", c.base, err)
	}
	return nil
}

// post sends a document and returns the answer, whose body the caller closes.
func (c *Client) post(ctx context.Context, document string, variables map[string]any, accept string) (*http.Response, error) {
	body, err := json.Marshal(request{document, variables})
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Address("/graphql"), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	return c.send(r)
}

// send adds what every request carries.
func (c *Client) send(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("User-Agent", c.agent)
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreachable(r.Context(), err)
	}
	return answer, nil
}

// unreachable says why the server did not answer; an interrupted request stays what it is.
func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &unreachableError{c.base.String(), err}
}

// unreachableError is a server that did not answer.
type unreachableError struct {
	server string
	cause  error
}

func (e *unreachableError) Error() string {
	return fmt.Sprintf("the server %s cannot be reached: %v. Check the address and that it is running", e.server, e.cause)
}

func (e *unreachableError) Unwrap() error { return e.cause }

// notOurs says that something else answers at the address, or something in between.
func (c *Client) notOurs(answer *http.Response) error {
	return &Refusal{
		Message: fmt.Sprintf("%s answers with HTTP status %d instead of GraphQL: give the address of an Afterimage server",
			c.Address("/graphql"), answer.StatusCode),
		retry: retryafter.Parse(answer.Header.Get("Retry-After"), time.Now()), Extensions: extensionsOf(answer.StatusCode),
	}
}

// extensionsOf tells apart what passes: a proxy says so while the server behind it starts.
func extensionsOf(status int) extensions {
	switch status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return extensions{Code: codeUnavailable}
	}
	return extensions{}
}
