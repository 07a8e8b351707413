package run

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// ImageFolder is an image store as far as its identity is concerned.
type ImageFolder interface {
	Mark() (string, error) // empty when there is none
	SetMark(mark string) error
	MarkFile() string // for people: the path of the mark
	Holds(hash string) bool
}

// ProveImageStore checks that a folder is the image store of this database, or makes it so when the database has none yet. A
// process with another folder would write pictures that no other process finds, and find none that others have written. It
// returns the folder's mark.
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

// holdsAny reports whether a folder contains at least one of the files; true when the list is empty.
func holdsAny(folder ImageFolder, hashes []string) bool {
	for _, hash := range hashes {
		if folder.Holds(hash) {
			return true
		}
	}
	return len(hashes) == 0
}
