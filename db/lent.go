package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// errLent is the answer to whoever tries to end a transaction that is only lent.
var errLent = errors.New("this transaction is lent: its owner commits it or rolls it back")

// lend gives the connection on which the transaction runs to do as a pgx.Tx. While do runs nothing else may use the
// transaction.
func (t *tx) lend(do func(pgx.Tx) error) error {
	return t.conn.Raw(func(driverConn any) error {
		conn, ok := driverConn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("lend the connection: it is a %T, not pgx's", driverConn)
		}
		return do(&lent{conn: conn.Conn()})
	})
}

// lent is a pgx.Tx on a connection whose transaction belongs to somebody else. Begin makes a savepoint; those can be
// ended, the transaction itself cannot.
type lent struct {
	conn  *pgx.Conn
	depth int // 0 is the transaction itself, above are savepoints
	ended bool
}

var _ pgx.Tx = (*lent)(nil)

func (l *lent) savepoint() string { return fmt.Sprintf("lent_%d", l.depth) }

// Begin makes a savepoint.
func (l *lent) Begin(ctx context.Context) (pgx.Tx, error) {
	if l.ended {
		return nil, pgx.ErrTxClosed
	}
	inner := &lent{conn: l.conn, depth: l.depth + 1}
	if _, err := l.conn.Exec(ctx, "SAVEPOINT "+inner.savepoint()); err != nil {
		return nil, err
	}
	return inner, nil
}

// Commit releases a savepoint and refuses for the transaction itself.
func (l *lent) Commit(ctx context.Context) error {
	return l.end(ctx, "RELEASE SAVEPOINT "+l.savepoint())
}

// Rollback goes back to a savepoint and refuses for the transaction itself.
func (l *lent) Rollback(ctx context.Context) error {
	return l.end(ctx, "ROLLBACK TO SAVEPOINT "+l.savepoint())
}

func (l *lent) end(ctx context.Context, statement string) error {
	switch {
	case l.depth == 0:
		return errLent
	case l.ended:
		return pgx.ErrTxClosed
	}
	l.ended = true
	_, err := l.conn.Exec(ctx, statement)
	return err
}

func (l *lent) Conn() *pgx.Conn { return l.conn }

func (l *lent) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if l.ended {
		return pgconn.CommandTag{}, pgx.ErrTxClosed
	}
	return l.conn.Exec(ctx, sql, args...)
}

func (l *lent) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if l.ended {
		return nil, pgx.ErrTxClosed
	}
	return l.conn.Query(ctx, sql, args...)
}

func (l *lent) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return l.conn.QueryRow(ctx, sql, args...)
}

func (l *lent) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return l.conn.SendBatch(ctx, b)
}

func (l *lent) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if l.ended {
		return 0, pgx.ErrTxClosed
	}
	return l.conn.CopyFrom(ctx, table, columns, rows)
}

func (l *lent) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return l.conn.Prepare(ctx, name, sql)
}

// LargeObjects is there for the interface only: none are kept here, and what it returns cannot be used.
func (l *lent) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }
