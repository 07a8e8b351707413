package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"afterimage/db"
	"afterimage/db/localpg"
	"afterimage/db/pg"
	"afterimage/db/schema"
	"afterimage/internal/blob"
	"afterimage/internal/mail"
	"afterimage/internal/secret"
	"afterimage/internal/story"
	"afterimage/internal/tracing"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

// backend is the database, the image files and the use cases on top of them.
type backend struct {
	local   *localpg.Server // nil with a database of the operator's
	db      *db.DB
	clock   *pg.Clock // that of the database
	later   int       // version of the capture pipeline that a test asks for; 0: ours
	files   blob.Store
	moving  blob.Store // the second one of files while pictures move; else nil
	mark    string     // of files, once it is proven
	service *app.Service
	mails   mail.Folder // where mails go that no server takes
	home    vcd.Region  // of sites whose location is not known
}

// needs are what a command expects of the backend.
type needs struct {
	conns  int           // connections to the database at the same time; 0 for a few
	asIs   bool          // the tables must have the form of this program already; else they are brought into it
	grant  *schema.Roles // are granted their rights; nil for nobody
	images bool          // the image store must be that of the database

	settings func(*app.Config) // those of the use cases; nil for the usual ones
	watch    *watch            // what operators see; nil for commands
}

// openBackend makes the data folder ready, starts the private database unless another one is configured, and brings
// its tables up to date.
func openBackend(ctx context.Context, g *globals, n needs, logger *slog.Logger) (_ *backend, err error) {
	b := &backend{clock: &pg.Clock{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.close())
		}
	}()
	clock, err := g.clock(b.clock, logger)
	if err != nil {
		return nil, err
	}
	if b.later, err = g.pipeline(logger); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(g.DataDir, 0o755); err != nil { //nolint:gosec // the database's own user must be able to pass
		return nil, fmt.Errorf("cannot create the data folder (choose another with --data-dir): %w", err)
	}
	if b.files, b.moving, err = g.images(ctx, g.DataDir); err != nil {
		return nil, err
	}
	if b.moving != nil {
		b.files = blob.Also(b.files, b.moving)
	}
	b.mails = mail.Folder(filepath.Join(g.DataDir, "mails"))
	keys, err := givenKeys(g)
	if err != nil {
		return nil, err
	}
	url, err := b.ownerURL(ctx, g, logger)
	if err != nil {
		return nil, err
	}
	if err := n.migrate(ctx, url, logger); err != nil {
		return nil, err
	}
	settings := g.databaseFlags.settings(url)
	if settings.Reach, err = g.reach(); err != nil {
		return nil, err
	}
	settings.Logger, settings.MaxConns = logger, n.conns
	if n.watch != nil {
		settings.Figures, settings.Committed = n.watch.figures, story.Of(logger, n.watch.figures)
		if tracing.On() {
			settings.Tracer = tracing.Statements{}
		}
	}
	if err := b.openDatabase(ctx, settings, vcd.Region(g.HomeRegion)); err != nil {
		return nil, err
	}
	config := app.Config{
		Store: b.db,
		Config: vcd.Config{
			Feed: b.db, Clock: clock, IDs: vcd.RandomIDs{Ahead: b.clock.Ahead}, Files: b.files,
			Report: func(err error) { logger.Error("background work failed", "cause", err) },
		},
	}
	if n.settings != nil {
		n.settings(&config)
	}
	if n.asIs {
		if keys != nil {
			if config.Sealer, err = secret.NewBox(keys[0], keys[1:]...); err != nil {
				return nil, err
			}
		}
		b.service = app.New(config)
		err = checkTables(ctx, b.db.Pool())
	} else {
		err = b.unlock(ctx, g, keys, config)
	}
	if err != nil {
		return nil, err
	}
	if err := b.proveImages(ctx, n); err != nil {
		return nil, err
	}
	n.watch.database(b)
	return b, nil
}

// migrate brings the tables into the form of this program, and grants roles their rights.
func (n needs) migrate(ctx context.Context, url string, logger *slog.Logger) error {
	if n.asIs {
		return nil
	}
	n.watch.begin("The process is updating the database schema.")
	if err := schema.Migrate(ctx, url, logger); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	if n.grant == nil {
		return nil
	}
	if err := schema.Grant(ctx, url, logger, *n.grant); err != nil {
		return fmt.Errorf("grant rights: %w", err)
	}
	return nil
}

// ownerURL is where tables are made, on the private database unless another one is configured.
func (b *backend) ownerURL(ctx context.Context, g *globals, logger *slog.Logger) (url string, err error) {
	if err := g.checkDatabase(); err != nil {
		return "", err
	}
	if g.DatabaseURL != "" {
		return g.ownerURL(), nil
	}
	b.local, err = localpg.Start(ctx, localpg.Config{Dir: filepath.Join(g.DataDir, "postgres"), Logger: logger})
	if err != nil {
		return "", fmt.Errorf("the private database did not start: %w", err)
	}
	return b.local.URL(), nil
}

// unlock makes the use cases with the key to their secrets, which is made for a new database.
func (b *backend) unlock(ctx context.Context, g *globals, keys [][]byte, config app.Config) (err error) {
	if keys == nil {
		if keys, err = b.madeKeys(ctx, keyFile(g)); err != nil {
			return err
		}
	}
	if config.Sealer, err = secret.NewBox(keys[0], keys[1:]...); err != nil {
		return err
	}
	b.service = app.New(config)
	return b.service.Accounts.CheckSecretKey(ctx)
}

// proveImages makes sure that the image store can be used and is that of the database, for commands that read or write there.
func (b *backend) proveImages(ctx context.Context, n needs) error {
	if !n.images {
		return nil
	}
	if err := checkImages(ctx, b.files); err != nil {
		return err
	}
	mark, err := b.service.Runs.ProveImageStore(ctx, b.files)
	if err != nil {
		return err
	}
	b.files.Expect(mark)
	b.mark = mark
	if b.moving == nil {
		return nil
	}
	if err := checkImages(ctx, b.moving); err != nil {
		return err
	}
	if other, err := b.moving.Mark(ctx); err != nil || other != mark {
		return errors.Join(err, errors.New("--images-also is not an image store of this database: name the source or destination of "+
			"'afterimage images copy'"))
	}
	return nil
}

func (b *backend) openDatabase(ctx context.Context, config db.Config, home vcd.Region) error {
	b.home = home
	inserter, err := jobs.NewInserter(home, b.clock)
	if err != nil {
		return err
	}
	config.Queue, config.Clock = inserter.Queue, b.clock
	if b.db, err = db.Open(ctx, config); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	return nil
}

func keyFile(g *globals) string { return filepath.Join(g.DataDir, "secret.key") }

// givenKeys are the key that seals secrets and others that open them, from the configuration or from their file; nil when there
// is neither.
func givenKeys(g *globals) ([][]byte, error) {
	if g.SecretKey != "" {
		return secret.ParseKeys(g.SecretKey)
	}
	keys, err := secret.ReadKeys(keyFile(g))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return keys, err
}

// madeKeys makes the key of a new database. One that has sealed secrets needs the key that sealed them.
func (b *backend) madeKeys(ctx context.Context, path string) ([][]byte, error) {
	probe, err := b.db.Probe(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := secret.ReadKeys(path) // by now another process may have made both
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	if probe != nil {
		return nil, fmt.Errorf("%s is missing, but this database holds secrets encrypted with that key: restore the file, "+
			"or set --secret-key", path)
	}
	return secret.MakeKey(path)
}

func (b *backend) close() error {
	if b.db != nil {
		b.db.Close()
	}
	var err error
	if remote, ok := b.files.(io.Closer); ok {
		err = remote.Close()
	}
	if b.local == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if stopErr := b.local.Stop(ctx); stopErr != nil {
		err = errors.Join(err, fmt.Errorf("stop the private database: %w", stopErr))
	}
	return err
}
