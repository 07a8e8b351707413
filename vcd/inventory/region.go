package inventory

import (
	"context"
	"errors"
	"fmt"

	"afterimage/vcd"
)

// Locate returns the region nearest to a domain. An error means that it is not known now, but may be later.
type Locate func(ctx context.Context, domain string) (vcd.Region, error)

// SettleRegions assigns the region nearest to their site to up to limit groups that leave the choice to the service. A group
// keeps its region until a client sets auto again.
func (s *Service) SettleRegions(ctx context.Context, limit int, locate Locate) error {
	unsettled, err := s.store.UnsettledRegions(ctx, limit)
	if err != nil {
		return err
	}
	var errs []error // one failure must not block the other groups
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

// settleRegion stores the region unless a client has set one meanwhile.
func (s *Service) settleRegion(ctx context.Context, actor vcd.Actor, group vcd.ID, region vcd.Region) error {
	err := s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
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
