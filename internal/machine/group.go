package machine

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"
)

// groupRoot is where control groups are mounted.
const groupRoot = "/sys/fs/cgroup"

// group is a control group of version 2, with those that it is part of (Documentation/admin-guide/cgroup-v2.rst of Linux). What is not
// there limits nothing.
type group struct {
	root string
	name string // below root, such as /system.slice/afterimage.service
}

// ownGroup is the group of this process. In a container that sees nothing but its own group that is the root.
func ownGroup(proc procfs.FS, root string) group {
	g := group{root: root, name: "/"}
	self, err := proc.Self()
	if err != nil {
		return g
	}
	groups, err := self.Cgroups()
	if err != nil {
		return g
	}
	for _, one := range groups {
		if one.HierarchyID != 0 {
			continue
		}
		if info, err := os.Stat(filepath.Join(root, one.Path)); err == nil && info.IsDir() {
			g.name = path.Clean("/" + one.Path)
		}
	}
	return g
}

// cpuTime is the processor time that the group has used; 0 if unknown.
func (g group) cpuTime() time.Duration {
	return time.Duration(g.figure(g.name, "cpu.stat", "usage_usec")) * time.Microsecond
}

// memoryLeft is the smallest part of a limit on memory that is not used, in bytes. Cached files that nobody has used lately count as
// unused.
func (g group) memoryLeft() (left int64, limited bool) {
	for name := g.name; ; name = path.Dir(name) { // which gets shorter until it is the root
		if limit := g.figure(name, "memory.max", ""); limit > 0 {
			rest := limit - g.figure(name, "memory.current", "") + g.figure(name, "memory.stat", "inactive_file")
			if !limited || rest < left {
				left, limited = max(0, rest), true
			}
		}
		if name == "/" {
			return left, limited
		}
	}
}

// figure reads a number of a group: that of a file, or that behind a key. It is 0 where there is none.
func (g group) figure(name, file, key string) int64 {
	content, err := os.ReadFile(filepath.Join(g.root, name, file))
	if err != nil {
		return 0
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		text := lines.Text()
		if key != "" {
			var found bool
			if text, found = strings.CutPrefix(text, key+" "); !found {
				continue
			}
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return 0 // such as "max"
		}
		return n
	}
	return 0
}
