package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// privateURL waits for the private address of a process in its log.
func (p *program) privateURL() string {
	p.t.Helper()
	address := regexp.MustCompile(`"msg":"private address","url":"([^"]+)"`)
	url := ""
	waitFor(p.t, "the private address of "+p.name, func() bool {
		if match := address.FindStringSubmatch(p.text()); match != nil {
			url = match[1]
		}
		return url != ""
	})
	return url
}

// ask reads an address without a token.
func ask(t *testing.T, url string) (status int, text string) {
	t.Helper()
	response, err := (&http.Client{Timeout: patience}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

// TestAnOperatorSeesARun follows a run as an operator does: by the log's lines about its batch, by the figures, and by health
// while something breaks. No figure names an account or an address.
func TestAnOperatorSeesARun(t *testing.T) {
	t.Parallel()
	var changed atomic.Bool
	host := pages(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		shade := 250
		if changed.Load() {
			shade = 10
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Shop</title><body style="margin:0"><div style="height:300px;background:rgb(` +
			itoa(shade) + `,80,80)"></div><p>Words</p>`))
	}))
	told := make(chan struct{}, 100)
	receiver := pages(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { told <- struct{}{} }))
	s := serve(t, []string{host, receiver}, "--captures=1", "--metrics-listen=127.0.0.1:0", "--no-work")
	worker := start(t, "work", append(s.at(), "work", "--allow-hosts", host+","+receiver, "--captures=1",
		"--metrics-listen=127.0.0.1:0", "--webhook-pause=10ms")...)
	private := map[string]string{"serve": s.privateURL(), "work": worker.privateURL()}
	for name, url := range private {
		waitFor(t, name+" to be ready", func() bool { status, _ := ask(t, url+"/readyz"); return status == http.StatusOK })
		if status, text := ask(t, url+"/healthz"); status != http.StatusOK {
			t.Errorf("%s does not live: %d %s", name, status, text)
		}
	}
	_, text := ask(t, private["work"]+"/readyz")
	if !strings.Contains(text, "browser: ready") || !strings.Contains(text, "scheduler: ready") {
		t.Errorf("a worker is ready without its browser and scheduler:\n%s", text)
	}
	if status, _ := ask(t, s.url+"/metrics"); status == http.StatusOK {
		t.Error("the figures are public")
	}

	s.must200(http.MethodPost, "/webhooks", map[string]any{"url": "http://" + receiver, "event": "batch_finished"})
	group := s.group(nil, "http://"+host+"/")
	s.await(s.take(group, "pre"))
	<-told
	changed.Store(true)
	batch := s.take(group, "post")
	s.await(batch)
	<-told

	account := must[data[struct{ ID string }]](s, http.MethodGet, "/account", nil).Data.ID
	story := func(p *program) (lines []string) {
		for _, line := range p.logged() {
			if strings.Contains(line.raw, batch) {
				if !strings.Contains(line.raw, account) {
					t.Errorf("a line of the run does not name the account: %s", line.raw)
				}
				lines = append(lines, line.Msg)
			}
		}
		return lines
	}
	waitFor(t, "the delivery in the log", func() bool { return slices.Contains(story(worker), "delivered") })
	if lines := story(s.program); !slices.Equal(lines, []string{"run started"}) {
		t.Errorf("the server's log tells of the run: %q", lines)
	}
	got := story(worker)
	for _, want := range []string{"captured", "captured", "compared", "compared", "change found", "run finished", "delivered"} {
		i := slices.Index(got, want)
		if i < 0 {
			t.Errorf("the worker's log lacks a line %q of the run: %q", want, story(worker))
			continue
		}
		got = slices.Delete(got, i, i+1)
	}

	const idle = `afterimage_browser_lanes{state="idle"}`
	waitFor(t, "a browser without work", func() bool { return worker.figures(private["work"])[idle] >= 1 })
	figures := worker.figures(private["work"])
	for name, atLeast := range map[string]float64{
		`afterimage_captures_total{device="desktop",outcome="ok"}`:       2,
		`afterimage_captures_total{device="mobile",outcome="ok"}`:        2,
		`afterimage_capture_stage_seconds_count{stage="shot"}`:           4,
		`afterimage_comparisons_total{outcome="new"}`:                    2,
		`afterimage_deliveries_total{outcome="delivered"}`:               2,
		`afterimage_runs_total{event="finished"}`:                        2,
		`afterimage_job_seconds_count{kind="capture"}`:                   4,
		`afterimage_store_seconds_count{operation="write",outcome="ok"}`: 4,
		`afterimage_browser_starts_total`:                                1,
		`afterimage_workers`:                                             1,
		`afterimage_ready{part="browser"}`:                               1,
		`afterimage_database_connections_max`:                            17,
	} {
		if figures[name] < atLeast {
			t.Errorf("%s is %g, want at least %g", name, figures[name], atLeast)
		}
	}
	served := s.figures(private["serve"])
	if served[`afterimage_operations_total{interface="rest",operation="TakeScreenshots",outcome="ok"}`] != 2 ||
		served[`afterimage_turns_waiting{kind="capture"}`] != 0 || served[`afterimage_runs_total{event="started"}`] != 2 {
		t.Errorf("the server's figures: %v", served)
	}
	for _, all := range []map[string]float64{figures, served} {
		for name := range all {
			if strings.Contains(name, "127.0.") || strings.Contains(name, account) || strings.Contains(name, batch) {
				t.Errorf("a figure names an address or an id: %s", name)
			}
		}
	}

	s.breakImages(private)
}

// figures scrapes a process.
func (p *program) figures(url string) map[string]float64 {
	p.t.Helper()
	status, text := ask(p.t, url+"/metrics")
	if status != http.StatusOK {
		p.t.Fatalf("the figures of %s: %d %s", p.name, status, text)
	}
	found := map[string]float64{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "} "); ok && !strings.HasPrefix(line, "#") {
			found[name+"}"] = number(value)
		} else if fields := strings.Fields(line); len(fields) == 2 {
			found[fields[0]] = number(fields[1])
		}
	}
	return found
}

func number(text string) float64 {
	var n float64
	_ = json.Unmarshal([]byte(text), &n)
	return n
}

// breakImages takes the image folder away and brings it back: health says so in words, on the public address too.
func (s *service) breakImages(private map[string]string) {
	s.t.Helper()
	mark := filepath.Join(s.dir, "images", "store-id")
	if err := os.Rename(mark, mark+".away"); err != nil {
		s.t.Fatal(err)
	}
	for name, url := range map[string]string{"serve": private["serve"], "work": private["work"], "the public address": s.url} {
		said := ""
		waitFor(s.t, name+" not to be ready", func() bool {
			var status int
			status, said = ask(s.t, url+"/readyz")
			return status == http.StatusServiceUnavailable
		})
		if !strings.HasPrefix(said, "not ready\n") || !strings.Contains(said, "images: The image store is not the one of this database") ||
			!strings.Contains(said, "database: ready") {
			s.t.Errorf("%s says:\n%s", name, said)
		}
	}
	if err := os.Rename(mark+".away", mark); err != nil {
		s.t.Fatal(err)
	}
	waitFor(s.t, "the service to be ready again", func() bool {
		status, _ := ask(s.t, s.url+"/readyz")
		return status == http.StatusOK
	})
}
