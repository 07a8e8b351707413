package run_test

import (
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/vcdtest"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// aDayOfRuns adds a run of each site of account $1 in period $2, at $3: one page on two devices, which changes every tenth time, each
// screenshot compared with the one before. $4 sites are monitored.
const aDayOfRuns = `
WITH input AS (SELECT $1::uuid AS account, $2::integer AS period, $3::timestamptz AS at), site AS (
	SELECT u.id AS page, g.group_id, row_number() OVER (ORDER BY u.address, u.id) AS n
	FROM input JOIN urls AS u ON u.account_id = account JOIN group_urls AS g ON g.account_id = account AND g.url_id = u.id
), shot AS (
	SELECT account, at, page, group_id, device, id.batch, id.auto, id.compare, id.shot, id.image, id.before, id.hash, period
	FROM input, (SELECT * FROM site WHERE n <= $4) AS s, unnest('{desktop,mobile}'::text[]) AS device, LATERAL (SELECT
		md5(format('batch %s %s', n, period))::uuid AS batch, md5(format('auto %s %s %s', n, device, period))::uuid AS auto,
		md5(format('compare %s %s %s', n, device, period))::uuid AS compare, md5(format('shot %s %s %s', n, device, period))::uuid AS shot,
		md5(format('image %s %s %s', n, device, period))::uuid AS image,
		md5(format('shot %s %s %s', n, device, period - 1))::uuid AS before,
		encode(sha256(format('%s %s %s', n, device, period / 10)::bytea), 'hex') AS hash) AS id
), a AS (
	INSERT INTO batches (account_id, id, name, source, type, sc_version, open_count, processing_count, done_count, failed_count,
		planned_count, created_at, updated_at, finished_at)
	SELECT DISTINCT account, batch, 'Site', 'monitoring', 'auto', '1', 0, 0, 4, 0, 4, at, at, at FROM shot
), b AS (
	INSERT INTO batch_groups SELECT DISTINCT account, batch, group_id FROM shot
), c AS (
	INSERT INTO queue_entries (account_id, id, batch_id, group_id, url_id, device, type, status, reason, error_msg, attempts, delay,
		subject_id, dispatched, created_at, updated_at)
	SELECT account, auto, batch, group_id, page, device, 'auto', 'done', '', '', 1, 0, NULL, true, at, at FROM shot UNION ALL
	SELECT account, compare, batch, group_id, page, device, 'compare', 'done', '', '', 1, 0, auto, true, at, at FROM shot
), d AS (
	INSERT INTO blobs (hash, size, reserved_at) SELECT DISTINCT hash, 100000, at FROM shot ON CONFLICT DO NOTHING
), e AS (
	INSERT INTO images (account_id, id, token, hash, media_type, width, height, size, created_at)
	SELECT account, image, image::text, hash, 'image/png', 1440, 900, 100000, at FROM shot
), f AS (
	INSERT INTO screenshots (account_id, id, queue_id, batch_id, group_id, url_id, device, type, image_id, html_title, status_code,
		final_url, sc_version, truncated, console, created_at, updated_at)
	SELECT account, shot, auto, batch, group_id, page, device, 'auto', image, '', 200, '', '1', false, '[]', at, at FROM shot
)
INSERT INTO comparisons (account_id, id, token, queue_id, batch_id, group_id, url_id, device, before_id, after_id, threshold,
	difference_percent, aligned_percent, measure, changed_pixels, anti_aliased, width, height, regions, bands, status, created_at,
	updated_at)
SELECT account, compare, compare::text, compare, batch, group_id, page, device, before, shot, 0, 0, 0, 'plain', 0, 0, 1440, 900, '[]', '[]',
	'ok', at, at
FROM shot WHERE period > 1`

// allEventsAreRead has webhooks and mails read what has happened, as workers do.
const allEventsAreRead = `INSERT INTO consumers (account_id, name, position)
	SELECT account_id, name, max(number) FROM events, unnest('{webhooks,mails}'::text[]) AS name GROUP BY account_id, name
	ON CONFLICT (account_id, name) DO UPDATE SET position = excluded.position`

// TestAYearOfMonitoringStaysBounded runs sites once a day; with AFTERIMAGE_SOAK=1, it runs 1,000 sites once a week for a year.
// However long it goes on, what is kept is what the rule promises: its time, and one more run that the oldest is compared with.
func TestAYearOfMonitoringStaysBounded(t *testing.T) {
	sites, periods, keep, period := 4, 15, 4, 24*time.Hour
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		sites, periods, keep, period = 1000, 52, 4, 7*24*time.Hour
	}
	w := newWorld(t)
	for left := sites; left > 0; left -= 500 {
		w.Group("sites", min(left, 500), inventory.GroupChange{})
	}
	w.keep(keep*int(period/day), 0, true)
	var adding, removing, vacuuming time.Duration
	sizes := make([]int64, periods+1) // of the database in bytes, after each period
	for n := 1; n <= periods; n++ {
		w.Clock.Advance(period)
		began := time.Now()
		must(t, w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), aDayOfRuns, string(w.Account.ID), n, w.Clock.Now(), sites)
			return err
		}))
		adding += time.Since(began)
		began = time.Now()
		_, err := w.Service.Runs.RemoveExpired(t.Context(), 0)
		must(t, err)
		must(t, w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), allEventsAreRead)
			return err
		}))
		must(t, w.Service.Runs.RemoveOld(t.Context(), run.Retention{Events: 2 * period}))
		removing += time.Since(began)
		began = time.Now()
		_, err = w.DB.Pool().Exec(t.Context(), "VACUUM") // as autovacuum does
		must(t, err)
		vacuuming += time.Since(began)
		sizes[n] = vcdtest.Value[int64](w.World, "SELECT pg_database_size(current_database())")
		bound := min(n, keep+2) * sites // with those that ended just when the rule begins, and the ones before
		if kept := vcdtest.Value[int](w.World, "SELECT count(*) FROM batches"); kept > bound {
			t.Fatalf("in period %d, %d runs are kept, want at most %d", n, kept, bound)
		}
		if kept := vcdtest.Value[int](w.World, "SELECT count(*) FROM screenshots"); kept > 2*bound {
			t.Fatalf("in period %d, %d screenshots are kept, want at most %d", n, kept, 2*bound)
		}
		if kept := vcdtest.Value[int](w.World, "SELECT count(*) FROM images WHERE hash IN (SELECT hash FROM blobs)"); kept > 2*bound {
			t.Fatalf("in period %d, %d pictures are kept, want at most %d", n, kept, 2*bound)
		}
	}
	_, freed, err := w.Service.Accounts.Storage(t.Context(), w.Actor)
	must(t, err)
	if len(freed) == 0 {
		t.Error("nothing is reported as freed")
	}
	// What was removed leaves room for what comes: the database does not grow once the rule holds.
	if full := sizes[2*keep+2]; sizes[periods] > full*5/4 {
		t.Errorf("the database grew from %d MB in period %d to %d MB in period %d", full>>20, 2*keep+2, sizes[periods]>>20, periods)
	}
	each := func(took time.Duration, runs int) time.Duration {
		return (took / time.Duration(runs)).Round(time.Microsecond)
	}
	t.Logf("%d sites, %d runs of each: %s to add a run, %s to remove it, %s to vacuum after it; the database has %d MB in period %d and "+
		"%d MB at the end", sites, periods, each(adding, sites*periods), each(removing, sites*(periods-keep-1)),
		each(vacuuming, sites*periods), sizes[2*keep+2]>>20, 2*keep+2, sizes[periods]>>20)
}
