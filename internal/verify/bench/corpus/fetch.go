package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of what is unpacked.
const (
	maxFile  = 20 << 20 // bytes
	maxFiles = 20_000
	minPage  = 4 << 10 // bytes of a page that is more than a frame
)

// fetch unpacks a package of npm into a folder of its own and returns the paths of some of its pages, those in one of its folders if that
// is named after a #.
func fetch(ctx context.Context, dir, name string, pages int) ([]string, error) {
	name, below, _ := strings.Cut(name, "#")
	folder := strings.NewReplacer("@", "", "/", "-").Replace(name)
	home := filepath.Join(dir, folder)
	if _, err := os.Stat(home); err != nil {
		if err := download(ctx, dir, name, home); err != nil {
			return nil, err
		}
	}
	var found []string
	err := filepath.WalkDir(filepath.Join(home, filepath.FromSlash(below)), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		if info, err := entry.Info(); err == nil && info.Size() >= minPage {
			if relative, err := filepath.Rel(dir, path); err == nil {
				found = append(found, "/"+filepath.ToSlash(relative))
			}
		}
		return nil
	})
	slices.Sort(found)
	for len(found) > pages { // from all over the template
		found = slices.Delete(found, len(found)*(len(found)%7)/7, len(found)*(len(found)%7)/7+1)
	}
	return found, err
}

func download(ctx context.Context, dir, name, home string) error {
	pack := exec.CommandContext(ctx, "npm", "pack", "--silent", "--ignore-scripts", name)
	pack.Dir = dir
	out, err := pack.Output()
	if err != nil {
		return fmt.Errorf("npm pack: %w", err)
	}
	archive := filepath.Join(dir, filepath.Base(strings.TrimSpace(string(out))))
	defer func() { _ = os.Remove(archive) }()
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	return unpack(tar.NewReader(unpacked), home)
}

func unpack(archive *tar.Reader, home string) error {
	if err := os.MkdirAll(home, 0o750); err != nil {
		return err
	}
	root, err := os.OpenRoot(home) // an archive may name files outside of its folder
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for range maxFiles {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg || header.Size > maxFile {
			continue
		}
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Clean(header.Name)), "package/")
		if err := root.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			return err
		}
		if err := write(root, name, io.LimitReader(archive, maxFile)); err != nil {
			return err
		}
	}
	return nil
}

func write(root *os.Root, name string, from io.Reader) error {
	file, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}
