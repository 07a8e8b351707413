package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collected are the spans that a receiver of OTLP was sent.
type collected struct {
	t   *testing.T
	url string

	mu    sync.Mutex
	spans []*trace.Span
	raw   []byte
}

// collect receives traces as a collector does.
func collect(t *testing.T) *collected {
	t.Helper()
	c := &collected{t: t}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

func (c *collected) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var sent collector.ExportTraceServiceRequest
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
		c.t.Errorf("received %s %s, which is no OTLP", r.Method, r.URL)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw = append(c.raw, body...)
	for _, resource := range sent.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// trace returns the spans of the trace that has a span of this name.
func (c *collected) trace(name string) (spans []*trace.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := slices.IndexFunc(c.spans, func(s *trace.Span) bool { return s.Name == name })
	if first < 0 {
		return nil
	}
	for _, s := range c.spans {
		if string(s.TraceId) == string(c.spans[first].TraceId) {
			spans = append(spans, s)
		}
	}
	return spans
}

// traced starts the program with its traces sent to a collector.
func (c *collected) traced(name string, args ...string) *program {
	c.t.Helper()
	cmd := exec.Command(binary, append(args, "--log-format=json")...)
	cmd.Env = append(os.Environ(), "OTEL_EXPORTER_OTLP_ENDPOINT="+c.url, "OTEL_BSP_SCHEDULE_DELAY=100", "OTEL_SERVICE_NAME="+name)
	return startCommand(c.t, name, cmd)
}

// TestATraceLeadsFromTheMutationToTheWebhook follows a run over two processes by its trace: the operation, the jobs that the
// database handed out, the browser, the comparison and the delivery. Nothing of the client is in it.
func TestATraceLeadsFromTheMutationToTheWebhook(t *testing.T) {
	t.Parallel()
	c := collect(t)
	host := pages(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!doctype html><title>Shop</title><p>Words"))
	}))
	told := make(chan http.Header, 10)
	receiver := pages(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { told <- r.Header }))
	s := &service{t: t, installation: installed(t)}
	s.program = c.traced("serve", append(s.at(), "serve", "--listen", "127.0.0.1:0", "--no-work", "--allow-hosts", host+","+receiver)...)
	s.url = s.expect(`serves at (https?://\S+)`)
	s.token = s.firstToken()
	c.traced("work", append(s.at(), "work", "--allow-hosts", host+","+receiver, "--captures=1")...)

	group := s.group(nil, "http://"+host+"/a-secret-path")
	s.await(s.take(group, "pre"))
	s.must200(http.MethodPost, "/webhooks", map[string]any{"url": "http://" + receiver + "/hook-secret", "event": "batch_finished"})
	query[struct{}](s, `mutation MySecretName($g: ID!) { takeScreenshots(input: { groupIds: [$g], scType: POST }) { batch { id } } }`,
		map[string]any{"g": group})
	header := <-told
	if header.Get("Traceparent") != "" {
		t.Error("the receiver of a webhook is told of our traces")
	}

	want := []string{"POST /graphql", "mutation takeScreenshots", "job capture", "browser", "job compare", "diff", "job deliver", "webhook",
		"sql insert"}
	missing := want
	t.Cleanup(func() {
		if len(missing) > 0 {
			t.Logf("the trace lacks %q", missing)
		}
	})
	waitFor(t, "a trace from the mutation to the webhook", func() bool {
		names := map[string]bool{}
		for _, span := range c.trace("POST /graphql") {
			names[span.Name] = true
		}
		missing = slices.DeleteFunc(slices.Clone(want), func(name string) bool { return names[name] })
		return len(missing) == 0
	})
	spans := c.trace("POST /graphql")
	ids, roots := map[string]bool{}, 0
	for _, span := range spans {
		ids[string(span.SpanId)] = true
	}
	for _, span := range spans {
		if len(span.ParentSpanId) == 0 {
			roots++
		} else if !ids[string(span.ParentSpanId)] {
			t.Errorf("the span %q hangs on nothing", span.Name)
		}
	}
	if roots != 1 {
		t.Errorf("the trace has %d beginnings", roots)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for what, secret := range map[string]string{
		"the token": s.token, "an address": host, "a path": "a-secret-path", "the address of a webhook": "hook-secret",
		"the name of an operation": "MySecretName",
	} {
		if strings.Contains(string(c.raw), secret) {
			t.Errorf("the traces hold %s", what)
		}
	}
}

// A receiver that cannot be reached must not disturb anything, and one of another protocol is refused in a sentence.
func TestTracesThatCannotBeSent(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(binary, "serve", "--data-dir", dataDir(t), "--log-format=json")
	cmd.Env = append(os.Environ(), "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc")
	p := startCommand(t, "serve", cmd)
	if code := p.exitCode(); code != 1 || !strings.Contains(p.text(), "http/protobuf") {
		t.Errorf("exit code %d: %s", code, p.text())
	}
	p.allowed = append(p.allowed, "")
}
