// Package docs holds the documents, which this test reads.
package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	fence   = regexp.MustCompile("(?s)```.*?```")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	shown   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	unnamed = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

// TestLinksLeadSomewhere: each link of a document to a file or a heading of the repository has its target.
func TestLinksLeadSomewhere(t *testing.T) {
	links := 0
	for _, file := range documents(t) {
		for _, found := range link.FindAllStringSubmatch(fence.ReplaceAllString(read(t, file), ""), -1) {
			target := found[1]
			if strings.Contains(target, ":") || strings.HasPrefix(target, "/") {
				continue
			}
			links++
			name, anchor, _ := strings.Cut(target, "#")
			path := filepath.Join(filepath.Dir(file), name)
			if name == "" {
				path = file
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s links to %s, which does not exist", file, target)
			} else if anchor != "" && !slices.Contains(anchors(read(t, path)), anchor) {
				t.Errorf("%s links to %s, a heading that does not exist", file, target)
			}
		}
	}
	if links < 400 {
		t.Errorf("only %d links were found", links)
	}
}

// documents are the Markdown files of the repository.
func documents(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || entry.Name() == ".git"):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// anchors are the names of a document's headings in links, as GitHub makes them.
func anchors(text string) (names []string) {
	seen := map[string]int{}
	for _, found := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		name := strings.ToLower(strings.TrimSpace(shown.ReplaceAllString(found[1], "$1")))
		name = strings.ReplaceAll(unnamed.ReplaceAllString(name, ""), " ", "-")
		if n := seen[name]; n > 0 {
			names = append(names, name+"-"+strconv.Itoa(n))
		} else {
			names = append(names, name)
		}
		seen[name]++
	}
	return names
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
