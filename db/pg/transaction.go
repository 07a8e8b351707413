package pg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// Repetitions of a transaction that conflicted with others.
const (
	maxRepetitions  = 8
	repetitionPause = 5 * time.Millisecond // doubled each time, with jitter
)

// Tx is one transaction bound to an account. It gathers what has to wait for the commit in its outbox. The transactions of the
// rooms add their statements to it.
type Tx struct {
	query.Scope

	inner    bun.Tx
	conn     bun.Conn
	ReadOnly bool
	canQueue bool
	seal     seal // of its binding
	Outbox   Outbox
	concern  subject // of its audit entry, unless that of its first event is
}

var (
	// ErrReadOnly is returned for changes in a transaction that only reads.
	ErrReadOnly = errors.New("this transaction is read-only")
	errNobody   = errors.New("a transaction needs an actor with an account")
)

// Write runs a change. A transaction that loses a conflict (deadlock, serialization) is run again from its start.
func (d *DB) Write(ctx context.Context, actor vcd.Actor, do func(ctx context.Context, t *Tx) error) error {
	if actor.Account == "" {
		return errNobody
	}
	return d.repeat(ctx, func(ctx context.Context) error {
		return d.transact(ctx, actor.Account, nil, func(ctx context.Context, t *Tx) error {
			if err := do(ctx, t); err != nil {
				return err
			}
			return t.audit(ctx, actor)
		})
	})
}

// Read runs a look-up on one consistent snapshot.
func (d *DB) Read(ctx context.Context, actor vcd.Actor, do func(ctx context.Context, t *Tx) error) error {
	if actor.Account == "" {
		return errNobody
	}
	snapshot := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	return d.transact(ctx, actor.Account, snapshot, do)
}

// AsSystem runs a query across accounts.
func (d *DB) AsSystem(ctx context.Context, do func(ctx context.Context, t *Tx) error) error {
	return d.repeat(ctx, func(ctx context.Context) error { return d.transact(ctx, "", nil, do) })
}

// repeat runs a transaction until it does not conflict with others.
func (d *DB) repeat(ctx context.Context, run func(ctx context.Context) error) error {
	pause := repetitionPause
	for i := 1; ; i++ {
		err := run(ctx)
		if err == nil || !repeatable(err) {
			return err
		}
		if i == maxRepetitions {
			return vcd.Unavailable(fmt.Errorf("gave up after %d attempts: %w", i, err))
		}
		timer := time.NewTimer(pause/2 + rand.N(pause)) //nolint:gosec // jitter is no secret
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
		pause *= 2
	}
}

// transact runs do in one transaction bound to the account, or as the system if the account is empty. The transaction
// is rolled back when do fails or panics.
func (d *DB) transact(ctx context.Context, account vcd.ID, opts *sql.TxOptions, do func(ctx context.Context, t *Tx) error) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	began := time.Now()
	defer func() {
		err = Fault(ctx, err)
		d.figures.Transacted(kindOf(account, opts), outcomeOf(err), time.Since(began))
	}()
	t, err := d.begin(ctx, cancel, account, opts)
	if err != nil {
		return err
	}
	defer func() { _ = t.conn.Close() }() // returns the connection; if it was broken, its last query has reported that
	committed := false
	defer func() {
		if !committed {
			_ = t.inner.Rollback() // the error that caused the rollback is the one that counts
		}
	}()
	if err := do(ctx, t); err != nil {
		return err
	}
	if err := d.flush(ctx, t); err != nil {
		return err
	}
	if err := t.inner.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	committed = true
	if d.committed != nil && len(t.Outbox.events) > 0 {
		d.committed(ctx, t.Outbox.events)
	}
	return nil
}

// begin opens a transaction and binds it, within the time of Config.Reach or, for a Patient caller, within patience. After a
// restart of the database the pool may hold many dead connections: each is discarded and the next one tried. A refused dial
// is not repeated.
func (d *DB) begin(ctx context.Context, cancel context.CancelCauseFunc, account vcd.ID, opts *sql.TxOptions) (*Tx, error) {
	defer d.limitReach(ctx, cancel)()
	for tries := 1; ; tries++ {
		t, err := d.tryBegin(ctx, account, opts)
		if err == nil {
			return t, nil
		}
		if ctx.Err() != nil || !disconnected(err) || unconnected(err) {
			return nil, err
		}
		d.rest(ctx, tries)
	}
}

// betweenTries is how long a database rests that has refused more connections than the pool may have held.
const betweenTries = 100 * time.Millisecond

// rest waits before another try if the last ones cannot all have met dead connections of the pool: a pooler takes each connection and
// then says at once that the database behind it is gone.
func (d *DB) rest(ctx context.Context, tries int) {
	if tries <= int(d.pool.Stat().MaxConns()) {
		return
	}
	timer := time.NewTimer(betweenTries)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func (d *DB) tryBegin(ctx context.Context, account vcd.ID, opts *sql.TxOptions) (*Tx, error) {
	conn, err := d.of(account).Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("get a connection: %w", err)
	}
	inner, err := conn.BeginTx(ctx, opts)
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("begin: %w", err)
	}
	t := &Tx{
		Scope: query.Scope{Bun: inner}, inner: inner, conn: conn, ReadOnly: opts != nil && opts.ReadOnly, canQueue: d.queue != nil,
		seal: d.seal,
	}
	if err := t.Bind(ctx, account); err != nil {
		_ = inner.Rollback()
		_ = conn.Close()
		return nil, err
	}
	return t, nil
}

// Bind restricts the rest of the transaction to an account, or runs it as the system when account is empty. It also
// makes the planner join tables in the order in which we wrote them: every list starts with the few rows of its page,
// and working that out takes the planner longer (tens of milliseconds with nine tables that all share the account) than
// the query runs. If this process freezes or loses its network in the middle, the server releases its locks after a
// minute, or after five seconds those of the system, for which all processes may wait. The proof is asked for where another role owns
// the tables.
func (t *Tx) Bind(ctx context.Context, account vcd.ID) error {
	system, idle := "off", "60s"
	if account == "" {
		system, idle = "on", "5s" // there is nothing to compute between its statements
	}
	const set = `SELECT set_config('afterimage.account', ?, true), set_config('afterimage.system', ?, true),
		set_config('afterimage.proof', ?, true),
		set_config('join_collapse_limit', '1', true), set_config('idle_in_transaction_session_timeout', ?, true)`
	if _, err := t.Bun.ExecContext(ctx, set, account, system, t.seal.prove(account), idle); err != nil {
		return fmt.Errorf("bind the transaction: %w", err)
	}
	t.Tenant = account
	return nil
}

// Ask runs one statement outside a transaction, within the same time limit; it must be safe to run twice.
func (d *DB) Ask(ctx context.Context, question func(ctx context.Context, db bun.IDB) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer d.limitReach(ctx, cancel)()
	for tries := 1; ; tries++ {
		err := question(ctx, d.bun)
		if err == nil || ctx.Err() != nil || !disconnected(err) || unconnected(err) {
			return Fault(ctx, err)
		}
		d.rest(ctx, tries)
	}
}
