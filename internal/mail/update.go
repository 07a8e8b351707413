package mail

import (
	"fmt"
	"strings"
	"time"
)

// UpdateReport reports the outcome of a website update and the changes it caused.
type UpdateReport struct {
	Website  string
	Batch    string
	Link     string
	At       time.Time // of the update run, in the zone of the account
	Status   string    // "completed", "completed_with_errors" or "failed"
	Updates  []Update  // those that failed come first
	Omitted  int       // further updates that are only counted
	Causes   []string  // which updates most likely caused the changes, as sentences; most likely first
	Checked  int       // comparisons
	Unseen   int       // of them, those that do not show all of the page
	Changes  []Change
	More     int
	Failed   int       // screenshots that could not be taken
	Failures []Failure // some of those
	Attempts int       // updates attempted, as the client counted them
	Broken   int       // updates failed, as the client counted them
}

// Update is one component of a website update.
type Update struct {
	Kind     string // "Core", "Plugin" or "Theme"
	Name     string
	From, To string
	Done     bool
	Error    string
}

var updateForm = newForm("update")

// Letter composes it. What does not fit into a mail is counted rather than told.
func (r UpdateReport) Letter() (Letter, error) {
	state := "Updates completed"
	switch r.Status {
	case "completed_with_errors":
		state = "Updates completed with errors"
	case "failed":
		state = "Updates failed"
	}
	found := "no visible changes"
	if n := len(r.Changes) + r.More; n > 0 {
		found = count(n, "visible change")
	}
	if r.Failed > 0 { // also when nothing has changed: a page that cannot be captured is the worst change
		found = strings.TrimPrefix(found+" and "+count(r.Failed, "failed screenshot"), "no visible changes and ")
	}
	return updateForm.fit(fmt.Sprintf("%s, %s: %s", state, found, r.Website), func(at detail) (any, []Picture) {
		shorter := r.at(at)
		return shorter, picturesOf(shorter.Changes)
	})
}

// at is the report in less detail.
func (r UpdateReport) at(level detail) UpdateReport {
	n := min(level.updates, len(r.Updates))
	r.Updates, r.Omitted = r.Updates[:n], r.Omitted+len(r.Updates)-n
	r.Changes, r.More = fewer(r.Changes, r.More, 2*level.changes)
	r.Failures = r.Failures[:min(2*level.changes, len(r.Failures))]
	return r
}
