package vcd

import (
	"time"
)

// Person is who did something. The name is the one they had then.
type Person struct {
	Kind ActorKind
	ID   ID // of the token, the user or the guest's link; empty for the system
	Name string
}

// Person returns who acts.
func (a Actor) Person() Person {
	p := Person{Kind: a.Kind(), ID: a.ID(), Name: a.Name}
	if p.Kind == ActorSystem {
		p.Name = "Afterimage"
	}
	return p
}

// Is reports whether both are the same, whatever their names.
func (p Person) Is(other Person) bool { return p.Kind == other.Kind && p.ID == other.ID }

// Review records a verdict on one or several comparisons, in such a way that it can be undone.
type Review struct {
	ID, Account ID
	Undoes      *ID // the review that this one takes back
	Reviewer    Person
	CreatedAt   time.Time
}

// ReviewItem is what a review changed in one comparison.
type ReviewItem struct {
	Comparison    ID
	Before, After ComparisonStatus
}

// ReviewOfComparison is a review with what it changed in one comparison.
type ReviewOfComparison struct {
	Review
	ReviewItem
}

// UndoableItem is what a review changed in a comparison that is still in the state the review gave it.
type UndoableItem struct {
	ReviewItem
	Batch ID
}

// Comment is what somebody says about a comparison.
type Comment struct {
	ID, Account ID
	Comparison  ID
	Author      Person
	Text        string // plain text
	CreatedAt   time.Time
	EditedAt    *time.Time // nil if it is as it was written
}
