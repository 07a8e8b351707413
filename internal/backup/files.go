package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"path"
	"strconv"
)

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// filesOf yields the files that the rows of a backup name.
func (r *Repository) filesOf(ctx context.Context, id string, lists int) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for number := range lists {
			lines, err := r.part(ctx, id, listsTable, number)
			if err != nil {
				yield(File{}, err)
				return
			}
			for line := range bytes.Lines(lines) {
				f, err := parseFile(line)
				if !yield(f, err) || err != nil {
					return
				}
			}
		}
	}
}

// parseFile reads a line of the list of files: the hash and the size, with a tab between.
func parseFile(line []byte) (File, error) {
	hash, size, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"))
	n, err := strconv.ParseInt(string(size), 10, 64)
	if !ok || err != nil || len(hash) != 2*sha256.Size {
		return File{}, fmt.Errorf("the list of files has an invalid line: %.100q", line)
	}
	return File{Hash: string(hash), Size: n}, nil
}

// nameSet holds names of file objects, in 16 bytes each instead of 67.
type nameSet map[[16]byte]struct{}

func (s nameSet) key(name string) (key [16]byte) {
	_, _ = hex.Decode(key[:], []byte(path.Base(name))[:min(32, len(path.Base(name)))])
	return key
}

func (s nameSet) add(name string)      { s[s.key(name)] = struct{}{} }
func (s nameSet) has(name string) bool { _, ok := s[s.key(name)]; return ok }

// stored are the names of all files that the place has.
func (r *Repository) stored(ctx context.Context) (nameSet, error) {
	names := make(nameSet)
	for object, err := range r.place.List(ctx, filesPrefix) {
		if err != nil {
			return nil, err
		}
		name := object.Key
		names.add(name)
	}
	return names, nil
}
