package localpg

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestFreshClusterIsPrivateAndItsRoleIsBound(t *testing.T) {
	dir := clusterDir(t)
	server := start(t, dir)

	attributes := query[string](t, server.URL(),
		"SELECT concat_ws(' ', current_user, current_database(), rolsuper, rolbypassrls, rolcreaterole, rolcreatedb) FROM pg_roles WHERE "+
			"rolname = current_user")
	if want := "afterimage afterimage f f f f"; attributes != want {
		t.Errorf("role and database: got %q, want %q", attributes, want)
	}
	for name, want := range map[string]string{"listen_addresses": "", "fsync": "on", "synchronous_commit": "on", "TimeZone": "UTC",
		"data_checksums": "on", "server_encoding": "UTF8"} {
		if got := query[string](t, server.URL(), "SELECT current_setting('"+name+"')"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, folder := range []string{"data", "socket"} {
		uid, _, mode, err := ownerOf(filepath.Join(dir, folder))
		if err != nil || mode.Perm() != 0o700 || uid == 0 {
			t.Errorf("%s: mode %v, owner %d, %v", folder, mode, uid, err)
		}
	}
	execute(t, server.URL(), "CREATE TABLE owned (id int)")
	runs, _, err := findPostmaster(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	env, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(runs.pid), "environ"))
	for _, kept := range keptMemory {
		if err != nil || !strings.Contains(string(env), kept) {
			t.Errorf("the server runs without %s: %v", kept, err)
		}
	}
}

func TestDataSurvivesARestart(t *testing.T) {
	dir := readyDir(t)
	first := start(t, dir)
	execute(t, first.URL(), "CREATE TABLE kept AS SELECT 42 AS answer")
	stop(t, first)
	if _, running, err := findPostmaster(filepath.Join(dir, "data")); running || err != nil {
		t.Fatalf("after Stop: running %v, %v", running, err)
	}
	stop(t, first) // a second time does nothing

	second := start(t, dir)
	if second.URL() != first.URL() {
		t.Errorf("URL changed from %s to %s", first.URL(), second.URL())
	}
	if got := query[int](t, second.URL(), "SELECT answer FROM kept"); got != 42 {
		t.Errorf("got %d", got)
	}
}

func TestServerOfAKilledProcessIsAdopted(t *testing.T) {
	dir := readyDir(t)
	child := startChild(t, dir)
	orphan, running, err := findPostmaster(filepath.Join(dir, "data"))
	if err != nil || !running {
		t.Fatalf("running %v, %v", running, err)
	}
	kill9(t, child)
	if !orphan.alive() {
		t.Fatal("the server died with its parent")
	}

	server := start(t, dir)
	if server.pm.pid != orphan.pid {
		t.Errorf("started server %d next to %d", server.pm.pid, orphan.pid)
	}
	if got := query[int](t, server.URL(), "SELECT 1"); got != 1 {
		t.Error("adopted server does not answer")
	}
	stop(t, server)
	if orphan.alive() {
		t.Error("the adopted server was not stopped")
	}
}

func TestTheLastUserStopsTheServer(t *testing.T) {
	dir := readyDir(t)
	child := startChild(t, dir)
	server := start(t, dir)
	stop(t, server)
	if !server.pm.alive() {
		t.Fatal("stopped under another process")
	}
	kill9(t, child)

	last := start(t, dir)
	stop(t, last)
	if last.pm.alive() {
		t.Error("the last user left the server running")
	}
}

func TestManyProcessesStartOneServer(t *testing.T) {
	dir := clusterDir(t)
	const users = 4
	servers := make(chan *Server, users)
	for range users {
		go func() {
			server, err := Start(context.Background(), Config{Dir: dir})
			if err != nil {
				t.Error(err)
			}
			servers <- server
		}()
	}
	pids := map[int]bool{}
	for range users {
		server := <-servers
		if server == nil {
			continue
		}
		pids[server.pm.pid] = true
		defer stop(t, server)
	}
	if len(pids) != 1 {
		t.Errorf("servers: %v, want one", pids)
	}
}

func TestAKilledServerIsStartedAgain(t *testing.T) {
	dir := readyDir(t)
	server := start(t, dir)
	execute(t, server.URL(), "CREATE TABLE kept AS SELECT 42 AS answer")
	found, _, err := findPostmaster(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(found.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		var answer int
		conn, err := pgx.Connect(ctx, server.URL())
		if err == nil {
			err = conn.QueryRow(ctx, "SELECT answer FROM kept").Scan(&answer)
			_ = conn.Close(ctx)
		}
		if answer == 42 {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("not back: %v", err)
		case <-tick.C:
		}
	}
}

func TestOtherMajorVersionIsRefusedAndUntouched(t *testing.T) {
	dir := clusterDir(t)
	data := filepath.Join(dir, "data")
	if err := os.MkdirAll(filepath.Join(data, "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte("9.6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, data)
	_, err := Start(t.Context(), Config{Dir: dir})
	if !errors.Is(err, ErrOtherMajor) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{data, "version 9", "pg_upgrade", "Nothing was changed"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q lacks %q", err, part)
		}
	}
	if after := snapshot(t, data); after != before {
		t.Errorf("the folder changed:\n%s\nto\n%s", before, after)
	}
}

func TestForeignFilesAreNotTakenForACluster(t *testing.T) {
	dir := clusterDir(t)
	data := filepath.Join(dir, "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "thesis.txt"), []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, data)
	_, err := Start(t.Context(), Config{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "PG_VERSION is missing") {
		t.Fatalf("got %v", err)
	}
	if after := snapshot(t, data); after != before {
		t.Errorf("the folder changed:\n%s\nto\n%s", before, after)
	}
}

// snapshot lists names, modes, owners, times and content sizes below dir.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		uid, gid, mode, err := ownerOf(path)
		lines = append(lines, strings.Join([]string{path, mode.String(), strconv.Itoa(uid), strconv.Itoa(gid),
			info.ModTime().String(), strconv.FormatInt(info.Size(), 10)}, " "))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func TestHalfMadeClusterIsMadeAnew(t *testing.T) {
	dir := clusterDir(t)
	half := filepath.Join(dir, "data.new")
	if err := os.MkdirAll(filepath.Join(half, "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(half, "PG_VERSION"), []byte("15\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := start(t, dir)
	query[int](t, server.URL(), "SELECT 1")
	if _, err := os.Stat(half); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("data.new is still there: %v", err)
	}
}

func TestFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Config{Dir: filepath.Join(file, "postgres")})
	if err == nil || !strings.Contains(err.Error(), "choose a data folder that this user may write to") {
		t.Errorf("got %v", err)
	}
}

func TestMissingBinaries(t *testing.T) {
	empty := t.TempDir()
	_, err := Start(t.Context(), Config{Dir: clusterDir(t), BinDir: empty})
	if !errors.Is(err, ErrNotInstalled) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{empty, "make setup", "DATABASE_URL"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q lacks %q", err, part)
		}
	}
}

func TestLongPathGetsAShortSocket(t *testing.T) {
	dir := filepath.Join(filepath.Dir(clusterDir(t)), strings.Repeat("long-", 20), "postgres")
	server := start(t, dir)
	socket := filepath.Join(server.folder.socketDir, ".s.PGSQL.5432")
	t.Cleanup(func() { _ = os.RemoveAll(server.folder.socketDir) })
	if len(socket) > maxSocketPath {
		t.Errorf("%s has %d bytes", socket, len(socket))
	}
	query[int](t, server.URL(), "SELECT 1")
}

func TestSocketFolderOfSomebodyElseIsRefused(t *testing.T) {
	dir := "/" // root's
	if os.Geteuid() == 0 {
		dir = t.TempDir()
		if err := os.Chown(dir, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	if err := (account{uid: 54321, gid: 54321, switched: true}).claim(dir); err == nil {
		t.Error("claimed a folder of somebody else")
	}
}

func TestEphemeralDataGoesWithTheLastUser(t *testing.T) {
	dir := clusterDir(t)
	server, err := Start(t.Context(), Config{Dir: dir, Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	if !query[bool](t, server.URL(), "SELECT rolcreatedb FROM pg_roles WHERE rolname = current_user") {
		t.Error("role may not create databases")
	}
	stop(t, server)
	if _, err := os.Stat(filepath.Join(dir, "data")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("data is still there: %v", err)
	}
}

func TestNothingListensOnTCP(t *testing.T) {
	server := start(t, readyDir(t))
	if got := query[string](t, server.URL(), "SELECT coalesce(inet_server_addr()::text, 'socket')"); got != "socket" {
		t.Errorf("connected over %s", got)
	}
	conn, err := net.DialTimeout("unix", filepath.Join(server.folder.socketDir, ".s.PGSQL.5432"), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
}
