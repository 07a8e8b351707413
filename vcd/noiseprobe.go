package vcd

import (
	"context"
	"time"
)

// NoiseProbe is a plan to capture a page once more, only to learn what changes by itself, or to learn from two screenshots that exist.
// There is at most one for each page and device.
type NoiseProbe struct {
	Account, GroupID, URLID ID
	Device                  Device
	ScreenshotID            ID        // with which the capture is compared
	EarlierID               *ID       // the screenshot with which that one is compared instead; nil to capture
	Due                     time.Time // not before
}

// NoiseProbeStore keeps an account's plans.
type NoiseProbeStore interface {
	// PlanNoiseProbe stores a plan in place of an earlier one of the page. It does nothing if the account wants no probes, or if
	// enough is known of the page, unless nothing has to be captured.
	PlanNoiseProbe(ctx context.Context, p *NoiseProbe, enough int) error
	// EndNoiseProbe removes a plan, unless it has been replaced by one with another screenshot.
	EndNoiseProbe(ctx context.Context, p *NoiseProbe) error
}

// DueNoiseProbeStore finds plans across accounts.
type DueNoiseProbeStore interface {
	// ClaimNoiseProbe returns a due plan, which is not due again before the given time, and counts it as one of its account's day;
	// nil when there is none. It leaves out accounts that have had their share of the day, groups of other regions, and hosts
	// that are visited or rest, unless nothing is captured, and finds none at all while an ordinary capture waits. A plan that was
	// claimed a few times in vain is removed.
	ClaimNoiseProbe(ctx context.Context, r NoiseProbeRules) (*NoiseProbe, error)
}

// NoiseProbeRules are the parameters of ClaimNoiseProbe.
type NoiseProbeRules struct {
	Now       time.Time
	LeaseEnds time.Time // when it may be claimed again
	Regions   []Region
	Home      Region // of groups of region auto
	PerDay    int    // for each account
	Attempts  int
}
