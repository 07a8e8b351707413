package review

import (
	"context"

	"afterimage/vcd"
)

// Screenshot is one of the actor's screenshots.
func (s *Service) Screenshot(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Screenshot, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Screenshot, error) { return tx.Screenshot(ctx, id) })
}

// Screenshots lists the actor's screenshots, newest first.
func (s *Service) Screenshots(
	ctx context.Context, actor vcd.Actor, f vcd.ScreenshotFilter, p vcd.Page,
) (*vcd.List[*vcd.Screenshot], error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.List[*vcd.Screenshot], error) {
		return tx.Screenshots(ctx, f, p)
	})
}

// ScreenshotsByIDs looks several screenshots up at once; unknown ids are left out.
func (s *Service) ScreenshotsByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Screenshot, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.Screenshot, error) {
		return tx.ScreenshotsByIDs(ctx, ids)
	})
}
