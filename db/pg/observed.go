package pg

import (
	"context"
	"database/sql"
	"errors"

	"afterimage/internal/figures"
	"afterimage/vcd"
)

// kindOf is the kind of a transaction, for the figures.
func kindOf(account vcd.ID, opts *sql.TxOptions) string {
	switch {
	case account == "":
		return "system"
	case opts != nil && opts.ReadOnly:
		return "read"
	}
	return "write"
}

// outcomeOf tells faults of the database from what was refused, what lost a conflict and what a caller gave up.
func outcomeOf(err error) string {
	var known *vcd.Error
	switch {
	case err == nil:
		return figures.OK
	case errors.As(err, &known) && known.Code != vcd.CodeUnavailable && known.Code != vcd.CodeInternal,
		repeatable(err), errors.Is(err, context.Canceled):
		return figures.Refused
	}
	return figures.Failed
}
