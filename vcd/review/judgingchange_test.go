package review_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/review"
)

func (w *invited) judge(fingerprint string, status vcd.ComparisonStatus) review.Verdict {
	w.T.Helper()
	verdict, err := w.Service.Reviews.SetStatusOfChange(w.T.Context(), w.Actor, w.batch, fingerprint, status)
	must(w.T, err)
	return verdict
}

// holding lists the verdicts on the three changes.
func (w *invited) holding() (list []string) {
	w.T.Helper()
	found, err := w.Service.Reviews.ChangeVerdicts(w.T.Context(), w.Actor, []vcd.ID{w.batch})
	must(w.T, err)
	for _, f := range w.shown {
		told := "-"
		if v := found[w.batch][f.Fingerprint]; v != nil {
			told = string(v.Status) + " by " + v.Reviewer.Name
		}
		list = append(list, told)
	}
	return list
}

func (w *invited) holds(when string, want ...string) {
	w.T.Helper()
	if got := w.holding(); !slices.Equal(got, want) {
		w.T.Errorf("%s, the verdicts are %q, want %q", when, got, want)
	}
}

// actAsAnn has a user act for the account, who has a name.
func (w *invited) actAsAnn() {
	w.T.Helper()
	w.Actor.User, w.Actor.Name = w.NewUser("ann@example.com", vcd.RoleReviewer).User, "Ann"
}

// TestWhatSomebodyAcceptedCountsForEverybody: a page is done when the last of its changes is accepted, whoever accepted the others.
func TestWhatSomebodyAcceptedCountsForEverybody(t *testing.T) {
	w := newInvited(t)
	w.actAsAnn()
	a, b, c := w.shown[0].Fingerprint, w.shown[1].Fingerprint, w.shown[2].Fingerprint
	first := w.judge(a, vcd.ComparisonOK)
	if len(first.Changed) != 0 || first.StillOpenCount != 2 || first.Review == nil || !slices.Equal(first.Batches, []vcd.ID{w.batch}) {
		t.Errorf("the first change: %+v", first)
	}
	if others := first.StillOpen[0].Others; others.Count != 2 {
		t.Errorf("not accepted are %+v", others)
	}
	_, err := w.Service.Reviews.AcceptAsGuest(t.Context(), w.guest, b)
	must(t, err)
	w.holds("half way", "ok by Ann", "ok by Kim", "-")
	if last := w.judge(c, vcd.ComparisonFalsePositive); len(last.Changed) != 2 || last.StillOpenCount != 0 {
		t.Errorf("the last change: %+v", last)
	}
	if again := w.judge(c, vcd.ComparisonFalsePositive); again.Review != nil || again.Matched != 0 {
		t.Errorf("decided again: %+v", again)
	}
	w.CheckInvariants()
}

// TestAVerdictOnAChangeIsUndoneAndRedone, also where it closed no page.
func TestAVerdictOnAChangeIsUndoneAndRedone(t *testing.T) {
	w := newInvited(t)
	w.actAsAnn()
	undo := func(id vcd.ID) review.Undone {
		t.Helper()
		undone, err := w.Service.Reviews.UndoReview(t.Context(), w.Actor, id)
		must(t, err)
		return undone
	}
	a := w.shown[0].Fingerprint
	accepted := w.judge(a, vcd.ComparisonOK)
	fixing := w.judge(a, vcd.ComparisonToFix)
	if len(fixing.Changed) != 2 {
		t.Errorf("to be fixed: %+v", fixing)
	}
	w.holds("to be fixed", "to_fix by Ann", "-", "-")
	undone := undo(*fixing.Review)
	if len(undone.Changed) != 2 {
		t.Errorf("undone: %+v", undone)
	}
	w.holds("not to be fixed", "ok by Ann", "-", "-")
	back := undo(*accepted.Review)
	w.holds("not accepted", "-", "-", "-")
	if twice := undo(*accepted.Review); twice.Review != nil {
		t.Errorf("undone twice: %+v", twice)
	}
	redone := undo(*back.Review)
	w.holds("accepted again", "ok by Ann", "-", "-")
	undo(*redone.Review)
	w.holds("undone again", "-", "-", "-")
	for _, f := range w.shown[1:] {
		w.judge(f.Fingerprint, vcd.ComparisonOK)
	}
	if got := w.status(w.compared[0].ID); got != vcd.ComparisonNew {
		t.Errorf("a page with a change whose approval was undone is %q", got)
	}
	w.CheckInvariants()
}

// TestTwoPeopleAcceptTheChangesOfAPageAtOnce: none of them misses what another one decides at the same moment.
func TestTwoPeopleAcceptTheChangesOfAPageAtOnce(t *testing.T) {
	w := newInvited(t)
	var all sync.WaitGroup
	failures := make([]error, len(w.shown))
	for i, f := range w.shown {
		all.Go(func() {
			_, failures[i] = w.Service.Reviews.SetStatusOfChange(t.Context(), w.Actor, w.batch, f.Fingerprint, vcd.ComparisonOK)
		})
	}
	all.Wait()
	must(t, errors.Join(failures...))
	for _, c := range w.compared {
		if got := w.status(c.ID); got != vcd.ComparisonOK {
			t.Errorf("comparison %s is %q", c.ID, got)
		}
	}
}

func TestAVerdictOnAChangeIsChecked(t *testing.T) {
	w := newInvited(t)
	use, ctx, known := w.Service.Reviews, t.Context(), w.shown[0].Fingerprint
	for _, fingerprint := range []string{"", "unknown", "\x00", "\xff", strings.Repeat("f", review.MaxFingerprint+1)} {
		_, err := use.SetStatusOfChange(ctx, w.Actor, w.batch, fingerprint, vcd.ComparisonOK)
		wantCode(t, err, vcd.CodeInvalid)
	}
	for _, status := range []vcd.ComparisonStatus{"", vcd.ComparisonNew, "done"} {
		_, err := use.SetStatusOfChange(ctx, w.Actor, w.batch, known, status)
		wantCode(t, err, vcd.CodeInvalid)
	}
	stranger := vcd.Actor{Account: w.NewAccount("eve@example.com", 0).ID}
	_, err := use.SetStatusOfChange(ctx, stranger, w.batch, known, vcd.ComparisonOK)
	wantCode(t, err, vcd.CodeNotFound)
	told, err := use.ChangeVerdicts(ctx, stranger, []vcd.ID{w.batch})
	must(t, err)
	if len(told) != 0 {
		t.Errorf("another account is told %v", told)
	}
}

// TestAnApprovalThatClosesNoPageIsTold: others who look at the run see it at once.
func TestAnApprovalThatClosesNoPageIsTold(t *testing.T) {
	w := newInvited(t)
	before, err := w.Service.Outbound.LastEvent(t.Context(), w.Actor)
	must(t, err)
	w.judge(w.shown[0].Fingerprint, vcd.ComparisonOK)
	events, err := w.Service.Outbound.EventsAfter(t.Context(), w.Actor, before, &w.batch, 10)
	must(t, err)
	if len(events) != 1 || events[0].Kind != vcd.EventBatchUpdated {
		t.Errorf("told is %+v", events)
	}
}
