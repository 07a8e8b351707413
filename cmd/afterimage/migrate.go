package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"afterimage/db"
	"afterimage/db/localpg"
)

// migrateCmd brings the database up to date without serving.
type migrateCmd struct {
	GrantTo       string `help:"Grant this role of the database what everyday work needs: rows of one account at a time." placeholder:"ROLE" env:"-"`
	GrantSystemTo string `help:"Grant this role what concerns all accounts." placeholder:"ROLE" env:"-"`
}

// Help is shown with the command's flags.
func (migrateCmd) Help() string {
	return `The tables belong to the role that runs this first. It uses --database-direct-url if that is set, else --database-url.

With --grant-to and --grant-system-to, the service can work as two other roles, which can change no table, and of which the first cannot be
brought to see another account than the one that it works for. This need not be repeated: later calls extend it to new tables.

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
	logger, err := g.logger(os.Stderr)
	if err != nil {
		return err
	}
	return g.withOwner(ctx, logger, func(url string) error {
		if err := db.Migrate(ctx, url, logger); err != nil {
			return fmt.Errorf("migrate the database: %w", err)
		}
		if c.GrantTo != "" {
			if err := db.Grant(ctx, url, logger, db.Roles{Everyday: c.GrantTo, System: c.GrantSystemTo}); err != nil {
				return fmt.Errorf("grant rights: %w", err)
			}
		}
		fmt.Println("The database is up to date.")
		return nil
	})
}

// withOwner gives the URL at which tables are made and changed, that of the private database unless another one is configured.
func (g *globals) withOwner(ctx context.Context, logger *slog.Logger, do func(url string) error) (err error) {
	if err := g.checkDatabase(); err != nil {
		return err
	}
	if err := os.MkdirAll(g.DataDir, 0o755); err != nil { //nolint:gosec // the database's own user must be able to pass
		return fmt.Errorf("cannot create the data folder (choose another with --data-dir): %w", err)
	}
	if g.DatabaseURL != "" {
		return do(g.ownerURL())
	}
	local, err := localpg.Start(ctx, localpg.Config{Dir: filepath.Join(g.DataDir, "postgres"), Logger: logger})
	if err != nil {
		return fmt.Errorf("the private database did not start: %w", err)
	}
	defer func() {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		err = errors.Join(err, local.Stop(stopping))
	}()
	return do(local.URL())
}
