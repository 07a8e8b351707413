package vcd

import (
	"time"

	"afterimage/internal/noise"
)

// LearnedNoise is what is known about the parts of a page that vary on their own, on one device.
type LearnedNoise struct {
	URLID     ID
	Device    Device
	Version   int64 // counts its changes, from 1; 0 when nothing is stored
	Knowledge *noise.Knowledge
	UpdatedAt time.Time
}

// NoiseProbe is a plan to capture a page once more, only to learn what varies on its own, or to learn from two existing screenshots.
// There is at most one for each page and device.
type NoiseProbe struct {
	Account, GroupID, URLID ID
	Device                  Device
	ScreenshotID            ID        // with which the capture is compared; empty to compare two captures
	EarlierID               *ID       // the screenshot with which that one is compared instead; nil to capture
	Due                     time.Time // not before
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
