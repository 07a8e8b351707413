package remote

import (
	"cmp"
	"net/http"
	"time"

	"afterimage/internal/retryafter"
)

// Codes of the server's errors on which something depends here.
const (
	codeUnauthenticated = "UNAUTHENTICATED"
	codeForbidden       = "FORBIDDEN"
	codeNotFound        = "NOT_FOUND"
	codeInvalid         = "INVALID"
	codeUnavailable     = "UNAVAILABLE"
	codeRateLimited     = "RATE_LIMITED"
	codeTooManyStreams  = "TOO_MANY_STREAMS"
	codeTooManyOpen     = "TOO_MANY_CONNECTIONS"
)

// Refusal is an error that the server answers with.
type Refusal struct {
	Message    string     `json:"message"`
	Extensions extensions `json:"extensions"`

	retry time.Duration // as a header asks
}

type extensions struct {
	Code       string `json:"code"`
	RetryAfter int    `json:"retryAfter"` // seconds
}

// Error says it in words that name what to do.
func (r *Refusal) Error() string {
	switch r.Extensions.Code {
	case codeUnauthenticated:
		return "the server does not know the API token, or it has expired or was revoked. " +
			"Create another one in the dashboard, under Settings, API tokens"
	case codeForbidden:
		return "the API token does not have the permission: " + r.Message
	}
	return r.Message
}

func (r *Refusal) at(header http.Header) *Refusal {
	r.retry = retryafter.Parse(header.Get("Retry-After"), time.Now())
	return r
}

// passes reports whether the same request may succeed a little later. A mutation that was unavailable may have been done.
func (r *Refusal) passes(mutation bool) bool {
	switch r.Extensions.Code {
	case codeRateLimited:
		return true
	case codeUnavailable, codeTooManyStreams, codeTooManyOpen:
		return !mutation
	}
	return false
}

// wait is the pause that the server asks for; 0 for none.
func (r *Refusal) wait() time.Duration {
	return cmp.Or(time.Duration(r.Extensions.RetryAfter)*time.Second, r.retry)
}
