package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"afterimage/internal/toolpath"
)

// MinMajor is the oldest PostgreSQL major version that is used.
const MinMajor = 14

// ErrNotInstalled means that no usable PostgreSQL server programs were found.
var ErrNotInstalled = errors.New("no PostgreSQL server programs found")

// ErrOtherMajor means that a cluster was written by a major version that is not installed.
var ErrOtherMajor = errors.New("the cluster was written by another major version of PostgreSQL")

// Binaries are the server programs of one PostgreSQL installation.
type Binaries struct {
	Dir   string // the folder of initdb and postgres
	Major int    // e.g. 15
}

func (b Binaries) initdb() string   { return filepath.Join(b.Dir, "initdb") }
func (b Binaries) postgres() string { return filepath.Join(b.Dir, "postgres") }

// systemPatterns are the folders where distributions put the server programs, which are rarely on the PATH.
var systemPatterns = []string{
	"/usr/lib/postgresql/*/bin",             // Debian, Ubuntu
	"/usr/pgsql-*/bin",                      // PostgreSQL's own RPM packages
	"/usr/libexec/postgresql*",              // Alpine
	"/opt/homebrew/opt/postgresql@*/bin",    // Homebrew on Apple silicon
	"/usr/local/opt/postgresql@*/bin",       // Homebrew on Intel
	"/usr/local/pgsql/bin",                  // built from source
	"/Library/PostgreSQL/*/bin",             // EDB installer
	"/Applications/Postgres.app/*/*/*/bin/", // Postgres.app
}

// FindBinaries lists the usable installations, the preferred one first: those on the PATH, then those of the system
// from the newest to the oldest, then those that `make setup` unpacked. A given dir is the only one looked at.
// The list is empty when there is none.
func FindBinaries(ctx context.Context, dir string) []Binaries {
	if dir != "" {
		return usable(ctx, []string{dir})
	}
	var onPath []string
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(folder) {
			onPath = append(onPath, folder)
		}
	}
	found := usable(ctx, onPath)
	var system []string
	for _, pattern := range systemPatterns {
		matches, _ := filepath.Glob(pattern) // the only error is a malformed pattern
		system = append(system, matches...)
	}
	installed := usable(ctx, system)
	sort.SliceStable(installed, func(i, j int) bool { return installed[i].Major > installed[j].Major })
	found = append(found, installed...)
	for _, folder := range toolpath.Folders() {
		found = append(found, usable(ctx, []string{filepath.Join(folder, "postgres", "bin")})...)
	}
	return found
}

func usable(ctx context.Context, folders []string) []Binaries {
	var found []Binaries
	for _, folder := range folders {
		candidate := Binaries{Dir: folder}
		if !executable(candidate.initdb()) || !executable(candidate.postgres()) {
			continue
		}
		major, err := majorOf(ctx, candidate.postgres())
		if err != nil || major < MinMajor {
			continue
		}
		candidate.Major = major
		found = append(found, candidate)
	}
	return found
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

var versionLine = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

func majorOf(ctx context.Context, program string) (int, error) {
	out, err := exec.CommandContext(ctx, program, "--version").Output()
	if err != nil {
		return 0, fmt.Errorf("%s --version: %w", program, err)
	}
	match := versionLine.FindSubmatch(out)
	if match == nil {
		return 0, fmt.Errorf("%s --version says %q", program, out)
	}
	return strconv.Atoi(string(match[1]))
}

// binariesFor picks the installation for a cluster: any for a new one, the same major version for an existing one.
func binariesFor(ctx context.Context, binDir string, f folder) (Binaries, error) {
	dataDir := f.data()
	found := FindBinaries(ctx, binDir)
	if len(found) == 0 {
		return Binaries{}, notInstalled(binDir)
	}
	blocked := ""
	found = slices.DeleteFunc(found, func(candidate Binaries) bool {
		barrier := f.account.barrier(candidate.Dir)
		if barrier != "" {
			blocked = barrier
		}
		return barrier != ""
	})
	if len(found) == 0 {
		return Binaries{}, fmt.Errorf("%w that user id %d may run: it cannot pass through %s. Install PostgreSQL for the whole "+
			"system, or run as the user that it belongs to", ErrNotInstalled, f.account.uid, blocked)
	}
	major, err := clusterMajor(dataDir)
	if errors.Is(err, os.ErrNotExist) {
		return found[0], nil
	}
	if err != nil {
		return Binaries{}, err
	}
	var have []string
	for _, candidate := range found {
		if candidate.Major == major {
			return candidate, nil
		}
		have = append(have, fmt.Sprintf("%d (%s)", candidate.Major, candidate.Dir))
	}
	return Binaries{}, fmt.Errorf("%w: %s is version %d, installed is %s. Nothing was changed. Install PostgreSQL %d, "+
		"or move the data with pg_upgrade or pg_dump, or choose another data folder",
		ErrOtherMajor, dataDir, major, strings.Join(have, ", "), major)
}

func notInstalled(binDir string) error {
	where := "on the PATH, in the system's usual folders or where `make setup` puts them"
	if binDir != "" {
		where = "in " + binDir
	}
	return fmt.Errorf("%w: initdb and postgres of version %d or newer are not %s. Run `make setup`, or install your "+
		"system's PostgreSQL server package, or set DATABASE_URL to a database of your own", ErrNotInstalled, MinMajor, where)
}

// clusterMajor reads PG_VERSION. It fails with os.ErrNotExist when the folder holds no cluster yet.
func clusterMajor(dataDir string) (int, error) {
	raw, err := os.ReadFile(filepath.Join(dataDir, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, foreignData(dataDir)
	}
	if err != nil {
		return 0, fmt.Errorf("read the version of the cluster: %w", err)
	}
	// Versions before 10 had two parts, e.g. "9.6".
	text, _, _ := strings.Cut(strings.TrimSpace(string(raw)), ".")
	major, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s contains %q, which is not a version: restore the folder from a backup, or move it away",
			filepath.Join(dataDir, "PG_VERSION"), text)
	}
	return major, nil
}

// foreignData tells a missing or empty data folder (os.ErrNotExist) from one that holds something else.
func foreignData(dataDir string) error {
	entries, err := os.ReadDir(dataDir)
	if errors.Is(err, os.ErrNotExist) || (err == nil && len(entries) == 0) {
		return os.ErrNotExist
	}
	if err != nil {
		return fmt.Errorf("look into the data folder: %w", err)
	}
	return fmt.Errorf("%s contains files but no PostgreSQL cluster (PG_VERSION is missing); nothing was changed: "+
		"move it away, or choose another data folder", dataDir)
}
