package view

import (
	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// Review shows a review of one comparison.
type Review struct {
	*vcd.ReviewOfComparison
}

// Reviews shows reviews.
func Reviews(list []*vcd.ReviewOfComparison) []*Review {
	shown := make([]*Review, len(list))
	for i, r := range list {
		shown[i] = &Review{r}
	}
	return shown
}

// Status is the status that the review gave the comparison.
func (r *Review) Status() vcd.ComparisonStatus { return r.After }

// PreviousStatus is the status that the comparison had before.
func (r *Review) PreviousStatus() vcd.ComparisonStatus { return r.Before }

// Reviewer is who reviewed.
func (r *Review) Reviewer() *Person { return &Person{r.ReviewOfComparison.Reviewer} }

// ChangeVerdict shows what was decided about a change.
type ChangeVerdict struct {
	*vcd.ChangeVerdict
}

// Reviewer is who decided.
func (v *ChangeVerdict) Reviewer() *Person { return &Person{v.ChangeVerdict.Reviewer} }

// ReviewID is the review that the verdict is part of.
func (v *ChangeVerdict) ReviewID() vcd.ID { return v.Review }

// Person shows who did something.
type Person struct {
	vcd.Person
}

// ID is the id of the token or the user; nil for the system.
func (p *Person) ID() *vcd.ID {
	if p.Person.ID == "" {
		return nil
	}
	return &p.Person.ID
}

// Kind is the kind of the person.
func (p *Person) Kind() scalar.Word { return scalar.Word(p.Person.Kind) }

// Comment shows a comment.
type Comment struct {
	*vcd.Comment
}

// ComparisonID is the comparison that the comment is about.
func (c *Comment) ComparisonID() vcd.ID { return c.Comparison }

// Author is who wrote the comment.
func (c *Comment) Author() *Person { return &Person{c.Comment.Author} }

// Comments shows comments.
func Comments(list []*vcd.Comment) []*Comment {
	shown := make([]*Comment, len(list))
	for i, c := range list {
		shown[i] = &Comment{c}
	}
	return shown
}

// CommentPayload is a changed comment.
type CommentPayload struct{ Comment *Comment }

// DeletedCommentID is the id of a comment just deleted.
func (p *CommentPayload) DeletedCommentID() vcd.ID { return p.Comment.ID }

// UndonePayload is what undoing a review came to.
type UndonePayload struct {
	VerdictPayload
	Since int
}

// NewUndone shows what undoing a review came to.
func NewUndone(u review.Undone) *UndonePayload {
	return &UndonePayload{VerdictPayload: VerdictPayload{u.Verdict}, Since: u.Since}
}

// ChangedSinceCount is how many comparisons were changed again since the review.
func (p *UndonePayload) ChangedSinceCount() int { return p.Since }
