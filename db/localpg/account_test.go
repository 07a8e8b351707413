package localpg

import (
	"bytes"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

func TestPrivateFolderAboveTheDataIsNotOpened(t *testing.T) {
	private := filepath.Join(t.TempDir(), "private")
	dir := filepath.Join(private, "data", "postgres")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(private, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", filepath.Join(private, "data")) // so that private is not one of the temporary folders
	stranger := account{uid: os.Geteuid() + 12345, gid: os.Getegid() + 12345, switched: true}
	err := stranger.openPath(dir)
	if err == nil || !strings.Contains(err.Error(), "chmod o+x "+private) {
		t.Errorf("got %v", err)
	}
	if _, _, mode, err := ownerOf(private); err != nil || mode.Perm() != 0o700 {
		t.Errorf("mode became %v, %v", mode, err)
	}
	if got := stranger.barrier(dir); got != private {
		t.Errorf("barrier: got %q, want %q", got, private)
	}
	if err := (account{uid: os.Geteuid()}).openPath(dir); err != nil {
		t.Errorf("one's own server needs nobody's leave: %v", err)
	}
}

func TestWhoMayPassThroughAFolder(t *testing.T) {
	server := account{uid: 10, gid: 20}
	for _, c := range []struct {
		owner, group int
		mode         os.FileMode
		want         bool
	}{
		{10, 99, 0o100, true},
		{10, 20, 0o011, false}, // the owner's bits alone count for the owner
		{99, 20, 0o010, true},
		{99, 20, 0o001, false},
		{99, 99, 0o001, true},
		{99, 99, 0o770, false},
	} {
		if got := server.mayEnter(c.owner, c.group, c.mode); got != c.want {
			t.Errorf("owner %d, group %d, mode %o: got %v", c.owner, c.group, c.mode, got)
		}
	}
}

func TestAccountThatRootsServerGets(t *testing.T) {
	database := func(uids map[string]string) lookUpUser {
		return func(name string) (*user.User, error) {
			if uid, ok := uids[name]; ok {
				return &user.User{Uid: uid, Gid: uid}, nil
			}
			return nil, user.UnknownUserError(name)
		}
	}
	for _, c := range []struct {
		uids   map[string]string
		want   int
		shared bool
	}{
		{map[string]string{"nobody": "9", "afterimage": "8", "postgres": "7"}, 7, false},
		{map[string]string{"nobody": "9", "afterimage": "8"}, 8, false},
		{map[string]string{"nobody": "9", "afterimage": "8", "postgres": "0"}, 8, false}, // root by another name
		{map[string]string{"nobody": "9", "postgres": "S-1-5"}, 9, true},
	} {
		got, err := unprivilegedAccount(database(c.uids))
		if err != nil || got.uid != c.want || got.gid != c.want || !got.switched || got.shared != c.shared {
			t.Errorf("%v: got %+v, %v", c.uids, got, err)
		}
	}
	if _, err := unprivilegedAccount(database(nil)); err == nil || !strings.Contains(err.Error(), "make setup") {
		t.Errorf("no user at all: %v", err)
	}
}

// TestDataOfNobodyIsWarnedAbout stops at a cluster of another version: the warning comes before anything is started.
func TestDataOfNobodyIsWarnedAbout(t *testing.T) {
	nobody, known := idsOf(sharedUser, user.Lookup)
	dir := clusterDir(t)
	data := filepath.Join(dir, "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte("9.6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := known && os.Geteuid() == 0 // others run it as themselves
	if want {
		if err := os.Chown(data, nobody.uid, nobody.gid); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	_, err := Start(t.Context(), Config{Dir: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err == nil {
		t.Fatal("started")
	}
	if got := strings.Contains(log.String(), "level=WARN") && strings.Contains(log.String(), sharedUser); got != want {
		t.Errorf("warned %v, want %v: %s", got, want, log.String())
	}
}
