package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"afterimage/vcd"
)

// errSlow is the cause of a context that ended because no connection was ready in the time of Config.Reach.
var errSlow = errors.New("no database connection was ready in time")

// fault gives an error of a transaction its final form. What the caller's own code returned stays as it is, and so does
// the end of the caller's context; a lost or missing connection is CodeUnavailable.
func fault(ctx context.Context, err error) error {
	var known *vcd.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(context.Cause(ctx), errSlow):
		return vcd.Unavailable(errSlow)
	case ctx.Err() != nil:
		return err
	case full(err):
		return vcd.DiskFull(err)
	case disconnected(err):
		return vcd.Unavailable(err)
	}
	return err
}

// disconnected tells whether err means that there is no connection (any more), rather than that a query was wrong.
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

// unconnected tells whether err comes from an attempt to connect.
func unconnected(err error) bool {
	var dial *pgconn.ConnectError
	return errors.As(err, &dial)
}

// startingUp tells whether an attempt to connect failed in a way that passes by itself.
func startingUp(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "57P03"
	}
	return pgconn.Timeout(err)
}

// gone tells whether a server ends or refuses connections with this code.
func gone(code string) bool {
	switch code {
	case "57P01", "57P02", "57P03", // shut down by an administrator, crashed, not ready yet
		"57P05", "25P03", // idle for too long, in a transaction too
		"53300": // too many connections
		return true
	}
	return strings.HasPrefix(code, "08")
}

// full tells whether the database could not write for want of space.
func full(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "53100"
}

// errContended asks for a repetition of a transaction that another one got ahead of.
var errContended = errors.New("another transaction came first")

// repeatable tells whether a transaction failed only because of others that ran beside it.
func repeatable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "40001" || refused.Code == "40P01" // serialization failure, deadlock
	}
	return errors.Is(err, errContended)
}

// violates tells whether err breaks the named unique constraint or index.
func violates(err error, constraint string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "23505" && refused.ConstraintName == constraint
}
