package vcd

import (
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
