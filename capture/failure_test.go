package capture

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"

	"afterimage/internal/egress"
)

func TestEveryReasonHasASentence(t *testing.T) {
	if len(sentences) != len(Reasons) {
		t.Errorf("%d sentences for %d reasons", len(sentences), len(Reasons))
	}
	for _, reason := range Reasons {
		failure := &Failure{Reason: reason, Stage: "goto", Err: errors.New("net::ERR_INTERNAL 10.0.0.1")}
		sentence := failure.Sentence()
		if !strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "net::") || strings.Contains(sentence, "10.0.0.1") {
			t.Errorf("%s: %q", reason, sentence)
		}
		if !strings.Contains(failure.Error(), "10.0.0.1") || !errors.Is(failure, failure.Err) {
			t.Errorf("%s: the log does not learn the cause from %q", reason, failure)
		}
	}
}

// TestReasonsAreDocumented: the table for operators and clients names every reason and whether it is tried again.
func TestReasonsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/capture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range Reasons {
		again := "no"
		if (&Failure{Reason: reason}).Retryable() {
			again = "yes"
		}
		row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| `%s` \\| \\d+ \\| %s \\| .+\\. \\|$", reason, again))
		if !row.Match(page) {
			t.Errorf("docs/capture.md has no row for %s, tried again: %s", reason, again)
		}
	}
}

func TestNetFailure(t *testing.T) {
	for text, want := range map[string]Reason{
		"net::ERR_NAME_NOT_RESOLVED":                 ReasonDNS,
		"net::ERR_CERT_AUTHORITY_INVALID":            ReasonTLS,
		"net::ERR_CERT_DATE_INVALID":                 ReasonTLS,
		"net::ERR_SSL_PROTOCOL_ERROR":                ReasonNoTLS,
		"net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH":    ReasonTLS,
		"net::ERR_BAD_SSL_CLIENT_AUTH_CERT":          ReasonTLS,
		"net::ERR_TOO_MANY_REDIRECTS":                ReasonRedirectLoop,
		"net::ERR_TIMED_OUT":                         ReasonTimeout,
		"net::ERR_CONNECTION_TIMED_OUT":              ReasonTimeout,
		"net::ERR_CONNECTION_RESET":                  ReasonConnect,
		"net::ERR_EMPTY_RESPONSE":                    ReasonConnect,
		"net::ERR_HTTP2_PROTOCOL_ERROR":              ReasonConnect,
		"net::ERR_HTTP_RESPONSE_CODE_FAILURE":        ReasonHTTPStatus,
		"net::ERR_UNSAFE_PORT":                       ReasonBlockedAddress,
		"net::ERR_BLOCKED_BY_CLIENT":                 ReasonBlockedAddress,
		"net::ERR_UNKNOWN_URL_SCHEME":                ReasonInvalidAddress,
		"net::ERR_PROXY_CONNECTION_FAILED":           ReasonBrowser,
		"net::ERR_SOMETHING_THAT_NOBODY_THOUGHT_OF":  ReasonConnect,
		"something that does not look like an error": ReasonConnect,
	} {
		if got := netFailure(text); got.Reason != want {
			t.Errorf("%s is %q, want %q", text, got.Reason, want)
		}
	}
}

func TestDialFailure(t *testing.T) {
	refusal := &egress.Refusal{Host: "x", Target: netip.MustParseAddrPort("127.0.0.1:80"), Why: "loopback"}
	for want, err := range map[Reason]error{
		ReasonBlockedAddress: fmt.Errorf("dial: %w", refusal),
		ReasonDNS:            &net.DNSError{Err: "no such host", Name: "x"},
		ReasonConnect:        errors.New("connection refused"),
		ReasonTimeout:        &net.OpError{Op: "dial", Err: timeoutError{}},
	} {
		if got := dialFailure(err); got.Reason != want {
			t.Errorf("%v is %q, want %q", err, got.Reason, want)
		}
	}
}

type timeoutError struct{}

func (timeoutError) Error() string   { return "i/o timeout" }
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }

func TestAsFailure(t *testing.T) {
	if f := asFailure(errors.New("x"), "shot"); f.Reason != ReasonBrowser || f.Stage != "shot" || !f.Retryable() {
		t.Errorf("an unknown error is %+v", f)
	}
	kept := &Failure{Reason: ReasonDNS, Stage: "goto"}
	if f := asFailure(fmt.Errorf("wrapped: %w", kept), "shot"); f != kept {
		t.Errorf("a failure with a stage becomes %+v", f)
	}
}
