package localpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// account is the operating system account that the server runs under.
type account struct {
	uid, gid int
	switched bool // it differs from this process's: possible for root only
	shared   bool // it is nobody's, under which unrelated services may run too
}

// unprivileged are the accounts that root's server may use, the preferred one first. initdb needs one with an entry in
// the user database. afterimage is made by `make setup` where there is no postgres. What runs as nobody can be read and
// stopped by everything else that does, so that comes last.
var unprivileged = []string{"postgres", "_postgres", "afterimage", sharedUser}

const sharedUser = "nobody"

// lookUpUser is [user.Lookup], or a test's user database.
type lookUpUser func(name string) (*user.User, error)

// serverAccount decides under which account the server runs: the owner of an existing cluster, or for root a system
// account, or this process's own.
func serverAccount(dataDir string) (account, error) {
	self := account{uid: os.Geteuid(), gid: os.Getegid()}
	owner, group, _, err := ownerOf(dataDir)
	exists := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return account{}, fmt.Errorf("private Postgres: %w", err)
	}
	if self.uid != 0 {
		if exists && owner != self.uid {
			return account{}, fmt.Errorf("the cluster %s belongs to user id %d and this process runs as %d: run it as that user, "+
				"or as root if root created it, or choose another data folder", dataDir, owner, self.uid)
		}
		return self, nil
	}
	if exists && owner != 0 {
		nobody, known := idsOf(sharedUser, user.Lookup)
		return account{uid: owner, gid: group, switched: true, shared: known && nobody.uid == owner}, nil
	}
	return unprivilegedAccount(user.Lookup)
}

// unprivilegedAccount is the first of the unprivileged accounts that exists.
func unprivilegedAccount(lookUp lookUpUser) (account, error) {
	for _, name := range unprivileged {
		if a, ok := idsOf(name, lookUp); ok && a.uid != 0 {
			a.switched, a.shared = true, name == sharedUser
			return a, nil
		}
	}
	return account{}, fmt.Errorf("PostgreSQL refuses to run as root and none of the system users %s exists: run `make setup`, or create "+
		"one (useradd --system --no-create-home afterimage), or run as an ordinary user, or set DATABASE_URL",
		strings.Join(unprivileged, ", "))
}

func idsOf(name string, lookUp lookUpUser) (account, bool) {
	entry, err := lookUp(name)
	if err != nil {
		return account{}, false
	}
	uid, errUID := strconv.Atoi(entry.Uid)
	gid, errGID := strconv.Atoi(entry.Gid)
	return account{uid: uid, gid: gid}, errUID == nil && errGID == nil
}

// attributes make a child process run as the account, in a session of its own: a Ctrl-C at the terminal must not shut
// the server down under a program that is still finishing its work.
func (a account) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setsid: true}
	if a.switched {
		attributes.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
	return attributes
}

// claim gives a folder that this process has just made, or made earlier, to the account. It refuses one that somebody
// else made: in a shared temporary directory that would be an attempt to catch the connection.
func (a account) claim(dir string) error {
	owner, _, mode, err := ownerOf(dir)
	if err != nil {
		return err
	}
	if !mode.IsDir() || (owner != a.uid && owner != os.Geteuid()) {
		return fmt.Errorf("%s must be a folder of user id %d, but belongs to %d (%s): remove it", dir, a.uid, owner, mode)
	}
	if owner != a.uid {
		if err := os.Lchown(dir, a.uid, a.gid); err != nil {
			return err
		}
	}
	if mode.Perm() != 0o700 {
		return os.Chmod(dir, 0o700) //nolint:gosec // a folder needs its search bit
	}
	return nil
}

// mayEnter reports whether the account may pass through a folder with that owner, group and mode.
func (a account) mayEnter(owner, group int, mode fs.FileMode) bool {
	switch {
	case owner == a.uid:
		return mode&0o100 != 0
	case group == a.gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}

// openPath makes sure that the account can reach dir. Folders that are private to this process's user are opened for
// the account's group to pass through, never to list, when they are the cluster's folder, the data folder above it, or
// temporary; anything above is somebody's home and not ours to change, so it is an error with the remedy.
func (a account) openPath(dir string) error {
	if !a.switched {
		return nil
	}
	temporary, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		temporary = os.TempDir()
	}
	for at := dir; ; at = filepath.Dir(at) {
		owner, group, mode, err := ownerOf(at)
		if err != nil {
			return fmt.Errorf("private Postgres: %w", err)
		}
		if !a.mayEnter(owner, group, mode) {
			ours := at == dir || at == filepath.Dir(dir) || isWithin(at, temporary)
			private := owner == os.Geteuid() && mode.Perm()&0o077 == 0
			if !ours || !private || isHome(at) {
				return fmt.Errorf("root runs PostgreSQL as user id %d, which cannot pass through %s (%s): choose another data "+
					"folder, such as /var/lib/afterimage, or let others pass with: chmod o+x %s", a.uid, at, mode, at)
			}
			if err := a.letPass(at, mode); err != nil {
				return fmt.Errorf("private Postgres: %w", err)
			}
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// barrier is the first folder on the way up from dir that the account cannot pass through, or "" when it can reach dir.
func (a account) barrier(dir string) string {
	if !a.switched {
		return ""
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir
	}
	for at := resolved; ; at = filepath.Dir(at) {
		owner, group, mode, err := ownerOf(at)
		if err != nil || !a.mayEnter(owner, group, mode) {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

func (a account) letPass(dir string, mode fs.FileMode) error {
	if err := os.Lchown(dir, -1, a.gid); err != nil {
		return err
	}
	return os.Chmod(dir, mode.Perm()|0o010)
}

func isWithin(path, parent string) bool {
	return path == parent || strings.HasPrefix(path, parent+string(filepath.Separator))
}

func isHome(path string) bool {
	home, err := os.UserHomeDir()
	return err == nil && filepath.Clean(home) == path
}
