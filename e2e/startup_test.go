package e2e

import (
	"encoding/base64"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStartRefusals wants one clear line and exit code 1 for what an operator can get wrong.
func TestStartRefusals(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"port in use", []string{"serve", "--data-dir", dataDir(t), "--listen", taken.Addr().String()}, "--listen"},
		{"data folder is a file", []string{"serve", "--data-dir", file, "--listen", "127.0.0.1:0"}, "--data-dir"},
		{"browser missing", []string{"serve", "--data-dir", dataDir(t), "--browser", "/nonexistent/browser"}, "--browser"},
		{"database unreachable", []string{"migrate", "--data-dir", dataDir(t), "--database-url",
			"postgres://nobody@127.0.0.1:1/none"}, "database"},
		{"tokens without TLS", []string{"serve", "--data-dir", dataDir(t), "--listen", "0.0.0.0:0", "--no-work"}, "--tls-cert"},
		{"half a certificate", []string{"serve", "--data-dir", dataDir(t), "--tls-cert", file, "--no-work"}, "--tls-key"},
		{"no certificate", []string{"serve", "--data-dir", dataDir(t), "--tls-cert", file, "--tls-key", file, "--no-work"}, "--tls-cert"},
		{"bad proxies", []string{"serve", "--data-dir", dataDir(t), "--trusted-proxies", "proxy.test", "--no-work"}, "--trusted-proxies"},
		{"bad secret key", []string{"migrate", "--data-dir", dataDir(t), "--secret-key", "short"}, "openssl"},
		{"a clock of tests", []string{"migrate", "--data-dir", dataDir(t), "--development-clock", file}, "--development"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := exec.Command(binary, c.args...).CombinedOutput()
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			var exit *exec.ExitError
			if !asExit(err, &exit) || exit.ExitCode() != 1 {
				t.Fatalf("ended with %v, want exit code 1:\n%s", err, out)
			}
			if len(lines) != 1 || !strings.HasPrefix(lines[0], "afterimage: ") || !contains(lines[0], c.want) {
				t.Errorf("said:\n%s\nwant one line with %q", out, c.want)
			}
		})
	}
}

// Processes with different keys could not read each other's secrets: the second one is told at its start.
func TestAnotherSecretKeyIsRefused(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	if out, err := exec.Command(binary, "migrate", "--data-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	other := base64.StdEncoding.EncodeToString(make([]byte, 32))
	out, err := exec.Command(binary, "migrate", "--data-dir", dir, "--secret-key", other).CombinedOutput()
	if err == nil || !contains(string(out), "--secret-key") {
		t.Errorf("with another key: %v\n%s", err, out)
	}
}

func asExit(err error, exit **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError) //nolint:errorlint // exec returns it bare
	*exit = e
	return ok
}

// answerLimit is far more than the second in which requests are answered: the machine that runs tests is busy, and times
// are for benchmarks.
const answerLimit = time.Minute

// withoutDatabase is what those log who need the database all the time.
var withoutDatabase = []string{
	"private Postgres exited unexpectedly", "private Postgres could not be restarted",
	"notifier.Notifier: Error", "producer: Error", "producer: Producer status update, error", "producer: Queue status update, error",
	"leadership.Elector: Error", "maintenance.QueueMaintainerLeader: Error",
	"maintenance.JobCleaner: Error cleaning jobs", "maintenance.JobRescuer: Error rescuing jobs",
	"maintenance.JobScheduler: Error scheduling jobs", "maintenance.QueueCleaner: Error cleaning queues",
	"maintenance.PeriodicJobEnqueuer: Error", "maintenance.Reindexer: Error",
	"jobcompleter.BatchCompleter: Error completing batch", "jobcompleter.BatchCompleter: Completer error (will retry after sleep)",
	"jobcompleter.BatchCompleter: Too many errors; giving up", // its jobs are started over
	"jobexecutor.JobExecutor: Failed to report error for job",
}

// TestDatabaseGone takes the database away under a running service: requests are refused and do not hang, and the
// service recovers by itself.
func TestDatabaseGone(t *testing.T) {
	t.Parallel()
	host := pages(t, &site{})
	s := serveAlone(t, dataDir(t), []string{host})
	s.allowed = withoutDatabase
	group := s.group(nil, "http://"+host+"/still")
	refused := 0
	for range 3 {
		end(t, postmaster(t, s.dir))
		waitFor(t, "the service to recover", func() bool {
			began := time.Now()
			a, err := s.try("GET", "/api/v2/groups", nil)
			took := time.Since(began)
			if err != nil || took > answerLimit || a.status != 200 && a.status != 503 {
				t.Errorf("without the database: status %d after %s: %v %s", a.status, took, err, a.body)
			}
			if a.status == 503 {
				refused++
			}
			return a.status == 200
		})
	}
	if refused == 0 {
		t.Error("the database was never seen to be away: the test shows nothing")
	}
	for _, e := range s.await(s.take(group, "pre")) {
		if e.Status != "done" {
			t.Errorf("after the recovery %s is %s: %s", e.Device, e.Status, deref(e.ErrorMsg))
		}
	}
	s.check()
}

// end takes the database down as its crash would and waits until it is gone.
func end(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the database to end", func() bool { return syscall.Kill(pid, 0) != nil })
}

// postmaster is the process id of the private database.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	var pid int
	waitFor(t, "the database's pid file", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "postgres", "*", "postmaster.pid"))
		direct, _ := filepath.Glob(filepath.Join(dir, "postgres", "postmaster.pid"))
		for _, path := range append(found, direct...) {
			content, err := os.ReadFile(path)
			line, _, _ := strings.Cut(string(content), "\n")
			if n, convErr := strconv.Atoi(line); err == nil && convErr == nil {
				pid = n
				return true
			}
		}
		return false
	})
	return pid
}
