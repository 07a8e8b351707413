package diffcli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// maxFiles bounds how many pictures one folder may have.
const maxFiles = 1_000_000

// extensions are the files that folders are searched for, in lower case.
var extensions = []string{".png", ".jpg", ".jpeg", ".webp"}

// matching is what two folders have in common and what not, by name.
type matching struct {
	pairs                 []pair
	onlyBefore, onlyAfter []pair
}

// match finds the pictures of two folders.
func match(before, after string) (matching, error) {
	a, err := listPictures(before)
	if err != nil {
		return matching{}, err
	}
	b, err := listPictures(after)
	if err != nil {
		return matching{}, err
	}
	if len(a)+len(b) == 0 {
		return matching{}, fmt.Errorf("%s and %s: no file ends in %s", before, after, strings.Join(extensions, ", "))
	}
	var m matching
	for _, name := range a {
		p := pair{name: name, before: filepath.Join(before, name), after: filepath.Join(after, name)}
		if _, found := slices.BinarySearch(b, name); found {
			m.pairs = append(m.pairs, p)
		} else {
			m.onlyBefore = append(m.onlyBefore, p)
		}
	}
	for _, name := range b {
		if _, found := slices.BinarySearch(a, name); !found {
			m.onlyAfter = append(m.onlyAfter, pair{name: name, after: filepath.Join(after, name)})
		}
	}
	return m, nil
}

// listPictures returns the names of all pictures below a folder, sorted.
func listPictures(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() || !slices.Contains(extensions, strings.ToLower(filepath.Ext(path))) {
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		names = append(names, name)
		if len(names) > maxFiles {
			return fmt.Errorf("there are more than %s images", grouped(maxFiles))
		}
		return nil
	})
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return nil, fileError(pe.Path, err)
		}
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	slices.Sort(names)
	return names, nil
}
