package review

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/review"
)

// guestData is what the page of a visitor who may review knows besides what it shows.
type guestData struct {
	Batch    string         `json:"batch"`              // address of the batch's actions
	Actions  string         `json:"actions,omitempty"`  // address of the comparison's actions
	Status   string         `json:"status,omitempty"`   // of the comparison
	Comments []guestComment `json:"comments,omitempty"` // on the comparison, oldest first
	Changes  []guestChange  `json:"changes,omitempty"`  // of the batch
}

// guestComment is a comment as guests see it.
type guestComment struct {
	Author string    `json:"author"`
	Guest  bool      `json:"guest"` // nobody verified the author's name
	Text   string    `json:"text"`
	At     time.Time `json:"at"`
}

// guestChange is a change that can be accepted everywhere.
type guestChange struct {
	Slot        string `json:"slot"` // id of the element beside the change
	Fingerprint string `json:"fingerprint"`
	Open        int    `json:"open"`     // comparisons that nobody has decided about
	Accepted    bool   `json:"accepted"` // wherever it occurs, as far as pages show nothing else
}

// guestDataOf is nil for visitors who may only look.
func guestDataOf(token string, c *review.SharedComparison) *guestData {
	if !c.MayReview {
		return nil
	}
	g := &guestData{Batch: BatchPrefix + token, Actions: BatchPrefix + token + "/" + string(c.ID), Status: string(c.Status)}
	for _, comment := range c.Comments {
		g.Comments = append(g.Comments, commentOf(comment))
	}
	return g
}

// commentOf names people, but not the programs of the account.
func commentOf(c *vcd.Comment) guestComment {
	shown := guestComment{Author: c.Author.Name, Guest: c.Author.Kind == vcd.ActorGuest, Text: c.Text, At: c.CreatedAt}
	if c.Author.Kind == vcd.ActorToken || c.Author.Kind == vcd.ActorSystem {
		shown.Author = "Afterimage"
	}
	return shown
}
