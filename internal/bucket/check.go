package bucket

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// probePrefix begins the names of objects that only show what may be done.
const probePrefix = "probe-"

// probeGrace is how old a probe must be to be taken for one that a killed process has left behind.
const probeGrace = time.Hour

// Check proves that objects can be listed, written, read and deleted. It also deletes what earlier checks left behind.
func (b *Bucket) Check(ctx context.Context) error {
	for o, err := range b.List(ctx, probePrefix) {
		if err != nil {
			return err
		}
		if time.Since(o.Modified) > probeGrace {
			if err := b.Delete(ctx, o.Key); err != nil {
				return err
			}
		}
	}
	probe, content := probePrefix+rand.Text(), []byte(rand.Text())
	if err := b.Write(ctx, probe, content, "text/plain"); err != nil {
		return err
	}
	read, err := b.Read(ctx, probe)
	if err != nil {
		return err
	}
	if !bytes.Equal(read, content) {
		return b.explain("read", fmt.Errorf("%w: %s", ErrDamaged, probe))
	}
	if err := b.Delete(ctx, probe); err != nil {
		return err
	}
	if _, err := b.Stat(ctx, probe); !errors.Is(err, fs.ErrNotExist) {
		return b.explain("delete objects in", errors.New("what was deleted is still there: remove its retention lock"))
	}
	return nil
}
