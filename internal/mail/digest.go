package mail

import (
	"strings"
	"time"
)

// Digest tells one recipient about the changes of a finished batch, in the groups that list the recipient.
type Digest struct {
	Batch    string
	Link     string    // to the batch; "" if none
	Finished time.Time // in the zone of the account
	Trigger  string    // why it ran: "scheduled monitoring"
	Groups   []DigestGroup
	Others   Others // groups that are only counted
}

// DigestGroup is what one group has to tell.
type DigestGroup struct {
	Name     string
	Checked  int // comparisons
	Unseen   int // of them, those that do not show all of the page
	Changes  []Change
	More     int       // further changes that are only counted
	Flows    int       // flows that failed
	Failed   int       // screenshots that could not be taken
	Failures []Failure // those flows, and some of the screenshots
}

// Others are groups that are only counted.
type Others struct{ Groups, Changes, Flows, Failed int }

// Words say how many they are, and what happened in them.
func (o Others) Words() string {
	flows := ""
	if o.Flows > 0 {
		flows = ", " + count(o.Flows, "failed flow")
	}
	return count(o.Groups, "more group") + " with " + count(o.Changes, "change") + flows + " and " +
		count(o.Failed, "failed screenshot") + "."
}

// Change is one comparison above the threshold.
type Change struct {
	Title, Address, Device string
	Percent, Threshold     float64
	Words                  string   // what changed, as a sentence; "" if unknown
	Before, After          *Picture // of the region that changed most; nil if there is none
	Review                 string   // link to the public review
}

// Failure is a flow that failed, or a screenshot that could not be taken.
type Failure struct {
	Address, Device string
	Why             string // a sentence
}

var digestForm = newForm("digest")

// Letter composes it. What does not fit into a mail is counted rather than told.
func (d Digest) Letter() (Letter, error) {
	return digestForm.fit(d.subject(), func(at detail) (any, []Picture) {
		shorter := d.at(at)
		return shorter, shorter.pictures()
	})
}

// subject counts what happened.
func (d Digest) subject() string {
	changes, failed := d.Total()
	flows := d.Others.Flows
	for _, g := range d.Groups {
		flows += g.Flows
	}
	var counts []string
	for _, of := range []struct {
		n    int
		what string
	}{{changes, "change"}, {flows, "failed flow"}, {failed, "failed screenshot"}} {
		if of.n > 0 {
			counts = append(counts, count(of.n, of.what))
		}
	}
	last := len(counts) - 1
	switch {
	case last < 0:
		return "No changes: " + d.Batch
	case last == 0:
		return counts[0] + ": " + d.Batch
	}
	return strings.Join(counts[:last], ", ") + " and " + counts[last] + ": " + d.Batch
}

// Total counts changes and failed screenshots of all groups.
func (d Digest) Total() (changes, failed int) {
	changes, failed = d.Others.Changes, d.Others.Failed
	for _, g := range d.Groups {
		changes += len(g.Changes) + g.More
		failed += g.Failed
	}
	return changes, failed
}

// at is the digest in less detail. The groups that come first are kept.
func (d Digest) at(level detail) Digest {
	for _, g := range d.Groups[min(level.groups, len(d.Groups)):] {
		d.Others.Groups++
		d.Others.Changes += len(g.Changes) + g.More
		d.Others.Flows += g.Flows
		d.Others.Failed += g.Failed
	}
	kept := make([]DigestGroup, min(level.groups, len(d.Groups)))
	for i := range kept {
		kept[i] = d.Groups[i]
		kept[i].Changes, kept[i].More = fewer(kept[i].Changes, kept[i].More, level.changes)
		kept[i].Failures = kept[i].Failures[:min(level.changes, len(kept[i].Failures))]
	}
	d.Groups = kept
	return d
}

// fewer keeps n changes and counts the others.
func fewer(changes []Change, more, n int) ([]Change, int) {
	n = min(n, len(changes))
	return changes[:n], more + len(changes) - n
}

func (d Digest) pictures() []Picture {
	var list []Picture
	for _, g := range d.Groups {
		list = append(list, picturesOf(g.Changes)...)
	}
	return list
}

func picturesOf(changes []Change) []Picture {
	var list []Picture
	for _, c := range changes {
		for _, p := range []*Picture{c.Before, c.After} {
			if p != nil {
				list = append(list, *p)
			}
		}
	}
	return list
}
