package review

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"afterimage/vcd"
)

// Limits of comments.
const (
	MaxCommentLength = 10_000 // characters
	MaxComments      = 200    // of a comparison
)

// AddComment adds a comment to a comparison.
func (s *Service) AddComment(ctx context.Context, actor vcd.Actor, comparison vcd.ID, text string) (*vcd.Comment, error) {
	text, err := commentText(text)
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Comment, error) {
		return s.addComment(ctx, tx, actor, comparison, text)
	})
}

func (s *Service) addComment(
	ctx context.Context, tx Tx, actor vcd.Actor, comparison vcd.ID, text string,
) (*vcd.Comment, error) {
	c, err := tx.LockComparison(ctx, comparison)
	if err != nil {
		return nil, err
	}
	written, err := tx.CountComments(ctx, comparison)
	if err != nil {
		return nil, err
	}
	if written >= MaxComments {
		return nil, vcd.Invalid("comparisonId", "max",
			fmt.Sprintf("The comparison has %d comments, the most it can have: delete one first.", MaxComments))
	}
	comment := &vcd.Comment{
		ID: s.ids.NewID(), Account: actor.Account, Comparison: c.ID, Author: actor.Person(), Text: text, CreatedAt: s.clock.Now(),
	}
	if err := tx.InsertComment(ctx, comment); err != nil {
		return nil, err
	}
	return comment, s.tellCommented(ctx, tx, c)
}

// EditComment replaces the text of a comment, which only its author may do.
func (s *Service) EditComment(ctx context.Context, actor vcd.Actor, id vcd.ID, text string) (*vcd.Comment, error) {
	text, err := commentText(text)
	if err != nil {
		return nil, err
	}
	return s.changeComment(ctx, actor, id, func(ctx context.Context, tx Tx, c *vcd.Comment) error {
		if !c.Author.Is(actor.Person()) {
			return vcd.Invalid("id", "author", "Only its author may edit a comment.")
		}
		now := s.clock.Now()
		c.Text, c.EditedAt = text, &now
		return tx.UpdateComment(ctx, c)
	})
}

// DeleteComment deletes a comment and returns it as it was.
func (s *Service) DeleteComment(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Comment, error) {
	return s.changeComment(ctx, actor, id, func(ctx context.Context, tx Tx, c *vcd.Comment) error {
		return tx.DeleteComment(ctx, c.ID)
	})
}

func (s *Service) changeComment(
	ctx context.Context, actor vcd.Actor, id vcd.ID, change func(context.Context, Tx, *vcd.Comment) error,
) (*vcd.Comment, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Comment, error) {
		comment, err := tx.LockComment(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := change(ctx, tx, comment); err != nil {
			return nil, err
		}
		c, err := tx.Comparison(ctx, comment.Comparison)
		if err != nil {
			return nil, err
		}
		return comment, s.tellCommented(ctx, tx, c)
	})
}

func (s *Service) tellCommented(ctx context.Context, tx Tx, c *vcd.Comparison) error {
	e := vcd.NewEvent(s.clock.Now(), vcd.EventComparisonCommented, vcd.SubjectComparison, c.ID)
	e.BatchID = &c.BatchID
	return tx.AppendEvents(ctx, e)
}

// CommentsOf lists the comments of each comparison, oldest first.
func (s *Service) CommentsOf(ctx context.Context, actor vcd.Actor, comparisons []vcd.ID) (map[vcd.ID][]*vcd.Comment, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID][]*vcd.Comment, error) {
		return tx.CommentsOfComparisons(ctx, comparisons)
	})
}

// commentText checks the text of a comment. It is plain text: clients show it as it is, without markup. Characters that nobody sees
// come with texts that are pasted; they are left out.
func commentText(text string) (string, error) {
	text = strings.TrimSpace(vcd.ShownText(text))
	v := &vcd.Validation{}
	v.Check(text != "", "text", "required", "The {field} field is required.")
	v.Check(utf8.RuneCountInString(text) <= MaxCommentLength, "text", "max",
		fmt.Sprintf("The {field} field must not be longer than %d characters.", MaxCommentLength))
	return text, v.Err()
}
