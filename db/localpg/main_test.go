package localpg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
)

// childEnv makes the test binary a program that starts the cluster in the named folder, says so and waits to be killed.
const childEnv = "AFTERIMAGE_LOCALPG_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		os.Exit(runChild(dir))
	}
	keepInMemory()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(made.root)
		os.Exit(code)
	}))
}

// keepInMemory lets the folders of tests be in memory where the machine has such a place: their clusters are flushed to the disk as
// those of a service.
func keepInMemory() {
	const memory = "/dev/shm"
	if probe, err := os.MkdirTemp(memory, "localpg-"); err == nil {
		_ = os.Remove(probe)
		_ = os.Setenv("TMPDIR", memory)
	}
}

// made is a stopped cluster of which tests get copies that are not about making one: that takes longer than most of them.
var made struct {
	sync.Once
	root string
	err  error
}

// readyDir is clusterDir with a cluster in it.
func readyDir(t *testing.T) string {
	t.Helper()
	made.Do(func() { made.err = makeCluster() })
	if made.err != nil {
		t.Fatal(made.err)
	}
	dir := clusterDir(t)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	copied := exec.CommandContext(t.Context(), "cp", "-a", filepath.Join(made.root, "postgres", "data"), filepath.Join(dir, "data"))
	if said, err := copied.CombinedOutput(); err != nil {
		t.Fatalf("copy the cluster: %v: %s", err, said)
	}
	return dir
}

func makeCluster() (err error) {
	if made.root, err = os.MkdirTemp("", "localpg-made-"); err != nil {
		return err
	}
	server, err := Start(context.Background(), Config{Dir: filepath.Join(made.root, "postgres")})
	if err != nil {
		return err
	}
	return server.Stop(context.Background())
}

func runChild(dir string) int {
	if _, err := Start(context.Background(), Config{Dir: dir}); err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test closes it or kills us
	return 0
}

// startChild runs another process that uses the cluster in dir and returns when its server is ready.
func startChild(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), childEnv+"="+dir)
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close() })
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if strings.TrimSpace(line) != "ready" {
		t.Fatalf("child process: %q, %v", line, err)
	}
	return command
}

func kill9(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if err := command.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var ended *exec.ExitError
	if err := command.Wait(); !errors.As(err, &ended) {
		t.Fatalf("wait for the killed child: %v", err)
	}
}

// clusterDir is a fresh folder whose server, if any is left running by a test, is stopped at its end.
func clusterDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "postgres")
	t.Cleanup(func() {
		left, running, err := findPostmaster(filepath.Join(dir, "data"))
		if err != nil || !running {
			return
		}
		t.Errorf("server %d was left running", left.pid)
		_ = syscall.Kill(left.pid, syscall.SIGKILL)
	})
	return dir
}

func start(t *testing.T, dir string) *Server {
	t.Helper()
	server, err := Start(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, server) })
	return server
}

func stop(t *testing.T, server *Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := server.Stop(ctx); err != nil {
		t.Error(err)
	}
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func query[T any](t *testing.T, url, sql string) T {
	t.Helper()
	conn := connect(t, url)
	var value T
	if err := conn.QueryRow(t.Context(), sql).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	_ = conn.Close(t.Context())
	return value
}

func execute(t *testing.T, url, sql string) {
	t.Helper()
	conn := connect(t, url)
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	_ = conn.Close(t.Context())
}
