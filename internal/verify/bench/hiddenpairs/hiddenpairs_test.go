package hiddenpairs

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/imgdiff"
	"afterimage/internal/egress"
	"afterimage/internal/page"
	"afterimage/internal/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// extent is how many pairs are judged: few in every run, 200 with AFTERIMAGE_SOAK=1.
func extent() int {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 200
	}
	return 6
}

// tally counts labelled changes.
type tally struct {
	labels, found, right int
	unseen               int // pairs that are called explained but have a change that is not listed
	explained            int
}

// TestNoChangeHidesBehindAnother: of every labelled change there is a finding, and hardly any is named wrongly; a pair with
// a change that is not listed is never called explained, so that it cannot be accepted by its changes.
func TestNoChangeHidesBehindAnother(t *testing.T) {
	pairs := make([]pair, extent())
	for i := range pairs {
		pairs[i] = newPair(uint64(i))
	}
	results := judgeAll(t, pairs)
	var sum tally
	for i := range pairs {
		sum.count(t, &pairs[i], results[i])
	}
	t.Logf("%d changes on %d pairs: %d found (%.1f %%), %d described rightly (%.1f %%); %d pairs explained, %d of them with a "+
		"change that is not listed", sum.labels, len(pairs), sum.found, percent(sum.found, sum.labels), sum.right,
		percent(sum.right, sum.labels), sum.explained, sum.unseen)
	if sum.unseen > 0 || percent(sum.found, sum.labels) < 99 || percent(sum.right, sum.labels) < 97 {
		t.Errorf("%+v", sum)
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// judgement is what was found out about a pair.
type judgement struct {
	known  *verify.Pair
	result *verify.Result
}

func (s *tally) count(t *testing.T, p *pair, j judgement) {
	listed := true
	for _, l := range p.labels {
		s.labels++
		found, right := j.tells(l)
		if found {
			s.found++
		}
		if right {
			s.right++
		}
		if !right {
			t.Logf("%s: %s: found %t, right %t, among %s", p.name, l, found, right, j.told())
		}
		listed = listed && found
	}
	if j.result.Explained {
		s.explained++
		if !listed {
			s.unseen++
		}
	}
}

func (j judgement) told() string {
	var told []string
	for i := range j.result.Findings {
		told = append(told, j.result.Findings[i].Description)
	}
	return strings.Join(told, " | ")
}

// tells reports whether a finding is about the labelled part, and whether one says what happened to it.
func (j judgement) tells(l label) (found, right bool) {
	for i := range j.result.Findings {
		f := &j.result.Findings[i]
		if !j.about(f, l.class) {
			continue
		}
		found = true
		omits := func(words string) bool { return !strings.Contains(f.Description, words) }
		right = right || slices.Contains(l.kinds, f.Change) && !slices.ContainsFunc(l.words, omits)
	}
	return found, right
}

// about reports whether a finding is about the element with a class.
func (j judgement) about(f *verify.Finding, class string) bool {
	return f.Element != nil && slices.Contains(strings.Fields(f.Element.Classes), class)
}

// judgeAll captures and judges the pairs with the real engine, two at a time.
func judgeAll(t *testing.T, pairs []pair) []judgement {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var i int
		var side string
		if _, err := fmt.Sscanf(r.URL.Path, "/%d/%s", &i, &side); err != nil || i < 0 || i >= len(pairs) {
			http.NotFound(w, r)
			return
		}
		html := pairs[i].before
		if side == "after" {
			html = pairs[i].after
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(html))
	}))
	defer server.Close()
	policy, err := egress.NewPolicy(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	pool, err := chrome.Start(t.Context(), chrome.Config{Lanes: 2, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	}()
	results, errs := make([]judgement, len(pairs)), make([]error, len(pairs))
	var work sync.WaitGroup
	next := make(chan int)
	for range 2 {
		work.Go(func() {
			for i := range next {
				device := []capture.Device{capture.Desktop, capture.Mobile}[i%2]
				results[i], errs[i] = judge(t.Context(), pool, fmt.Sprintf("%s/%d/", server.URL, i), device)
			}
		})
	}
	for i := range pairs {
		next <- i
	}
	close(next)
	work.Wait()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("%s: %v", pairs[i].name, err)
		}
	}
	return results
}

func judge(ctx context.Context, pool *chrome.Pool, address string, device capture.Device) (judgement, error) {
	var shots [2]*capture.Shot
	for i, side := range []string{"before", "after"} {
		shot, err := pool.Capture(ctx, capture.Request{URL: address + side, Device: device})
		if err != nil {
			return judgement{}, err
		}
		shots[i] = shot
	}
	options := imgdiff.DefaultOptions()
	for _, shot := range shots {
		options.Ignore = append(options.Ignore, page.Rects(shot.Manifest.Unstable)...)
	}
	found, err := imgdiff.Compare(ctx, shots[0].PNG, shots[1].PNG, options)
	if err != nil {
		return judgement{}, err
	}
	known := &verify.Pair{Before: verify.PageOf(&shots[0].Visit), After: verify.PageOf(&shots[1].Visit)}
	known.Measure(found)
	result, err := verify.Verify(ctx, known)
	return judgement{known, result}, err
}
