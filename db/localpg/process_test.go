package localpg

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestServerStartedByHandIsAdopted: an operator's pg_ctl names the folder in its own way, and two servers on one folder
// would destroy the data.
func TestServerStartedByHandIsAdopted(t *testing.T) {
	dir := readyDir(t)
	first := start(t, dir)
	execute(t, first.URL(), "CREATE TABLE kept AS SELECT 42 AS answer")
	stop(t, first)
	link := filepath.Join(filepath.Dir(dir), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}

	for _, named := range []string{"./data", filepath.Join(link, "data")} {
		t.Run(named[:1], func(t *testing.T) {
			startByHand(t, first, named)
			byHand, running, err := findPostmaster(filepath.Join(dir, "data"))
			if err != nil || !running {
				t.Fatalf("pid %d, running %v, %v", byHand.pid, running, err)
			}
			before, err := os.ReadFile(pidFile(byHand.dataDir))
			if err != nil {
				t.Fatal(err)
			}
			if err := disownStale(t.Context(), pidFile(byHand.dataDir), byHand.dataDir); err != nil {
				t.Error(err)
			}
			if after, err := os.ReadFile(pidFile(byHand.dataDir)); err != nil || string(after) != string(before) {
				t.Errorf("the pid file of a living server became %q, %v", after, err)
			}

			adopted := start(t, dir)
			if adopted.pm.pid != byHand.pid {
				t.Errorf("server %d was started next to %d", adopted.pm.pid, byHand.pid)
			}
			if got := query[int](t, adopted.URL(), "SELECT answer FROM kept"); got != 42 {
				t.Errorf("got %d", got)
			}
			stop(t, adopted)
		})
	}
}

// startByHand runs pg_ctl in the cluster's folder as the server's account.
func startByHand(t *testing.T, s *Server, dataDir string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(s.bin.Dir, "pg_ctl"), "-D", dataDir, "-w", "-l", os.DevNull,
		"-o", "-k '"+s.folder.socketDir+"' -c listen_addresses=''", "start")
	command.Dir = s.folder.dir
	command.Env = environment(s.folder)
	command.SysProcAttr = s.folder.account.attributes()
	if err := command.Run(); err != nil { // its output would be held open by the server
		t.Fatalf("pg_ctl start: %v", err)
	}
}

func TestIdentify(t *testing.T) {
	data := t.TempDir()
	if got := identify(os.Getpid(), data); got != isStranger {
		t.Errorf("this process: %v", got)
	}
	if got := identify(1<<22+1, data); got != isUnknown { // above the highest number that Linux gives
		t.Errorf("no process: %v", got)
	}
	if !isOtherProgram(t.Context(), os.Getpid()) || isOtherProgram(t.Context(), 1<<22+1) {
		t.Error("this process is no server; of a missing one nothing is known")
	}
	for name, want := range map[string]bool{"postgres\n": true, ".postgres-wrapp": true, "postmaster": true, "sleep": false, "": false} {
		if isServerName(name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}

// TestPidOfAnotherClustersServer: after a reboot the number may belong to a server, only not ours.
func TestPidOfAnotherClustersServer(t *testing.T) {
	other := start(t, readyDir(t))
	dir := readyDir(t)
	mine := start(t, dir)
	content, err := os.ReadFile(pidFile(filepath.Join(dir, "data")))
	if err != nil {
		t.Fatal(err)
	}
	stop(t, mine)
	_, rest, _ := strings.Cut(string(content), "\n")
	path := pidFile(filepath.Join(dir, "data"))
	if err := os.WriteFile(path, []byte(strconv.Itoa(other.pm.pid)+"\n"+rest), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, mine.folder.account.uid, mine.folder.account.gid); err != nil {
		t.Fatal(err)
	}
	again := start(t, dir)
	if again.pm.pid == other.pm.pid {
		t.Error("adopted another cluster's server")
	}
	stop(t, again)
	if !other.pm.alive() {
		t.Error("another cluster's server was stopped")
	}
}
