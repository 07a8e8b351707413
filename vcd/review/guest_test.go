package review_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

// invited is a batch with three changes on each of its comparisons, and a guest who may review it.
type invited struct {
	*world
	batch    vcd.ID
	compared []*vcd.Comparison
	shown    []vcd.Finding
	guest    review.Guest
}

func newInvited(t *testing.T) *invited {
	t.Helper()
	w := &invited{world: newWorld(t), shown: changed()}
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	w.batch, w.compared = w.Round(g, false, 5, w.shown...)
	w.guest = review.Guest{Token: w.share(w.batch, vcd.LinkReview, nil), Name: "Kim"}
	return w
}

func (w *invited) share(batch vcd.ID, permission vcd.LinkPermission, expires *time.Time) (token string) {
	w.T.Helper()
	_, err := w.Service.Reviews.ShareBatch(w.T.Context(), w.Actor, batch, expires, permission)
	must(w.T, err)
	links, err := w.Service.Reviews.LinksOf(w.T.Context(), w.Actor, []vcd.ID{batch})
	must(w.T, err)
	return links[batch].Token
}

func (w *invited) status(id vcd.ID) vcd.ComparisonStatus {
	w.T.Helper()
	c, err := w.Service.Reviews.Comparison(w.T.Context(), w.Actor, id)
	must(w.T, err)
	return c.Status
}

// TestAGuestReviewsLikeAnybodyElse: what a guest does is told, recorded and undone like what users do, and names them as a guest.
func TestAGuestReviewsLikeAnybodyElse(t *testing.T) {
	w := newInvited(t)
	use, ctx, first := w.Service.Reviews, t.Context(), w.compared[0].ID
	comment, err := use.CommentAsGuest(ctx, w.guest, first, " <b>Nice</b> ")
	must(t, err)
	if comment.Author.Kind != vcd.ActorGuest || comment.Author.Name != "Kim" || comment.Text != "<b>Nice</b>" {
		t.Errorf("the comment is %+v", comment)
	}
	fixed, err := use.JudgeAsGuest(ctx, w.guest, first, vcd.ComparisonToFix)
	must(t, err)
	if w.status(first) != vcd.ComparisonToFix || fixed.Review == nil {
		t.Errorf("the verdict came to %+v", fixed)
	}
	reviews, err := use.ReviewsOf(ctx, w.Actor, []vcd.ID{first}, 1)
	must(t, err)
	if by := reviews[first][0].Reviewer; by != comment.Author {
		t.Errorf("reviewed by %+v", by)
	}
	_, err = use.UndoAsGuest(ctx, w.guest, *fixed.Review)
	must(t, err)
	if got := w.status(first); got != vcd.ComparisonNew {
		t.Errorf("undone, it is %q", got)
	}
	kind := vcd.ActorGuest
	entries, err := w.Service.Accounts.AuditEntries(ctx, w.Actor, vcd.AuditFilter{ActorKind: &kind}, vcd.Page{Size: 10})
	must(t, err)
	var actions []string
	for _, e := range entries.Items {
		actions = append(actions, e.Actor.Name+" "+e.Action)
	}
	if want := []string{"Kim undoReview", "Kim setComparisonStatus", "Kim addComment"}; !slices.Equal(actions, want) {
		t.Errorf("audited are %q, want %q", actions, want)
	}
	shown, err := use.SharedComparison(ctx, w.guest.Token, first)
	must(t, err)
	if !shown.MayReview || len(shown.Comments) != 1 {
		t.Errorf("the page has %+v", shown)
	}
	w.CheckInvariants()
}

// TestAGuestAcceptsWhatIsListedOnly: a change that a guest accepts everywhere does not accept what else pages show.
func TestAGuestAcceptsWhatIsListedOnly(t *testing.T) {
	w := newInvited(t)
	for i, f := range w.shown {
		verdict, err := w.Service.Reviews.AcceptAsGuest(t.Context(), w.guest, f.Fingerprint)
		must(t, err)
		if last := i == len(w.shown)-1; last && (len(verdict.Changed) != 2 || verdict.StillOpenCount != 0) ||
			!last && (len(verdict.Changed) != 0 || verdict.StillOpenCount != 2) {
			t.Errorf("change %d of three: %+v", i+1, verdict)
		}
	}
	w.CheckInvariants()
}

// TestALinkOpensItsOwnBatchOnly: neither other batches of the account nor reviews of others can be reached by a link.
func TestALinkOpensItsOwnBatchOnly(t *testing.T) {
	w := newInvited(t)
	g, _ := w.Group("blog", 1, inventory.GroupChange{})
	_, others := w.Round(g, false, 5, w.shown...)
	use, ctx := w.Service.Reviews, t.Context()
	_, err := use.CommentAsGuest(ctx, w.guest, others[0].ID, "Hello")
	wantCode(t, err, vcd.CodeNotFound)
	_, err = use.JudgeAsGuest(ctx, w.guest, others[0].ID, vcd.ComparisonOK)
	wantCode(t, err, vcd.CodeNotFound)
	for _, f := range w.shown {
		verdict, err := use.AcceptAsGuest(ctx, w.guest, f.Fingerprint)
		must(t, err)
		if slices.Contains(verdict.Changed, others[0].ID) || w.status(others[0].ID) != vcd.ComparisonNew {
			t.Errorf("accepted in another batch: %+v", verdict)
		}
	}
	ofUser, err := use.Reopen(ctx, w.Actor, []string{string(w.compared[0].ID)})
	must(t, err)
	_, err = use.UndoAsGuest(ctx, w.guest, *ofUser.Review)
	wantCode(t, err, vcd.CodeNotFound)
}

// TestWhoeverMayNotReviewFindsNothing: links that only show, and those that have ended, are refused like unknown ones.
func TestWhoeverMayNotReviewFindsNothing(t *testing.T) {
	w := newInvited(t)
	use, ctx := w.Service.Reviews, t.Context()
	refused := func(why string) {
		t.Helper()
		if _, err := use.JudgeAsGuest(ctx, w.guest, w.compared[0].ID, vcd.ComparisonOK); vcd.CodeOf(err) != vcd.CodeNotFound {
			t.Errorf("%s: %v", why, err)
		}
	}
	old := w.guest.Token
	w.guest.Token = w.share(w.batch, vcd.LinkRead, nil)
	refused("a link that only shows")
	page, err := use.SharedComparison(ctx, w.guest.Token, w.compared[0].ID)
	must(t, err)
	if page.MayReview || page.Comments != nil {
		t.Errorf("a link that only shows opens %+v", page)
	}
	w.guest.Token = old
	refused("a renewed link")
	w.guest.Token = w.share(w.batch, vcd.LinkReview, vcdtest.Pointer(w.Clock.Now().Add(time.Hour)))
	_, err = use.JudgeAsGuest(ctx, w.guest, w.compared[0].ID, vcd.ComparisonToFix)
	must(t, err)
	w.Clock.Advance(2 * time.Hour)
	refused("an expired link")
	w.guest.Token = w.share(w.batch, vcd.LinkReview, nil)
	_, err = use.UnshareBatch(ctx, w.Actor, w.batch)
	must(t, err)
	refused("a link that was taken back")
	w.guest.Token = "unknown"
	refused("an unknown link")
	if got := w.status(w.compared[0].ID); got != vcd.ComparisonToFix {
		t.Errorf("the comparison is %q", got)
	}
}

func TestWhatGuestsSendIsChecked(t *testing.T) {
	w := newInvited(t)
	use, ctx, first := w.Service.Reviews, t.Context(), w.compared[0].ID
	for _, name := range []string{"", " ", strings.Repeat("n", 61), "a\x00b", "Kim\u202enimda", "a\nb", "\u200d", "\xff"} {
		_, err := use.CommentAsGuest(ctx, review.Guest{Token: w.guest.Token, Name: name}, first, "Hello")
		if vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("the name %q: %v", name, err)
		}
	}
	for _, name := range []string{"Zoë", "می\u200cخواهم", "王小明", "👩\u200d🎨 Kim"} {
		_, err := use.CommentAsGuest(ctx, review.Guest{Token: w.guest.Token, Name: name}, first, "Hello")
		if err != nil {
			t.Errorf("the name %q: %v", name, err)
		}
	}
	for _, status := range []vcd.ComparisonStatus{"", vcd.ComparisonNew, vcd.ComparisonFalsePositive, "done"} {
		if _, err := use.JudgeAsGuest(ctx, w.guest, first, status); vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("the status %q: %v", status, err)
		}
	}
	for _, fingerprint := range []string{"", "unknown", "\x00", strings.Repeat("f", review.MaxFingerprint+1)} {
		if _, err := use.AcceptAsGuest(ctx, w.guest, fingerprint); vcd.CodeOf(err) != vcd.CodeInvalid {
			t.Errorf("the change %q: %v", fingerprint, err)
		}
	}
	_, err := use.CommentAsGuest(ctx, w.guest, first, strings.Repeat("c", review.MaxCommentLength+1))
	wantCode(t, err, vcd.CodeInvalid)
	_, err = use.ShareBatch(ctx, w.Actor, w.batch, nil, "own")
	wantCode(t, err, vcd.CodeInvalid)
}
