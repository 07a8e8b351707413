package vcd

import (
	"time"
)

// Selection is a URL in a group: which devices are captured, and the URL's overrides.
type Selection struct {
	GroupID, URLID  ID
	Desktop, Mobile bool
	CSS, JS         *string  // in addition to the group's
	Threshold       *float64 // overrides the group's
	URL             *URL     // filled in by reads
	// LastChangedAt is when the page last differed from before by more than its threshold, in this group; filled in by lists.
	LastChangedAt *time.Time
}

// Devices lists the enabled devices.
func (sel *Selection) Devices() []Device {
	var on []Device
	if sel.Desktop {
		on = append(on, Desktop)
	}
	if sel.Mobile {
		on = append(on, Mobile)
	}
	return on
}

// SelectionFilter filters a list of a group's URLs; nil fields match everything.
type SelectionFilter struct {
	GroupID        ID
	Type, Category *string
	Search         *string
	URLIDs         *[]ID
	Address        *string   // exact host and path, with or without a trailing slash
	Addresses      *[]string // any of these, each matched like Address
	ExceptURLIDs   *[]ID
	Tags           *[]string // with one of these
	Sort           Sort      // by one of the words below
}

// What the URLs of a group are sorted by.
const (
	SelectionSelected    = "selected" // whether any device is enabled
	SelectionAddress     = "address"
	SelectionTitle       = "title"
	SelectionLastCrawled = "last_crawled_at" // those never captured are the earliest
	SelectionLastChanged = "last_changed_at" // those that never changed are the earliest
	SelectionTag         = "tag"             // the first tag; those without any are the latest
)

// SelectionFigures counts over a whole group.
type SelectionFigures struct {
	SelectedURLs   int // with at least one enabled device
	SelectedChecks int // enabled devices
}
