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
	"afterimage/internal/blob"
	"afterimage/internal/mail"
	"afterimage/internal/secret"
	"afterimage/jobs"
	"afterimage/vcd"
)

// backend is the database, the image files and the use cases on top of them.
type backend struct {
	local   *localpg.Server // nil with a database of the operator's
	db      *db.DB
	files   *blob.Files
	service *vcd.Service
	mails   mail.Folder // where mails go that no server takes
	home    vcd.Region  // of sites whose location is not known
}

// needs are what a command expects of the backend.
type needs struct {
	conns int  // connections to the database at the same time; 0 for a few
	asIs  bool // the tables must have the form of this program already; else they are brought into it
}

// openBackend makes the data folder ready, starts the private database unless another one is configured, and brings
// its tables up to date.
func openBackend(ctx context.Context, g *globals, n needs, logger *slog.Logger) (_ *backend, err error) {
	b := &backend{}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.close())
		}
	}()
	clock, err := g.clock(logger)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(g.DataDir, 0o755); err != nil { //nolint:gosec // the database's own user must be able to pass
		return nil, fmt.Errorf("the data folder cannot be created (choose another one with --data-dir): %w", err)
	}
	if b.files, err = blob.Open(filepath.Join(g.DataDir, "images")); err != nil {
		return nil, fmt.Errorf("the data folder cannot be used (choose another one with --data-dir): %w", err)
	}
	b.mails = mail.Folder(filepath.Join(g.DataDir, "mails"))
	box, err := openBox(g)
	if err != nil {
		return nil, err
	}
	url := g.DatabaseURL
	if url == "" {
		b.local, err = localpg.Start(ctx, localpg.Config{Dir: filepath.Join(g.DataDir, "postgres"), Logger: logger})
		if err != nil {
			return nil, fmt.Errorf("the private database did not start: %w", err)
		}
		url = b.local.URL()
	}
	if !n.asIs {
		if err := db.Migrate(ctx, url, logger); err != nil {
			return nil, fmt.Errorf("bring the database up to date: %w", err)
		}
	}
	if err := b.open(ctx, db.Config{URL: url, Logger: logger, MaxConns: n.conns}, vcd.Region(g.HomeRegion), clock, box); err != nil {
		return nil, err
	}
	if n.asIs {
		return b, checkTables(ctx, b.db.Pool())
	}
	return b, b.service.CheckSecretKey(ctx)
}

func (b *backend) open(ctx context.Context, config db.Config, home vcd.Region, clock vcd.Clock, box *secret.Box) error {
	b.home = home
	inserter, err := jobs.NewInserter(home)
	if err != nil {
		return err
	}
	config.Queue = inserter.Queue
	if b.db, err = db.Open(ctx, config); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	b.service = &vcd.Service{
		Store: b.db, Feed: b.db, Clock: clock, IDs: vcd.RandomIDs{}, Secret: box, Files: b.files,
		Report: func(err error) { config.Logger.Error("work in the background ended with a fault", "cause", err) },
	}
	return nil
}

// openBox takes the key that seals secrets from the configuration, or from its file.
func openBox(g *globals) (*secret.Box, error) {
	var key []byte
	var err error
	if g.SecretKey != "" {
		key, err = secret.ParseKey(g.SecretKey)
	} else {
		key, err = secret.KeyFile(filepath.Join(g.DataDir, "secret.key"))
	}
	if err != nil {
		return nil, err
	}
	return secret.NewBox(key)
}

func (b *backend) close() error {
	if b.db != nil {
		b.db.Close()
	}
	if b.local == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := b.local.Stop(ctx); err != nil {
		return fmt.Errorf("stop the private database: %w", err)
	}
	return nil
}
