package run

import "afterimage/vcd"

// newImage makes the row of a picture that the blob store keeps already.
func (s *Service) newImage(account vcd.ID, p Picture) *vcd.Image {
	return &vcd.Image{
		ID: s.ids.NewID(), Account: account, Token: vcd.RandomText(), Hash: p.Hash, Over: p.Over, MediaType: p.MediaType,
		Width: p.Width, Height: p.Height, Size: p.Size, CreatedAt: s.clock.Now(),
	}
}

// Picture describes the bytes of an image that were written to the blob store.
type Picture struct {
	Hash          string
	Over          string // see Image
	MediaType     string
	Width, Height int
	Size          int
}
