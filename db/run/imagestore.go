package run

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// sampledBlobs is how many of the newest files are checked to decide whether a folder without a mark is the store.
const sampledBlobs = 20

// PlaceImageStore implements run.Store. The mark is committed before it is placed: if a process is killed in
// between, the next one accepts the mark in the folder as the right one.
func (d *Store) PlaceImageStore(ctx context.Context, fresh string, place func(vcd.MarkedStore) error) (vcd.MarkedStore, error) {
	var known vcd.MarkedStore
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		_, err := t.Bun.NewRaw("INSERT INTO image_store (mark, placed) VALUES (?, false) ON CONFLICT DO NOTHING", fresh).Exec(ctx)
		return err
	})
	if err != nil {
		return known, fmt.Errorf("mark the image store: %w", err)
	}
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) (err error) {
		if known, err = t.lockImageStore(ctx); err != nil {
			return fmt.Errorf("read the mark of the image store: %w", err)
		}
		if err := place(known); err != nil || known.Placed {
			return err
		}
		_, err = t.Bun.NewRaw("UPDATE image_store SET placed = true").Exec(ctx)
		return err
	})
	return known, err
}

func (t *Tx) lockImageStore(ctx context.Context) (vcd.MarkedStore, error) {
	var row struct {
		Mark   string `bun:"mark"`
		Placed bool   `bun:"placed"`
	}
	err := t.Bun.NewRaw("SELECT mark, placed FROM image_store FOR UPDATE").Scan(ctx, &row)
	known := vcd.MarkedStore{Mark: row.Mark, Placed: row.Placed}
	if err != nil || known.Placed {
		return known, err
	}
	err = t.Bun.NewRaw("SELECT hash FROM images ORDER BY created_at DESC LIMIT ?", sampledBlobs).Scan(ctx, &known.Sample)
	return known, err
}
