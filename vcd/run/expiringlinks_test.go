package run_test

import (
	"sync"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// A run is shared by one process at the moment at which its time is up, which another one sees: either it is kept and its link works, or
// it is gone and nobody is given a link. A link that is open meanwhile keeps its run, and shows it to the end.
func TestRunsExpireWhileLinksAreMadeAndOpen(t *testing.T) {
	w := newWorld(t)
	other := w.Replica()
	batches := w.watched(w.everyDay("news", 1), "a", "b", "c", "d", "e", "f", "g", "h")
	links := map[vcd.ID]string{}
	token := func(id vcd.ID) string {
		open, err := w.Service.Reviews.LinksOf(t.Context(), w.Actor, []vcd.ID{id})
		must(t, err)
		return open[id].Token
	}
	ends := w.Clock.Now().Add(20 * day)
	for _, id := range batches[:2] {
		_, err := w.Service.Reviews.ShareBatch(t.Context(), w.Actor, id, &ends, vcd.LinkReview)
		must(t, err)
		links[id] = token(id)
	}
	w.keep(1, 0, false)
	w.Clock.Advance(10 * day)
	shared := make([]error, len(batches))
	var all sync.WaitGroup
	stop := make(chan struct{})
	all.Go(func() { // visitors
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, id := range batches[:2] {
				if _, err := other.Reviews.Shared(t.Context(), links[id], "", vcd.Page{Size: 15, Number: 1}); err != nil {
					t.Errorf("an open link: %v", err)
				}
			}
		}
	})
	var racing sync.WaitGroup
	racing.Go(func() {
		if _, err := w.Service.Runs.RemoveExpired(t.Context(), 0); err != nil {
			t.Error(err)
		}
	})
	for i, id := range batches[3:7] {
		racing.Go(func() { _, shared[i+3] = other.Reviews.ShareBatch(t.Context(), w.Actor, id, &ends, vcd.LinkRead) })
	}
	racing.Wait()
	close(stop)
	all.Wait()
	w.CheckInvariants()
	w.Clock.Advance(time.Hour)
	if there, expired := w.exists(batches[2]); there && !expired {
		t.Error("nothing was removed: a run that nobody shared is whole")
	}
	for i, id := range batches[3:7] {
		there, _ := w.exists(id)
		switch err := shared[i+3]; {
		case err != nil && vcd.CodeOf(err) != vcd.CodeNotFound:
			t.Errorf("sharing run %d: %v", i+3, err)
		case err != nil && there:
			t.Errorf("run %d is there and was not found", i+3)
		case err == nil:
			if _, err := w.Service.Reviews.Shared(t.Context(), token(id), "", vcd.Page{Size: 15, Number: 1}); err != nil {
				t.Errorf("the new link of run %d: %v", i+3, err)
			}
		}
	}
	w.Clock.Advance(20 * day)
	w.expire()
	for _, id := range batches[:2] {
		if there, expired := w.exists(id); there && !expired {
			t.Error("a run is whole after its link has ended")
		}
		_, err := w.Service.Reviews.Shared(t.Context(), links[id], "", vcd.Page{Size: 15, Number: 1})
		wantCode(t, err, vcd.CodeNotFound)
		if n := vcdtest.Value[int](w.World, "SELECT count(*) FROM batch_links WHERE batch_id = $1", string(id)); n != 0 {
			if there, _ := w.exists(id); !there {
				t.Errorf("%d links lead nowhere", n)
			}
		}
	}
}
