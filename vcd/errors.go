package vcd

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code is the closed set of reasons for which a use case can fail. Transports map each code to their own form.
type Code string

// The codes.
const (
	CodeUnauthenticated Code = "UNAUTHENTICATED"  // no token, or one that is unknown, revoked or expired
	CodeForbidden       Code = "FORBIDDEN"        // the caller is known but may not do this
	CodeActivateAccount Code = "ACTIVATE_ACCOUNT" // the account is not active yet, or no longer
	CodeNotFound        Code = "NOT_FOUND"        // missing, or another account's: the two look the same
	CodeInvalid         Code = "INVALID"          // fields are wrong; see Error.Fields
	CodeConflict        Code = "CONFLICT"         // the current state does not allow it
	CodeChecksExhausted Code = "CHECKS_EXHAUSTED" // the plan has too few checks left
	CodeRateLimited     Code = "RATE_LIMITED"     // done too often; see Error.RetryAfter
	CodeUnavailable     Code = "UNAVAILABLE"      // a dependency is unavailable; try again later
	CodeInternal        Code = "INTERNAL"         // an internal fault; the cause is only in the log
)

// Error is an error that may be shown to the client: Message never contains internals. Err is the cause for the log.
type Error struct {
	Code     Code
	Message  string
	Resource string       // with CodeNotFound: the kind of thing, for example "Group"
	ID       string       // with CodeNotFound: the id as the client gave it
	Fields   []FieldError // with CodeInvalid: one or more, or a Reason
	Reason   string       // a word for programs: what is wrong with the whole input (CodeInvalid) or is lacking (CodeUnavailable)
	Err      error

	RetryAfter time.Duration // with CodeRateLimited: until it can be done again
}

// FieldError names one invalid field. Path is camelCase and dotted ("urls.0.id"). Message contains the placeholder "{field}"
// for the field's name, so that each transport can spell the name its own way.
type FieldError struct {
	Path    string
	Rule    string
	Message string
}

// Text is the message with the field's name filled in.
func (f FieldError) Text() string { return strings.ReplaceAll(f.Message, "{field}", f.Path) }

func (e *Error) Error() string {
	text := e.Message
	if len(e.Fields) > 0 {
		text = e.Fields[0].Text()
	}
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, text, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, text)
}

func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of err: CodeInternal for errors from outside this package.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// NotFound is the answer for an id that is unknown or belongs to another account.
func NotFound(resource string, id ID) error {
	return &Error{
		Code: CodeNotFound, Resource: resource, ID: string(id),
		Message: fmt.Sprintf("No query results for model [%s] %s", resource, id),
	}
}

// Invalid is the error for a single field. The message may contain "{field}".
func Invalid(path, rule, message string) error {
	return &Error{Code: CodeInvalid, Fields: []FieldError{{Path: path, Rule: rule, Message: message}}}
}

// Unavailable wraps a transient fault of a dependency.
func Unavailable(err error) error {
	return &Error{Code: CodeUnavailable, Message: "The service is temporarily unavailable, please try again.", Err: err}
}

// ReasonDiskFull is the reason of an Error when there is no space left to store anything.
const ReasonDiskFull = "DISK_FULL"

// DiskFull wraps an error caused by a full disk; stored data can still be read.
func DiskFull(err error) error {
	return &Error{Code: CodeUnavailable, Reason: ReasonDiskFull, Err: err,
		Message: "The service's disk is full. Data can be read but not changed until the operator frees space."}
}

// Unauthenticated is the error for a missing or unknown token.
func Unauthenticated() error { return &Error{Code: CodeUnauthenticated, Message: "Unauthenticated."} }

// Forbidden is the error for a known caller that may not do this.
func Forbidden() error {
	return &Error{Code: CodeForbidden, Message: "This action is unauthorized."}
}

// OrGone turns CodeNotFound into nil.
func OrGone[T any](found *T, err error) (*T, error) {
	if err != nil && CodeOf(err) == CodeNotFound {
		return nil, nil
	}
	return found, err
}
