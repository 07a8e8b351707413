package vcd

import "context"

// MarkedStore describes the image store that belongs to the database.
type MarkedStore struct {
	Mark   string
	Placed bool     // the store has the mark: a folder without it is a different one
	Sample []string // hashes of some of the newest files, which the store must contain; filled in while it is not placed
}

// ImageMarkStore is used by every process at startup.
type ImageMarkStore interface {
	// PlaceImageStore runs place, under a lock, with what the database knows about its image store. A database without a mark
	// gets the mark fresh. If place succeeds, the store counts as placed.
	PlaceImageStore(ctx context.Context, fresh string, place func(MarkedStore) error) (MarkedStore, error)
}
