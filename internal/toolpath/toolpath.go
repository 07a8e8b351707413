// Package toolpath knows where `make setup` installs programs that the system's package manager does not provide.
// scripts/setup decides the location; the two must agree.
package toolpath

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Folders lists the folders that may hold such programs, the preferred one first: one that the environment names, the
// user's own, and root's, which other users can enter too.
func Folders() []string {
	var folders []string
	if dir := os.Getenv("AFTERIMAGE_TOOLS_DIR"); dir != "" {
		folders = append(folders, dir)
	}
	data := os.Getenv("XDG_DATA_HOME")
	if home, err := os.UserHomeDir(); data == "" && err == nil {
		data = filepath.Join(home, ".local", "share")
	}
	if data != "" {
		folders = append(folders, filepath.Join(data, "afterimage", "tools"))
	}
	return append(folders, "/usr/local/lib/afterimage/tools")
}

// Find returns the path of a program: one on the PATH, else the file of that path below one of the folders. It is empty when
// there is none.
func Find(name, unpacked string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, folder := range Folders() {
		path := filepath.Join(folder, unpacked)
		if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}
