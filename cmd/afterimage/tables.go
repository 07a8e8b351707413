package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"afterimage/db/schema"
)

// undefinedTable is PostgreSQL's code for a table that is not there.
const undefinedTable = "42P01"

var errTables = errors.New("the database schema is missing or older than this program: " +
	"use the version that is serving, or run 'afterimage migrate'")

// checkTables makes sure that every migration of this program has been applied, without applying any. More than those
// are fine: a newer program only adds to the tables.
func checkTables(ctx context.Context, pool *pgxpool.Pool) error {
	rows, err := pool.Query(ctx, "SELECT name FROM schema_migrations")
	if err != nil {
		return tablesError(err)
	}
	applied, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return tablesError(err)
	}
	files, err := schema.Migrations.ReadDir("migrations")
	if err != nil {
		return err
	}
	for _, file := range files {
		if name, _, _ := strings.Cut(file.Name(), "_"); !slices.Contains(applied, name) {
			return errTables
		}
	}
	return nil
}

func tablesError(err error) error {
	var refusal *pgconn.PgError
	if errors.As(err, &refusal) && refusal.Code == undefinedTable {
		return errTables
	}
	return fmt.Errorf("inspect the database schema: %w", err)
}
