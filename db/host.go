package db

import (
	"context"
	"fmt"
	"time"

	"afterimage/vcd"
)

// Turns are given to captures that find a host busy: two seconds, about what a page takes, divided by how many may be there at
// the same time, one after the other. Nobody is sent away for longer than maxTurn, lest places stay empty when pages are quick.
const (
	turnPace = 2 * time.Second
	maxTurn  = 30 * time.Second
)

type hostRow struct {
	TurnAt    time.Time  `bun:"turn_at"`
	RestUntil *time.Time `bun:"rest_until"`
}

// EnterHost is vcd.HostStore's. The host's row is locked first and the visits counted by a second statement, which sees all
// that those who held the lock before have committed.
func (t *tx) EnterHost(ctx context.Context, host string, v vcd.HostVisit, limit int) (vcd.Admission, error) {
	row := &hostRow{}
	err := t.bun.NewRaw(`INSERT INTO hosts (host, visited_at, turn_at) VALUES (?0, ?1, ?1)
		ON CONFLICT (host) DO UPDATE SET visited_at = excluded.visited_at RETURNING turn_at, rest_until`, host, v.Now).Scan(ctx, row)
	if err != nil {
		return vcd.Admission{}, fmt.Errorf("lock the host %s: %w", host, err)
	}
	if row.RestUntil != nil && row.RestUntil.After(v.Now) {
		again, err := t.giveTurn(ctx, host, row.TurnAt, *row.RestUntil, limit)
		return vcd.Admission{Again: again, Rests: true}, err
	}
	var others int
	err = t.bun.NewRaw("SELECT count(*) FROM host_visits WHERE host = ? AND entry_id <> ? AND ends_at > ?", host, v.Entry, v.Now).Scan(ctx, &others)
	if err != nil {
		return vcd.Admission{}, fmt.Errorf("count the visits of host %s: %w", host, err)
	}
	if limit > 0 && others >= limit {
		again, err := t.giveTurn(ctx, host, row.TurnAt, v.Now, limit)
		return vcd.Admission{Again: again}, err
	}
	_, err = t.bun.NewRaw(`INSERT INTO host_visits (entry_id, host, ends_at) VALUES (?, ?, ?)
		ON CONFLICT (entry_id) DO UPDATE SET host = excluded.host, ends_at = excluded.ends_at`, v.Entry, host, v.Ends).Exec(ctx)
	if err != nil {
		return vcd.Admission{}, fmt.Errorf("enter the host %s: %w", host, err)
	}
	return vcd.Admission{}, nil
}

// giveTurn gives the turn after the last one, from a moment on.
func (t *tx) giveTurn(ctx context.Context, host string, last, from time.Time, limit int) (time.Time, error) {
	if last.Before(from) {
		last = from
	}
	turn := last.Add(turnPace / time.Duration(max(limit, 1)))
	if latest := from.Add(maxTurn); turn.After(latest) {
		turn = latest
	}
	if _, err := t.bun.NewRaw("UPDATE hosts SET turn_at = ? WHERE host = ?", turn, host).Exec(ctx); err != nil {
		return turn, fmt.Errorf("give a turn at host %s: %w", host, err)
	}
	return turn.UTC(), nil
}

// LeaveHost is vcd.HostStore's.
func (t *tx) LeaveHost(ctx context.Context, entry vcd.ID) error {
	if _, err := t.bun.NewRaw("DELETE FROM host_visits WHERE entry_id = ?", entry).Exec(ctx); err != nil {
		return fmt.Errorf("leave the host of entry %s: %w", entry, err)
	}
	return nil
}

// RestHost is vcd.HostStore's. Captures that ran side by side and were all turned away are one time.
func (t *tx) RestHost(ctx context.Context, host string, now time.Time, wait time.Duration) (time.Time, error) {
	var row struct {
		Rests     int        `bun:"rests"`
		RestUntil *time.Time `bun:"rest_until"`
	}
	err := t.bun.NewRaw(`INSERT INTO hosts (host, visited_at, turn_at) VALUES (?0, ?1, ?1)
		ON CONFLICT (host) DO UPDATE SET visited_at = excluded.visited_at RETURNING rests, rest_until`, host, now).Scan(ctx, &row)
	if err != nil {
		return now, fmt.Errorf("lock the host %s: %w", host, err)
	}
	resting := row.RestUntil != nil && row.RestUntil.After(now)
	if wait <= 0 && resting {
		return row.RestUntil.UTC(), nil
	}
	if wait <= 0 {
		wait = vcd.HostPause(row.Rests)
	}
	until := now.Add(wait)
	if resting && row.RestUntil.After(until) {
		until = row.RestUntil.UTC()
	}
	if !resting {
		row.Rests++
	}
	if _, err := t.bun.NewRaw("UPDATE hosts SET rests = ?, rest_until = ? WHERE host = ?", row.Rests, until, host).Exec(ctx); err != nil {
		return now, fmt.Errorf("let the host %s rest: %w", host, err)
	}
	return until, nil
}

// WakeHost is vcd.HostStore's. Most hosts never asked for anything, and are not written to.
func (t *tx) WakeHost(ctx context.Context, host string) error {
	if _, err := t.bun.NewRaw("UPDATE hosts SET rests = 0, rest_until = NULL WHERE host = ? AND rests > 0", host).Exec(ctx); err != nil {
		return fmt.Errorf("wake the host %s: %w", host, err)
	}
	return nil
}

// ForgetHosts is vcd.LaneStore's.
func (d *DB) ForgetHosts(ctx context.Context, before time.Time) error {
	err := d.asSystem(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.bun.NewRaw("DELETE FROM hosts WHERE visited_at < ?0 AND coalesce(rest_until < ?0, true)", before).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget hosts: %w", err)
	}
	return nil
}
