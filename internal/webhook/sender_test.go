package webhook_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"afterimage/internal/egress"
	"afterimage/internal/webhook"
)

// receiver answers in one of the ways that receivers answer.
type receiver struct {
	name    string
	serve   http.HandlerFunc
	tls     bool // its certificate is of an authority that nobody trusts
	hasty   bool // it never comes to an end, for which nobody waits long
	status  int
	outcome webhook.Outcome
	problem string // part of the sentence
	after   time.Duration
}

func answers(status int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "said")
	}
}

// raw answers with bytes that net/http would not send, and then closes or, with no bytes, resets.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		if text == "" {
			_ = conn.(*net.TCPConn).SetLinger(0) // closing sends RST
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.Close()
	}
}

// forever writes until the client has had enough.
func forever(first int, piece string, pause time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if first != 0 {
			w.WriteHeader(first)
		}
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(pause):
			}
		}
	}
}

func silent(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // or the server would not notice that the client has gone
	<-r.Context().Done()
}

var receivers = []receiver{
	{name: "200", serve: answers(200), status: 200, outcome: webhook.Delivered},
	{name: "204", serve: answers(204), status: 204, outcome: webhook.Delivered},
	{name: "299", serve: answers(299), status: 299, outcome: webhook.Delivered},
	{name: "301", serve: answers(301, "Location", "http://elsewhere.test/"), status: 301, outcome: webhook.Failed,
		problem: "redirects are not followed"},
	{name: "304", serve: answers(304), status: 304, outcome: webhook.Failed, problem: "redirects are not followed"},
	{name: "400", serve: answers(400), status: 400, outcome: webhook.Failed, problem: "answered 400"},
	{name: "401", serve: answers(401), status: 401, outcome: webhook.Failed, problem: "answered 401"},
	{name: "410", serve: answers(410), status: 410, outcome: webhook.Gone, problem: "410 Gone"},
	{name: "429 and Retry-After", serve: answers(429, "Retry-After", "90"), status: 429, outcome: webhook.Failed, problem: "answered 429",
		after: 90 * time.Second},
	{name: "503 until a date", serve: answers(503, "Retry-After", sentAt.Add(time.Minute).UTC().Format(http.TimeFormat)), status: 503,
		outcome: webhook.Failed, problem: "answered 503", after: time.Minute},
	{name: "503 and nonsense", serve: answers(503, "Retry-After", "-5 minutes"), status: 503, outcome: webhook.Failed,
		problem: "answered 503"},
	{name: "500", serve: answers(500), status: 500, outcome: webhook.Failed, problem: "answered 500"},
	{name: "999", serve: answers(999), status: 999, outcome: webhook.Failed, problem: "answered 999"},
	{name: "hang", hasty: true, serve: silent, outcome: webhook.Failed, problem: "did not answer in time"},
	{name: "header broken off", serve: raw("HTTP/1.1 200 OK\r\nX-Slow: "), outcome: webhook.Failed, problem: "without an answer"},
	{name: "slow drip of a body", hasty: true, serve: forever(200, "x", 10*time.Millisecond), status: 200, outcome: webhook.Delivered},
	{name: "endless body", hasty: true, serve: forever(200, strings.Repeat("x", 1<<16), 0), status: 200, outcome: webhook.Delivered},
	{name: "endless failure", hasty: true, serve: forever(500, strings.Repeat("x", 1<<16), 0), status: 500, outcome: webhook.Failed,
		problem: "answered 500"},
	{name: "reset", serve: raw(""), outcome: webhook.Failed, problem: "connection to the receiver failed"},
	{name: "not HTTP", serve: raw("220 mail.test ESMTP\r\n"), outcome: webhook.Failed, problem: "not HTTP"},
	{name: "malformed headers", serve: raw("HTTP/1.1 200 OK\r\nBad Header\x01: y\r\n\r\n"), outcome: webhook.Failed, problem: "not HTTP"},
	{name: "endless headers", serve: raw("HTTP/1.1 200 OK\r\n" + strings.Repeat("X-A: "+strings.Repeat("b", 1000)+"\r\n", 64) + "\r\n"),
		outcome: webhook.Failed, problem: "not HTTP"},
	{name: "only interim answers", serve: raw(strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 50)), outcome: webhook.Failed,
		problem: "without an answer"},
	{name: "two lengths", serve: raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"), outcome: webhook.Failed,
		problem: "not HTTP"},
	{name: "body broken off", serve: raw("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"), status: 200, outcome: webhook.Delivered},
	{name: "bad TLS", tls: true, serve: answers(200), outcome: webhook.Failed, problem: "certificate is not valid"},
}

func TestReceivers(t *testing.T) {
	for _, r := range receivers {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			attempt := attemptAt(t, r)
			if attempt.Status != r.status || attempt.Outcome != r.outcome {
				t.Errorf("status %d, outcome %s, want %d, %s", attempt.Status, attempt.Outcome, r.status, r.outcome)
			}
			if !strings.Contains(attempt.Problem, r.problem) || (attempt.Problem == "") != (r.outcome == webhook.Delivered) {
				t.Errorf("says %q, want %q in it", attempt.Problem, r.problem)
			}
			if attempt.RetryAfter != r.after {
				t.Errorf("to be tried after %s, want %s", attempt.RetryAfter, r.after)
			}
			if len(attempt.Body) > webhook.MaxAnswer {
				t.Errorf("%d bytes of the answer kept", len(attempt.Body))
			}
		})
	}
}

func attemptAt(t *testing.T, r receiver) webhook.Attempt {
	server := httptest.NewUnstartedServer(r.serve)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains about what it is made to do
	if r.tls {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	sender := newSender(t, server.Listener.Addr().String())
	if r.hasty {
		sender.Hasten(5 * time.Second)
	}
	attempt, err := sender.Send(t.Context(), webhook.Request{URL: server.URL, ID: "d1", Body: []byte(`{}`), Secrets: []string{"secret"}})
	if err != nil {
		t.Fatal(err)
	}
	return attempt
}

func newSender(t *testing.T, allow ...string) *webhook.Sender {
	t.Helper()
	return newSenderAt(t, func() time.Time { return sentAt }, allow...)
}

func newSenderAt(t *testing.T, now func() time.Time, allow ...string) *webhook.Sender {
	t.Helper()
	policy, err := egress.NewPolicy(allow...)
	if err != nil {
		t.Fatal(err)
	}
	return webhook.NewSender(&egress.Dialer{Policy: policy}, x509.NewCertPool(), "Afterimage-Webhooks", now, nil)
}

func TestSendSignsWhatItSends(t *testing.T) {
	type arrived struct {
		header http.Header
		body   string
	}
	got := make(chan arrived, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- arrived{r.Header, string(body)}
	}))
	defer server.Close()
	body := `{"event":"batch_finished"}`
	_, err := newSender(t, server.Listener.Addr().String()).Send(t.Context(),
		webhook.Request{URL: server.URL, ID: "0198", Body: []byte(body), Secrets: []string{strings.Repeat("key1", 10)}})
	if err != nil {
		t.Fatal(err)
	}
	request := <-got
	if request.body != body || request.header.Get("Content-Type") != "application/json" || request.header.Get("webhook-id") != "0198" {
		t.Errorf("arrived: %+v", request)
	}
	if !verifies(request.header, []byte(body), strings.Repeat("key1", 10)) {
		t.Error("Signature does not verify")
	}
}

func TestInternalReceiversAreRefused(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("called") }))
	defer server.Close()
	attempt, err := newSender(t).Send(t.Context(), webhook.Request{URL: server.URL, ID: "d1", Body: []byte(`{}`)})
	if err != nil || attempt.Outcome != webhook.Failed || !strings.Contains(attempt.Problem, "may not be called") {
		t.Errorf("%+v, %v", attempt, err)
	}
}

func TestAnEndingProcessIsNotTheReceiversFault(t *testing.T) {
	called := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(called)
		silent(w, r)
	}))
	defer server.Close()
	stopping := errors.New("stopping")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-called
		cancel(stopping)
	}()
	_, err := newSender(t, server.Listener.Addr().String()).Send(ctx, webhook.Request{URL: server.URL, ID: "d1", Body: []byte(`{}`)})
	if !errors.Is(err, stopping) {
		t.Errorf("error %v, want %v", err, stopping)
	}
}

func ExampleRetry() {
	pause, again := webhook.Retry(2, 0, 0.5)
	fmt.Println(pause, again)
	// Output: 5m0s true
}
