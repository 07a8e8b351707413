package run_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// slowly is a group with a delay between screenshots.
func slowly(seconds int) inventory.GroupChange {
	return inventory.GroupChange{ScreenshotDelay: vcd.Some(seconds)}
}

// waitingNotice is what an open entry of a host waits for.
func (w *world) waitingNotice(host string) string {
	w.T.Helper()
	return w.Entry(vcd.ID(vcdtest.Value[string](w.World, `SELECT q.id::text FROM queue_entries AS q JOIN urls AS u ON u.id = q.url_id
		WHERE q.status = 'open' AND u.address LIKE $1 ORDER BY q.refused_since, q.id LIMIT 1`, host+".test%"))).Notice
}

// A refused page of a group with a delay waits for the delay too. Seen with 60 seconds: for minutes it was said to wait for a worker.
func TestTheNoticeOfARefusedPageKnowsTheDelay(t *testing.T) {
	w := newWorld(t)
	w.Take(vcd.QueuePre, w.desktopOnly("closed", 1, slowly(60)))
	w.seconds(0, 10, 10*time.Minute, maintenance(1000))
	second := 10
	const answers = "The page has answered 503 (maintenance) since 12:00 UTC; "
	for _, c := range []struct {
		until int
		want  string
	}{
		{18, "next attempt in 42 s, after the delay between screenshots (60 s in this group)."},
		{59, "next attempt in 1 s, after the delay between screenshots (60 s in this group)."},
		{60, "next attempt as soon as a worker is free."},
	} {
		if visits := w.seconds(second, c.until, 0, maintenance(0)); len(visits) != 0 {
			t.Fatalf("visits during the delay: %v", visits)
		}
		second = c.until
		if got := w.waitingNotice("closed"); got != answers+c.want {
			t.Errorf("in second %d the notice is %q, want %q", c.until, got, answers+c.want)
		}
	}
	if visits := w.seconds(60, 61, 10*time.Minute, maintenance(1000)); len(visits) != 1 {
		t.Errorf("%d visits after the delay", len(visits))
	}
	w.seconds(61, 64, 0, maintenance(1000))
	w.Take(vcd.QueuePre, w.desktopOnly("other", 1, slowly(7))) // may be first
	const want = answers + "next attempt in 55 s at the earliest, after the delay between screenshots (60 s in this group)."
	if got := w.waitingNotice("closed"); got != want {
		t.Errorf("beside another page the notice is %q, want %q", got, want)
	}
	w.Take(vcd.QueuePre, w.desktopOnly("quick", 1, inventory.GroupChange{}))
	w.refuse(w.Jobs("capture")[0], 30*time.Second)
	if got := w.waitingNotice("quick"); got != "The page has answered 503 (maintenance) since 12:01 UTC; next attempt in 15 s." {
		t.Errorf("without a delay the notice is %q", got)
	}
	w.CheckInvariants()
}

var inSeconds = regexp.MustCompile(`; next attempt in (\d+) s`)

// Of a site that rests, the notices tell each visit to the second: the delay counts where it is longer than the pause between probes.
func TestTheNoticeOfARestingSiteKnowsTheDelay(t *testing.T) {
	for delay, want := range map[int][]int{7: {0, 7, 14, 24, 34, 44, 54}, 20: {0, 20, 40, 60, 80, 100}} {
		t.Run(fmt.Sprintf("%d s", delay), func(t *testing.T) {
			w := newWorld(t)
			w.Take(vcd.QueuePre, w.desktopOnly("closed", 5, slowly(delay)))
			var visits []int
			told := 0
			for second := range want[len(want)-1] + 1 {
				if n := len(w.seconds(second, second+1, 10*time.Minute, maintenance(1000))); n > 0 {
					if visits = append(visits, second); w.resting() > 0 && told > 0 && told != second {
						t.Errorf("a visit in second %d; the notice said %d", second, told)
					}
				}
				if told = 0; w.resting() == 0 {
					continue
				}
				if said := inSeconds.FindStringSubmatch(w.waitingNotice("closed")); said != nil {
					left, err := strconv.Atoi(said[1])
					must(t, err)
					told = second + 1 + left
				}
			}
			if !slices.Equal(visits, want) {
				t.Errorf("visits in seconds %v, want %v", visits, want)
			}
			w.CheckInvariants()
		})
	}
}
