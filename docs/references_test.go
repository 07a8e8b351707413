package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	decision = regexp.MustCompile(`\bdecisions? (\d+)\b`)
	named    = regexp.MustCompile(`\bdocs/[a-z0-9/-]+\.md\b`)
	former   = regexp.MustCompile(`(?m)^\| (\d+) \|`)
)

// TestSourcesNameWhatExists: each decision and each document that a source file, a setting or a document names is there.
// Migrations that were released keep the numbers that decisions had then.
func TestSourcesNameWhatExists(t *testing.T) {
	now, before := currentDecisions(t), formerDecisions(t)
	decisions, paths := 0, 0
	for _, file := range sources(t) {
		text := read(t, file)
		released := strings.HasPrefix(file, "../db/schema/migrations/") || strings.HasPrefix(file, "../docs/decisions/")
		for _, found := range decision.FindAllStringSubmatch(text, -1) {
			decisions++
			if number := found[1]; !slices.Contains(now, number) && (!released || !slices.Contains(before, number)) {
				t.Errorf("%s names decision %s, which does not exist", file, number)
			}
		}
		for _, name := range named.FindAllString(text, -1) {
			paths++
			if _, err := os.Stat("../" + name); err != nil {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
		}
	}
	if decisions < 30 || paths < 100 {
		t.Errorf("only %d decisions and %d documents were found", decisions, paths)
	}
}

// currentDecisions are the numbers of the documents.
func currentDecisions(t *testing.T) (numbers []string) {
	t.Helper()
	entries, err := os.ReadDir("decisions")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if number, _, numbered := strings.Cut(entry.Name(), "-"); numbered {
			numbers = append(numbers, strings.TrimLeft(number, "0"))
		}
	}
	return numbers
}

// formerDecisions are the numbers that the index lists as merged into other documents.
func formerDecisions(t *testing.T) (numbers []string) {
	t.Helper()
	for _, row := range former.FindAllStringSubmatch(read(t, "decisions/README.md"), -1) {
		numbers = append(numbers, row[1])
	}
	return numbers
}

// sources are the files of the repository that people write.
func sources(t *testing.T) (files []string) {
	t.Helper()
	written := []string{".go", ".md", ".sql", ".ts", ".tsx", ".yml", ".yaml", ".graphqls", ".service"}
	skipped := []string{".git", "bin", "dist", "generated", "node_modules", "testdata"}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skipped, entry.Name()):
			return filepath.SkipDir
		case !entry.IsDir() && slices.Contains(written, filepath.Ext(path)):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
