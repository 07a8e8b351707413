package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"afterimage/internal/egress"
)

// Limits of one attempt.
const (
	Timeout   = 15 * time.Second // from dialling to the last byte of the response
	MaxAnswer = 64 << 10         // bytes of the response that are read and kept
	maxHeader = 32 << 10
)

// Request is the content of one attempt.
type Request struct {
	URL     string
	ID      string // the delivery's: the same for all its attempts
	Body    []byte // JSON
	Secrets []string
}

// Sender makes attempts. It is safe for concurrent use.
type Sender struct {
	client *http.Client
	agent  string
	now    func() time.Time
	log    *slog.Logger
}

// NewSender returns a sender that connects through the dialer and uses agent as its user agent. roots are the
// trusted certificate authorities; nil means the system's. A nil now is time.Now, and a nil logger discards. Every
// attempt uses a new connection, because receivers of different accounts may share an address.
func NewSender(dialer *egress.Dialer, roots *x509.CertPool, agent string, now func() time.Time, logger *slog.Logger) *Sender {
	if now == nil {
		now = time.Now
	}
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Sender{agent: agent, now: now, log: logger, client: &http.Client{
		Timeout: Timeout,
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			DisableKeepAlives:      true,
			DisableCompression:     true, // a small answer cannot become a large one
			MaxResponseHeaderBytes: maxHeader,
			ForceAttemptHTTP2:      true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send makes one attempt. The Attempt reports any failure of the receiver; the error is non-nil only if the context
// ended, which says nothing about the receiver.
func (s *Sender) Send(ctx context.Context, r Request) (Attempt, error) {
	return s.record(ctx, r.ID, func(a *Attempt) error { return s.post(ctx, r, a) })
}

// record makes an attempt and tells how it went.
func (s *Sender) record(ctx context.Context, id string, try func(*Attempt) error) (Attempt, error) {
	begun := time.Now()
	attempt := Attempt{At: s.now()}
	err := try(&attempt)
	attempt.Latency = time.Since(begun)
	if ctx.Err() != nil {
		return attempt, context.Cause(ctx)
	}
	if err != nil && attempt.Status == 0 { // an answer that breaks off after its status is an answer
		s.log.Debug("webhook attempt failed", "delivery", id, "error", err)
		attempt.Outcome, attempt.Problem = Failed, explain(err)
	}
	return attempt, nil
}

func (s *Sender) post(ctx context.Context, r Request, attempt *Attempt) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", s.agent)
	Sign(req.Header, r.ID, attempt.At, r.Body, r.Secrets...)
	return s.ask(s.client, req, attempt)
}

func (s *Sender) ask(client *http.Client, req *http.Request, attempt *Attempt) error {
	answer, err := client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	attempt.judge(answer.StatusCode, answer.Header)
	attempt.Body, err = io.ReadAll(io.LimitReader(answer.Body, MaxAnswer))
	return err
}

// explain tells the owner why there was no answer, without what our resolver or network know.
func explain(err error) string {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	var verification *tls.CertificateVerificationError
	var tooLate interface{ Timeout() bool }
	switch cause := egress.CauseOf(err); {
	case cause == egress.Refused:
		return "The receiver's address may not be called: it is internal, or its port is not allowed."
	case cause == egress.Unresolved:
		return "The receiver's name could not be resolved."
	case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &host), errors.As(err, &verification):
		return "The receiver's TLS certificate is not valid for its address."
	case errors.As(err, &record):
		return "The receiver does not speak TLS on this port."
	case errors.As(err, &tooLate) && tooLate.Timeout():
		return "The receiver did not answer in time."
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "The receiver closed the connection without an answer."
	}
	return "The connection to the receiver failed, or its answer was not HTTP."
}
