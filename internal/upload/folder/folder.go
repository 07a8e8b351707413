// Package folder finds the screenshots that another tool has left in a folder.
package folder

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// MaxScreenshots is how many one folder may hold, as many as a run.
const MaxScreenshots = 20_000

// Screenshot is a file with the name of what it shows.
type Screenshot struct {
	Name  string // the path below the folder, with slashes and without the ending: "checkout/step 2"
	Path  string
	Facts *Facts // what the tool that took it has left beside it; nil for nothing
}

// Found is what a folder holds.
type Found struct {
	Screenshots []Screenshot // by name
	Skipped     int          // PNG files that are no screenshots of this build: differences, references, failures
}

// skippedFolders hold what tools compare screenshots with, and the differences that they found.
var skippedFolders = []string{"diff", "diffs", "__diff_output__", "__received_output__"}

// skippedEndings are those of such files beside the screenshots: Playwright's, Cypress's and jest-image-snapshot's.
var skippedEndings = []string{"-diff", ".diff", "-actual", "-expected", "-received", " (failed)"}

// Find lists the PNG files in a folder and its subfolders. Hidden folders are left out.
func Find(dir string) (*Found, error) {
	found := &Found{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return enter(dir, path)
		case !entry.Type().IsRegular() || !strings.EqualFold(filepath.Ext(path), ".png"):
			return nil
		case inSkipped(dir, path):
			found.Skipped++
			return nil
		}
		name := nameOf(dir, path)
		if slices.ContainsFunc(skippedEndings, func(ending string) bool { return strings.HasSuffix(name, ending) }) {
			found.Skipped++
			return nil
		}
		facts, err := factsOf(path)
		if err != nil {
			return err
		}
		if facts != nil && facts.Name != "" {
			name = facts.Name
		}
		found.Screenshots = append(found.Screenshots, Screenshot{Name: name, Path: path, Facts: facts})
		if len(found.Screenshots) > MaxScreenshots {
			return fmt.Errorf("%s holds more than %d screenshots: upload fewer at once", dir, MaxScreenshots)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found.Screenshots, func(a, b Screenshot) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// enter leaves out folders that cannot hold screenshots; those of differences are walked, to count what is skipped.
func enter(dir, path string) error {
	base := filepath.Base(path)
	if path != dir && (strings.HasPrefix(base, ".") || base == "node_modules") {
		return filepath.SkipDir
	}
	return nil
}

func inSkipped(dir, path string) bool {
	below, err := filepath.Rel(dir, filepath.Dir(path))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(below), "/"), func(part string) bool {
		return slices.Contains(skippedFolders, part)
	})
}

func nameOf(dir, path string) string {
	below, err := filepath.Rel(dir, path)
	if err != nil {
		below = path
	}
	return filepath.ToSlash(strings.TrimSuffix(below, filepath.Ext(below)))
}
