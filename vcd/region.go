package vcd

import "context"

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
