package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// service is a running service with a client that has the token of an account.
type service struct {
	*program
	installation
	t     *testing.T
	url   string
	email string // of the account's owner
	token string
}

// serve starts a service of its own for a test: with flags of its own, or one that is to be disturbed; others lodge. Pages at the given
// hosts may be captured.
func serve(t *testing.T, hosts []string, args ...string) *service {
	t.Helper()
	s := &service{t: t, installation: installed(t)}
	s.open("serve", hosts, args...)
	s.token = s.firstToken()
	return s
}

// serveAlone is serve with a database server of its own, in a folder that is there already, and empty.
func serveAlone(t *testing.T, dir string, hosts []string, args ...string) *service {
	t.Helper()
	s := &service{t: t, installation: installation{dir: dir}}
	s.open("serve", hosts, args...)
	s.token = s.firstToken()
	return s
}

// open starts the program on the installation, for the first time or again.
func (s *service) open(name string, hosts []string, args ...string) {
	s.t.Helper()
	common := append([]string{"serve", "--listen", "127.0.0.1:0", "--allow-hosts", strings.Join(hosts, ",")}, s.at()...)
	s.program = start(s.t, name, append(common, args...)...)
	s.url = s.expect(`serves at (https?://\S+)`)
}

// operator runs a command of the operator on the installation, which must succeed.
func (s *service) operator(args ...string) {
	s.t.Helper()
	if p := start(s.t, args[0], append(args, s.at()...)...); p.exitCode() != 0 {
		s.t.Fatalf("%q: %s", args, p.text())
	}
}

// firstToken takes the token of the first account away from where the service says that it is: not in what it prints, which may
// be a log.
func (s *service) firstToken() string {
	s.t.Helper()
	s.email = s.expect(`First start: created the account (\S+)`)
	path := s.expect(`Its API token is in (\S+), readable`)
	info, err := os.Stat(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		s.t.Errorf("the first token's file can be read by others: %s", info.Mode())
	}
	token := strings.TrimSpace(read(s.t, path))
	if err := os.Remove(path); err != nil {
		s.t.Fatal(err)
	}
	return token
}

// doctorProgress is how the lines begin by which doctor tells somebody who waits how far it is.
const doctorProgress = "checked "

// check runs the program's own consistency check: the invariants of the database, and files against rows.
func (s *service) check(flags ...string) {
	s.t.Helper()
	p := start(s.t, "doctor", append(append([]string{"doctor"}, s.at()...), flags...)...)
	p.allowed = []string{doctorProgress}
	if code := p.exitCode(); code != 0 {
		s.t.Errorf("the consistency check found something (exit code %d):\n%s", code, p.text())
		for line := range p.lines {
			s.t.Log(line)
		}
	}
}

// answer is an HTTP response read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call speaks REST v2. A body that is not nil is sent as JSON. It asks again, as the answer says, while the service is
// unavailable.
func (s *service) call(method, path string, body any) answer {
	s.t.Helper()
	return s.patiently(func() (answer, bool) {
		a, err := s.try(method, "/api/v2"+path, body)
		if err != nil {
			s.t.Fatal(err)
		}
		return a, a.status != http.StatusServiceUnavailable
	})
}

// pause is how long callers wait where the service is unavailable for the moment: on a machine that is busy with other tests, a
// connection to the database may take longer than callers are promised an answer within.
const pause = time.Second

// patiently asks until the service is available, for patience at most, and returns the last answer.
func (s *service) patiently(ask func() (a answer, available bool)) answer {
	s.t.Helper()
	for end := time.Now().Add(patience); ; {
		a, available := ask()
		if available || time.Now().After(end) {
			return a
		}
		<-time.After(pause) // as the answer asks for
	}
}

// try is call for a service that may be away. What it answers must fit the document.
func (s *service) try(method, path string, body any) (answer, error) {
	s.t.Helper()
	a, err := s.raw(method, path, body)
	if err == nil {
		s.checkAnswer(method, path, a)
	}
	return a, err
}

// raw asks and holds the answer against nothing.
func (s *service) raw(method, path string, body any) (answer, error) {
	var sent io.Reader = http.NoBody
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		sent = bytes.NewReader(encoded)
	}
	address := path
	if !strings.HasPrefix(path, "http") {
		address = s.url + path
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, address, sent)
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	return finish((&http.Client{Timeout: patience}).Do(r))
}

// finish reads a response to its end.
func finish(response *http.Response, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	return answer{status: response.StatusCode, header: response.Header, body: raw}, err
}

// must calls, wants status 200 and decodes the answer.
func must[T any](s *service, method, path string, body any) T {
	s.t.Helper()
	a := s.call(method, path, body)
	if a.status != http.StatusOK {
		s.t.Fatalf("%s %s: status %d: %s", method, path, a.status, a.body)
	}
	return decode[T](s.t, a.body)
}

func decode[T any](t *testing.T, raw []byte) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("decode %s: %v", raw, err)
	}
	return out
}

// data is the wrapper of single objects, page that of lists.
type data[T any] struct{ Data T }

type page[T any] struct {
	Data []T
	Meta struct {
		Total               int
		AboveThresholdCount int `json:"above_threshold_count"`
		StatusCounts        struct {
			Open, Processing, Done, Failed int
		} `json:"status_counts"`
	}
}

// entry, comparison and batch are the parts of the REST resources that the tests look at.
type entry struct {
	ID, URL, Batch, Group, Device, Status string
	ScType                                string  `json:"sc_type"`
	ErrorMsg                              *string `json:"error_msg"`
	Notice                                *string
	URLLink                               string  `json:"url_link"`
	ImageLink                             *string `json:"image_link"`
}

type comparison struct {
	ID, Status, Device, Batch, URL string
	Screenshot1Link                string `json:"screenshot_1_link"`
	Screenshot2Link                string `json:"screenshot_2_link"`
	Link                           string
	PublicLink                     string  `json:"public_link"`
	HTMLTitle                      string  `json:"html_title"`
	DifferencePercent              float64 `json:"difference_percent"`
	Threshold                      float64
}

type batch struct {
	ID, Name, Source string
	FinishedAt       *string `json:"finished_at"`
	ComparisonsCount struct {
		OK, New       int
		FalsePositive int `json:"false_positive"`
		ToFix         int `json:"to_fix"`
		Above         int `json:"above_threshold"`
	} `json:"comparisons_count"`
	QueuesCount struct{ Failed int } `json:"queues_count"`
}

// group makes a group of URLs with both devices on.
func (s *service) group(fields map[string]any, urls ...string) string {
	s.t.Helper()
	if fields == nil {
		fields = map[string]any{}
	}
	fields["name"] = s.t.Name()
	g := must[data[struct{ ID string }]](s, http.MethodPost, "/groups", fields)
	var items []map[string]any
	for _, url := range urls {
		u := must[data[struct{ ID string }]](s, http.MethodPost, "/urls", map[string]any{"url": url})
		items = append(items, map[string]any{"id": u.Data.ID})
	}
	added := must[struct{ Count int }](s, http.MethodPost, "/groups/"+g.Data.ID+"/add-urls", map[string]any{"urls": items})
	if added.Count != len(urls) {
		s.t.Fatalf("added %d URLs, want %d", added.Count, len(urls))
	}
	return g.Data.ID
}

// take starts a run and returns its batch.
func (s *service) take(group, kind string) string {
	s.t.Helper()
	taken := must[struct {
		BatchID string `json:"batch_id"`
	}](s, http.MethodPost, "/screenshots/take", map[string]any{"group_ids": []string{group}, "sc_type": kind})
	return taken.BatchID
}

// await polls, as clients without a listener do, until nothing of a batch is left to do.
func (s *service) await(batch string) []entry {
	s.t.Helper()
	waitFor(s.t, "the end of batch "+batch, func() bool {
		left := must[page[entry]](s, http.MethodGet, "/queues?batch_id="+batch+"&status=open,processing&per_page=1", nil)
		return left.Meta.Total == 0
	})
	return s.entries(batch)
}

func (s *service) entries(batch string) []entry {
	s.t.Helper()
	var all []entry
	for number := 1; ; number++ {
		next := must[page[entry]](s, http.MethodGet, "/queues?per_page=100&batch_id="+batch+"&page="+itoa(number), nil)
		all = append(all, next.Data...)
		if len(all) >= next.Meta.Total {
			return all
		}
	}
}

func (s *service) comparisons(batch string) []comparison {
	s.t.Helper()
	return must[page[comparison]](s, http.MethodGet, "/comparisons?per_page=100&batches="+batch, nil).Data
}

// query asks GraphQL over HTTP and decodes the data. It asks again while the service is unavailable.
func query[T any](s *service, document string, variables map[string]any) T {
	s.t.Helper()
	a := s.patiently(func() (answer, bool) {
		a, err := s.try(http.MethodPost, "/graphql", map[string]any{"query": document, "variables": variables})
		if err != nil {
			s.t.Fatal(err)
		}
		return a, !bytes.Contains(a.body, []byte(`"code":"UNAVAILABLE"`))
	})
	result := decode[struct {
		Data   T
		Errors json.RawMessage
	}](s.t, a.body)
	if result.Errors != nil {
		s.t.Fatalf("query failed: %s", result.Errors)
	}
	return result.Data
}
