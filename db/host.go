package db

import (
	"context"
	"fmt"
	"time"

	"afterimage/vcd"
)

type hostRow struct {
	Host      string     `bun:"host"`
	Rests     int        `bun:"rests"`
	RestUntil *time.Time `bun:"rest_until"`
}

func (r *hostRow) restsAt(now time.Time) bool { return r.RestUntil != nil && r.RestUntil.After(now) }

// lockHost inserts the host if it is new, and locks its row until the transaction ends.
func (t *tx) lockHost(ctx context.Context, host string, now time.Time) (*hostRow, error) {
	row := &hostRow{}
	err := t.bun.NewRaw(`INSERT INTO hosts (host, visited_at) VALUES (?, ?)
		ON CONFLICT (host) DO UPDATE SET visited_at = excluded.visited_at RETURNING host, rests, rest_until`, host, now).Scan(ctx, row)
	if err != nil {
		return nil, fmt.Errorf("lock the host %s: %w", host, err)
	}
	return row, nil
}

// RestHost implements vcd.HostStore.
func (t *tx) RestHost(ctx context.Context, host string, now time.Time, wait time.Duration) (time.Time, error) {
	row, err := t.lockHost(ctx, host, now)
	if err != nil {
		return now, err
	}
	until := now.Add(wait)
	if row.restsAt(now) && row.RestUntil.After(until) {
		until = row.RestUntil.UTC()
	}
	if _, err := t.bun.NewRaw("UPDATE hosts SET rest_until = ?, asked = true WHERE host = ?", until, host).Exec(ctx); err != nil {
		return now, fmt.Errorf("let the host %s rest: %w", host, err)
	}
	return until, nil
}

// RefuseHost implements vcd.HostStore. Each served page has subtracted one refusal (see WakeHost): the count is how
// many more pages were refused than served.
func (t *tx) RefuseHost(ctx context.Context, host string, page vcd.ID, now time.Time) (time.Time, error) {
	patience := vcd.Patience()
	row, err := t.lockHost(ctx, host, now)
	if err != nil {
		return now, err
	}
	if row.restsAt(now) {
		return row.RestUntil.UTC(), nil
	}
	var refusals int
	err = t.bun.NewRaw(`
		WITH old AS (DELETE FROM host_refusals WHERE host = ?0 AND url_id <> ?1 AND at <= ?3),
		added AS (INSERT INTO host_refusals (host, url_id, at) VALUES (?0, ?1, ?2)
			ON CONFLICT (host, url_id) DO UPDATE SET at = excluded.at)
		SELECT 1 + count(*) FROM host_refusals WHERE host = ?0 AND url_id <> ?1 AND at > ?3`,
		host, page, now, now.Add(-patience.Window)).Scan(ctx, &refusals)
	if err != nil {
		return now, fmt.Errorf("note a refusal of host %s: %w", host, err)
	}
	if refusals < patience.Refusals {
		return time.Time{}, nil
	}
	until := now.Add(vcd.HostPause(row.Rests))
	_, err = t.bun.NewRaw(`
		WITH forgotten AS (DELETE FROM host_refusals WHERE host = ?0)
		UPDATE hosts SET rests = rests + 1, rest_until = ?1, asked = false, probe_at = ?2 WHERE host = ?0`,
		host, until, now.Add(patience.Probe)).Exec(ctx)
	if err != nil {
		return now, fmt.Errorf("let the host %s rest: %w", host, err)
	}
	return until, nil
}

// WakeHost implements vcd.HostStore. Most hosts have never refused a page; their rows are not written.
func (t *tx) WakeHost(ctx context.Context, host string) error {
	_, err := t.bun.NewRaw(`
		WITH served AS (DELETE FROM host_refusals WHERE (host, url_id) IN (
			SELECT r.host, r.url_id FROM host_refusals AS r WHERE r.host = ?0 ORDER BY r.at LIMIT 1))
		UPDATE hosts SET rests = 0, rest_until = CASE WHEN asked THEN rest_until END
		WHERE host = ?0 AND (rests > 0 OR rest_until IS NOT NULL)`, host).Exec(ctx)
	if err != nil {
		return fmt.Errorf("wake the host %s: %w", host, err)
	}
	return nil
}

// RestingHosts implements vcd.HostStore.
func (t *tx) RestingHosts(ctx context.Context, hosts []string, now time.Time) (map[string]time.Time, error) {
	var rows []hostRow
	err := t.bun.NewRaw("SELECT host, rests, rest_until FROM hosts WHERE host = ANY(?) AND rest_until > ?", array(hosts),
		now).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("look for resting hosts: %w", err)
	}
	resting := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		resting[r.Host] = r.RestUntil.UTC()
	}
	return resting, nil
}
