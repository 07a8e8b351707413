package inventory

import (
	"context"
	"errors"
	"fmt"

	"afterimage/vcd"
)

// Locate tells which region lies nearest to a domain. With an error it could not be told, and may be later.
type Locate func(ctx context.Context, domain string) (vcd.Region, error)

// SettleRegions gives groups that leave their region to us the one nearest to their site, up to limit of them. A group is
// given a region once: it keeps it until a client sets auto again.
func (s *Service) SettleRegions(ctx context.Context, limit int, locate Locate) error {
	unsettled, err := s.store.UnsettledRegions(ctx, limit)
	if err != nil {
		return err
	}
	var errs []error // one that cannot be settled does not keep the others from it
	for _, u := range unsettled {
		if ctx.Err() != nil {
			break
		}
		region, err := locate(ctx, (&vcd.URL{Address: u.Address}).Domain())
		if err == nil {
			err = s.settleRegion(ctx, vcd.Actor{Account: u.Account}, u.Group, region)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("settle the region of group %s: %w", u.Group, err))
		}
	}
	return errors.Join(errs...)
}

// settleRegion writes the region down unless a client was quicker.
func (s *Service) settleRegion(ctx context.Context, actor vcd.Actor, group vcd.ID, region vcd.Region) error {
	err := s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
		g, sibling, err := lockWithSibling(ctx, tx, group)
		if err != nil || g.ScreenshotRegion != vcd.RegionAuto {
			return err
		}
		g.ScreenshotRegion, g.UpdatedAt = region, s.clock.Now()
		if err := tx.UpdateGroup(ctx, g); err != nil {
			return err
		}
		if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, g.ID)); err != nil {
			return err
		}
		return s.mirrorRegion(ctx, tx, g, sibling)
	})
	if vcd.CodeOf(err) == vcd.CodeNotFound && err != nil {
		return nil // deleted meanwhile
	}
	return err
}
