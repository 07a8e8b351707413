// Package toolpath knows where `make setup` installs programs that the system's package manager does not provide.
// scripts/setup decides the location; the two must agree.
package toolpath

import (
	"os"
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
