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
	ReasonNoTLS          Reason = "no_tls"          // the server does not speak TLS there
	ReasonHTTPStatus     Reason = "http_status"     // an error or no content, without a page
	ReasonBlockedAddress Reason = "blocked_address" // refused by the egress policy
	ReasonInvalidAddress Reason = "invalid_address" // not a request that can be captured
	ReasonRedirectLoop   Reason = "redirect_loop"
	ReasonTimeout        Reason = "timeout" // see Stage
	ReasonTooLarge       Reason = "too_large"
	ReasonNotHTML        Reason = "not_html"
	ReasonDownload       Reason = "download"
	ReasonCredentials    Reason = "credentials"  // 401: none configured, or not accepted
	ReasonCrashed        Reason = "crashed"      // the page crashed its renderer
	ReasonBrowser        Reason = "browser"      // our browser failed, not the page
	ReasonProxy          Reason = "proxy"        // the upstream proxy failed, not the page
	ReasonRateLimited    Reason = "rate_limited" // 429: the site asks for fewer requests
)

// Reasons lists all reasons.
var Reasons = []Reason{
	ReasonDNS, ReasonConnect, ReasonTLS, ReasonNoTLS, ReasonHTTPStatus, ReasonBlockedAddress, ReasonInvalidAddress,
	ReasonRedirectLoop, ReasonTimeout,
	ReasonTooLarge, ReasonNotHTML, ReasonDownload, ReasonCredentials, ReasonCrashed, ReasonBrowser, ReasonProxy, ReasonRateLimited,
}

// sentences are for the owner of the site: no internals, and what to do if something can be done.
var sentences = map[Reason]string{
	ReasonDNS:            "The host name could not be resolved. Check that the domain is spelled correctly and still registered.",
	ReasonConnect:        "The server did not accept a connection. Check that the site is up and reachable from the internet.",
	ReasonTLS:            "A TLS connection could not be established. Check the site's certificate.",
	ReasonNoTLS:          "The server does not support TLS at this address.",
	ReasonHTTPStatus:     "The server answered with an error status or an empty response, and no page.",
	ReasonBlockedAddress: "The URL leads to a non-public network, which is not captured.",
	ReasonInvalidAddress: "The URL is not a valid http or https URL, or redirects to one that is not.",
	ReasonRedirectLoop:   "The page redirects endlessly.",
	ReasonTimeout:        "The page was not ready in time.",
	ReasonTooLarge:       "The page with all its files exceeds the size limit.",
	ReasonNotHTML:        "The URL leads to a file that is not a web page.",
	ReasonDownload:       "The URL starts a download instead of showing a page.",
	ReasonCredentials:    "The site requires a user name and password: none are configured, or they were rejected.",
	ReasonCrashed:        "The page crashed the browser, for example by using too much memory.",
	ReasonBrowser:        "The capture failed because of a problem on our side. It will be retried.",
	ReasonProxy:          "The upstream proxy did not respond or refused the connection.",
	ReasonRateLimited:    "The site is rate limiting us (429). Capture fewer of its pages at once, or exempt our visits from its limit.",
}

// retryable are the reasons that may have disappeared a minute later.
var retryable = map[Reason]bool{
	ReasonDNS: true, ReasonConnect: true, ReasonTLS: true, ReasonNoTLS: true, ReasonHTTPStatus: true, ReasonTimeout: true,
	ReasonCrashed: true, ReasonBrowser: true,
	ReasonProxy: true, ReasonRateLimited: true,
}

// Failure is the error of every failed capture.
type Failure struct {
	Reason Reason
	Stage  string // of the pipeline's stage
	Err    error  // the cause, for the log only
	// Status and RetryAfter are those of the document's response if it is the cause: an error status without a page.
	Status     int
	RetryAfter string
	// Awaited are the names of files that a page waited for in vain, with commas; empty for none.
	Awaited string
}

func (f *Failure) Error() string {
	if f.Err == nil {
		return fmt.Sprintf("capture failed at %s: %s", f.Stage, f.Reason)
	}
	return fmt.Sprintf("capture failed at %s: %s: %v", f.Stage, f.Reason, f.Err)
}

func (f *Failure) Unwrap() error { return f.Err }

// Sentence is the text for the owner of the site.
func (f *Failure) Sentence() string {
	if f.Awaited != "" {
		return strings.TrimSuffix(sentences[f.Reason], ".") + ": it was still waiting for " + f.Awaited + "."
	}
	return sentences[f.Reason]
}

// Retryable reports whether trying again later may help.
func (f *Failure) Retryable() bool { return retryable[f.Reason] }

// ErrAnswerTooLarge means that the browser's answer was longer than a [Tab] accepts: the page caused that.
var ErrAnswerTooLarge = errors.New("the browser's answer is too large")

// NeverReady reports whether the document was waited for in vain as long as that is sensible: it was not read to its end, or its
// picture did not come before the deadline, because the browser waits for a file that is not answered. Trying again at once takes as
// long.
func (f *Failure) NeverReady() bool {
	return f.Reason == ReasonTimeout && (f.Stage == "load" || f.Stage == "shot")
}

// failed makes a failure whose stage the pipeline fills in.
func failed(reason Reason, format string, args ...any) *Failure {
	return &Failure{Reason: reason, Err: fmt.Errorf(format, args...)}
}

// asFailure keeps failures and attributes all other errors to the browser.
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
		staged := *failure
		staged.Stage = stage
		failure = &staged
	}
	return failure
}

// netErrors maps prefixes of Chromium's net error names (net/base/net_error_list.h) to reasons, first match first.
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
	{"ABORTED", ReasonInvalidAddress}, // without a request: the browser refuses the target of a redirect
	{"INSUFFICIENT_RESOURCES", ReasonCrashed},
	{"PROXY_CONNECTION_FAILED", ReasonBrowser},
}

// netFailure maps a net::ERR_… text to a failure.
func netFailure(text string) *Failure {
	name := strings.TrimPrefix(text, "net::ERR_")
	for _, known := range netErrors {
		if strings.HasPrefix(name, known.prefix) {
			return failed(known.reason, "%s", text)
		}
	}
	return failed(ReasonConnect, "%s", text)
}

// dialFailure maps the egress guard's error of dialling the document's server to a failure.
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
	case egress.Untrusted:
		reason = ReasonTLS
	case egress.Unreachable:
	}
	return &Failure{Reason: reason, Err: dialled}
}
