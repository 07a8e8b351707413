package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"afterimage/vcd"
)

// errSlow is the cause of a context that was cancelled because no connection was ready within Config.Reach.
var errSlow = errors.New("no database connection was ready in time")

// Fault converts an error of a transaction to its final form. Errors returned by the caller's own code, and the end of
// the caller's context, stay as they are; a lost or missing connection becomes CodeUnavailable.
func Fault(ctx context.Context, err error) error {
	var known *vcd.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(context.Cause(ctx), errSlow):
		return vcd.Unavailable(errSlow)
	case ctx.Err() != nil && errors.Is(err, sql.ErrTxDone): // database/sql rolls back by itself when a context ends
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	case ctx.Err() != nil:
		return err
	case full(err):
		return vcd.DiskFull(err)
	case disconnected(err):
		return vcd.Unavailable(err)
	}
	return err
}

// disconnected reports whether err means that there is no connection (any more), as opposed to an invalid query.
func disconnected(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return gone(refused.Code)
	}
	for _, sign := range []error{
		driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed, puddle.ErrClosedPool, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
	} {
		if errors.Is(err, sign) {
			return true
		}
	}
	var network net.Error
	return unconnected(err) || errors.As(err, &network)
}

// unconnected reports whether err comes from an attempt to connect.
func unconnected(err error) bool {
	var dial *pgconn.ConnectError
	return errors.As(err, &dial)
}

// startingUp reports whether an attempt to connect failed for a reason that resolves itself.
func startingUp(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "57P03"
	}
	return pgconn.Timeout(err)
}

// gone reports whether the code means that a server ends or refuses connections.
func gone(code string) bool {
	switch code {
	case "57P01", "57P02", "57P03", // shut down by an administrator, crashed, not ready yet
		"57P05", "25P03", // idle for too long, the latter within a transaction
		"53300": // too many connections
		return true
	}
	return strings.HasPrefix(code, "08")
}

// full reports whether the database could not write for lack of space.
func full(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "53100"
}

// ErrContended requests that a transaction is repeated because another one committed first.
var ErrContended = errors.New("another transaction came first")

// repeatable reports whether a transaction failed only because of concurrent transactions.
func repeatable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "40001" || refused.Code == "40P01" // serialization failure, deadlock
	}
	return errors.Is(err, ErrContended)
}

// Violates reports whether err is a violation of the named unique constraint or index.
func Violates(err error, constraint string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "23505" && refused.ConstraintName == constraint
}

// Affect runs a statement and returns the number of affected rows. If another transaction has just taken a name, the
// whole transaction is run again.
func (t *Tx) Affect(ctx context.Context, what, query string, args ...any) (int, error) {
	result, err := t.Bun.NewRaw(query, args...).Exec(ctx)
	if Violates(err, "urls_address_key") {
		return 0, errors.Join(ErrContended, err)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	n, err := result.RowsAffected()
	return int(n), err
}
