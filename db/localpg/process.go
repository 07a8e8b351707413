package localpg

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// identity is what a living process turns out to be.
type identity int

const (
	isUnknown  identity = iota // the system does not tell
	isStranger                 // not the server of the data folder
	isServer                   // it
)

// identify reports whether a process is the server of a data folder, which is absolute and without symbolic links.
//
// The proof is the working directory: a server changes into its data folder, under whatever path it was named to it. Other
// users' working directories are hidden from ordinary users and in some containers from root too; then the command line
// has to do, which everybody may read.
func identify(pid int, dataDir string) identity {
	at := filepath.Join("/proc", strconv.Itoa(pid))
	cmdline, err := os.ReadFile(filepath.Join(at, "cmdline"))
	if err != nil {
		return isUnknown
	}
	if len(cmdline) == 0 { // a zombie
		return isStranger
	}
	name, err := os.ReadFile(filepath.Join(at, "comm"))
	if err != nil {
		return isUnknown
	}
	if !isServerName(string(name)) {
		return isStranger
	}
	if namesFolder(cmdline, dataDir) {
		return isServer
	}
	works, err := os.Stat(filepath.Join(at, "cwd"))
	if err != nil {
		return isUnknown
	}
	if data, err := os.Stat(dataDir); err != nil || !os.SameFile(works, data) {
		return isStranger
	}
	return isServer
}

// isServerName knows the names that a server's process goes by; packagers' wrappers add to them (".postgres-wrapped").
func isServerName(name string) bool {
	return strings.Contains(name, "postgres") || strings.Contains(name, "postmaster")
}

func namesFolder(cmdline []byte, dataDir string) bool {
	arguments := bytes.Split(cmdline, []byte{0})
	for i, argument := range arguments {
		if string(argument) == "-D" && i+1 < len(arguments) && string(arguments[i+1]) == dataDir {
			return true
		}
	}
	return false
}

// isOtherProgram reports whether the process certainly is no PostgreSQL server at all. Systems without /proc are asked by ps.
func isOtherProgram(ctx context.Context, pid int) bool {
	name, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "comm"))
	if err != nil {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		name, err = exec.CommandContext(ctx, "ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	}
	return err == nil && len(bytes.TrimSpace(name)) > 0 && !isServerName(string(name))
}
