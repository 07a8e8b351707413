package run_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// served is a visit to a page: in which second, and how it was answered.
type served struct {
	second int
	page   string
	status int
}

// seconds lets time pass. In each second, the captures that were handed out are answered with the status of their page; a refusal asks
// for the given pause.
func (w *world) seconds(from, to int, wait time.Duration, answer func(second int, page string) int) (visits []served) {
	w.T.Helper()
	for second := from; second < to; second++ {
		for _, entry := range w.Jobs("capture") {
			page := w.Entry(entry).URLAddress
			status := answer(second, page)
			visits = append(visits, served{second, page, status})
			if status == 200 {
				w.Capture(entry, "pixels of "+page)
			} else {
				w.refuseWith(entry, status, wait)
			}
		}
		w.Clock.Advance(time.Second)
		for more := second%5 == 0; more; {
			var err error
			more, err = w.Service.Runs.EndRefused(w.T.Context())
			must(w.T, err)
		}
	}
	return visits
}

// maintenance is closed until a second.
func maintenance(until int) func(int, string) int { return refusing(until, 503) }

// refusing answers with a status until a second.
func refusing(until, status int) func(int, string) int {
	return func(second int, _ string) int {
		if second < until {
			return status
		}
		return 200
	}
}

func (w *world) limitHosts() {
	w.Service = w.Service.With(func(c *app.Config) { c.HostCaptures = 4 })
}

// firstServed is the first second in which a page was served, -1 if none was.
func firstServed(visits []served) int {
	for _, v := range visits {
		if v.status == 200 {
			return v.second
		}
	}
	return -1
}

// One page's Retry-After delays that page, not its site. Seen with one page of ten: no other was captured for ten minutes.
func TestRetryAfterOfOnePageDelaysThatPageOnly(t *testing.T) {
	w := newWorld(t)
	w.limitHosts()
	w.Take(vcd.QueuePre, w.desktopOnly("shop", 10, inventory.GroupChange{}))
	visits := w.seconds(0, 5, 10*time.Minute, func(_ int, page string) int {
		if page == "shop.test/3" {
			return 503
		}
		return 200
	})
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE status = 'done'"); n != 9 {
		t.Fatalf("after five seconds %d of nine healthy pages are captured: %v", n, visits)
	}
	waiting := w.Entry(vcd.ID(vcdtest.Value[string](w.World, "SELECT id::text FROM queue_entries WHERE status = 'open'")))
	if waiting.Notice != "The page has answered 503 (maintenance) since 12:00 UTC; next attempt in 10 s." {
		t.Errorf("the notice is %q", waiting.Notice)
	}
	if r := waiting.Refusal; r == nil || r.WholeSite || r.Status != 503 || !r.NextAttemptAt.Equal(r.Since.Add(15*time.Second)) {
		t.Errorf("the refusal is %+v", r)
	}
	w.Take(vcd.QueuePre, w.desktopOnly("other", 1, inventory.GroupChange{}))
	if visits := w.seconds(5, 20, 0, maintenance(0)); firstServed(visits) != 5 {
		t.Errorf("the next run waits: %v", visits)
	}
	if e := w.Entry(waiting.ID); e.Status != vcd.QueueDone || e.Attempts != 0 || e.RefusedSince != nil {
		t.Errorf("the page that was refused once is %+v", e)
	}
	w.CheckInvariants()
}

// A site in maintenance always asks for ten minutes, and is back after 25 or 90 seconds.
func TestARunGoesOnWhenItsSiteIsBack(t *testing.T) {
	for _, c := range []struct {
		pages, back int
		wait        time.Duration
	}{{10, 90, 10 * time.Minute}, {10, 25, 10 * time.Minute}, {10, 90, 0}, {3, 90, 10 * time.Minute}, {1, 25, 10 * time.Minute},
		{40, 200, time.Hour}} {
		t.Run(fmt.Sprintf("%d pages back after %d s, asks for %s", c.pages, c.back, c.wait), func(t *testing.T) {
			w := newWorld(t)
			w.limitHosts()
			w.Take(vcd.QueuePre, w.desktopOnly("shop", c.pages, inventory.GroupChange{}))
			visits := w.seconds(0, c.back, c.wait, maintenance(c.back))
			begin := 20
			probes := slices.DeleteFunc(slices.Clone(visits), func(v served) bool { return v.second < begin })
			if len(probes) > (c.back-begin)/5 {
				t.Errorf("a resting site was visited %d times in %d s", len(probes), c.back-begin)
			}
			again := w.Take(vcd.QueuePre, w.desktopOnly("later", 1, inventory.GroupChange{}),
				w.desktopOnly("shop", c.pages, inventory.GroupChange{}))
			visits = w.seconds(c.back, c.back+60, c.wait, maintenance(c.back))
			if first := firstServed(visits); first < 0 || first > c.back+15 {
				t.Errorf("the first page after the site's return was captured in second %d: %v", first, visits)
			}
			if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE status <> 'done'"); n != 0 {
				t.Errorf("a minute after the site's return %d pages have not been captured", n)
			}
			if b := w.Batch(again.Batches[0].ID); b.FinishedAt == nil {
				t.Error("the next run has not ended")
			}
			w.CheckInvariants()
		})
	}
}

// While a host rests, a run that a person starts begins with a look at it. That of a schedule waits for the next one.
func TestARunOfAPersonBeginsWithAProbe(t *testing.T) {
	w := newWorld(t)
	w.limitHosts()
	w.Take(vcd.QueuePre, w.desktopOnly("shop", 6, inventory.GroupChange{}))
	for second := range 20 { // up to the moment after a probe
		if visits := w.seconds(second, second+1, 10*time.Minute, maintenance(1000)); second > 5 && len(visits) == 1 {
			break
		}
	}
	if w.HandOut() != 0 {
		t.Fatal("a look follows at once")
	}
	w.Take(vcd.QueuePre, w.desktopOnly("shop", 6, inventory.GroupChange{}))
	if visits := w.seconds(20, 21, 0, maintenance(20)); len(visits) != 1 {
		t.Errorf("%d visits when a person starts a run, want one that looks", len(visits))
	}
	w.CheckInvariants()
}

// An account whose pages of a shared host refuse must not stop the pages of others, nor their looks at the host.
func TestRefusalsOfAnAccountStopNobodyElse(t *testing.T) {
	w := newWorld(t)
	w.limitHosts()
	attacker := w.Actor
	w.Take(vcd.QueuePre, w.desktopOnly("shared", 12, inventory.GroupChange{}))
	var others []vcd.Actor
	w.seconds(0, 3, 10*time.Minute, maintenance(1000))
	if w.resting() != 1 {
		t.Fatal("the attacker's pages do not let the host rest")
	}
	for i := range 2 {
		w.Actor = vcd.Actor{Account: w.NewAccount(fmt.Sprintf("user%d@example.com", i), 0).ID}
		others = append(others, w.Actor)
		w.Take(vcd.QueuePre, w.desktopOnly("shared", 10, inventory.GroupChange{}))
	}
	for second := 3; second < 12; second++ {
		w.Actor = attacker
		w.seconds(0, 1, 10*time.Minute, maintenance(1000))
		for _, other := range others {
			w.Actor = other
			w.seconds(1000, 1001, 0, maintenance(0))
		}
	}
	for _, other := range others {
		if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE account_id = $1 AND status = 'done'",
			string(other.Account)); n != 10 {
			t.Errorf("after a few seconds %d of ten pages of another account are captured", n)
		}
	}
	w.CheckInvariants()
}

// A resting account still looks at its host while others keep it busy.
func TestAProbeIsNotStarvedByOthers(t *testing.T) {
	w := newWorld(t)
	w.limitHosts()
	w.Take(vcd.QueuePre, w.desktopOnly("shared", 5, inventory.GroupChange{}))
	w.seconds(0, 3, 0, maintenance(1000))
	rests := w.Actor
	w.Actor = vcd.Actor{Account: w.NewAccount("busy@example.com", 0).ID}
	w.Take(vcd.QueuePre, w.desktopOnly("shared", 3, inventory.GroupChange{}))
	if n := len(w.Jobs("capture")); n != 3 { // and they take long
		t.Fatalf("%d captures of the other account", n)
	}
	w.Actor = rests
	if visits := w.seconds(3, 14, 0, maintenance(0)); firstServed(visits) < 0 {
		t.Error("nobody looks whether the host answers again while others visit it")
	}
	w.CheckInvariants()
}

// After five minutes of refusals the pages end, also those whose turn never came, with the reason, and nothing waits for them any more.
func TestPagesOfASiteThatStaysClosedFail(t *testing.T) {
	const closed = "The site answered 503 (maintenance) from 14:00 UTC to 14:05 UTC, so the page was given up. " +
		"Start the run again once the site is back."
	const limited = "The site answered 429 (too many requests) from 14:00 UTC to 14:05 UTC, so the page was given up. " +
		"Capture fewer pages of the site at once, or exempt our visits from its limit."
	const onePage = "The page answered 503 (maintenance) from 14:00 UTC to 14:05 UTC, so the page was given up. " +
		"Start the run again once the page is back."
	for name, c := range map[string]struct {
		pages, status int
		wait          time.Duration
		reason, want  string
	}{
		"asks for a pause":  {30, 503, 10 * time.Minute, "http_status", closed},
		"asks for nothing":  {30, 503, 0, "http_status", closed},
		"too many requests": {30, 429, 0, "rate_limited", limited},
		"a single page":     {1, 503, time.Hour, "http_status", onePage},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.limitHosts()
			g := w.desktopOnly("closed", c.pages, inventory.GroupChange{})
			w.Take(vcd.QueuePre, g)
			w.seconds(0, 30, 0, maintenance(0))
			w.Clock.Advance(time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC).Sub(w.Clock.Now()))
			before := w.FreshAccount().ChecksDone
			post := w.Take(vcd.QueuePost, g).Batches[0].ID
			w.seconds(0, 330, c.wait, refusing(1000, c.status))
			if b := w.Batch(post); b.FinishedAt == nil || b.Counts.Failed != 2*c.pages {
				t.Errorf("after five minutes and a half the batch is %+v", b.Counts)
			}
			list, err := w.Service.Runs.QueueEntries(t.Context(), w.Actor, vcd.QueueFilter{BatchIDs: &[]vcd.ID{post}},
				vcd.Page{Size: 100}, false)
			must(t, err)
			for _, e := range list.Items {
				sentence := strings.TrimPrefix(e.ErrorMsg, "The screenshot for the comparison could not be taken: ")
				if sentence != c.want || e.Type != vcd.QueueCompare && e.Reason != c.reason {
					t.Errorf("a %s ends with %s: %q, want %q", e.Type, e.Reason, e.ErrorMsg, c.want)
				}
			}
			if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM turns"); n != 0 || w.FreshAccount().ChecksDone != before {
				t.Errorf("%d turns wait, %d checks are used", n, w.FreshAccount().ChecksDone-before)
			}
			w.CheckInvariants()
		})
	}
}

// A page that stays closed among healthy ones fails without a word about its site, which is open.
func TestAClosedPageOfAnOpenSiteFailsAlone(t *testing.T) {
	for status, want := range map[int]string{
		503: "The page answered 503 (maintenance) from 12:00 UTC to 12:05 UTC, so the page was given up. " +
			"Start the run again once the page is back.",
		429: "The page answered 429 (too many requests) from 12:00 UTC to 12:05 UTC, so the page was given up. " +
			"Capture fewer pages of the site at once, or exempt our visits from its limit.",
	} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			w := newWorld(t)
			w.limitHosts()
			w.Take(vcd.QueuePre, w.desktopOnly("shop", 6, inventory.GroupChange{}))
			w.seconds(0, 330, 10*time.Minute, func(_ int, page string) int {
				if page == "shop.test/3" {
					return status
				}
				return 200
			})
			const failed = "SELECT string_agg(error_msg, ' ') FROM queue_entries WHERE status = 'failed'"
			if got := vcdtest.Value[string](w.World, failed); got != want {
				t.Errorf("the page ends with %q, want %q", got, want)
			}
			w.CheckInvariants()
		})
	}
}

// Several pages that an update broke are pictures as one is: their site serves others, so it does not rest for them.
func TestSeveralBrokenPagesAreCapturedAsTheyAre(t *testing.T) {
	w := newWorld(t)
	w.limitHosts()
	w.Take(vcd.QueuePre, w.desktopOnly("shop", 20, inventory.GroupChange{}))
	broken := func(_ int, page string) int {
		if slices.Contains([]string{"shop.test/1", "shop.test/2", "shop.test/7", "shop.test/11", "shop.test/12"}, page) {
			return 503
		}
		return 200
	}
	w.seconds(0, 60, 0, func(second int, page string) int {
		for _, e := range w.Jobs("capture") { // the third time the worker keeps what it sees
			if entry := w.Entry(e); entry.URLAddress == page && entry.Attempts == 2 {
				return 200
			}
		}
		return broken(second, page)
	})
	if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE status = 'done'"); n != 20 {
		t.Errorf("%d of 20 pages are captured within a minute", n)
	}
	w.CheckInvariants()
}

// What a site asks for is bounded by what waits for it.
func TestThePauseThatASiteAsksForIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		monitoring bool
		wait       time.Duration
		want       []int // seconds of the visits
	}{
		"a person waits, ten minutes": {false, 10 * time.Minute, []int{0, 15, 30, 45, 60, 75, 94, 118, 148, 185, 232, 290, 300}},
		"a person waits, thirty years": {false, 1_000_000_000 * time.Second,
			[]int{0, 15, 30, 45, 60, 75, 94, 118, 148, 185, 232, 290, 300}},
		"a person waits, half a minute, later counts": {false, 20 * time.Second,
			[]int{0, 15, 30, 45, 60, 75, 94, 114, 134, 154, 174, 194, 214, 236, 260, 286, 300}},
		"nobody waits, two minutes": {true, 2 * time.Minute, []int{0, 120, 240, 300}},
		"nobody waits, ten minutes": {true, 10 * time.Minute, []int{0, 300}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if c.monitoring {
				w.RunDue(w.Monitored("closed", 1, inventory.GroupChange{}).ID)
			} else {
				w.Take(vcd.QueuePre, w.desktopOnly("closed", 1, inventory.GroupChange{}))
			}
			var seconds []int
			for _, v := range w.seconds(0, 400, c.wait, maintenance(1000)) {
				seconds = append(seconds, v.second)
			}
			if !slices.Equal(seconds, c.want) {
				t.Errorf("visited in seconds %v, want %v", seconds, c.want)
			}
			w.CheckInvariants()
		})
	}
}

// What cannot be ended keeps nobody else's pages from their end, even where it fills a round.
func TestPagesThatCannotBeEndedStayAlone(t *testing.T) {
	w := newWorld(t)
	stuck := w.Actor
	w.Take(vcd.QueuePre, w.desktopOnly("closed", 120, inventory.GroupChange{}))
	w.seconds(0, 4, 0, maintenance(1000))
	w.Actor = vcd.Actor{Account: w.NewAccount("user@example.com", 0).ID}
	w.Take(vcd.QueuePre, w.desktopOnly("other", 5, inventory.GroupChange{}))
	w.seconds(0, 4, 0, maintenance(1000))
	w.Exec(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'on purpose'; END $$`)
	w.Exec(fmt.Sprintf(`CREATE TRIGGER fail BEFORE UPDATE ON queue_entries FOR EACH ROW
		WHEN (new.account_id = '%s' AND new.status = 'failed') EXECUTE FUNCTION fail()`, stuck.Account))
	w.Clock.Advance(6 * time.Minute)
	w.AsSystem("UPDATE site_rests SET refused_at = $1", w.Clock.Now()) // by looks meanwhile
	for range 3 {
		if _, err := w.Service.Runs.EndRefused(t.Context()); err == nil {
			t.Error("what cannot be ended is not told")
		}
	}
	open := func(account vcd.ID) int {
		return vcdtest.Value[int](w.World, "SELECT count(*) FROM queue_entries WHERE account_id = $1 AND status <> 'failed'",
			string(account))
	}
	if n := open(w.Actor.Account); n != 0 || open(stuck.Account) != 120 {
		t.Errorf("%d pages of the other account have not ended, and %d of those that cannot", n, open(stuck.Account))
	}
	w.CheckInvariants()
}
