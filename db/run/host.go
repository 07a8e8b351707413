package run

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

type restRow struct {
	Account   vcd.ID    `bun:"account_id"`
	Subject   vcd.ID    `bun:"subject_id"` // of a turn that waits for the host
	Host      string    `bun:"host"`
	Resting   bool      `bun:"resting"`
	Since     time.Time `bun:"since"`
	RefusedAt time.Time `bun:"refused_at"`
	Status    int       `bun:"status"`
	ProbeAt   time.Time `bun:"probe_at"`

	ServedAt *time.Time `bun:"served_at"` // a page
}

func (r *restRow) rest() vcd.HostRest {
	return vcd.HostRest{Since: r.Since.UTC(), Status: r.Status, ProbeAt: r.ProbeAt.UTC()}
}

// noteRefusal inserts the host if it is new, and locks its row until the transaction ends. A rest that nobody was refused in for too
// long is over.
const noteRefusal = `
INSERT INTO site_rests AS r (account_id, host, since, refused_at, status, probe_at) VALUES (?0, ?1, ?2, ?2, ?3, ?2)
ON CONFLICT (account_id, host) DO UPDATE SET refused_at = greatest(r.refused_at, excluded.refused_at), status = excluded.status,
	resting = r.resting AND r.refused_at > ?4
RETURNING host, resting, since, refused_at, status, probe_at, served_at`

// RefuseHost implements run.Tx. Each served page has subtracted one refusal (see WakeHost): the count is how
// many more pages were refused than served. A page that refuses again although the host has served others meanwhile does not count.
func (t *Tx) RefuseHost(ctx context.Context, r vcd.HostRefusal) (*vcd.HostRest, error) {
	patience := vcd.Patience()
	row := &restRow{}
	err := t.Bun.NewRaw(noteRefusal, t.Tenant, r.Host, r.At, r.Status, r.At.Add(-patience.Rest)).Scan(ctx, row)
	if err != nil {
		return nil, fmt.Errorf("note that the host %s refuses: %w", r.Host, err)
	}
	if row.Resting {
		rest := row.rest()
		return &rest, nil
	}
	if row.ServedAt != nil && row.ServedAt.After(r.First) {
		return nil, nil
	}
	var refusals int
	var since time.Time
	err = t.Bun.NewRaw(`
		WITH old AS (DELETE FROM site_refusals WHERE account_id = ?0 AND host = ?1 AND url_id <> ?2 AND at <= ?4),
		added AS (INSERT INTO site_refusals (account_id, host, url_id, at) VALUES (?0, ?1, ?2, ?3)
			ON CONFLICT (account_id, host, url_id) DO UPDATE SET at = excluded.at)
		SELECT 1 + count(*), least(min(at), ?3) FROM site_refusals WHERE account_id = ?0 AND host = ?1 AND url_id <> ?2 AND at > ?4`,
		t.Tenant, r.Host, r.Page, r.At, r.At.Add(-patience.Window)).Scan(ctx, &refusals, &since)
	if err != nil {
		return nil, fmt.Errorf("note a refusal of host %s: %w", r.Host, err)
	}
	if refusals < patience.Refusals {
		return nil, nil
	}
	rest := vcd.HostRest{Since: since.UTC(), Status: r.Status, ProbeAt: r.At.Add(patience.Probe)}
	_, err = t.Bun.NewRaw(`
		WITH forgotten AS (DELETE FROM site_refusals WHERE account_id = ?0 AND host = ?1)
		UPDATE site_rests SET resting = true, since = ?2, probe_at = ?3 WHERE account_id = ?0 AND host = ?1`,
		t.Tenant, r.Host, rest.Since, rest.ProbeAt).Exec(ctx)
	if err != nil {
		return nil, fmt.Errorf("start the rest of host %s: %w", r.Host, err)
	}
	return &rest, nil
}

// WakeHost implements run.Tx. Most hosts have never refused a page; of these nothing is written.
func (t *Tx) WakeHost(ctx context.Context, host string, now time.Time) error {
	var woken int
	err := t.Bun.NewRaw(`
		WITH served AS (DELETE FROM site_refusals WHERE (account_id, host, url_id) IN (
			SELECT r.account_id, r.host, r.url_id FROM site_refusals AS r WHERE r.account_id = ?0 AND r.host = ?1 ORDER BY r.at LIMIT 1)),
		known AS (SELECT resting FROM site_rests WHERE account_id = ?0 AND host = ?1 FOR UPDATE),
		woken AS (UPDATE site_rests AS r SET resting = false, served_at = ?2 FROM known AS k
			WHERE r.account_id = ?0 AND r.host = ?1 RETURNING k.resting)
		SELECT count(*) FROM woken WHERE resting`, t.Tenant, host, now).Scan(ctx, &woken)
	if err == nil && woken > 0 {
		_, err = t.Bun.NewRaw(`
			UPDATE turns AS t SET at = ?2 FROM queue_entries AS q
			WHERE t.account_id = ?0 AND t.host = ?1 AND t.kind = 'capture' AND t.handed_at IS NULL AND t.at > ?2
				AND q.account_id = ?0 AND q.id = t.subject_id AND q.refused_since IS NOT NULL`, t.Tenant, host, now).Exec(ctx)
	}
	if err != nil {
		return fmt.Errorf("end the rest of host %s: %w", host, err)
	}
	return nil
}

// RestingHosts implements run.Tx.
func (t *Tx) RestingHosts(ctx context.Context, hosts []string, now time.Time) (map[string]vcd.HostRest, error) {
	var rows []restRow
	err := t.Bun.NewRaw(`SELECT host, since, status, probe_at FROM site_rests
		WHERE account_id = ? AND host = ANY(?) AND resting AND refused_at > ?`, t.Tenant, query.Array(hosts),
		now.Add(-vcd.Patience().Rest)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("look for resting hosts: %w", err)
	}
	resting := make(map[string]vcd.HostRest, len(rows))
	for _, r := range rows {
		resting[r.Host] = r.rest()
	}
	return resting, nil
}

// DelayPause implements run.Tx.
func (t *Tx) DelayPause(ctx context.Context, now time.Time) (*vcd.DelayPause, error) {
	var rows []struct {
		Until time.Time `bun:"next_at"`
		Host  *string   `bun:"host"` // nil if no turn is due
		Due   int       `bun:"due"`
	}
	err := t.Bun.NewRaw(`SELECT l.next_at, t.host, count(t.host) AS due
		FROM lanes AS l LEFT JOIN turns AS t ON t.account_id = ?0 AND t.kind = 'capture' AND t.delayed AND t.handed_at IS NULL
			AND t.at <= l.next_at
		WHERE l.account_id = ?0 AND l.next_at > ?1 GROUP BY l.next_at, t.host`, t.Tenant, now).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the pause between screenshots with a delay: %w", err)
	}
	pause := &vcd.DelayPause{Due: map[string]int{}}
	for _, r := range rows {
		pause.Until = r.Until.UTC()
		if r.Host != nil {
			pause.Due[*r.Host] = r.Due
		}
	}
	return pause, nil
}

// ProbeHosts implements run.Tx.
func (t *Tx) ProbeHosts(ctx context.Context, now time.Time) error {
	_, err := t.Bun.NewRaw("UPDATE site_rests SET probe_at = ?1 WHERE account_id = ?0 AND resting AND probe_at > ?1", t.Tenant,
		now).Exec(ctx)
	if err != nil {
		return fmt.Errorf("probe the resting hosts: %w", err)
	}
	return nil
}

// RefusedTurns implements run.Store.
func (d *Store) RefusedTurns(ctx context.Context, now time.Time, patience time.Duration, limit int) ([]vcd.RefusedTurn, error) {
	var rows []restRow
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`
			SELECT t.account_id, t.subject_id, r.since, r.status, r.probe_at
			FROM site_rests AS r JOIN turns AS t ON t.account_id = r.account_id AND t.host = r.host
			JOIN queue_entries AS q ON q.account_id = t.account_id AND q.id = t.subject_id
			WHERE r.resting AND r.since <= ?0 AND r.refused_at > ?1 AND t.kind = 'capture' AND t.handed_at IS NULL
				AND coalesce(q.refused_since, q.reopened_at, q.created_at) <= ?0
			ORDER BY `+query.InTurn("t.account_id")+` LIMIT ?2`, now.Add(-patience), now.Add(-vcd.Patience().Rest), limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for turns that were refused for too long: %w", err)
	}
	refused := make([]vcd.RefusedTurn, len(rows))
	for i, r := range rows {
		refused[i] = vcd.RefusedTurn{Account: r.Account, Subject: r.Subject, Rest: r.rest()}
	}
	return refused, nil
}
