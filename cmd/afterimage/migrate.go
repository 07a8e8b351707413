package main

import (
	"context"
	"errors"
	"fmt"

	"afterimage/db/schema"
)

// migrateCmd brings the database up to date without serving.
type migrateCmd struct {
	GrantTo       string `help:"Grant this database role the everyday rights: access to the rows of one account at a time." placeholder:"ROLE" env:"-"`
	GrantSystemTo string `help:"Grant this database role the rights for work across all accounts." placeholder:"ROLE" env:"-"`
}

// Help is shown with the command's flags.
func (migrateCmd) Help() string {
	return `The tables belong to the role that runs this command first. It uses --database-direct-url if that is set, else --database-url.

With --grant-to and --grant-system-to, the service can run with two other roles. Neither can alter tables, and the first can never
see an account other than the one it is working for. The flags need not be repeated: later calls extend these rights to new tables.

  afterimage migrate --database-url postgres://owner@db.example.com/afterimage \
    --grant-to afterimage --grant-system-to afterimage_system
  afterimage serve --database-url postgres://afterimage@db.example.com/afterimage \
    --database-system-url postgres://afterimage_system@db.example.com/afterimage`
}

// Run migrates.
func (c migrateCmd) Run(ctx context.Context, g *globals) error {
	if (c.GrantTo == "") != (c.GrantSystemTo == "") {
		return errors.New("--grant-to and --grant-system-to must be given together")
	}
	var grant *schema.Roles
	if c.GrantTo != "" {
		grant = &schema.Roles{Everyday: c.GrantTo, System: c.GrantSystemTo}
	}
	return withBackend(ctx, g, needs{grant: grant}, func(*backend) error {
		fmt.Println("The database is up to date.")
		return nil
	})
}
