package capture

import (
	"errors"
	"fmt"
	"strings"

	"afterimage/internal/egress"
)

// Reason is why a capture failed; the list is closed.
type Reason string

// The reasons. A page that answers 404 or 500, or is blank, is a result and not a failure.
const (
	ReasonDNS            Reason = "dns"
	ReasonConnect        Reason = "connect"
	ReasonTLS            Reason = "tls"
	ReasonNoTLS          Reason = "no_tls"          // the server speaks something else than TLS there
	ReasonHTTPStatus     Reason = "http_status"     // an error, or no content, and no page
	ReasonBlockedAddress Reason = "blocked_address" // refused by the egress policy
	ReasonInvalidAddress Reason = "invalid_address" // not a request that could be captured
	ReasonRedirectLoop   Reason = "redirect_loop"
	ReasonTimeout        Reason = "timeout" // Stage tells where
	ReasonTooLarge       Reason = "too_large"
	ReasonNotHTML        Reason = "not_html"
	ReasonDownload       Reason = "download"
	ReasonCredentials    Reason = "credentials"  // 401: none configured, or not accepted
	ReasonCrashed        Reason = "crashed"      // the page brought its renderer down
	ReasonBrowser        Reason = "browser"      // our browser failed, not the page
	ReasonProxy          Reason = "proxy"        // the upstream proxy failed, not the page
	ReasonRateLimited    Reason = "rate_limited" // 429: the site asks for fewer requests
)

// Reasons lists all of them.
var Reasons = []Reason{
	ReasonDNS, ReasonConnect, ReasonTLS, ReasonNoTLS, ReasonHTTPStatus, ReasonBlockedAddress, ReasonInvalidAddress, ReasonRedirectLoop, ReasonTimeout,
	ReasonTooLarge, ReasonNotHTML, ReasonDownload, ReasonCredentials, ReasonCrashed, ReasonBrowser, ReasonProxy, ReasonRateLimited,
}

// sentences are for the owner of the site: no internals, and what to do where something can be done.
var sentences = map[Reason]string{
	ReasonDNS:            "The host name of the page could not be found. Check that the domain is spelled correctly and still registered.",
	ReasonConnect:        "The server did not accept a connection. Check that the site is up and reachable from the internet.",
	ReasonTLS:            "A secure connection could not be made. Check the site's TLS certificate.",
	ReasonNoTLS:          "The server does not offer a secure connection at this address.",
	ReasonHTTPStatus:     "The server answered with an error or with nothing, and no page.",
	ReasonBlockedAddress: "The address leads to a network that is not public, which is not captured.",
	ReasonInvalidAddress: "The address is not a valid http or https address, or it leads to one that is not.",
	ReasonRedirectLoop:   "The page redirects without end.",
	ReasonTimeout:        "The page did not become ready in time.",
	ReasonTooLarge:       "The page with all its files is too large to be captured.",
	ReasonNotHTML:        "The address does not lead to a web page but to another kind of file.",
	ReasonDownload:       "The address starts a download instead of showing a page.",
	ReasonCredentials:    "The site asks for a user name and a password and did not accept the configured ones, or none are configured.",
	ReasonCrashed:        "The page made the browser crash, for example by using too much memory.",
	ReasonBrowser:        "The capture could not be carried out because of a problem on our side. It will be tried again.",
	ReasonProxy:          "The proxy that the page is captured through did not answer or refused to serve us.",
	ReasonRateLimited:    "The site refused us because it gets too many requests (429). Capture fewer of its pages at once, or let our visits in.",
}

// retryable are the reasons that may be gone a minute later.
var retryable = map[Reason]bool{
	ReasonDNS: true, ReasonConnect: true, ReasonTLS: true, ReasonNoTLS: true, ReasonHTTPStatus: true, ReasonTimeout: true, ReasonCrashed: true, ReasonBrowser: true,
	ReasonProxy: true, ReasonRateLimited: true,
}

// Failure is the error of every capture that did not succeed.
type Failure struct {
	Reason Reason
	Stage  string // name of the pipeline's stage
	Err    error  // the cause, for the log only
}

func (f *Failure) Error() string {
	if f.Err == nil {
		return fmt.Sprintf("capture failed at %s: %s", f.Stage, f.Reason)
	}
	return fmt.Sprintf("capture failed at %s: %s: %v", f.Stage, f.Reason, f.Err)
}

func (f *Failure) Unwrap() error { return f.Err }

// Sentence is the text for the owner of the site.
func (f *Failure) Sentence() string { return sentences[f.Reason] }

// Retryable tells whether trying again later may help.
func (f *Failure) Retryable() bool { return retryable[f.Reason] }

// ErrAnswerTooLarge tells that the browser's answer was longer than a [Tab] takes: the page made it so.
var ErrAnswerTooLarge = errors.New("the browser's answer is too large")

// failed makes a failure whose stage is filled in by the pipeline.
func failed(reason Reason, format string, args ...any) *Failure {
	return &Failure{Reason: reason, Err: fmt.Errorf(format, args...)}
}

// asFailure keeps failures and explains all other errors as the browser's.
func asFailure(err error, stage string) *Failure {
	var failure *Failure
	switch {
	case errors.As(err, &failure):
	case errors.Is(err, ErrAnswerTooLarge):
		failure = &Failure{Reason: ReasonTooLarge, Err: err}
	default:
		failure = &Failure{Reason: ReasonBrowser, Err: err}
	}
	if failure.Stage == "" {
		failure = &Failure{Reason: failure.Reason, Stage: stage, Err: failure.Err}
	}
	return failure
}

// netErrors maps the beginnings of Chromium's net error names (net/base/net_error_list.h) to reasons, first match first.
var netErrors = []struct {
	prefix string
	reason Reason
}{
	{"NAME_", ReasonDNS},
	{"CERT_", ReasonTLS},
	{"SSL_PROTOCOL_ERROR", ReasonNoTLS},
	{"SSL_", ReasonTLS},
	{"BAD_SSL", ReasonTLS},
	{"ECH_", ReasonTLS},
	{"TOO_MANY_REDIRECTS", ReasonRedirectLoop},
	{"TIMED_OUT", ReasonTimeout},
	{"CONNECTION_TIMED_OUT", ReasonTimeout},
	{"HTTP_RESPONSE_CODE_FAILURE", ReasonHTTPStatus},
	{"UNSAFE_PORT", ReasonBlockedAddress},
	{"BLOCKED_BY_", ReasonBlockedAddress},
	{"DISALLOWED_URL_SCHEME", ReasonInvalidAddress},
	{"UNKNOWN_URL_SCHEME", ReasonInvalidAddress},
	{"UNSAFE_REDIRECT", ReasonInvalidAddress},
	{"INVALID_URL", ReasonInvalidAddress},
	{"INVALID_REDIRECT", ReasonInvalidAddress},
	{"ABORTED", ReasonInvalidAddress}, // no answer, and none looked for: the browser refuses where a redirect leads
	{"INSUFFICIENT_RESOURCES", ReasonCrashed},
	{"PROXY_CONNECTION_FAILED", ReasonBrowser},
}

// netFailure explains a net::ERR_… text.
func netFailure(text string) *Failure {
	name := strings.TrimPrefix(text, "net::ERR_")
	for _, known := range netErrors {
		if strings.HasPrefix(name, known.prefix) {
			return failed(known.reason, "%s", text)
		}
	}
	return failed(ReasonConnect, "%s", text)
}

// dialFailure explains what kept the egress guard from reaching the document's server.
func dialFailure(dialled error) *Failure {
	reason := ReasonConnect
	switch egress.CauseOf(dialled) {
	case egress.Refused:
		reason = ReasonBlockedAddress
	case egress.Unresolved:
		reason = ReasonDNS
	case egress.TimedOut:
		reason = ReasonTimeout
	case egress.ProxyFailed:
		reason = ReasonProxy
	case egress.Unreachable:
	}
	return &Failure{Reason: reason, Err: dialled}
}
