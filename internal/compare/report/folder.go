package report

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"afterimage/internal/compare"
)

// picturesFolder holds the pictures of a report, beside its documents.
const picturesFolder = "pictures"

// Folder is where a report is written. It is an album of the pictures.
type Folder struct{ dir string }

// documents are the files of a report beside its pictures.
var documents = []string{"report.json", "junit.xml", "summary.md", "index.html", "report.sarif", "gl-code-quality-report.json"}

// Open makes the folder, removes what an earlier report left in it, and reports at once if nothing can be written there.
func Open(dir string) (*Folder, error) {
	f := &Folder{dir}
	for _, name := range documents {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, f.explain(err)
		}
	}
	for _, name := range []string{picturesFolder, cropsFolder} {
		inner := filepath.Join(dir, name)
		if err := os.MkdirAll(inner, 0o755); err != nil { //nolint:gosec // the caller's folder
			return nil, f.explain(err)
		}
		if err := sweep(inner); err != nil {
			return nil, f.explain(err)
		}
	}
	return f, nil
}

// ours are names of pictures as a report gives them. Somebody may name a folder that holds others.
var ours = regexp.MustCompile(`-(desktop|mobile)-(before|after)\.png$|^[0-9a-f]{16}-(before|after)\.jpg$|^\.part-`)

// sweep removes the pictures of an earlier report.
func sweep(folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		if ours.MatchString(file.Name()) && file.Type().IsRegular() {
			if err := os.Remove(filepath.Join(folder, file.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Keep implements compare.Album.
func (f *Folder) Keep(p *compare.Pair, before, after []byte) error {
	stem := picturesFolder + "/" + compare.FileStem(p.Path, p.Device)
	p.Before.Picture, p.After.Picture = stem+"-before.png", stem+"-after.png"
	return errors.Join(f.write(p.Before.Picture, before), f.write(p.After.Picture, after))
}

// Read returns a file of the report.
func (f *Folder) Read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(name)))
}

// write writes a file under its name only when it is complete.
func (f *Folder) write(name string, content []byte) error {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	part, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return f.explain(err)
	}
	_, err = part.Write(content)
	err = errors.Join(err, part.Chmod(0o644), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		_ = os.Remove(part.Name())
		return f.explain(err)
	}
	return nil
}

// explain says in one line that the folder cannot be written, and why.
func (f *Folder) explain(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("the report cannot be written to %s: %w", f.dir, err)
}

// Write writes all documents of the report.
func (f *Folder) Write(ctx context.Context, r *compare.Result, run Run) error {
	cut, err := f.crops(ctx, r)
	if err != nil {
		return err
	}
	return errors.Join(
		f.writeJSON(r, run), f.writeJUnit(r, run), f.writeSARIF(r, run), f.writeCodeQuality(r), f.writeSummary(r, run, cut),
		f.writeHTML(r, run, cut),
	)
}
