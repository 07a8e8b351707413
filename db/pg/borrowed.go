package pg

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// errBorrowed is returned to a borrower that tries to end the transaction.
var errBorrowed = errors.New("this transaction is borrowed: its owner commits it or rolls it back")

// lend passes the connection of the transaction to do as a pgx.Tx. Nothing else may use the transaction while do runs.
func (t *Tx) lend(do func(pgx.Tx) error) error {
	return t.conn.Raw(func(driverConn any) error {
		conn, ok := driverConn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("lend the connection: it is a %T, not pgx's", driverConn)
		}
		return do(&borrowedTx{conn: conn.Conn()})
	})
}

// borrowedTx is a pgx.Tx on a connection whose transaction has another owner. Begin creates a savepoint; savepoints can
// be ended, the transaction itself cannot.
type borrowedTx struct {
	conn  *pgx.Conn
	depth int // 0 is the transaction itself, higher values are savepoints
	ended bool
}

var _ pgx.Tx = (*borrowedTx)(nil)

func (b *borrowedTx) savepoint() string { return fmt.Sprintf("borrowed_%d", b.depth) }

// Begin creates a savepoint.
func (b *borrowedTx) Begin(ctx context.Context) (pgx.Tx, error) {
	if b.ended {
		return nil, pgx.ErrTxClosed
	}
	inner := &borrowedTx{conn: b.conn, depth: b.depth + 1}
	if _, err := b.conn.Exec(ctx, "SAVEPOINT "+inner.savepoint()); err != nil {
		return nil, err
	}
	return inner, nil
}

// Commit releases a savepoint. For the transaction itself it fails.
func (b *borrowedTx) Commit(ctx context.Context) error {
	return b.end(ctx, "RELEASE SAVEPOINT "+b.savepoint())
}

// Rollback rolls back to a savepoint. For the transaction itself it fails.
func (b *borrowedTx) Rollback(ctx context.Context) error {
	return b.end(ctx, "ROLLBACK TO SAVEPOINT "+b.savepoint())
}

func (b *borrowedTx) end(ctx context.Context, statement string) error {
	switch {
	case b.depth == 0:
		return errBorrowed
	case b.ended:
		return pgx.ErrTxClosed
	}
	b.ended = true
	_, err := b.conn.Exec(ctx, statement)
	return err
}

func (b *borrowedTx) Conn() *pgx.Conn { return b.conn }

func (b *borrowedTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if b.ended {
		return pgconn.CommandTag{}, pgx.ErrTxClosed
	}
	return b.conn.Exec(ctx, sql, args...)
}

func (b *borrowedTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if b.ended {
		return nil, pgx.ErrTxClosed
	}
	return b.conn.Query(ctx, sql, args...)
}

func (b *borrowedTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return b.conn.QueryRow(ctx, sql, args...)
}

func (b *borrowedTx) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	return b.conn.SendBatch(ctx, batch)
}

func (b *borrowedTx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if b.ended {
		return 0, pgx.ErrTxClosed
	}
	return b.conn.CopyFrom(ctx, table, columns, rows)
}

func (b *borrowedTx) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return b.conn.Prepare(ctx, name, sql)
}

// LargeObjects only satisfies the interface: no large objects are stored, and the returned value cannot be used.
func (b *borrowedTx) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }
