package vcd

import (
	"context"
	"errors"
	"fmt"
)

// RegionStore is asked across accounts by the worker that settles regions.
type RegionStore interface {
	// UnsettledRegions lists up to limit groups that leave their region to us and have URLs, in no particular order.
	UnsettledRegions(ctx context.Context, limit int) ([]UnsettledRegion, error)
}

// UnsettledRegion is a group whose region is auto.
type UnsettledRegion struct {
	Account, Group ID
	Address        string // of its oldest URL
}

// Locate tells which region lies nearest to a domain. With an error it could not be told, and may be later.
type Locate func(ctx context.Context, domain string) (Region, error)

// SettleRegions gives groups that leave their region to us the one nearest to their site, up to limit of them. A group is
// given a region once: it keeps it until a client sets auto again.
func (s *Service) SettleRegions(ctx context.Context, limit int, locate Locate) error {
	unsettled, err := s.Store.UnsettledRegions(ctx, limit)
	if err != nil {
		return err
	}
	var errs []error // one that cannot be settled does not keep the others from it
	for _, u := range unsettled {
		if ctx.Err() != nil {
			break
		}
		region, err := locate(ctx, (&URL{Address: u.Address}).Domain())
		if err == nil {
			err = s.settleRegion(ctx, Actor{Account: u.Account}, u.Group, region)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("settle the region of group %s: %w", u.Group, err))
		}
	}
	return errors.Join(errs...)
}

// settleRegion writes the region down unless a client was quicker.
func (s *Service) settleRegion(ctx context.Context, actor Actor, group ID, region Region) error {
	err := s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		g, sibling, err := lockWithSibling(ctx, tx, group)
		if err != nil || g.ScreenshotRegion != RegionAuto {
			return err
		}
		g.ScreenshotRegion, g.UpdatedAt = region, s.Clock.Now()
		if err := tx.UpdateGroup(ctx, g); err != nil {
			return err
		}
		if err := tx.AppendEvents(ctx, s.event(EventGroupUpdated, SubjectGroup, g.ID)); err != nil {
			return err
		}
		return s.mirrorRegion(ctx, tx, g, sibling)
	})
	if CodeOf(err) == CodeNotFound && err != nil {
		return nil // deleted meanwhile
	}
	return err
}
