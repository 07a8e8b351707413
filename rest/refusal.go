package rest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The codes that errors of the executor and of the authenticator carry under extensions.code.
const (
	codeUnauthenticated = "UNAUTHENTICATED"
	codeForbidden       = "FORBIDDEN"
	codeActivateAccount = "ACTIVATE_ACCOUNT"
	codeNotFound        = "NOT_FOUND"
	codeInvalid         = "INVALID"
	codeConflict        = "CONFLICT"
	codeChecksExhausted = "CHECKS_EXHAUSTED"
	codeRateLimited     = "RATE_LIMITED"
	codeUnavailable     = "UNAVAILABLE"
)

// precedence decides which of several errors of one operation is answered: the earlier in this list, the sooner. What
// is not in the list is an internal error and takes precedence.
var precedence = []string{
	codeUnavailable, codeUnauthenticated, codeActivateAccount, codeForbidden, codeRateLimited,
	codeNotFound, codeChecksExhausted, codeConflict, codeInvalid,
}

// refusal is the part of an error's extensions that REST shows.
type refusal struct {
	Code       string `json:"code"`
	Resource   string `json:"resource"`   // with NOT_FOUND: the kind of thing
	ID         string `json:"id"`         // with NOT_FOUND: the id as the client gave it
	Reason     string `json:"reason"`     // with INVALID and UNAVAILABLE: a machine-readable word
	RetryAfter int    `json:"retryAfter"` // with RATE_LIMITED: seconds
	RequestID  string `json:"requestId"`  // with faults: the id under which the cause is in the log already
	Fields     []struct {
		Path     string `json:"path"`     // camelCase, dotted
		Message  string `json:"message"`  // the text for GraphQL clients
		Template string `json:"template"` // the same with {field} in place of the field's name
	} `json:"fields"` // with INVALID

	message string
	cause   error
}

// readRefusal reads the extensions of an error. They hold the Go values of the executor, so they are read by their JSON
// form, which is the interface.
func readRefusal(err error) refusal {
	var graphqlError *gqlerror.Error
	if !errors.As(err, &graphqlError) {
		return refusal{cause: err}
	}
	r := refusal{message: graphqlError.Message, cause: err}
	encoded, marshalErr := json.Marshal(graphqlError.Extensions)
	if marshalErr == nil {
		marshalErr = json.Unmarshal(encoded, &r)
	}
	if marshalErr != nil {
		return refusal{cause: fmt.Errorf("reading the extensions of %w: %w", err, marshalErr)}
	}
	if r.RequestID != "" {
		r.cause = nil
	}
	return r
}

// unlogged is the cause of a failure, or nil when the executor has logged one of its errors already.
func unlogged(cause error, list ...error) error {
	for _, err := range list {
		if readRefusal(err).RequestID != "" {
			return nil
		}
	}
	return cause
}

// rank is the place of a code in precedence, with unknown codes before all.
func (r refusal) rank() int {
	for i, code := range precedence {
		if code == r.Code {
			return i + 1
		}
	}
	return 0
}

// refuse turns the errors of an operation into the answer. rename spells a field's path the way the client sent it.
func refuse(list gqlerror.List, rename func(path string) string) *failure {
	var chosen refusal
	var fields fieldTexts
	for i, err := range list {
		r := readRefusal(err)
		if i == 0 || r.rank() < chosen.rank() {
			chosen = r
		}
		for _, field := range r.Fields {
			text := field.Template
			if text == "" {
				text = field.Message
			}
			fields.add(rename(field.Path), text)
		}
	}
	return chosen.failure(fields)
}

// failure is the answer to a refusal; fields are those of all errors of the operation.
func (r refusal) failure(fields fieldTexts) *failure {
	switch r.Code {
	case codeUnauthenticated:
		return unauthenticated()
	case codeForbidden:
		return &failure{status: http.StatusForbidden, message: "This action is unauthorized."}
	case codeActivateAccount:
		return &failure{status: http.StatusForbidden, message: "ActivateAccount"}
	case codeNotFound:
		return modelNotFound(r.Resource, r.ID)
	case codeChecksExhausted:
		return &failure{status: http.StatusPaymentRequired, message: r.message}
	case codeConflict:
		return &failure{status: http.StatusConflict, message: r.message}
	case codeRateLimited:
		return &failure{
			status: http.StatusTooManyRequests, message: cmp.Or(r.message, "Too Many Attempts."),
			header: map[string]string{"Retry-After": strconv.Itoa(max(r.RetryAfter, 1))},
		}
	case codeUnavailable:
		f := unavailable(r.cause)
		if r.Reason != "" { // what is lacking does not come back within a second
			f.message, f.header = r.message, map[string]string{"Retry-After": "60"}
		}
		return f
	case codeInvalid:
		if fields.empty() {
			return &failure{status: http.StatusUnprocessableEntity, message: r.message, reason: r.Reason}
		}
		f := invalid(fields)
		f.reason = r.Reason
		return f
	}
	return serverError(r.cause)
}
