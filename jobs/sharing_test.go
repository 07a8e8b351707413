package jobs

import (
	"testing"
	"time"

	"afterimage/internal/assetcache"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// TestSharingEndsAtTheBatch asks for an asset that one batch has fetched.
func TestSharingEndsAtTheBatch(t *testing.T) {
	t.Parallel()
	cache := assetcache.New(1 << 20)
	t.Cleanup(cache.Clear)
	w := &captureWorker{assets: cache}
	entry := func(account, batch vcd.ID) *run.CaptureTask {
		return &run.CaptureTask{Entry: &vcd.QueueEntry{Account: account, BatchID: batch}}
	}
	first := w.scope(entry("a", "1"), nil).Join()
	defer first.Leave()
	key := assetcache.Key{1}
	first.Ask(key, "request", nil)
	first.Store(key, assetcache.NewAsset(nil, nil, time.Now(), time.Minute))

	again, confirmation := entry("a", "1"), entry("a", "1")
	again.Entry.Attempts = 1
	confirmation.Entry.ConfirmsID = new(vcd.ID("x"))
	for name, row := range map[string]struct {
		task *run.CaptureTask
		want assetcache.Outcome
	}{
		"the same batch":   {entry("a", "1"), assetcache.Hit},
		"another batch":    {entry("a", "2"), assetcache.Fetch},
		"another account":  {entry("b", "1"), assetcache.Fetch},
		"a second attempt": {again, assetcache.Pass},
		"a confirmation":   {confirmation, assetcache.Pass},
		"a probe":          {&run.CaptureTask{}, assetcache.Pass},
	} {
		visit := w.scope(row.task, nil).Join()
		if got, _ := visit.Ask(key, "request", nil); got != row.want {
			t.Errorf("%s: outcome %d, want %d", name, got, row.want)
		}
		visit.Leave()
	}
}
