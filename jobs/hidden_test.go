package jobs_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/internal/egress"
	"afterimage/internal/page"
	"afterimage/internal/verify/bench/hiddenpairs"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

// hiddenExtent is how many pairs of pages are reviewed: few in every run, 200 with AFTERIMAGE_SOAK=1.
func hiddenExtent() int {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 200
	}
	return 2
}

// pairsInBatch is how many pages are captured and reviewed together.
const pairsInBatch = 10

// studio captures the pages of pairs: as they were, or as they are once they have changed.
type studio struct {
	pairs   []*hiddenpairs.Pair
	changed atomic.Bool
	pool    *chrome.Pool
	server  *httptest.Server
	seen    [2][]atomic.Pointer[capture.Shot] // by pair, before and after
}

func newStudio(t *testing.T, pairs []*hiddenpairs.Pair) *studio {
	t.Helper()
	s := &studio{pairs: pairs}
	for side := range s.seen {
		s.seen[side] = make([]atomic.Pointer[capture.Shot], len(pairs))
	}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		html := s.pairs[s.number(r.URL.Path)].Before
		if s.changed.Load() {
			html = s.pairs[s.number(r.URL.Path)].After
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(html))
	}))
	t.Cleanup(s.server.Close)
	policy, err := egress.NewPolicy(s.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if s.pool, err = chrome.Start(t.Context(), chrome.Config{Lanes: 2, Policy: policy}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// number is the pair that an address belongs to; the first for what browsers ask for besides.
func (s *studio) number(path string) int {
	var n int
	if _, err := fmt.Sscanf(path, "/%d", &n); err != nil || n < 0 || n >= len(s.pairs) {
		return 0
	}
	return n
}

func (s *studio) capture(t *testing.T) func(capture.Request) (*capture.Shot, error) {
	return func(r capture.Request) (*capture.Shot, error) {
		address, err := url.Parse(r.URL)
		if err != nil {
			return nil, err
		}
		r.URL = s.server.URL + address.Path
		shot, err := s.pool.Capture(t.Context(), r)
		if err == nil {
			s.seen[s.side()][s.number(address.Path)].Store(shot)
		}
		return shot, err
	}
}

func (s *studio) side() int {
	if s.changed.Load() {
		return 1
	}
	return 0
}

// reviewed is a batch of comparisons of pairs, and what the pairs' labels say.
type reviewed struct {
	*world
	studio *studio
	batch  vcd.ID
	r      *rand.Rand
	tally  *reviews
	silent []string // ids of the comparisons that the service itself set to OK
}

// reviews counts what was accepted how.
type reviews struct{ comparisons, explained, labels, told, attempts, accepted, acceptedTogether, stillOpen, unseen int }

// TestNothingIsAcceptedUnseen: whatever changes of a batch are accepted, by whatever path accepts changes, no comparison is
// accepted that shows a labelled change which is neither among them nor called harmless; and whoever accepts comparisons together,
// by their batch or another filter, accepts none with a labelled change that is not listed.
func TestNothingIsAcceptedUnseen(t *testing.T) {
	t.Parallel()
	pairs := make([]*hiddenpairs.Pair, hiddenExtent())
	for i := range pairs {
		pairs[i] = hiddenpairs.New(uint64(i))
	}
	s := newStudio(t, pairs)
	w := newWorldWith(t, s.capture(t), func(c *jobs.Config) { c.Deadline = patience })
	_, err := w.service.Accounts.SetPlan(t.Context(), w.actor.Account, account.PlanChange{AIVerification: vcd.Some(true)})
	if err != nil {
		t.Fatal(err)
	}
	tally := &reviews{}
	for first := 0; first < len(pairs); first += pairsInBatch {
		group := w.pairPages(first, min(first+pairsInBatch, len(pairs)))
		s.changed.Store(false)
		w.run(group, vcd.QueuePre)
		s.changed.Store(true)
		batch, _ := w.run(group, vcd.QueuePost)
		b := &reviewed{world: w, studio: s, batch: batch, r: rand.New(rand.NewPCG(uint64(first), 41)), tally: tally}
		b.begin()
		b.acceptChanges()
		b.acceptTogether(group)
		b.restore()
		if first == 0 {
			b.acceptByRule(group)
		}
	}
	t.Logf("%+v", *tally)
	if tally.comparisons != len(pairs) {
		t.Errorf("%d of %d pairs were compared", tally.comparisons, len(pairs))
	}
	if tally.unseen > 0 || tally.accepted == 0 || tally.acceptedTogether == 0 || tally.stillOpen == 0 {
		t.Errorf("%d comparisons were accepted unseen, of %d accepted ones; %d stayed open", tally.unseen, tally.accepted, tally.stillOpen)
	}
	w.checkInvariants()
}

// pairPages makes a group of the pages of some pairs, the devices in turn.
func (w *world) pairPages(first, end int) vcd.ID {
	w.t.Helper()
	g, err := w.service.Inventory.CreateGroup(w.t.Context(), w.actor, inventory.GroupChange{
		Name: vcd.Some(fmt.Sprintf("pairs from %d", first)), Threshold: vcd.Some(0.0),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	for i := first; i < end; i++ {
		u, err := w.service.Inventory.CreateURL(w.t.Context(), w.actor,
			inventory.URLChange{URL: vcd.Some(fmt.Sprintf("https://pairs.example.com/%d", i))})
		if err != nil {
			w.t.Fatal(err)
		}
		sel := inventory.SelectionChange{URLID: string(u.ID), Desktop: vcd.Some(i%2 == 0), Mobile: vcd.Some(i%2 == 1)}
		if _, err := w.service.Inventory.AddURLs(w.t.Context(), w.actor, g.ID, []inventory.SelectionChange{sel}); err != nil {
			w.t.Fatal(err)
		}
	}
	return g.ID
}

// comparisons are those of the batch.
func (b *reviewed) comparisons() []*vcd.Comparison {
	b.t.Helper()
	list, err := b.service.Reviews.Comparisons(b.t.Context(), b.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{b.batch}},
		vcd.Page{Size: 100}, false)
	if err != nil {
		b.t.Fatal(err)
	}
	return list.Items
}

// begin counts the comparisons, and checks those that the service itself calls harmless.
func (b *reviewed) begin() {
	b.t.Helper()
	for _, c := range b.comparisons() {
		b.tally.comparisons++
		if c.Verification.Explained {
			b.tally.explained++
		}
		for _, l := range b.pair(c).Labels {
			if !l.Unseen {
				b.tally.labels++
				if _, told := b.about(c, l); told {
					b.tally.told++
				}
			}
		}
		if c.Status == vcd.ComparisonOK {
			b.silent = append(b.silent, string(c.ID))
			b.check(c, "the service itself", harmless)
		}
	}
	b.reopen()
}

// restore sets the comparisons that the service itself had set to OK back to it.
func (b *reviewed) restore() {
	b.t.Helper()
	b.execute("UPDATE comparisons SET status = 'ok' WHERE id = ANY($1::uuid[])", b.silent)
}

// reopen sets all comparisons of the batch back to new.
func (b *reviewed) reopen() {
	b.t.Helper()
	b.execute("UPDATE comparisons SET status = 'new' WHERE batch_id = $1", string(b.batch))
}

// execute changes the database as the system.
func (b *reviewed) execute(statement string, argument any) {
	b.t.Helper()
	err := pgx.BeginFunc(b.t.Context(), b.db.SystemPool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(b.t.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		_, err := tx.Exec(b.t.Context(), statement, argument)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// acceptChanges accepts changes of the batch: each comparison's own without one, some at random, and all of them.
func (b *reviewed) acceptChanges() {
	b.t.Helper()
	all := map[string]bool{}
	var sets []map[string]bool
	for _, c := range b.comparisons() {
		own := map[string]bool{}
		for _, f := range c.Verification.Findings {
			own[f.Fingerprint], all[f.Fingerprint] = true, true
		}
		without := maps.Clone(own)
		for fingerprint := range own { // any of them
			delete(without, fingerprint)
			break
		}
		sets = append(sets, without)
	}
	for range 4 {
		some := map[string]bool{}
		for _, fingerprint := range slices.Sorted(maps.Keys(all)) {
			if b.r.IntN(10) > 0 {
				some[fingerprint] = true
			}
		}
		sets = append(sets, some)
	}
	ids := []vcd.ID{}
	for _, c := range b.comparisons() {
		ids = append(ids, c.ID)
	}
	for i, set := range append(sets, all) {
		if len(set) == 0 || len(set) > 100 {
			continue // the filter takes up to 100
		}
		fingerprints := slices.Sorted(maps.Keys(set))
		f := vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{b.batch}, Changes: &fingerprints, OnlyThese: i%3 > 0}
		if i%4 == 3 {
			f.BatchIDs, f.IDs = nil, &ids
		}
		accepted := func(f *vcd.Finding) bool { return set[f.Fingerprint] || harmless(f) }
		b.tally.accepted += b.accept(f, []vcd.ComparisonStatus{vcd.ComparisonOK, vcd.ComparisonFalsePositive}[i%2], accepted)
	}
}

// acceptTogether accepts all comparisons of the batch at once: whoever does that has seen the list of changes.
func (b *reviewed) acceptTogether(group vcd.ID) {
	b.t.Helper()
	listed := func(*vcd.Finding) bool { return true }
	for _, f := range []vcd.ComparisonFilter{
		{BatchIDs: &[]vcd.ID{b.batch}},
		{BatchIDs: &[]vcd.ID{b.batch}, Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonNew}},
		{GroupIDs: &[]vcd.ID{group}},
	} {
		b.tally.acceptedTogether += b.accept(f, vcd.ComparisonOK, listed)
	}
}

// accept sets what matches a filter to a status, checks which comparisons of the batch that accepts, and counts them.
func (b *reviewed) accept(f vcd.ComparisonFilter, status vcd.ComparisonStatus, known func(*vcd.Finding) bool) int {
	b.t.Helper()
	verdict, err := b.service.Reviews.SetStatusOfComparisons(b.t.Context(), b.actor, f, status, review.MaxVerdicts)
	if err != nil {
		b.t.Fatal(err)
	}
	b.tally.attempts++
	b.tally.stillOpen += verdict.StillOpenCount
	accepted := 0
	for _, c := range b.comparisons() {
		if c.Status.Accepts() {
			accepted++
			b.check(c, "a reviewer", known)
		}
	}
	b.reopen()
	return accepted
}

func harmless(f *vcd.Finding) bool { return f.Category == vcd.CategoryAllGood }

// acceptByRule makes a rule of one finding, and has the pages compared again with it.
func (b *reviewed) acceptByRule(group vcd.ID) {
	b.t.Helper()
	for _, c := range b.comparisons() {
		if len(c.Difference.Regions) == 0 {
			continue
		}
		_, err := b.service.Reviews.CreateFeedbackRule(b.t.Context(), b.actor, review.FeedbackRuleInput{
			ComparisonID: string(c.ID), RegionID: &c.Difference.Regions[0].ID, Reach: review.ReachURL,
		})
		if err != nil {
			b.t.Fatal(err)
		}
	}
	b.studio.changed.Store(false)
	b.run(group, vcd.QueuePre)
	b.studio.changed.Store(true)
	b.batch, _ = b.run(group, vcd.QueuePost)
	for _, c := range b.comparisons() {
		if c.Status == vcd.ComparisonOK {
			b.check(c, "a rule", harmless)
		}
	}
}

// check requires that of each labelled change of an accepted comparison there is a finding that whoever accepted it knew.
func (b *reviewed) check(c *vcd.Comparison, by string, known func(*vcd.Finding) bool) {
	b.t.Helper()
	for _, l := range b.pair(c).Labels {
		if l.Unseen {
			continue
		}
		found, _ := b.about(c, l)
		if !slices.ContainsFunc(found, known) {
			b.tally.unseen++
			b.t.Errorf("%s accepted %s with %s, which is not among the accepted changes", by, b.pair(c).Name, l)
		}
	}
}

func (b *reviewed) pair(c *vcd.Comparison) *hiddenpairs.Pair { return b.studio.pairs[b.number(c)] }

func (b *reviewed) number(c *vcd.Comparison) int {
	return b.studio.number(strings.TrimPrefix(c.URLAddress, "pairs.example.com"))
}

// about are the findings about a labelled part.
func (b *reviewed) about(c *vcd.Comparison, l hiddenpairs.Label) (found []*vcd.Finding, told bool) {
	before, after := b.selectors(0, c, l.Class), b.selectors(1, c, l.Class)
	is := func(e *page.ElementIdentity, selectors []string) bool {
		return e != nil && slices.Contains(selectors, e.Selector)
	}
	for i := range c.Verification.Findings {
		if f := &c.Verification.Findings[i]; is(f.Before, before) || is(f.After, after) || f.Cause != nil && b.marks(f.Cause, c, l.Class) {
			found = append(found, f)
		}
	}
	return found, len(found) > 0
}

// marks reports whether the element of a class is among those that a change of several marks.
func (b *reviewed) marks(cause *vcd.Cause, c *vcd.Comparison, class string) bool {
	for _, e := range b.studio.seen[1][b.number(c)].Load().Content.Elements {
		marked := func(place *page.Box) bool { return *place == e.Box }
		if slices.Contains(strings.Fields(e.Classes), class) && slices.ContainsFunc(cause.Places, marked) {
			return true
		}
	}
	return false
}

// selectors are those of a class on one side of a comparison.
func (b *reviewed) selectors(side int, c *vcd.Comparison, class string) []string {
	var selectors []string
	for _, e := range b.studio.seen[side][b.number(c)].Load().Content.Elements {
		if slices.Contains(strings.Fields(e.Classes), class) {
			selectors = append(selectors, e.Selector)
		}
	}
	return selectors
}
