package run

import (
	"context"
	"fmt"
	"time"

	"afterimage/vcd"
)

// CountOverrun implements run.Tx.
func (t *Tx) CountOverrun(ctx context.Context, entry vcd.ID) (n int, err error) {
	err = t.Bun.NewRaw(`UPDATE queue_entries SET overran = least(overran + 1, 1000) WHERE account_id = ? AND id = ? RETURNING overran`,
		t.Tenant, entry).Scan(ctx, &n)
	if err != nil {
		return 0, fmt.Errorf("count what a comparison overran: %w", err)
	}
	return n, nil
}

// GivenUp lists the newest comparisons that were given up and counts all of them. Like CheckInvariants it reads across
// all accounts.
func (d *Store) GivenUp(ctx context.Context, limit int) (newest []vcd.GivenUp, all int, err error) {
	var rows []struct {
		Account  string     `bun:"email"`
		Entry    vcd.ID     `bun:"id"`
		Page     string     `bun:"address"`
		Device   vcd.Device `bun:"device"`
		Reason   string     `bun:"reason"`
		Sentence string     `bun:"error_msg"`
		At       time.Time  `bun:"updated_at"`
		All      int        `bun:"all"`
	}
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`
			SELECT a.email, q.id, u.address, q.device, q.reason, q.error_msg, q.updated_at, count(*) OVER () AS "all"
			FROM queue_entries AS q
			JOIN accounts AS a ON a.id = q.account_id
			JOIN urls AS u ON u.account_id = q.account_id AND u.id = q.url_id
			WHERE q.type = 'compare' AND q.status = 'failed' AND q.reason IN (?, ?)
			ORDER BY q.updated_at DESC, q.id LIMIT ?`, vcd.ReasonTooHeavy, vcd.ReasonCrashed, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list the entries that were given up: %w", err)
	}
	for _, r := range rows {
		newest = append(newest, vcd.GivenUp{Account: r.Account, Entry: r.Entry, Page: r.Page, Device: r.Device, Reason: r.Reason,
			Sentence: r.Sentence, At: r.At})
		all = r.All
	}
	return newest, all, nil
}
