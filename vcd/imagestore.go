package vcd

import "context"

// MarkedStore is the image store that belongs to the database.
type MarkedStore struct {
	Mark   string
	Placed bool     // the store has the mark, so that a folder without it is another one
	Sample []string // hashes of some files that the store must hold, the newest ones; asked for while it is not placed
}

// ImageMarkStore is asked by every process that starts.
type ImageMarkStore interface {
	// PlaceImageStore runs place with what the database knows of its image store, under a lock. Fresh is its mark when it had none so
	// far. When place succeeds the store counts as placed.
	PlaceImageStore(ctx context.Context, fresh string, place func(MarkedStore) error) (MarkedStore, error)
}
