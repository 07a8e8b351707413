package mail

import (
	"fmt"
	"time"
)

// Digest tells one recipient what changed in the groups of a finished batch that are theirs to hear of.
type Digest struct {
	Batch    string
	Link     string    // to the batch; "" for none
	Finished time.Time // in the zone of the account
	Trigger  string    // why it ran, in words: "scheduled monitoring"
	Groups   []DigestGroup
}

// DigestGroup is what one group has to tell.
type DigestGroup struct {
	Name    string
	Checked int // comparisons
	Failed  int // screenshots that could not be taken
	Changes []Change
	More    int // further changes that are not told one by one
}

// Change is one comparison above the threshold.
type Change struct {
	Title, Address, Device string
	Percent, Threshold     float64
	Words                  string   // what changed, in a sentence; "" where nobody says
	Before, After          *Picture // of the place that changed most; nil where there is none
	Review                 string   // link to the public review
}

var digestForm = newForm("digest")

// Letter composes it.
func (d Digest) Letter() (Letter, error) {
	changes, failed := d.Total()
	var subject string
	switch {
	case changes > 0 && failed > 0:
		subject = fmt.Sprintf("%s and %s: %s", count(changes, "change"), count(failed, "failed screenshot"), d.Batch)
	case changes > 0:
		subject = fmt.Sprintf("%s: %s", count(changes, "change"), d.Batch)
	case failed > 0:
		subject = fmt.Sprintf("%s: %s", count(failed, "failed screenshot"), d.Batch)
	default:
		subject = "No changes: " + d.Batch
	}
	return digestForm.compose(subject, d, d.pictures()...)
}

// Total counts changes and failed screenshots of all groups.
func (d Digest) Total() (changes, failed int) {
	for _, g := range d.Groups {
		changes += len(g.Changes) + g.More
		failed += g.Failed
	}
	return changes, failed
}

func (d Digest) pictures() []Picture {
	var list []Picture
	for _, g := range d.Groups {
		for _, c := range g.Changes {
			for _, p := range []*Picture{c.Before, c.After} {
				if p != nil {
					list = append(list, *p)
				}
			}
		}
	}
	return list
}
