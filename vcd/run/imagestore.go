package run

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// ImageFolder is an image store as far as its identity is concerned.
type ImageFolder interface {
	Mark(ctx context.Context) (string, error) // empty when there is none
	SetMark(ctx context.Context, mark string) error
	MarkFile() string // for people: the path of the mark
	Holds(ctx context.Context, hash string) (bool, error)
}

// ProveImageStore checks that a folder is the image store of this database, or makes it so when the database has none yet. A
// process with another folder would write pictures that no other process finds, and find none that others have written. It
// returns the folder's mark.
func (s *Service) ProveImageStore(ctx context.Context, folder ImageFolder) (string, error) {
	fresh := string(s.ids.NewID())
	store, err := s.store.PlaceImageStore(ctx, fresh, func(known vcd.MarkedStore) error { return place(ctx, folder, known) })
	return store.Mark, err
}

func place(ctx context.Context, folder ImageFolder, known vcd.MarkedStore) error {
	mark, err := folder.Mark(ctx)
	if err != nil {
		return err
	}
	switch {
	case mark == known.Mark:
		return nil
	case mark != "" && known.Placed:
		return fmt.Errorf("the image store belongs to another database (%s): mount this database's image folder there, "+
			"or select it with --images or --data-dir", folder.MarkFile())
	case mark != "":
		return fmt.Errorf("the image store belongs to another database (%s): choose an empty one with --images or --data-dir, "+
			"or remove that file if the other database no longer exists", folder.MarkFile())
	}
	has, err := holdsAny(ctx, folder, known.Sample)
	if err != nil {
		return err
	}
	if known.Placed || !has {
		return fmt.Errorf("the image store does not belong to this database: all processes need the same one, so mount it here, "+
			"or select it with --images or --data-dir. If it is the right one and only its file %s was lost, write %s into that file",
			folder.MarkFile(), known.Mark)
	}
	return folder.SetMark(ctx, known.Mark)
}

// holdsAny reports whether a folder contains at least one of the files; true when the list is empty.
func holdsAny(ctx context.Context, folder ImageFolder, hashes []string) (bool, error) {
	for _, hash := range hashes {
		if held, err := folder.Holds(ctx, hash); held || err != nil {
			return held, err
		}
	}
	return len(hashes) == 0, nil
}
