package vcd

import (
	"context"
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

// ReviewStore keeps reviews.
type ReviewStore interface {
	// InsertReview stores a review and what it changed, and gives the comparisons their new states.
	InsertReview(ctx context.Context, r *Review, items []ReviewItem) error
	// LockUndoable reads what a review changed and nobody has changed since, in the order of the comparisons' ids, and blocks
	// other changes of these comparisons until the transaction ends. changed counts what somebody has changed since.
	LockUndoable(ctx context.Context, review ID) (items []UndoableItem, changed int, err error)
	// Reviewer tells who made a review.
	Reviewer(ctx context.Context, review ID) (Person, error)
	// ReviewsOfComparisons lists the reviews of each comparison, newest first, at most limit of each.
	ReviewsOfComparisons(ctx context.Context, comparisons []ID, limit int) (map[ID][]*ReviewOfComparison, error)
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

// CommentStore keeps comments.
type CommentStore interface {
	InsertComment(ctx context.Context, c *Comment) error
	LockComment(ctx context.Context, id ID) (*Comment, error)
	UpdateComment(ctx context.Context, c *Comment) error // its text and time
	DeleteComment(ctx context.Context, id ID) error
	CountComments(ctx context.Context, comparison ID) (int, error)
	// CommentsOfComparisons lists the comments of each comparison, oldest first.
	CommentsOfComparisons(ctx context.Context, comparisons []ID) (map[ID][]*Comment, error)
}
