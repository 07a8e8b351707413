package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
)

// patience is how long a test waits for what should happen at once.
const patience = 10 * time.Second

func awaitWake(t *testing.T, wake <-chan struct{}) {
	t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-wake:
	case <-timer.C:
		t.Fatal("nobody woke the watcher")
	}
}

// listening returns once the feed's connection listens: its first wake-up says so.
func (w *world) listening(wake <-chan struct{}) {
	w.t.Helper()
	awaitWake(w.t, wake)
}

func (w *world) touch() {
	w.t.Helper()
	_, err := w.service.Accounts.UpdateAccount(w.t.Context(), w.actor, account.Change{Company: vcd.Some("x")})
	must(w.t, err)
}

func TestACommitWakesTheWatchersOfItsAccountInEveryProcess(t *testing.T) {
	w := newWorld(t)
	other := w.newAccount("bob@example.com", 0)
	elsewhere := openURL(t, w.url, nil) // as good as another process
	wake, stop := elsewhere.Watch(w.account.ID)
	defer stop()
	bystander, stopBystander := elsewhere.Watch(other.ID)
	defer stopBystander()
	w.listening(wake)
	w.listening(bystander)
	w.touch()
	awaitWake(t, wake)
	err := w.db.InTx(t.Context(), w.actor, func(ctx context.Context, tx vcd.Tx) error {
		return errors.Join(tx.AppendEvents(ctx, &vcd.Event{Kind: vcd.EventAccountUpdated, SubjectType: vcd.SubjectAccount,
			SubjectID: w.account.ID}), errOnPurpose)
	})
	if err == nil {
		t.Fatal("the transaction was kept")
	}
	w.touch()
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
	w.t.Helper()
	wake, stop := d.WatchAuthority(w.account.ID)
	w.t.Cleanup(stop)
	w.listening(wake)
	return wake
}

func TestWhatTakesRightsAwayIsToldInEveryProcess(t *testing.T) {
	w := newWorld(t)
	wake := w.authority(openURL(t, w.url, nil))
	token, err := w.service.Accounts.CreateToken(t.Context(), w.actor, nil, account.TokenChange{Name: vcd.Some("ci")})
	must(t, err)
	w.touch()
	soon := w.clock.Now().Add(time.Hour)
	for _, change := range []func() error{
		func() error {
			_, err := w.service.Accounts.UpdateToken(t.Context(), w.actor, nil, token.ID, account.TokenChange{ExpiresAt: vcd.Some(soon)})
			return err
		},
		func() error {
			_, err := w.service.Accounts.RevokeToken(t.Context(), w.actor, nil, token.ID)
			return err
		},
		func() error { _, err := w.service.Accounts.PauseAccount(t.Context(), w.account.ID); return err },
		func() error { _, err := w.service.Accounts.CancelAccount(t.Context(), w.account.ID); return err },
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
	wire := newWire(t, w.url)
	wake := w.authority(openWith(t, db.Config{URL: wire.url, Queue: newTableQueue}))
	wire.cut()
	for range 3 {
		awaitWake(t, wake)
	}
	wire.mend()
	awaitWake(t, wake)
}

func TestTheFeedSurvivesTheLossOfItsConnection(t *testing.T) {
	w := newWorld(t)
	wake, stop := w.db.Watch(w.account.ID)
	defer stop()
	w.listening(wake)
	w.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
	awaitWake(t, wake) // says that it listens again
	w.touch()
	awaitWake(t, wake)
}

func TestAStreamMissesAndRepeatsNothing(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g, _ := w.group("stream", 3, inventory.GroupChange{})
	taken := w.take(vcd.QueuePre, g)
	batch := taken.Batches[0].ID
	zero := int64(0)
	whole, err := w.service.Outbound.Stream(ctx, w.actor, &zero, &batch)
	must(t, err)
	for _, entry := range w.jobs("capture") {
		w.capture(entry, "x")
		w.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
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
	rest, err := w.service.Outbound.Stream(ctx, w.actor, &middle, &batch)
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
