package turns_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db/turns"
	"afterimage/vcd"
)

// The function hand_out of earlier releases chooses one turn after another, looking at everything anew each time. Choosing many at
// a time gives the same turns to the same places, in the same order.
func TestManyAtATimeAreChosenAsOneByOne(t *testing.T) {
	w := newWorld(t)
	rounds := 60
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		rounds = 2000
	}
	payers := []vcd.ID{w.Account.ID}
	for i := range 4 {
		payers = append(payers, w.NewAccount(fmt.Sprintf("payer%d@example.com", i), 0).ID)
	}
	handed := 0
	for round := range rounds {
		luck := rand.New(rand.NewPCG(uint64(round), 7))
		w.chance(luck, payers)
		free, ahead, payerLimit, hostLimit := luck.IntN(60)-3, luck.IntN(8), luck.IntN(3)*luck.IntN(8), luck.IntN(6)
		want := w.oneByOne(free, ahead, payerLimit, hostLimit)
		got, err := turns.HandOutTurns(t.Context(), w.DB.DB, w.Clock.Now(), []string{"eu"}, free, ahead, payerLimit, hostLimit)
		must(t, err)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d, %d+%d places, limits of %d and %d:\n got %v\nwant %v", round, free, ahead, payerLimit, hostLimit, got,
				want)
		}
		handed += len(got)
	}
	if handed < 5*rounds {
		t.Errorf("only %d turns were handed out in %d rounds", handed, rounds)
	}
}

// chance fills the tables with what makes choosing hard: hosts that several share, that rest or are full, delays, times to come,
// suspected turns, and shares of all sizes.
func (w *world) chance(luck *rand.Rand, payers []vcd.ID) {
	w.T.Helper()
	for _, table := range []string{"turns", "shares", "lanes", "site_rests"} {
		w.AsSystem("DELETE FROM " + table)
	}
	now := w.Clock.Now()
	hosts := 1 + luck.IntN(40)
	for _, payer := range payers {
		for i := range hosts {
			if luck.IntN(3) == 0 {
				w.AsSystem(`INSERT INTO site_rests (account_id, host, resting, since, refused_at, status, probe_at)
					VALUES ($1, $2, $3, $4, $4, 503, $5)`, string(payer), fmt.Sprintf("host-%d", i), luck.IntN(4) > 0,
					now.Add(-time.Duration(luck.IntN(3))*40*time.Second), now.Add(time.Duration(luck.IntN(2)*2-1)*time.Second))
			}
		}
		w.AsSystem("UPDATE accounts SET share = $2 WHERE id = $1", string(payer), 1+luck.IntN(3))
		if luck.IntN(2) == 0 {
			w.AsSystem("INSERT INTO shares (kind, holder_id, used, at) VALUES ('capture', $1, $2, $3)", string(payer), luck.Float64()*20,
				now.Add(-time.Duration(luck.IntN(100))*time.Second))
		}
		for range luck.IntN(5) {
			batch, delay := string(vcd.RandomIDs{}.NewID()), 0
			if luck.IntN(3) == 0 {
				delay = 7
			}
			if luck.IntN(2) == 0 {
				w.AsSystem("INSERT INTO shares (kind, holder_id, used, at) VALUES ('capture', $1, $2, $3)", batch, luck.Float64()*9, now)
			}
			w.AsSystem(`INSERT INTO turns (account_id, subject_id, kind, queue, payer_id, batch_id, delay, host, at, handed_at, suspicion)
				SELECT $1, gen_random_uuid(), 'capture', 'eu', $1, $2, $3::integer * (random() < 0.5)::integer,
					'host-' || floor(random() * $4),
					$5::timestamptz + make_interval(secs => floor(random() * 3 - 2)),
					CASE WHEN random() < 0.05 THEN $5::timestamptz - interval '1 second' END,
					CASE WHEN random() < 0.02 THEN 8 ELSE 0 END
				FROM generate_series(1, $6)`, string(payer), batch, delay, hosts, now, 1+luck.IntN(60))
		}
	}
}

// restsOfAccounts gives the functions of earlier releases, in which hosts rested for all, the rests of accounts.
const restsOfAccounts = `DO $do$ BEGIN
EXECUTE replace(replace(replace(pg_get_functiondef('next_turn_of(text, text, uuid, uuid, integer, timestamptz)'::regprocedure),
	'rest hosts;', 'rest site_rests;'),
	'FROM hosts AS h WHERE h.host = line.host AND h.rest_until > now_at',
	'FROM site_rests AS h WHERE h.account_id = line.account_id AND h.host = line.host AND h.resting
		AND h.refused_at > now_at - interval ''1 minute'''),
	'visits = 0 AND NOT rest.asked AND rest.probe_at <= now_at',
	'rest.probe_at <= now_at AND NOT EXISTS (SELECT FROM turns AS t
		WHERE t.account_id = line.account_id AND t.host = line.host AND t.handed_at IS NOT NULL)');
EXECUTE replace(pg_get_functiondef('hand_out(text, text[], integer, integer, integer, integer, timestamptz)'::regprocedure),
	'UPDATE hosts AS h SET probe_at = now_at + interval ''10 seconds'' WHERE h.host = chosen.host AND h.rest_until > now_at',
	'UPDATE site_rests AS h SET probe_at = now_at + interval ''10 seconds''
		WHERE h.account_id = chosen.account_id AND h.host = chosen.host AND h.resting AND h.refused_at > now_at - interval ''1 minute''');
END $do$`

// oneByOne hands out with the function of earlier releases, and takes it back.
func (w *world) oneByOne(free, ahead, payerLimit, hostLimit int) []vcd.ID {
	w.T.Helper()
	tx, err := w.DB.SystemPool().Begin(w.T.Context())
	must(w.T, err)
	defer func() { _ = tx.Rollback(w.T.Context()) }()
	_, err = tx.Exec(w.T.Context(), "SELECT set_config('afterimage.system', 'on', true)")
	must(w.T, err)
	_, err = tx.Exec(w.T.Context(), restsOfAccounts)
	must(w.T, err)
	rows, err := tx.Query(w.T.Context(), `SELECT subject_id::text
		FROM hand_out('capture', '{eu}', $1::integer, $2::integer, $3::integer, $4::integer, $5)`,
		free, ahead, payerLimit, hostLimit, w.Clock.Now())
	must(w.T, err)
	entries, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(w.T, err)
	var list []vcd.ID
	for _, e := range entries {
		list = append(list, vcd.ID(e))
	}
	return list
}
