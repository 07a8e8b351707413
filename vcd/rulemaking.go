package vcd

import "slices"

// Finding is what verification found out about a region; nil when it has not looked.
func (c *Comparison) Finding(region int) *Finding {
	if c.Verification == nil {
		return nil
	}
	i := slices.IndexFunc(c.Verification.Findings, func(f Finding) bool { return f.RegionID == region })
	if i < 0 {
		return nil
	}
	return &c.Verification.Findings[i]
}
