package vcd

import (
	"context"
	"fmt"
)

// ImageFolder is a store of image files as far as its identity goes.
type ImageFolder interface {
	Mark() (string, error) // empty when it has none
	SetMark(mark string) error
	MarkFile() string // for people: where the mark stands
	Holds(hash string) bool
}

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

// ProveImageStore makes sure that a folder is the image store of this database, which it becomes when there is none yet. A
// process with another folder would write pictures that nobody finds, and find none that others have written. Returned is
// the folder's mark.
func (s *Service) ProveImageStore(ctx context.Context, folder ImageFolder) (string, error) {
	fresh := string(s.IDs.NewID())
	store, err := s.Store.PlaceImageStore(ctx, fresh, func(known MarkedStore) error { return place(folder, known) })
	return store.Mark, err
}

func place(folder ImageFolder, known MarkedStore) error {
	mark, err := folder.Mark()
	switch {
	case err != nil:
		return err
	case mark == known.Mark:
		return nil
	case mark != "" && known.Placed:
		return fmt.Errorf("the image folder belongs to another database, not to this one (%s): mount this database's image folder there, "+
			"or name its data folder with --data-dir", folder.MarkFile())
	case mark != "":
		return fmt.Errorf("the image folder belongs to another database (%s): choose an empty data folder with --data-dir, or remove that file "+
			"if the other database is gone for good", folder.MarkFile())
	case known.Placed || !holdsAny(folder, known.Sample):
		return fmt.Errorf("the image folder is not the one of this database: all processes need the same one, so mount it here, or name its data folder "+
			"with --data-dir. If it is the right folder and only its file %s was lost, write %s into that file", folder.MarkFile(), known.Mark)
	}
	return folder.SetMark(known.Mark)
}

// holdsAny tells whether a folder holds one of some files; true when there are none.
func holdsAny(folder ImageFolder, hashes []string) bool {
	for _, hash := range hashes {
		if folder.Holds(hash) {
			return true
		}
	}
	return len(hashes) == 0
}
