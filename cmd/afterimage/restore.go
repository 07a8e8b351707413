package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"afterimage/db/localpg"
	"afterimage/db/schema"
	"afterimage/internal/backup"
	"afterimage/internal/blob"
	"afterimage/vcd"
)

// restoreCmd restores a backup into an empty installation.
type restoreCmd struct {
	chosenBackup
	transfer
}

// Help is shown with the command's flags.
func (restoreCmd) Help() string {
	return `The database must be empty: nothing is ever overwritten. The program may be newer than the one that made the backup,
but not older. Pictures are restored first, then all rows of the database in one transaction. An interrupted restore can be repeated: what
has been copied is not copied again.

  mkdir -p /srv/afterimage && cp secret.key /srv/afterimage/
  afterimage restore /backup/afterimage --data-dir /srv/afterimage
  afterimage doctor --deep --data-dir /srv/afterimage
  afterimage serve --data-dir /srv/afterimage

Stop the installation that was backed up first: otherwise both would send the same mails and webhooks.`
}

// Run restores the pictures and then the database.
func (c restoreCmd) Run(ctx context.Context, g *globals) error {
	options, err := c.options("restored")
	if err != nil {
		return err
	}
	return c.with(ctx, g, func(r *backup.Repository, m *backup.Manifest) error {
		return g.restore(ctx, r, m, options)
	})
}

func (g *globals) restore(ctx context.Context, r *backup.Repository, m *backup.Manifest, options backup.Options) error {
	logger, err := g.Logger(os.Stderr)
	if err != nil {
		return err
	}
	return g.withOwner(ctx, logger, func(url string) error { return g.restoreTo(ctx, url, logger, r, m, options) })
}

func (g *globals) restoreTo(
	ctx context.Context, url string, logger *slog.Logger, r *backup.Repository, m *backup.Manifest, options backup.Options,
) error {
	begun := time.Now()
	if err := schema.RefuseAccounts(ctx, url); err != nil {
		return err
	}
	files, err := g.first(ctx, g.DataDir)
	if err != nil {
		return err
	}
	if err := claimStore(ctx, files, m.Contents.Store); err != nil {
		return err
	}
	restored, err := r.RestoreFiles(ctx, m, files, options)
	if err != nil {
		return err
	}
	part := func(ctx context.Context, table string, number int) ([]byte, error) {
		return r.Part(ctx, m, table, number)
	}
	if err := schema.Restore(ctx, url, logger, &m.Contents, part); err != nil {
		return err
	}
	fmt.Printf("Restored backup %s, as of %s: %s (%d of them copied, %d MB) in %s.\n", m.ID, m.Moment.Format(time.RFC3339),
		contents(m, " and "), restored.New, restored.Bytes>>20, time.Since(begun).Round(time.Second))
	if n := len(m.Missing); n > 0 {
		fmt.Printf("Already missing or damaged when the backup was made: %s; see 'afterimage doctor'.\n", vcd.Plural(n, "picture"))
	}
	return nil
}

// claimStore makes an empty image store that of a backup. One that is so already was begun by an earlier restore, or has outlived its
// database.
func claimStore(ctx context.Context, files blob.Store, mark string) error {
	if err := checkImages(ctx, files); err != nil || mark == "" {
		return err
	}
	found, err := files.Mark(ctx)
	switch {
	case err != nil:
		return err
	case found == "":
		err = files.SetMark(ctx, mark)
	case found != mark:
		err = fmt.Errorf("the image store belongs to another database (%s): choose an empty one with --images or --data-dir",
			files.MarkFile())
	}
	if err != nil {
		return err
	}
	files.Expect(mark)
	return nil
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
