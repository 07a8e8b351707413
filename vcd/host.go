package vcd

import (
	"time"
)

// How hosts are treated that refuse requests, with status 429 or 503. A single page that refuses may just be broken, so several are
// needed to rest a host. The SQL function waiting_turns knows restFor and probePause too.
const (
	// refusalsForRest is how many different pages have to refuse within refusalWindow, and more than were served.
	refusalsForRest = 3
	refusalWindow   = time.Minute
	// restFor is how long a host rests after the last refusal. While pages wait, probes renew it.
	restFor = time.Minute
	// probePause is the time between captures that probe whether a resting host answers again.
	probePause = 10 * time.Second
)

// HostRefusal is a page's answer that asks for fewer requests.
type HostRefusal struct {
	Host   string
	Page   ID
	Status int
	At     time.Time
	First  time.Time // when the page first answered so; the host's other pages speak for it if they were served since
}

// HostRest is why and how a host rests.
type HostRest struct {
	Since   time.Time // of its first refusal
	Status  int       // of its last one
	ProbeAt time.Time // when a capture may look whether it answers again
}

// DelayPause is the pause before the account's next screenshot of a group with a delay.
type DelayPause struct {
	Until time.Time      // zero, or in the past, when there is none
	Due   map[string]int // while there is one, how many such screenshots may be next, by host
}

// HostPatience holds the thresholds for resting a host.
type HostPatience struct {
	Refusals int           // refusing pages needed, which must outnumber the pages served
	Window   time.Duration // the period in which refusals count
	Rest     time.Duration // after the last refusal
	Probe    time.Duration // between two probes
}

// Patience returns the thresholds in use.
func Patience() HostPatience {
	return HostPatience{Refusals: refusalsForRest, Window: refusalWindow, Rest: restFor, Probe: probePause}
}

// RefusedTurn is a capture that has waited too long for its host.
type RefusedTurn struct {
	Account, Subject ID
	Rest             HostRest
}
