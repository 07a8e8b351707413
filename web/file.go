package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"
)

// Below this many bytes the gzip frame and the extra header eat the gain.
const worthCompressing = 1024

// variant is one form in which a file can be sent.
type variant struct {
	body     []byte
	encoding string // the Content-Encoding, empty for the file as it is
	tag      string // a strong ETag, quoted, different for each form
}

// file is one built file. Both of its forms are made at the first request that
// wants them and kept, since the pages are few and their content is fixed.
type file struct {
	name  string
	plain func() (variant, error)
	small func() (variant, error)
}

func newFile(build fs.FS, name string) *file {
	f := &file{name: name}
	f.plain = sync.OnceValues(func() (variant, error) {
		body, err := fs.ReadFile(build, name)
		if err != nil {
			return variant{}, fmt.Errorf("read built file %s: %w", name, err)
		}
		return variant{body: body, tag: entityTag(body)}, nil
	})
	f.small = sync.OnceValues(func() (variant, error) {
		plain, err := f.plain()
		if err != nil {
			return variant{}, err
		}
		return compress(plain)
	})
	return f
}

// variant picks the form for a request's Accept-Encoding values.
func (f *file) variant(accepted []string) (variant, error) {
	plain, err := f.plain()
	if err != nil || len(plain.body) < worthCompressing || !compressible(f.name) || !acceptsGzip(accepted) {
		return plain, err
	}
	return f.small()
}

func compress(plain variant) (variant, error) {
	var out bytes.Buffer
	// BestCompression is a valid level, and a Buffer does not fail to write.
	writer, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return variant{}, fmt.Errorf("start gzip: %w", err)
	}
	if _, err := writer.Write(plain.body); err != nil {
		return variant{}, fmt.Errorf("gzip: %w", err)
	}
	if err := writer.Close(); err != nil {
		return variant{}, fmt.Errorf("finish gzip: %w", err)
	}
	body := out.Bytes()
	return variant{body: body, encoding: "gzip", tag: entityTag(body)}, nil
}

// entityTag is a strong validator: equal tags mean equal bytes.
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// compressible leaves out formats that are compressed already.
func compressible(name string) bool {
	switch path.Ext(name) {
	case ".png", ".woff2":
		return false
	default:
		return true
	}
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3): gzip must be
// named (a wildcard is not enough for us) with a quality above zero.
func acceptsGzip(values []string) bool {
	for _, value := range values {
		for coding := range strings.SplitSeq(value, ",") {
			name, parameters, _ := strings.Cut(coding, ";")
			if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
				continue
			}
			weight, found := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameters)), "q=")
			if !found {
				return true
			}
			quality, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
			return err == nil && quality > 0
		}
	}
	return false
}
