package run

import "afterimage/vcd"

// newImage creates the row of a picture that is already in the blob store.
func (s *Service) newImage(account vcd.ID, p Picture) *vcd.Image {
	return &vcd.Image{
		ID: s.ids.NewID(), Account: account, Token: vcd.RandomText(), Hash: p.Hash, Over: p.Over, MediaType: p.MediaType,
		Width: p.Width, Height: p.Height, Size: p.Size, CreatedAt: s.clock.Now(),
	}
}

// Picture describes an image written to the blob store.
type Picture struct {
	Hash          string
	Over          string // see vcd.Image
	MediaType     string
	Width, Height int
	Size          int
}
