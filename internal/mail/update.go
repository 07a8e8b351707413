package mail

import (
	"fmt"
	"time"
)

// UpdateReport tells how the updates of a website went and what they changed.
type UpdateReport struct {
	Website  string
	Batch    string
	Link     string
	At       time.Time // of the update run, in the zone of the account
	Status   string    // "completed", "completed_with_errors" or "failed"
	Updates  []Update
	Checked  int // comparisons
	Changes  []Change
	More     int
	Failed   int // screenshots
	Attempts int // updates attempted, as the client counted them
	Broken   int // updates failed, as the client counted them
}

// Update is one piece of software that was updated, or not.
type Update struct {
	Kind     string // "Core", "Plugin" or "Theme"
	Name     string
	From, To string
	Done     bool
	Error    string
}

var updateForm = newForm("update")

// Letter composes it.
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
	return updateForm.compose(fmt.Sprintf("%s, %s: %s", state, found, r.Website), r, r.pictures()...)
}

func (r UpdateReport) pictures() []Picture {
	return Digest{Groups: []DigestGroup{{Changes: r.Changes}}}.pictures()
}
