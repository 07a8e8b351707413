package e2e

import (
	"bytes"
	"flag"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"afterimage/internal/openapitest"
)

// requestsPerOperation is how many requests the generator makes of each operation of the document: few in every run, many
// with AFTERIMAGE_SOAK=1 (make fuzz).
func requestsPerOperation() int { return sized(10, 500) }

// slowest is how long an answer may take. A machine that runs other things besides is asked twice.
const slowest = 2 * time.Second

// TestGeneratedRequests makes requests out of the document: valid ones, and such with every kind of flaw. None may be
// answered by a fault or late, and every answer must fit the document.
func TestGeneratedRequests(t *testing.T) {
	t.Parallel()
	s := newPopulated(t)
	drawEach(t, requestsPerOperation())
	operations := slices.Clone(s.document().Operations)
	slices.SortStableFunc(operations, func(a, b openapitest.Operation) int { return rank(a) - rank(b) })
	for _, op := range operations {
		t.Run(op.ID, func(t *testing.T) {
			own := *s
			own.t = t
			g := &generator{document: s.document(), op: op, ids: own.knownIDs()}
			statuses := map[int]int{}
			rapid.Check(t, func(t *rapid.T) {
				a := g.draw(t)
				status := own.attempt(t, a)
				statuses[status]++
				if a.refused && status < 400 {
					t.Fatalf("%s succeeded beyond a limit of the document: %d", a, status)
				}
			})
			t.Logf("answers by status: %v", statuses)
		})
	}
}

// drawing is held by the test that draws: how many checks there are is a flag of the whole process.
var drawing sync.Mutex

// drawEach lets rapid check each property so many times until the test ends.
func drawEach(t *testing.T, checks int) {
	t.Helper()
	drawing.Lock()
	t.Cleanup(drawing.Unlock)
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(checks), "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
}

// rank puts what makes things before what reads and changes them, and what deletes them last.
func rank(op openapitest.Operation) int {
	return slices.Index([]string{http.MethodPost, http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodDelete}, op.Method)
}

// attempt sends a request and returns the status of its answer, which must be no fault, in time, and as the document says.
func (s *service) attempt(t *rapid.T, a attempt) int {
	t.Helper()
	began := time.Now()
	got := s.send(t, a)
	if time.Since(began) > promised(slowest) {
		began = time.Now()
		if got = s.send(t, a); time.Since(began) > promised(slowest) {
			t.Errorf("%s took %s", a, time.Since(began))
		}
	}
	if got.status >= 500 {
		t.Errorf("%s: %d %s", a, got.status, got.body)
	}
	path, _, _ := strings.Cut(a.path, "?")
	if err := s.document().Check(a.method, path, got.status, got.header, got.body); err != nil {
		t.Errorf("%s: %v", a, err)
	}
	return got.status
}

// fuzzClient follows nothing: the interface has no redirects.
var fuzzClient = &http.Client{
	Timeout:       patience,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (s *service) send(t *rapid.T, a attempt) answer {
	t.Helper()
	r, err := http.NewRequest(a.method, s.url+a.path, bytes.NewReader(a.body))
	if err != nil {
		t.Skip("no client could send this")
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	if a.contentType != "" {
		r.Header["Content-Type"] = []string{a.contentType}
	}
	response, err := fuzzClient.Do(r)
	if err != nil {
		if strings.Contains(err.Error(), "invalid header field value") {
			t.Skip("no client could send this")
		}
		t.Fatalf("%s: %v", a, err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s: %v", a, err)
	}
	return answer{status: response.StatusCode, header: response.Header, body: raw}
}

// newPopulated is a service in which there is one of everything that a run leaves behind, and nobody who would capture
// the addresses that requests make up.
func newPopulated(t *testing.T) *service {
	t.Helper()
	host := pages(t, &site{})
	s := serve(t, []string{host}, "--captures=1", "--rate-limit=0")
	pair := s.group(nil, "http://"+host+"/colour", "http://"+host+"/still")
	s.await(s.take(pair, "pre"))
	s.await(s.take(pair, "post"))
	s.stop()
	s.open("serve without workers", nil, "--no-work", "--rate-limit=0")
	return s
}

// knownIDs are the ids of everything that can be listed, by the path of its list.
func (s *service) knownIDs() map[string][]string {
	s.t.Helper()
	ids := map[string][]string{}
	for _, op := range s.document().Operations {
		if op.Method != http.MethodGet || strings.Contains(op.Path, "{") || !strings.HasPrefix(op.ID, "list") {
			continue
		}
		list := must[page[struct{ ID string }]](s, http.MethodGet, op.Path+"?per_page=100", nil)
		for _, item := range list.Data {
			ids[op.Path] = append(ids[op.Path], item.ID)
		}
	}
	return ids
}
