package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sync"
)

// content is what one built file holds.
type content struct {
	body []byte
	tag  string // a strong ETag, quoted: equal tags mean equal bytes
}

// file reads a built file at the first request that wants it, and keeps it.
type file func() (content, error)

func newFile(build fs.FS, name string) file {
	return sync.OnceValues(func() (content, error) {
		body, err := fs.ReadFile(build, name)
		if err != nil {
			return content{}, fmt.Errorf("read built file %s: %w", name, err)
		}
		sum := sha256.Sum256(body)
		return content{body: body, tag: `"` + hex.EncodeToString(sum[:16]) + `"`}, nil
	})
}
