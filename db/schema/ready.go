package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"afterimage/internal/health"
)

// readyQuery asks in one statement what the process needs of the database.
const readyQuery = `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean,
	coalesce((SELECT array_agg(name::text) FROM schema_migrations), '{}')`

// Ready reports as a *health.Problem why the database cannot be used. A schema that a newer program has brought further is no
// reason: during a rolling upgrade the older programs go on, see decision 71.
func (d *Store) Ready(ctx context.Context) error {
	var readOnly bool
	var applied []string
	err := d.Pool().QueryRow(ctx, readyQuery).Scan(&readOnly, &applied)
	if err != nil {
		return &health.Problem{Sentence: Advice(err), Cause: err}
	}
	if readOnly {
		return &health.Problem{Sentence: "The database is read-only: connect to the primary, or end its recovery."}
	}
	missing, err := missingMigrations(applied)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return &health.Problem{Sentence: fmt.Sprintf("The database schema is older than this program (migration %s is missing): "+
			"run 'afterimage migrate'.", missing[0])}
	}
	return nil
}

// Ahead is the newest applied migration that this program does not know; empty when it knows all.
func (d *Store) Ahead(ctx context.Context) (string, error) {
	var newest string
	err := d.Pool().QueryRow(ctx, "SELECT coalesce(max(name), '') FROM schema_migrations").Scan(&newest)
	if err != nil {
		return "", err
	}
	known, err := knownMigrations()
	if err != nil || slices.Contains(known, newest) {
		return "", err
	}
	return newest, nil
}

func missingMigrations(applied []string) ([]string, error) {
	known, err := knownMigrations()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(known, func(name string) bool { return slices.Contains(applied, name) }), nil
}

// knownMigrations are the names of our migrations as the table of migrations has them, in order.
func knownMigrations() ([]string, error) {
	files, err := Migrations.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	names := make([]string, len(files))
	for i, file := range files {
		names[i], _, _ = strings.Cut(file.Name(), "_")
	}
	return names, nil
}

// Advice is a sentence on an error of the database for an operator, without addresses.
func Advice(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		switch refused.Code {
		case "53300":
			return "The database is at its connection limit: raise max_connections, or lower pool_max_conns of the processes."
		case "57P03":
			return "The database is starting up or shutting down."
		case "25006":
			return "The database is read-only: connect to the primary, or end its recovery."
		case "53100":
			return "The disk of the database is full: free space on it."
		case "28P01", "28000":
			return "The database refuses the role or its password: check the database URL."
		case "3D000":
			return "The database does not exist: create it, or check the database URL."
		case "42P01":
			return "The database has no tables of this program: run 'afterimage migrate'."
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "The database did not answer in time: it is overloaded, or all connections of this process are in use."
	}
	return "The database cannot be reached: check that it is running and can be reached over the network."
}
