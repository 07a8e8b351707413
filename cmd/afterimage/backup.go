package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"afterimage/internal/backup"
	"afterimage/internal/bucket"
	"afterimage/internal/cli"
	"afterimage/vcd"
)

// backupCmd makes and manages backups.
type backupCmd struct {
	Create backupCreateCmd `cmd:"" default:"withargs" help:"Back up the database and all pictures it refers to, while the service runs."`
	Verify backupVerifyCmd `cmd:"" help:"Read a whole backup and report whether it can be restored."`
	List   backupListCmd   `cmd:"" help:"List the backups in a folder or bucket."`
	Prune  backupPruneCmd  `cmd:"" help:"Remove old backups, and pictures that no remaining backup needs."`
}

// placeArg is where backups are.
type placeArg struct {
	Place string `arg:"" help:"Folder or bucket of the backups, such as /backup/afterimage or s3://backups?region=…"`
}

// open opens the place with the secret key of the installation.
func (p placeArg) open(ctx context.Context, g *globals, fresh bool) (*backup.Repository, error) {
	key, err := backupKey(g)
	if err != nil {
		return nil, err
	}
	place, err := openPlace(ctx, p.Place)
	if err != nil {
		return nil, err
	}
	r, err := backup.Open(ctx, place, key, fresh)
	if err != nil {
		return nil, errors.Join(err, place.Close())
	}
	return r, nil
}

// openPlace opens the place of a path, or of the URL of a bucket.
func openPlace(ctx context.Context, name string) (backup.Place, error) {
	if bucket.IsURL(name) {
		return bucket.Open(ctx, name)
	}
	if strings.Contains(name, "://") {
		return nil, errors.New("backups are kept in a folder, or in a bucket with an s3://, gs:// or azblob:// URL")
	}
	path, err := filepath.Abs(name)
	return backup.Folder(path), err
}

// backupKey is the secret key, with which backups are encrypted.
func backupKey(g *globals) ([]byte, error) {
	keys, err := givenKeys(g)
	if err != nil {
		return nil, err
	}
	if keys == nil {
		return nil, fmt.Errorf("%s is missing, and backups are encrypted with the secret key of the installation: put the file there, "+
			"or set --secret-key", keyFile(g))
	}
	return keys[0], nil
}

// transfer is how much is read and written at the same time.
type transfer struct {
	Parallel int `help:"Number of objects read or written concurrently." default:"8" env:"-"`
}

func (t transfer) options(verb string) (backup.Options, error) {
	if t.Parallel < 1 || t.Parallel > 256 {
		return backup.Options{}, fmt.Errorf("--parallel must be between 1 and 256, got %d", t.Parallel)
	}
	return backup.Options{Program: cli.Version, Parallel: t.Parallel, Progress: func(p backup.Progress) {
		fmt.Fprintf(os.Stderr, "checked %s, %s %d (%d MB)\n", vcd.Plural(int(p.Files), "picture"), verb, p.New, p.Bytes>>20)
	}}, nil
}

// backupCreateCmd makes a backup.
type backupCreateCmd struct {
	placeArg
	transfer
}

// Help is shown with the command's flags.
func (backupCreateCmd) Help() string {
	return `A backup contains the rows of all accounts as of one moment, and the pictures they refer to. Pictures that are already
there from earlier or interrupted backups are not copied again. Everything is encrypted with the secret key of the
installation (secret.key in the data folder): keep that key elsewhere. Without it, a backup cannot be restored.

  afterimage backup /backup/afterimage
  afterimage backup 's3://backups?region=eu-west-1'
  afterimage backup prune /backup/afterimage --keep 14`
}

// Run makes a backup, and ends with exit code 1 if pictures are missing in it.
func (c backupCreateCmd) Run(ctx context.Context, g *globals) error {
	options, err := c.options("copied")
	if err != nil {
		return err
	}
	if _, err := backupKey(g); err != nil {
		return err
	}
	return withBackend(ctx, g, needs{asIs: true, images: true}, func(b *backend) error {
		if err := b.service.Accounts.CheckSecretKey(ctx); err != nil {
			return err
		}
		r, err := c.open(ctx, g, true)
		if err != nil {
			return err
		}
		made, err := r.Create(ctx, b.db, b.files, options)
		if err := errors.Join(err, r.Close()); err != nil {
			return err
		}
		fmt.Printf("Backup %s has %s (%d MB), %d of them new (%d MB). It took %s.\n", made.ID, contents(made.Manifest, " and "),
			made.Bytes>>20, made.New, made.NewBytes>>20, made.Finished.Sub(made.Moment).Round(time.Second))
		for _, fault := range made.Faults {
			fmt.Println(fault)
		}
		if n := len(made.Faults); n > 0 {
			return fmt.Errorf("the backup lacks %s that the database refers to: see 'afterimage doctor'", vcd.Plural(n, "picture"))
		}
		return nil
	})
}

// contents counts the rows and the pictures of a backup.
func contents(m *backup.Manifest, between string) string {
	return vcd.Plural(int(rowsOf(m)), "row") + between + vcd.Plural(int(m.Files), "picture")
}

func rowsOf(m *backup.Manifest) (rows int64) {
	for _, t := range m.Contents.Tables {
		rows += t.Rows
	}
	return rows
}

// chosenBackup is one backup of a place.
type chosenBackup struct {
	placeArg
	Backup string `help:"Name of the backup; default: the newest one." placeholder:"NAME" env:"-"`
}

// backupVerifyCmd reads all of a backup.
type backupVerifyCmd struct {
	chosenBackup
	transfer
}

// Run ends with exit code 1 if the backup cannot be restored completely.
func (c backupVerifyCmd) Run(ctx context.Context, g *globals) error {
	options, err := c.options("read")
	if err != nil {
		return err
	}
	return c.with(ctx, g, func(r *backup.Repository, m *backup.Manifest) error {
		problems, err := r.Verify(ctx, m, options)
		for _, problem := range problems {
			fmt.Println(problem)
		}
		if err != nil {
			return err
		}
		if len(problems) > 0 {
			return fmt.Errorf("backup %s is damaged", m.ID)
		}
		fmt.Printf("Backup %s is complete: %s (%d MB).\n", m.ID, contents(m, ", "), m.Bytes>>20)
		for _, hash := range m.Missing {
			fmt.Printf("The file %s was missing or damaged when the backup was made.\n", hash)
		}
		return nil
	})
}

// with opens the place and the backup.
func (c chosenBackup) with(ctx context.Context, g *globals, do func(*backup.Repository, *backup.Manifest) error) error {
	r, err := c.open(ctx, g, false)
	if err != nil {
		return err
	}
	m, err := r.Find(ctx, c.Backup)
	if err == nil {
		err = do(r, m)
	}
	return errors.Join(err, r.Close())
}

// backupListCmd lists backups.
type backupListCmd struct{ placeArg }

// Run lists them, oldest first.
func (c backupListCmd) Run(ctx context.Context, g *globals) error {
	r, err := c.open(ctx, g, false)
	if err != nil {
		return err
	}
	all, err := r.List(ctx)
	if err := errors.Join(err, r.Close()); err != nil {
		return err
	}
	lines := cli.Table{{"Name", "As of (UTC)", "Rows", "Pictures", "MB", "Version"}}
	for _, m := range all {
		lines = append(lines, []string{
			m.ID, m.Moment.Format(time.DateTime), fmt.Sprint(rowsOf(m)), fmt.Sprint(m.Files), fmt.Sprint(m.Bytes >> 20), m.Program,
		})
	}
	lines.Print(os.Stdout)
	return nil
}

// backupPruneCmd removes backups.
type backupPruneCmd struct {
	placeArg
	Keep int `help:"Number of backups to keep: the newest ones." required:"" placeholder:"NUMBER" env:"-"`
}

// Run removes all but the newest backups.
func (c backupPruneCmd) Run(ctx context.Context, g *globals) error {
	if c.Keep < 1 {
		return fmt.Errorf("--keep must be at least 1, got %d", c.Keep)
	}
	r, err := c.open(ctx, g, false)
	if err != nil {
		return err
	}
	removed, files, err := r.Prune(ctx, c.Keep)
	for _, m := range removed {
		fmt.Printf("Removed backup %s.\n", m.ID)
	}
	if err := errors.Join(err, r.Close()); err != nil {
		return err
	}
	fmt.Printf("Removed %s and %s that no remaining backup needs.\n", vcd.Plural(len(removed), "backup"), vcd.Plural(files, "picture"))
	return nil
}
