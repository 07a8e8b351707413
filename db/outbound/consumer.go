package outbound

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

const (
	// backlogChoice is how many accounts a reader examines to find one that no other reader holds.
	backlogChoice = 16
	// backlogPutOff is how long an account is put off after its events could not be read.
	backlogPutOff = 30 * time.Second
)

// passed is how many accounts one statement passes over: the next one takes the rest.
const passed = 1000

// passBacklog moves positions in accounts that ?1 describes. Positions that others hold are left to them.
const passBacklog = `
WITH idle AS (
	SELECT c.account_id, a.last_event FROM consumers AS c JOIN accounts AS a ON a.id = c.account_id
	WHERE c.name = ?0 AND a.last_event > c.position AND (c.put_off_until IS NULL OR c.put_off_until < now()) AND ?1
	LIMIT ?2 FOR UPDATE OF c SKIP LOCKED
)
UPDATE consumers AS c SET position = idle.last_event FROM idle WHERE c.account_id = idle.account_id AND c.name = ?0`

// PassBacklog implements outbound.Store. Nearly all events are of no concern to mails, and most accounts have no webhooks: one
// statement for all of them takes the place of a transaction for each account.
func (d *Store) PassBacklog(ctx context.Context, c vcd.Consumer, kinds []vcd.EventKind) error {
	unconcerned := bun.SafeQuery("NOT EXISTS (SELECT FROM webhooks AS h WHERE h.account_id = c.account_id)")
	if kinds != nil {
		unconcerned = bun.SafeQuery(`NOT EXISTS (
			SELECT FROM events AS e WHERE e.account_id = c.account_id AND e.number > c.position AND e.kind = ANY(?))`, query.Array(kinds))
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		_, err := t.Bun.NewRaw(passBacklog, c, unconcerned, passed).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("skip events that do not concern %s: %w", c, err)
	}
	return nil
}

// TakeBacklog looks for an account as the system, then binds the transaction to it.
func (d *Store) TakeBacklog(
	ctx context.Context, c vcd.Consumer, do func(ctx context.Context, account vcd.ID, tx *Tx, position int64) (int64, error),
) (bool, error) {
	var account vcd.ID
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		found, position, err := t.lockBacklog(ctx, c)
		account = found
		if err != nil || account == "" {
			return err
		}
		if err := t.Bind(ctx, account); err != nil {
			return err
		}
		next, err := do(ctx, account, t, position)
		if err != nil || next == position {
			return err
		}
		return t.setPosition(ctx, c, next)
	})
	if err != nil && account != "" {
		err = errors.Join(err, d.Write(ctx, vcd.Actor{Account: account}, func(ctx context.Context, own *pg.Tx) error {
			_, err := own.Bun.NewRaw(`INSERT INTO consumers (account_id, name, position, put_off_until)
				SELECT id, ?, removed_events, now() + ?::interval FROM accounts WHERE id = ?
				ON CONFLICT (account_id, name) DO UPDATE SET put_off_until = excluded.put_off_until`, c, backlogPutOff.String(),
				account).Exec(ctx)
			return err
		}))
	}
	return account != "" && err == nil, err
}

// lockBacklog returns an account with unread events that no other reader holds, and the position up to which it has
// been read. The account is empty when there is none.
func (t *Tx) lockBacklog(ctx context.Context, c vcd.Consumer) (vcd.ID, int64, error) {
	var waiting []vcd.ID
	err := t.Bun.NewRaw(`SELECT a.id FROM accounts AS a LEFT JOIN consumers AS c ON c.account_id = a.id AND c.name = ?
		WHERE a.last_event > coalesce(c.position, 0) AND (c.put_off_until IS NULL OR c.put_off_until < now()) LIMIT ?`,
		c, backlogChoice).Scan(ctx, &waiting)
	if err != nil {
		return "", 0, fmt.Errorf("look for unread events: %w", err)
	}
	for _, account := range waiting {
		position, err := t.lockPosition(ctx, c, account)
		if err == nil {
			return account, position, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return "", 0, fmt.Errorf("lock the position of %s: %w", c, err)
		}
	}
	return "", 0, nil
}

// lockPosition returns sql.ErrNoRows when another reader holds the position. A new consumer starts with the oldest
// event kept.
func (t *Tx) lockPosition(ctx context.Context, c vcd.Consumer, account vcd.ID) (position int64, err error) {
	_, err = t.Bun.NewRaw(`INSERT INTO consumers (account_id, name, position) SELECT id, ?, removed_events FROM accounts WHERE id = ?
		ON CONFLICT DO NOTHING`, c, account).Exec(ctx)
	if err != nil {
		return 0, err
	}
	err = t.Bun.NewRaw("SELECT position FROM consumers WHERE account_id = ? AND name = ? FOR UPDATE SKIP LOCKED", account, c).
		Scan(ctx, &position)
	return position, err
}

func (t *Tx) setPosition(ctx context.Context, c vcd.Consumer, position int64) error {
	_, err := t.Bun.NewUpdate().Table("consumers").Set("position = ?, put_off_until = NULL", position).
		Where("account_id = ? AND name = ?", t.Tenant, c).Exec(ctx)
	if err != nil {
		return fmt.Errorf("advance the position of %s: %w", c, err)
	}
	return nil
}
