package review

import (
	"context"
	"fmt"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// ContentOf reads the page content of a screenshot that the actor has access to; nil when it was not stored.
func (s *Service) ContentOf(ctx context.Context, shot *vcd.Screenshot) (*page.Content, error) {
	if shot.ElementsHash == "" {
		return nil, nil
	}
	file, err := s.files.Get(ctx, shot.ElementsHash)
	if err != nil {
		return nil, fmt.Errorf("read the content of screenshot %s: %w", shot.ID, err)
	}
	return page.DecodeContent(file)
}
