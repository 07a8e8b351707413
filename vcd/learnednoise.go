package vcd

import (
	"context"
	"time"

	"afterimage/internal/noise"
)

// LearnedNoise is what is known of the parts of a page that change by themselves, on one device.
type LearnedNoise struct {
	URLID     ID
	Device    Device
	Version   int64 // counts its changes, from 1; 0 when nothing is stored
	Knowledge *noise.Knowledge
	UpdatedAt time.Time
}

// LearnedNoiseStore keeps what is known of pages.
type LearnedNoiseStore interface {
	// LearnedNoise returns what is known of a page, with the reviews of the comparisons that it was learned from applied; empty
	// knowledge when nothing is stored.
	LearnedNoise(ctx context.Context, url ID, device Device) (*LearnedNoise, error)
	// KeepLearnedNoise stores it as the next version, and reports whether it did: not if another version has been stored since it
	// was read, or the URL is deleted.
	KeepLearnedNoise(ctx context.Context, n *LearnedNoise) (kept bool, err error)
	// ForgetLearnedNoise removes what is known of a page.
	ForgetLearnedNoise(ctx context.Context, url ID, device Device) error
}
