package pg_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
)

func awaitWake(t *testing.T, wake <-chan struct{}) {
	t.Helper()
	timer := time.NewTimer(vcdtest.Patience)
	defer timer.Stop()
	select {
	case <-wake:
	case <-timer.C:
		t.Fatal("nobody woke the watcher")
	}
}

// listening returns once the feed's connection listens: its first wake-up says so.
func (w *world) listening(wake <-chan struct{}) {
	w.T.Helper()
	awaitWake(w.T, wake)
}

func TestACommitWakesTheWatchersOfItsAccountInEveryProcess(t *testing.T) {
	w := newWorld(t)
	other := w.NewAccount("bob@example.com", 0)
	elsewhere := vcdtest.OpenURL(t, w.URL, nil) // as good as another process
	wake, stop := elsewhere.Watch(w.Account.ID)
	defer stop()
	bystander, stopBystander := elsewhere.Watch(other.ID)
	defer stopBystander()
	w.listening(wake)
	w.listening(bystander)
	w.Touch()
	awaitWake(t, wake)
	err := w.DB.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
		return errors.Join(tx.AppendEvents(ctx, &vcd.Event{Kind: vcd.EventAccountUpdated, SubjectType: vcd.SubjectAccount,
			SubjectID: w.Account.ID}), vcdtest.ErrOnPurpose)
	})
	if err == nil {
		t.Fatal("the transaction was kept")
	}
	w.Touch()
	awaitWake(t, wake)
	select {
	case <-wake:
		t.Error("a transaction that was not kept woke the watcher")
	case <-bystander:
		t.Error("the watcher of another account was woken")
	default:
	}
}

// authority watches it elsewhere, until the feed there listens.
func (w *world) authority(d *db.DB) <-chan struct{} {
	w.T.Helper()
	wake, stop := d.WatchAuthority(w.Account.ID)
	w.T.Cleanup(stop)
	w.listening(wake)
	return wake
}

func TestWhatTakesRightsAwayIsToldInEveryProcess(t *testing.T) {
	w := newWorld(t)
	wake := w.authority(vcdtest.OpenURL(t, w.URL, nil))
	token, err := w.Service.Accounts.CreateToken(t.Context(), w.Actor, nil, account.TokenChange{Name: vcd.Some("ci")})
	must(t, err)
	w.Touch()
	soon := w.Clock.Now().Add(time.Hour)
	for _, change := range []func() error{
		func() error {
			_, err := w.Service.Accounts.UpdateToken(t.Context(), w.Actor, nil, token.ID, account.TokenChange{ExpiresAt: vcd.Some(soon)})
			return err
		},
		func() error {
			_, err := w.Service.Accounts.RevokeToken(t.Context(), w.Actor, nil, token.ID)
			return err
		},
		func() error { _, err := w.Service.Accounts.PauseAccount(t.Context(), w.Account.ID); return err },
		func() error { _, err := w.Service.Accounts.CancelAccount(t.Context(), w.Account.ID); return err },
	} {
		select {
		case <-wake:
			t.Error("woken for nothing: hot changes of an account must not make every connection ask about its token")
		default:
		}
		must(t, change())
		awaitWake(t, wake)
	}
}

// TestAFeedThatHearsNothingSaysSo: what was taken away meanwhile has to be found by asking.
func TestAFeedThatHearsNothingSaysSo(t *testing.T) {
	w := newWorld(t)
	wire := newWire(t, w.URL)
	wake := w.authority(vcdtest.OpenWith(t, db.Config{URL: wire.url, Queue: vcdtest.NewTableQueue}))
	wire.cut()
	for range 3 {
		awaitWake(t, wake)
	}
	wire.mend()
	awaitWake(t, wake)
}

func TestTheFeedSurvivesTheLossOfItsConnection(t *testing.T) {
	w := newWorld(t)
	wake, stop := w.DB.Watch(w.Account.ID)
	defer stop()
	w.listening(wake)
	w.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
	awaitWake(t, wake) // says that it listens again
	w.Touch()
	awaitWake(t, wake)
}

func TestAStreamMissesAndRepeatsNothing(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g, _ := w.Group("stream", 3, inventory.GroupChange{})
	taken := w.Take(vcd.QueuePre, g)
	batch := taken.Batches[0].ID
	zero := int64(0)
	whole, err := w.Service.Outbound.Stream(ctx, w.Actor, &zero, &batch)
	must(t, err)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, "x")
		w.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
	}
	var seen []*vcd.Event
	for e := range whole {
		seen = append(seen, e)
	}
	if len(seen) != 1+6*2+1 || seen[len(seen)-1].Kind != vcd.EventBatchFinished {
		t.Fatalf("%d events, the last is %+v", len(seen), seen[len(seen)-1])
	}
	if p := seen[3].Progress; p == nil || p.Total() != 6 {
		t.Errorf("progress %+v", p)
	}
	middle := seen[5].Number
	rest, err := w.Service.Outbound.Stream(ctx, w.Actor, &middle, &batch)
	must(t, err)
	for i := 6; i < len(seen); i++ {
		if e := <-rest; e.Number != seen[i].Number || e.Kind != seen[i].Kind {
			t.Errorf("resumed with %+v, want %+v", e, seen[i])
		}
	}
	if e, more := <-rest; more {
		t.Errorf("one event too many: %+v", e)
	}
}
