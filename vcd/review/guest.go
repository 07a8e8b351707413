package review

import (
	"context"
	"strings"

	"afterimage/vcd"
)

// MaxGuestName is the length of a guest's name, in characters.
const MaxGuestName = 60

// guestStatuses are the verdicts that a guest may give: to call a change false is a lesson for later runs, which is not theirs.
var guestStatuses = []vcd.ComparisonStatus{vcd.ComparisonOK, vcd.ComparisonToFix}

// Guest is somebody who came by the public link of a batch and may review it. They have no account, and their name is whatever they
// entered.
type Guest struct{ Token, Name string }

// CommentAsGuest adds a guest's comment to a comparison of the batch.
func (s *Service) CommentAsGuest(ctx context.Context, g Guest, comparison vcd.ID, text string) (*vcd.Comment, error) {
	text, err := commentText(text)
	if err != nil {
		return nil, err
	}
	return asGuest(ctx, s, g, "addComment", func(ctx context.Context, tx Tx, by visit) (*vcd.Comment, error) {
		found, err := tx.LockComparisons(ctx, sharedOnly(by.LinkedBatch, comparison), 1)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, vcd.NotFound("Comparison", comparison)
		}
		return s.addComment(ctx, tx, by.actor, comparison, text)
	})
}

// JudgeAsGuest records a guest's verdict on a comparison of the batch.
func (s *Service) JudgeAsGuest(ctx context.Context, g Guest, comparison vcd.ID, status vcd.ComparisonStatus) (Verdict, error) {
	v := &vcd.Validation{}
	vcd.OneOf(v, "status", status, guestStatuses...)
	if err := v.Err(); err != nil {
		return Verdict{}, err
	}
	return asGuest(ctx, s, g, "setComparisonStatus", func(ctx context.Context, tx Tx, by visit) (Verdict, error) {
		verdict, err := s.judgeMatching(ctx, tx, by.actor, sharedOnly(by.LinkedBatch, comparison), status, 1)
		if err == nil && verdict.Matched == 0 {
			err = vcd.NotFound("Comparison", comparison)
		}
		return verdict, err
	})
}

// AcceptAsGuest accepts a change, given by its fingerprint, wherever it occurs in the batch. Comparisons that show more than what
// was accepted remain open, as they do for everybody.
func (s *Service) AcceptAsGuest(ctx context.Context, g Guest, fingerprint string) (Verdict, error) {
	judged := judgedChange{fingerprint: fingerprint, status: vcd.ComparisonOK, shown: true}
	if err := judged.validate(); err != nil {
		return Verdict{}, err
	}
	return asGuest(ctx, s, g, "setStatusOfChange", func(ctx context.Context, tx Tx, by visit) (Verdict, error) {
		judged.batch = by.Batch
		return s.judgeChange(ctx, tx, by.actor, judged)
	})
}

// UndoAsGuest undoes a review that was made through the same link.
func (s *Service) UndoAsGuest(ctx context.Context, g Guest, review vcd.ID) (Undone, error) {
	return asGuest(ctx, s, g, "undoReview", func(ctx context.Context, tx Tx, by visit) (Undone, error) {
		reviewer, err := tx.Reviewer(ctx, review)
		if err != nil {
			return Undone{}, err
		}
		if !reviewer.Is(by.actor.Person()) {
			return Undone{}, vcd.NotFound("Review", review)
		}
		return s.undo(ctx, tx, by.actor, review)
	})
}

// visit is a guest who came by a link, and what the link leads to.
type visit struct {
	vcd.LinkedBatch
	actor vcd.Actor
}

// asGuest runs a change that a guest makes. A link that only shows the batch is refused like one that does not exist.
func asGuest[T any](
	ctx context.Context, s *Service, g Guest, action string,
	do func(ctx context.Context, tx Tx, by visit) (T, error),
) (T, error) {
	var none T
	at, err := s.linked(ctx, g.Token)
	if err != nil {
		return none, err
	}
	if at.Permission != vcd.LinkReview {
		return none, vcd.NotFound("Batch", "")
	}
	name, err := guestName(g.Name)
	if err != nil {
		return none, err
	}
	actor := vcd.Actor{
		Account: at.Account, Link: at.Link, Name: name, Permissions: vcd.PermissionsOf(vcd.PermissionRead, vcd.PermissionReview),
		Change: vcd.Change{ID: s.ids.NewID(), Action: action, At: s.clock.Now()},
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (T, error) {
		if err := s.stillLinked(ctx, tx, at); err != nil {
			return none, err
		}
		return do(ctx, tx, visit{at, actor})
	})
}

// stillLinked checks that a link has not been taken back or renewed since it was looked up. The lock makes whoever does that
// wait for the change, or the change for them.
func (s *Service) stillLinked(ctx context.Context, tx Tx, at vcd.LinkedBatch) error {
	if _, err := tx.LockBatch(ctx, at.Batch); err != nil {
		return err
	}
	links, err := tx.BatchLinks(ctx, []vcd.ID{at.Batch})
	if err != nil {
		return err
	}
	link := links[at.Batch]
	if link == nil || link.ID != at.Link || !link.Live(s.clock.Now()) {
		return vcd.NotFound("Batch", "")
	}
	return nil
}

// guestName checks the name of a guest, with which others see what they write.
func guestName(name string) (string, error) {
	name = strings.TrimSpace(name)
	v := &vcd.Validation{}
	v.Name("name", name, MaxGuestName)
	return name, v.Err()
}
