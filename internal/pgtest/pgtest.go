package pgtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	databasePrefix = "pgtest_"
	setupTimeout   = 5 * time.Minute // far more than it takes on a busy machine
	cleanupTimeout = 5 * time.Minute
)

// New returns the connection string of a fresh, empty database that is dropped at the end of the test, with whatever is
// still connected to it. The role of the connection owns the database and is bound by row level security.
func New(t testing.TB) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), setupTimeout)
	defer cancel()
	url, drop, err := create(ctx, serverOf(t), "template0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Error(err)
		}
	})
	return url
}

// Template returns the connection string of a fresh copy of a template database, dropped at the end of the test.
//
// The template is made once by migrate, which gets the connection string of an empty database, and is shared by all test
// processes that use the same name. Copying takes some tens of milliseconds. The name must therefore change whenever
// the outcome of migrate does: put [Fingerprint] of the migration files into it.
func Template(t testing.TB, name string, migrate func(ctx context.Context, url string) error) string {
	t.Helper()
	url, drop, err := Copy(context.WithoutCancel(t.Context()), name, migrate)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Error(err)
		}
	})
	return url
}

// Copy is [Template] for what several tests share: drop drops the copy.
func Copy(
	ctx context.Context, name string, migrate func(ctx context.Context, url string) error,
) (url string, drop func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, setupTimeout)
	defer cancel()
	base, err := server()
	if err != nil {
		return "", nil, err
	}
	template, err := ensureTemplate(ctx, base, name, migrate)
	if err != nil {
		return "", nil, fmt.Errorf("pgtest: template %q: %w", name, err)
	}
	return create(ctx, base, template)
}

// Fingerprint is a short hash of all files in a file system, names and contents, e.g. of embedded migrations.
func Fingerprint(files fs.FS) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(sum, "%d %s %d %s", len(path), path, len(content), content)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("fingerprint of files: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// create makes a database; drop drops it, with whatever is still connected to it.
func create(ctx context.Context, base, template string) (url string, drop func() error, err error) {
	name := databasePrefix + strings.ToLower(rand.Text()[:16])
	if err := execute(ctx, base, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template+strategy(conn))
		return err
	}); err != nil {
		return "", nil, fmt.Errorf("pgtest: create a database: %w", err)
	}
	return withDatabase(base, name), func() error {
		ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
		defer cancel()
		drop := "DROP DATABASE IF EXISTS " + name
		if err := execute(ctx, base, func(conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, drop+" WITH (FORCE)")
			if err != nil { // it may not end an autovacuum worker, for which the plain command waits
				_, err = conn.Exec(ctx, drop)
			}
			return err
		}); err != nil {
			return fmt.Errorf("pgtest: %s: %w", drop, err)
		}
		return nil
	}, nil
}

// strategy copies files instead of logging each page of them, which takes half the time. Releases before 15 know no other way.
func strategy(conn *pgx.Conn) string {
	release, _, _ := strings.Cut(conn.PgConn().ParameterStatus("server_version"), ".")
	if n, err := strconv.Atoi(release); err != nil || n < 15 {
		return ""
	}
	return " STRATEGY FILE_COPY"
}

// templates are those that this process knows to exist.
var templates sync.Map

// ensureTemplate makes the template under another name first: a migration that fails or is killed half way never becomes
// a template.
func ensureTemplate(ctx context.Context, base, name string, migrate func(context.Context, string) error) (template string, err error) {
	sum := sha256.Sum256([]byte(name))
	template = databasePrefix + "template_" + hex.EncodeToString(sum[:8])
	if _, known := templates.Load(template); known {
		return template, nil
	}
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }() // gives the lock up as well
	key := fnv.New64a()
	_, _ = key.Write([]byte(template))
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(key.Sum64())); err != nil {
		return "", err
	}
	var exists bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", template).Scan(&exists)
	if err == nil && !exists {
		err = makeTemplate(ctx, conn, base, template, migrate)
	}
	if err == nil {
		templates.Store(template, true)
	}
	return template, err
}

func makeTemplate(ctx context.Context, conn *pgx.Conn, base, template string, migrate func(context.Context, string) error) error {
	building := template + "_building"
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + building + " WITH (FORCE)", "CREATE DATABASE " + building +
		" TEMPLATE template0"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	if err := migrate(ctx, withDatabase(base, building)); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	_, err := conn.Exec(ctx, "ALTER DATABASE "+building+" RENAME TO "+template)
	return err
}

// idle are connections to the server that nobody uses: opening one costs as much as many a test. They end with the process.
var idle = make(chan *pgx.Conn, 4)

// execute does something with a connection to the server, again if an idle one turns out to be broken.
func execute(ctx context.Context, base string, do func(*pgx.Conn) error) error {
	for {
		conn, used, err := idleOrNew(ctx, base)
		if err != nil {
			return err
		}
		err = do(conn)
		if conn.IsClosed() {
			if used && err != nil && ctx.Err() == nil {
				continue
			}
			return err
		}
		select {
		case idle <- conn:
			return err
		default:
			return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
		}
	}
}

func idleOrNew(ctx context.Context, base string) (conn *pgx.Conn, used bool, err error) {
	select {
	case conn = <-idle:
		return conn, true, nil
	default:
		conn, err = pgx.Connect(ctx, base)
		return conn, false, err
	}
}

// withDatabase assumes a valid base: it was connected to.
func withDatabase(base, name string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	u.Path = "/" + name
	return u.String()
}
