package turns

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"afterimage/internal/figures"
)

const (
	// backlogLock lets one process at a time count what waits.
	backlogLock = 0x6261636b
	// backlogAge is how long a count is used, by all processes together.
	backlogAge = 10 * time.Second
	// backlogLimit ends a count that would take longer, for the sake of the database.
	backlogLimit = "3s"
)

// countQuery counts as of ?0, the time of the service, by which turns and groups are due. Jobs are due by that of the machines.
const countQuery = `
SELECT jsonb_build_object(
	'turns', (SELECT coalesce(jsonb_agg(t), '[]') FROM (
		SELECT kind, count(*) FILTER (WHERE handed_at IS NULL) AS waiting, count(*) FILTER (WHERE handed_at IS NOT NULL) AS working,
			count(DISTINCT payer_id) FILTER (WHERE handed_at IS NULL) AS accounts,
			coalesce(greatest(0, extract(epoch FROM ?0::timestamptz - min(at) FILTER (WHERE handed_at IS NULL))), 0) AS oldest
		FROM turns GROUP BY kind) AS t),
	'jobs', (SELECT coalesce(jsonb_agg(j), '[]') FROM (
		SELECT kind, state, count(*) AS number, coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(scheduled_at)
			FILTER (WHERE state <> 'running'))), 0) AS oldest
		FROM river_job WHERE state IN ('available', 'retryable', 'running', 'scheduled') GROUP BY kind, state) AS j),
	'workers', (SELECT jsonb_build_object('processes', count(*), 'captures', coalesce(sum(captures), 0),
			'compares', coalesce(sum(compares), 0), 'imports', coalesce(sum(imports), 0))
		FROM workers WHERE captures + compares + imports > 0 AND beat_at > clock_timestamp() - interval '12 seconds'),
	'groups', (SELECT jsonb_build_object('number', count(*),
			'oldest', coalesce(greatest(0, extract(epoch FROM ?0::timestamptz - min(next_run_at))), 0))
		FROM groups WHERE next_run_at <= ?0),
	'events', (SELECT jsonb_agg(e) FROM (
		SELECT n.name AS consumer, (SELECT count(*) FROM accounts AS a
			LEFT JOIN consumers AS c ON c.account_id = a.id AND c.name = n.name
			WHERE a.last_event > coalesce(c.position, 0)) AS accounts
		FROM (VALUES ('webhooks'), ('mails')) AS n (name)) AS e)
)`

// Backlog returns what waits for the workers of all processes, at most ten seconds old, in at most six statements.
func (d *Store) Backlog(ctx context.Context, now time.Time) (found *figures.Backlog, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		if found, err = t.counted(ctx); err != nil || found != nil {
			return err
		}
		if _, err := t.Bun.NewRaw("SELECT pg_advisory_xact_lock(?), set_config('statement_timeout', ?, true)", backlogLock,
			backlogLimit).Exec(ctx); err != nil {
			return fmt.Errorf("wait for others who count what waits: %w", err)
		}
		if found, err = t.counted(ctx); err != nil || found != nil { // another process has just done it
			return err
		}
		if _, err := t.Bun.NewRaw(`INSERT INTO backlog (counted_at, document) SELECT clock_timestamp(), c.document FROM (`+countQuery+
			`AS document) AS c ON CONFLICT (single) DO UPDATE SET counted_at = excluded.counted_at, document = excluded.document`,
			now).Exec(ctx); err != nil {
			return fmt.Errorf("count what waits: %w", err)
		}
		found, err = t.counted(ctx)
		return err
	})
	return found, err
}

// counted is the last count; nil when it is too old.
func (t *Tx) counted(ctx context.Context) (*figures.Backlog, error) {
	var row struct {
		Document json.RawMessage `bun:"document"`
		Age      float64         `bun:"age"`
	}
	err := t.Bun.NewRaw(`SELECT document, extract(epoch FROM clock_timestamp() - counted_at)::float8 AS age FROM backlog
		WHERE counted_at > clock_timestamp() - make_interval(secs => ?)`, backlogAge.Seconds()).Scan(ctx, &row)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what waits: %w", err)
	}
	found := &figures.Backlog{Age: max(0, row.Age)}
	if err := json.Unmarshal(row.Document, found); err != nil {
		return nil, fmt.Errorf("read what waits: %w", err)
	}
	return found, nil
}
