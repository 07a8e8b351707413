package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
)

// PutVariant stores a file derived from the content of a hash; variant is a short lower-case word. The file ends
// with the SHA-256 of its data, because its name does not identify it.
func (f *Folder) PutVariant(ctx context.Context, hash, variant string, content []byte) error {
	return f.write(ctx, hash, "."+variant, summed(content))
}

// summed is a content with its sum at the end.
func summed(content []byte) []byte {
	sum := sha256.Sum256(content)
	return append(content[:len(content):len(content)], sum[:]...)
}

// section is a part of an open file.
type section struct {
	*io.SectionReader
	file *os.File
}

// Close closes the file.
func (s section) Close() error { return s.file.Close() }

// Variant opens the output of PutVariant; the error is fs.ErrNotExist if there is none. A corrupt variant is deleted
// and treated as missing, because it can be regenerated.
func (f *Folder) Variant(_ context.Context, hash, variant string) (File, error) {
	path, err := f.path(hash, "."+variant)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	content, err := f.whole(file, hash+"."+variant)
	if errors.Is(err, ErrDamaged) {
		return nil, errors.Join(file.Close(), os.Remove(path), fs.ErrNotExist)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return section{content, file}, nil
}

// whole is the content of a variant's file, compared with its sum at the end once a version of the file.
func (f *Folder) whole(file *os.File, name string) (*io.SectionReader, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size() - sha256.Size
	if size < 0 {
		return nil, ErrDamaged
	}
	content, now := io.NewSectionReader(file, 0, size), version{size: info.Size(), modified: info.ModTime()}
	if known, ok := f.read.Get(name); ok && known.version == now {
		return content, known.damage
	}
	sum, end := sha256.New(), make([]byte, sha256.Size)
	if _, err := io.Copy(sum, content); err != nil {
		return nil, err
	}
	if _, err := file.ReadAt(end, size); err != nil {
		return nil, err
	}
	var damage error
	if !bytes.Equal(sum.Sum(nil), end) {
		damage = ErrDamaged
	}
	f.read.Add(name, finding{version: now, damage: damage})
	_, err = content.Seek(0, io.SeekStart)
	return content, errors.Join(err, damage)
}
