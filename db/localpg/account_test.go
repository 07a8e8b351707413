package localpg

import (
	"os"
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
