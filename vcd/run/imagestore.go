package run

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// ImageFolder is a store of image files as far as its identity goes.
type ImageFolder interface {
	Mark() (string, error) // empty when it has none
	SetMark(mark string) error
	MarkFile() string // for people: where the mark stands
	Holds(hash string) bool
}

// ProveImageStore makes sure that a folder is the image store of this database, which it becomes when there is none yet. A
// process with another folder would write pictures that nobody finds, and find none that others have written. Returned is
// the folder's mark.
func (s *Service) ProveImageStore(ctx context.Context, folder ImageFolder) (string, error) {
	fresh := string(s.ids.NewID())
	store, err := s.store.PlaceImageStore(ctx, fresh, func(known vcd.MarkedStore) error { return place(folder, known) })
	return store.Mark, err
}

func place(folder ImageFolder, known vcd.MarkedStore) error {
	mark, err := folder.Mark()
	switch {
	case err != nil:
		return err
	case mark == known.Mark:
		return nil
	case mark != "" && known.Placed:
		return fmt.Errorf("the image folder belongs to another database (%s): mount this database's image folder there, "+
			"or select its data folder with --data-dir", folder.MarkFile())
	case mark != "":
		return fmt.Errorf("the image folder belongs to another database (%s): choose an empty data folder with --data-dir, "+
			"or remove that file "+
			"if the other database no longer exists", folder.MarkFile())
	case known.Placed || !holdsAny(folder, known.Sample):
		return fmt.Errorf("the image folder does not belong to this database: all processes need the same folder, so mount it here, "+
			"or select its "+
			"data folder with --data-dir. If it is the right folder and only its file %s was lost, write %s into that file",
			folder.MarkFile(), known.Mark)
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
