package pg_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/db/pg"
	"afterimage/db/schema"
	"afterimage/internal/pgtest"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// importantTests are those of the order of events, of one commit for rows, jobs and events, and of the feed.
var importantTests = []string{
	"TestACommitWakesTheWatchersOfItsAccountInEveryProcess", "TestEventsBecomeVisibleInOrderWithoutAGap", "TestJobsAndRowsAreOneCommit",
	"TestReadingRefusesWrites", "TestRiverTakesJobsOnABorrowedTransaction",
	"TestWhatTakesRightsAwayIsToldInEveryProcess", "TestAStreamMissesAndRepeatsNothing",
}

func TestTheStoreWorksThroughAPoolerOfTransactions(t *testing.T) {
	t.Parallel()
	vcdtest.RunThrough(t, "pooler", "TestACommitWakesTheWatchersOfItsAccountInEveryProcess", "TestJobsAndRowsAreOneCommit",
		"TestRiverTakesJobsOnABorrowedTransaction")
}

func TestTheStoreWorksThroughAPoolerAsRolesThatOwnNothing(t *testing.T) {
	t.Parallel()
	vcdtest.RunThrough(t, "pooler,roles", importantTests...)
}

func TestAPoolerOfTransactionsIsNoticed(t *testing.T) {
	t.Parallel()
	direct := vcdtest.Database(t)
	pooled := pgtest.NewPooler(t, "transaction").URL(direct)
	for name, open := range map[string]func() error{
		"the store": func() error {
			d, err := db.Open(t.Context(), db.Config{URL: pooled})
			if err == nil {
				d.Close()
			}
			return err
		},
		"a direct URL that is none": func() error {
			d, err := db.Open(t.Context(), db.Config{URL: pooled, DirectURL: pooled})
			if err == nil {
				d.Close()
			}
			return err
		},
		"migrations": func() error { return schema.Migrate(t.Context(), pooled, slog.New(slog.DiscardHandler)) },
		"a restore":  func() error { return schema.RefuseAccounts(t.Context(), pooled) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := open(); !errors.Is(err, pg.ErrPooled) {
				t.Errorf("%v, want %v", err, pg.ErrPooled)
			}
		})
	}
}

func TestAPoolerOfSessionsIsAsGoodAsTheDatabase(t *testing.T) {
	t.Parallel()
	pooled := pgtest.NewPooler(t, "session").URL(vcdtest.Database(t))
	must(t, schema.Migrate(t.Context(), pooled, slog.New(slog.DiscardHandler)))
	d, err := db.Open(t.Context(), db.Config{URL: pooled})
	must(t, err)
	d.Close()
}

func TestEventsArriveWhileAPoolerIsRestarted(t *testing.T) {
	w := newWorld(t)
	pooler := pgtest.NewPooler(t, "transaction")
	at := db.Config{URL: w.URL, Queue: vcdtest.NewTableQueue, Reach: 2 * vcdtest.Patience}
	d := vcdtest.OpenWith(t, vcdtest.ThroughPooler(at, pooler))
	wake, stop := d.Watch(w.Account.ID)
	defer stop()
	w.listening(wake)
	touch := func() {
		t.Helper()
		must(t, d.InTx(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
			return tx.AppendEvents(ctx, &vcd.Event{Kind: vcd.EventAccountUpdated, SubjectType: vcd.SubjectAccount, SubjectID: w.Account.ID})
		}))
		awaitWake(t, wake)
	}
	touch()
	pooler.Restart()
	touch()
}

// TestAServerThatDoesNotAnswerInTimeIsAskedAgain: a server that is busy, or has just started, is no reason to give up.
func TestAServerThatDoesNotAnswerInTimeIsAskedAgain(t *testing.T) {
	t.Parallel()
	config, err := pgx.ParseConfig(vcdtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	config.ConnectTimeout = 5 * time.Second
	dial, asked := config.DialFunc, 0
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if asked++; asked > 1 {
			return dial(ctx, network, address)
		}
		silent, end := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, end) }()
		return silent, nil
	}
	if err := pg.CheckListening(t.Context(), config); err != nil || asked < 2 {
		t.Errorf("after %d connections: %v", asked, err)
	}
}
