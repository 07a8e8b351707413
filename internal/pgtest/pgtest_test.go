package pgtest_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"afterimage/internal/pgtest"
)

// childEnv makes the test binary a program that uses a database until it is killed.
const childEnv = "AFTERIMAGE_PGTEST_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		goleak.VerifyTestMain(m)
		return
	}
	os.Args = []string{os.Args[0], "-test.run=^TestChild$"}
	os.Exit(m.Run())
}

// TestChild is the body of the other process of TestClusterGoesWhenItsUsersAreGone; in an ordinary run it proves no more than New.
func TestChild(t *testing.T) {
	query[int](t, pgtest.New(t), "SELECT 1")
	if os.Getenv(childEnv) == "" {
		return
	}
	if _, err := os.Stdout.WriteString("using\n"); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func query[T any](t *testing.T, url, sql string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var value T
	if err := conn.QueryRow(t.Context(), sql).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

func TestNewGivesEveryTestItsOwnDatabase(t *testing.T) {
	first, second := pgtest.New(t), pgtest.New(t)
	for _, url := range []string{first, second} {
		if n := query[int](t, url, "SELECT count(*)::int FROM pg_class WHERE relnamespace = 'public'::regnamespace"); n != 0 {
			t.Errorf("%s has %d relations", url, n)
		}
		query[string](t, url, "WITH made AS (SELECT 1) SELECT current_user::text FROM made")
	}
	if first == second {
		t.Error("the same database twice")
	}
	if query[bool](t, first, "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user") {
		t.Error("row level security would not bind the tests")
	}
}

func TestDatabaseIsDroppedWithOpenConnections(t *testing.T) {
	var name string
	var leaked *pgx.Conn
	t.Run("use", func(t *testing.T) {
		url := pgtest.New(t)
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.QueryRow(t.Context(), "SELECT current_database()").Scan(&name); err != nil {
			t.Fatal(err)
		}
		leaked = conn // left open on purpose
	})
	defer leaked.Close(context.Background())
	if query[bool](t, pgtest.New(t), "SELECT EXISTS (SELECT FROM pg_database WHERE datname = '"+name+"')") {
		t.Errorf("%s is still there", name)
	}
}

func TestTemplateIsMadeOnceAndCopied(t *testing.T) {
	var made atomic.Int32
	name := "pgtest-test-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	migrate := func(ctx context.Context, url string) error {
		made.Add(1)
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, "CREATE TABLE thing AS SELECT 42 AS answer")
		return errors.Join(err, conn.Close(ctx))
	}
	urls := make([]string, 4)
	var all sync.WaitGroup
	for i := range urls {
		all.Go(func() { urls[i] = pgtest.Template(t, name, migrate) })
	}
	all.Wait()
	seen := map[string]bool{}
	for _, url := range urls {
		seen[url] = true
		if got := query[int](t, url, "SELECT answer FROM thing"); got != 42 {
			t.Errorf("got %d", got)
		}
	}
	if made.Load() != 1 || len(seen) != len(urls) {
		t.Errorf("migrated %d times into %d databases, want once into %d", made.Load(), len(seen), len(urls))
	}
}

func TestFingerprintSeesNamesAndContents(t *testing.T) {
	prints := map[string]bool{}
	for _, files := range []fs.FS{
		fstest.MapFS{"1.sql": {Data: []byte("a")}},
		fstest.MapFS{"1.sql": {Data: []byte("b")}},
		fstest.MapFS{"2.sql": {Data: []byte("a")}},
		fstest.MapFS{"1.sql": {Data: []byte("a")}, "2.sql": {}},
	} {
		print, err := pgtest.Fingerprint(files)
		if err != nil {
			t.Fatal(err)
		}
		prints[print] = true
	}
	if len(prints) != 4 {
		t.Errorf("got %v", prints)
	}
}

func TestClusterGoesWhenItsUsersAreGone(t *testing.T) {
	if os.Getenv("AFTERIMAGE_TEST_DATABASE_URL") != "" {
		return // there is no cluster of ours to watch
	}
	// Not t.TempDir: its parent is private, and root's server could not pass through.
	temporary, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temporary) })
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), childEnv+"=1", "TMPDIR="+temporary, "AFTERIMAGE_PGTEST_LINGER=50ms")
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); strings.TrimSpace(line) != "using" {
		t.Fatalf("child: %q, %v", line, err)
	}
	data := filepath.Join(temporary, "afterimage-pgtest-"+strconv.Itoa(os.Geteuid()), "cluster", "data")
	if _, err := os.Stat(data); err != nil {
		t.Fatal(err)
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()

	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(5 * time.Minute)
	for {
		if _, err := os.Stat(data); errors.Is(err, fs.ErrNotExist) {
			return
		}
		select {
		case <-deadline:
			t.Fatal("the cluster outlived its users")
		case <-tick.C:
		}
	}
}
