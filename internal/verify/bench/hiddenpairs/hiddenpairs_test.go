package hiddenpairs

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/imgdiff"
	"afterimage/internal/egress"
	"afterimage/internal/noise"
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

// patience is how long a capture may take on a machine that is busy with other tests.
const patience = 3 * time.Minute

// mended is a pair of which a change was taken for the shadow of what is around it.
const mended = 15

// tally counts labelled changes.
type tally struct {
	labels, found, right int
	excused              int // harmful changes that are called harmless
	invisible, told      int // changes that no pixel shows, and those of them that are listed
	explained, unseen    int // pairs that are called explained, and those of them with a change that is not listed
}

// TestNoChangeHidesBehindAnother: of every labelled change there is a finding, and hardly any is named wrongly; a pair with
// a change that is not listed is never called explained, so that it cannot be accepted by its changes.
func TestNoChangeHidesBehindAnother(t *testing.T) {
	pairs := make([]*Pair, extent())
	for i := range pairs {
		pairs[i] = New(uint64(i))
	}
	if len(pairs) <= mended {
		pairs = append(pairs, New(mended))
	}
	results := judgeAll(t, pairs)
	kinds := map[string]*tally{}
	var sum tally
	for i := range pairs {
		sum.count(t, pairs[i], results[i], kinds)
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%s: %+v", name, *kinds[name])
	}
	t.Logf("%d changes on %d pairs: %d found (%.1f %%), %d described rightly (%.1f %%); %d pairs explained, %d of them with a "+
		"change that is not listed; %d changes without a pixel, %d of them listed", sum.labels, len(pairs), sum.found,
		percent(sum.found, sum.labels), sum.right, percent(sum.right, sum.labels), sum.explained, sum.unseen, sum.invisible, sum.told)
	if sum.unseen > 0 || sum.excused > 0 || percent(sum.found, sum.labels) < 99 || percent(sum.right, sum.labels) < 97 {
		t.Errorf("%+v", sum)
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// judgement is what was found out about a pair.
type judgement struct {
	known  *verify.Pair
	result *verify.Result
}

func (s *tally) count(t *testing.T, p *Pair, j judgement, kinds map[string]*tally) {
	listed := true
	for _, l := range p.Labels {
		if kinds[l.Name] == nil {
			kinds[l.Name] = &tally{}
		}
		told := j.tells(l)
		s.add(l, told)
		kinds[l.Name].add(l, told)
		if !told.right && !l.Unseen || told.excused {
			t.Logf("%s: %s: %+v, among %s", p.Name, l, told, j.told())
		}
		listed = listed && (told.found || l.Unseen)
	}
	if j.result.Explained {
		s.explained++
		if !listed {
			s.unseen++
		}
	}
}

// add counts a label.
func (s *tally) add(l Label, told telling) {
	switch {
	case l.Unseen:
		s.invisible++
		s.told += one(told.found)
		return
	case told.excused:
		s.excused++
	}
	s.labels++
	s.found += one(told.found)
	s.right += one(told.right)
}

func one(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

func (j judgement) told() string {
	var told []string
	for i := range j.result.Findings {
		told = append(told, j.result.Findings[i].Description)
	}
	return strings.Join(told, " | ")
}

// telling is what the findings say about a labelled part: that it changed, what happened to it, and, of a harmful change, that
// nobody has to look.
type telling struct{ found, right, excused bool }

func (j judgement) tells(l Label) telling {
	var t telling
	for i := range j.result.Findings {
		f := &j.result.Findings[i]
		if !j.about(f, l.Class) {
			continue
		}
		t.found = true
		omits := func(words string) bool { return !strings.Contains(f.Description, words) }
		if slices.Contains(l.Kinds, f.Change) && !slices.ContainsFunc(l.Words, omits) {
			t.right = true
			t.excused = t.excused || l.Harmful && f.Ruling.Category == verify.AllGood
		}
	}
	return t
}

// about reports whether a finding is about the element with a class, alone or among others.
func (j judgement) about(f *verify.Finding, class string) bool {
	return slices.ContainsFunc(append([]*page.Element{f.Element}, f.Members...), func(e *page.Element) bool {
		return e != nil && slices.Contains(strings.Fields(e.Classes), class)
	})
}

// judgeAll captures and judges the pairs with the real engine, two at a time.
func judgeAll(t *testing.T, pairs []*Pair) []judgement {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var i int
		var side string
		if _, err := fmt.Sscanf(r.URL.Path, "/%d/%s", &i, &side); err != nil || i < 0 || i >= len(pairs) {
			http.NotFound(w, r)
			return
		}
		html := pairs[i].Before
		if side == "after" {
			html = pairs[i].After
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
				results[i], errs[i] = judge(t.Context(), pool, fmt.Sprintf("%s/%d/", server.URL, i), device, pairs[i].Turning)
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
			t.Fatalf("%s: %v", pairs[i].Name, err)
		}
	}
	return results
}

func judge(ctx context.Context, pool *chrome.Pool, address string, device capture.Device, turning string) (judgement, error) {
	var shots [2]*capture.Shot
	for i, side := range []string{"before", "after"} {
		shot, err := pool.Capture(ctx, capture.Request{URL: address + side, Device: device, Deadline: patience})
		if err != nil {
			return judgement{}, err
		}
		shots[i] = shot
	}
	options := imgdiff.DefaultOptions()
	options.Keep = true
	for _, shot := range shots {
		options.Ignore = append(options.Ignore, page.Rects(shot.Manifest.Unstable)...)
	}
	found, err := imgdiff.Compare(ctx, shots[0].PNG, shots[1].PNG, options)
	if err != nil {
		return judgement{}, err
	}
	defer found.Release()
	known := &verify.Pair{Before: verify.PageOf(&shots[0].Visit), After: verify.PageOf(&shots[1].Visit)}
	known.Measure(found)
	known.Noise = learned(known.Before.Elements, turning)
	result, err := verify.Verify(ctx, known)
	return judgement{known, result}, err
}

// learned is what a fortnight of visits tells of a page on which one part says something else each time.
func learned(elements []page.Element, turning string) *noise.Knowledge {
	k := &noise.Knowledge{}
	r, at := rand.New(rand.NewPCG(7, 7)), time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)
	visit := func() []page.Element {
		shown := slices.Clone(elements)
		for i := range shown {
			if slices.Contains(strings.Fields(shown[i].Classes), turning) {
				shown[i].Text = sentence(r)
			}
		}
		return shown
	}
	for before := elements; len(k.Visits) < 14; at = at.AddDate(0, 0, 1) {
		after := visit()
		k.Observe(&noise.Pair{Visit: noise.Visit{At: at, Source: noise.FromMonitoring}, Before: before, After: after})
		before = after
	}
	return k
}
