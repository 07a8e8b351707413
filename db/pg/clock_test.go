package pg_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/db/pg"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// TestTheDatabasesClockCounts opens a database whose clock is far from that of this machine, in both directions, and one whose is not.
func TestTheDatabasesClockCounts(t *testing.T) {
	for _, c := range []struct {
		name, behind string
		ahead        time.Duration // of this machine
		told         bool
	}{
		{"this machine is two hours ahead", "2 hours", 2 * time.Hour, true},
		{"this machine is a day behind", "-1 day", -24 * time.Hour, true},
		{"the clocks differ by a second", "1 second", time.Second, false},
		{"the clocks agree", "0", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := vcdtest.Database(t)
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			_, err = conn.Exec(t.Context(), `CREATE SCHEMA skewed;
				CREATE FUNCTION skewed.clock_timestamp() RETURNS timestamptz LANGUAGE sql
				AS $$ SELECT pg_catalog.clock_timestamp() - interval '`+c.behind+`' $$`)
			if err != nil {
				t.Fatal(err)
			}
			_ = conn.Close(t.Context())
			said, clock := &bytes.Buffer{}, &pg.Clock{}
			store, err := db.Open(t.Context(), db.Config{
				URL: url + "&search_path=skewed,pg_catalog,public", Clock: clock, Logger: slog.New(slog.NewTextHandler(said, nil)),
				Reach: 20 * time.Second,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(store.Close)
			const close = 5 * time.Second // on a busy machine
			if got := clock.Ahead() - c.ahead; got.Abs() > close {
				t.Errorf("ahead by %s, want %s", clock.Ahead(), c.ahead)
			}
			if c.ahead == 0 && clock.Ahead() != 0 {
				t.Errorf("a clock that agrees is corrected by %s", clock.Ahead())
			}
			if got := time.Since(clock.Now()) - c.ahead; got.Abs() > close {
				t.Errorf("it is %s, want %s before now", clock.Now(), c.ahead)
			}
			if told := strings.Contains(said.String(), "the clock of this machine is wrong"); told != c.told {
				t.Errorf("said: %s", said)
			}
		})
	}
}

// TestIDsSortByTheDatabasesClock: ids of two machines, one of which is ahead, are in the order of time.
func TestIDsSortByTheDatabasesClock(t *testing.T) {
	right := vcd.RandomIDs{}
	corrected := vcd.RandomIDs{Ahead: func() time.Duration { return -2 * time.Hour }} // as if this machine were behind
	wrong := vcd.RandomIDs{Ahead: func() time.Duration { return 2 * time.Hour }}
	before, now, after := wrong.NewID(), right.NewID(), corrected.NewID()
	if before >= now || now >= after {
		t.Errorf("ids two hours apart: %s, %s, %s", before, now, after)
	}
	for range 1000 {
		if next := corrected.NewID(); next <= after {
			t.Fatalf("%s follows %s", next, after)
		} else {
			after = next
		}
		if _, ok := vcd.ParseID(string(after)); !ok || after[14] != '7' {
			t.Fatalf("%s is no version 7 UUID", after)
		}
	}
}
