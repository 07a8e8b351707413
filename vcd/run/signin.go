package run

import (
	"context"
	"fmt"
	"strings"
	"time"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// A group may have a flow that signs in. It runs in a turn of the first page of the group that is captured in a batch on a device, before
// the page's own. What the browser keeps then is shared by the other captures, which wait meanwhile, and is forgotten when the batch ends.

// Reasons of pages behind a sign-in flow.
const (
	reasonSignIn    = "sign_in_failed" // the flow did not come to its end
	reasonSignedOut = "signed_out"     // the site asked to sign in although the flow had come to its end, twice
	reasonSignsOut  = "signs_out"      // to visit the page would end the session of the others
)

// signInPatience is how long captures wait for the flow of another one before they look again. Its end wakes them.
const signInPatience = 5 * time.Minute

const (
	waitsForSignIn   = "Waits for the sign-in flow of the group."
	signsOutSentence = "By its address or title, the page signs out, which would end the session of the other pages. It is not visited: " +
		"take it out of the group."
	signedOutSaid = "The site asks to sign in although the sign-in flow has passed, also after it was repeated. Check whether its " +
		"account may see the page, or whether the site ends its sessions early."
)

// FlowTx is what a use case can do about flows, and what they leave in browsers, within a transaction of runs.
type FlowTx interface {
	flowStore
	signInStore
}

// signInStore keeps what signs in for the captures of a group.
type signInStore interface {
	// Flow reads a flow.
	Flow(ctx context.Context, id vcd.ID) (*vcd.Flow, error)
	// LockPageSession reads the session of a group in a batch for a change; nil if there is none.
	LockPageSession(ctx context.Context, batch, group vcd.ID, device vcd.Device) (*vcd.PageSession, error)
	// InsertPageSession stores a session unless there is one.
	InsertPageSession(ctx context.Context, p *vcd.PageSession) error
	UpdatePageSession(ctx context.Context, p *vcd.PageSession) error
	// ForgetPageSessions removes the sessions of a batch, all or those with one of the statuses.
	ForgetPageSessions(ctx context.Context, batch vcd.ID, statuses ...vcd.QueueStatus) error
	// WaitingForSession lists the captures that wait until a session's HeldUntil.
	WaitingForSession(ctx context.Context, p *vcd.PageSession) ([]vcd.ID, error)
}

// entrance is how a page behind a sign-in flow is captured.
type entrance struct {
	heldUntil *time.Time // not before another turn has signed in
	reason    string     // never, and why
	sentence  string
}

// enter finds out how a page is captured whose group has a sign-in flow: it sets the session, or the flow if it is to be run first.
func (s *Service) enter(ctx context.Context, tx Tx, task *CaptureTask, g *vcd.Group, u *vcd.URL) error {
	if u.Checkpoint() { // the flow itself begins without a session
		f, err := vcd.OrGone(tx.OfFlows().FlowOfCheckpoint(ctx, u.ID))
		if err != nil || f == nil || f.ID == *g.SignInFlowID {
			return err
		}
	} else if page.SignsOut(u.Address, u.HTMLTitle) {
		task.entrance.reason, task.entrance.sentence = reasonSignsOut, signsOutSentence
		return nil
	}
	e, now := task.Entry, s.clock.Now()
	begun := &vcd.PageSession{
		Account: e.Account, BatchID: e.BatchID, GroupID: g.ID, Device: e.Device, FlowID: *g.SignInFlowID, EntryID: e.ID,
		Status: vcd.QueueOpen, Round: 1, HeldUntil: now, CreatedAt: now,
	}
	if err := tx.OfFlows().InsertPageSession(ctx, begun); err != nil {
		return err
	}
	p, err := tx.OfFlows().LockPageSession(ctx, e.BatchID, g.ID, e.Device)
	if err != nil {
		return err
	}
	if p == nil {
		return fmt.Errorf("the session of group %s in batch %s has gone", g.ID, e.BatchID)
	}
	switch p.Status {
	case vcd.QueueDone:
		plain, err := s.sealer.Open(vcd.PurposePageSession, p.Sealed)
		task.Session, task.SessionRound = vcd.PageState(plain), p.Round
		return err
	case vcd.QueueFailed:
		task.entrance.reason, task.entrance.sentence = reasonSignIn, p.Error
		return nil
	}
	held, err := s.held(ctx, tx, p, e, now)
	if err != nil || held {
		task.entrance.heldUntil = &p.HeldUntil
		return err
	}
	return s.beginSignIn(ctx, tx, task, p, *g.SignInFlowID)
}

// held tells whether a capture waits: another one is signing in, or the next attempt is due later.
func (s *Service) held(ctx context.Context, tx Tx, p *vcd.PageSession, e *vcd.QueueEntry, now time.Time) (bool, error) {
	if p.Status == vcd.QueueOpen {
		return p.HeldUntil.After(now), nil
	}
	if p.EntryID == e.ID { // this turn was interrupted
		return false, nil
	}
	holder, err := vcd.OrGone(tx.OwnQueueEntry(ctx, p.EntryID))
	if err != nil || holder == nil || holder.Status != vcd.QueueProcessing {
		return false, err
	}
	if p.HeldUntil.After(now) {
		return true, nil
	}
	p.HeldUntil = now.Add(signInPatience)
	return true, tx.OfFlows().UpdatePageSession(ctx, p)
}

// beginSignIn lets the turn of a capture run the flow, unless an interrupted one has changed something: then nobody repeats it.
func (s *Service) beginSignIn(ctx context.Context, tx Tx, task *CaptureTask, p *vcd.PageSession, flow vcd.ID) error {
	if p.Status == vcd.QueueProcessing && p.ChangedStep > 0 {
		p.Status = vcd.QueueFailed
		p.Error = fmt.Sprintf("The sign-in flow was interrupted after step %d had begun. It is not repeated, because the step changes "+
			"something: retry the run.", p.ChangedStep)
		task.entrance.reason, task.entrance.sentence = reasonSignIn, p.Error
		if err := s.wakeWaiting(ctx, tx, p, s.clock.Now()); err != nil {
			return err
		}
		return tx.OfFlows().UpdatePageSession(ctx, p)
	}
	f, err := tx.OfFlows().Flow(ctx, flow)
	if err != nil {
		return err
	}
	secrets, err := f.Secrets(s.sealer)
	if err != nil {
		return err
	}
	task.SignIn = &FlowTask{Flow: f, Secrets: secrets}
	p.FlowID, p.EntryID, p.Status, p.HeldUntil = f.ID, task.Entry.ID, vcd.QueueProcessing, s.clock.Now().Add(signInPatience)
	return tx.OfFlows().UpdatePageSession(ctx, p)
}

// wakeWaiting lets the captures that wait for a session have their turns from the given time on.
func (s *Service) wakeWaiting(ctx context.Context, tx Tx, p *vcd.PageSession, at time.Time) error {
	waiting, err := tx.OfFlows().WaitingForSession(ctx, p)
	if err != nil {
		return err
	}
	return tx.QueueUp(ctx, at, waiting...)
}

// stayOutside ends the turn of a capture that may not begin: it waits, or fails.
func (s *Service) stayOutside(ctx context.Context, tx Tx, e *vcd.QueueEntry, in entrance) error {
	if in.heldUntil != nil {
		return s.captureAt(ctx, tx, e, *in.heldUntil, waitsForSignIn)
	}
	e.Reason, e.ErrorMsg = in.reason, in.sentence
	if err := tx.RecordCrawl(ctx, vcd.Crawl{URLID: e.URLID, At: s.clock.Now()}); err != nil {
		return err
	}
	return s.endCapture(ctx, tx, e)
}

// captureAt gives a capture another turn without counting an attempt, and completes the job.
func (s *Service) captureAt(ctx context.Context, tx Tx, e *vcd.QueueEntry, at time.Time, notice string) error {
	e.Notice = notice
	if e.Status == vcd.QueueOpen {
		if err := tx.UpdateQueueEntry(ctx, e); err != nil {
			return err
		}
	}
	return s.retryCapture(ctx, tx, e, at)
}

// SignInResult is what became of a sign-in flow.
type SignInResult struct {
	State     vcd.PageState // what the browser keeps; with a failure it counts for nothing
	Steps     []vcd.FlowRunStep
	Failure   string // why it failed before its first step, or its session cannot be kept
	Retryable bool   // with Failure: another attempt may succeed
}

// failure is why the flow did not sign in; empty if it did.
func (r *SignInResult) failure() string {
	failed := (&vcd.FlowRun{Steps: r.Steps, Error: r.Failure}).Failure()
	switch {
	case failed != "":
		return "The sign-in flow failed. " + failed
	case r.State == "":
		return "The sign-in flow was stopped."
	}
	return ""
}

// BeginSignInChange is BeginChange for a step of the sign-in flow that runs in the turn of an entry.
func (s *Service) BeginSignInChange(ctx context.Context, actor vcd.Actor, entry vcd.ID, step int) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := vcd.OrGone(tx.LockQueueEntry(ctx, entry))
		switch {
		case err != nil:
			return err
		case e == nil || e.Status.Ended():
			return ErrStopped
		}
		p, err := tx.OfFlows().LockPageSession(ctx, e.BatchID, e.GroupID, e.Device)
		if err != nil {
			return err
		}
		if p == nil || p.EntryID != e.ID || p.Status != vcd.QueueProcessing {
			return ErrStopped
		}
		p.ChangedStep = step
		return tx.OfFlows().UpdatePageSession(ctx, p)
	})
}

// FinishSignIn stores what became of the sign-in flow that ran in the turn of an entry, gives the entry and those that wait their turns,
// and completes the job.
func (s *Service) FinishSignIn(ctx context.Context, actor vcd.Actor, entry vcd.ID, r SignInResult) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return err
		}
		now := s.clock.Now()
		p, err := tx.OfFlows().LockPageSession(ctx, e.BatchID, e.GroupID, e.Device)
		if err != nil {
			return err
		}
		if p == nil || p.EntryID != e.ID || p.Status != vcd.QueueProcessing { // another one has taken over
			return s.captureAt(ctx, tx, e, now, "")
		}
		at, notice, held := now, "", *p
		p.ChangedStep = 0
		switch failure := r.failure(); {
		case failure == "":
			p.Status = vcd.QueueDone
			if p.Sealed, err = s.sealer.Seal(vcd.PurposePageSession, string(r.State)); err != nil {
				return err
			}
		case r.Retryable && p.Attempts+1 < maxAttempts:
			p.Status, p.Attempts = vcd.QueueOpen, p.Attempts+1
			at = now.Add(time.Duration(p.Attempts) * s.retryDelay)
			p.HeldUntil = at
			notice = fmt.Sprintf("Attempt %d of %d to sign in failed: %s Next attempt after %s.", p.Attempts, maxAttempts,
				strings.TrimSpace(r.Failure), clockTime(at))
		default:
			p.Status, p.Error = vcd.QueueFailed, failure
		}
		if err := tx.OfFlows().UpdatePageSession(ctx, p); err != nil {
			return err
		}
		if err := s.wakeWaiting(ctx, tx, &held, at); err != nil {
			return err
		}
		return s.captureAt(ctx, tx, e, at, notice)
	})
}

// SignedOut is told that the page of an entry asks to sign in although it was captured with a session, that of the given round. The flow
// is run once more and the page captured again; after that it fails. Where the page asked to sign in before, too, it is as it should be:
// then nothing happens, and SignedOut returns false.
func (s *Service) SignedOut(ctx context.Context, actor vcd.Actor, entry vcd.ID, round int) (handled bool, err error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (bool, error) {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return true, err
		}
		before, err := tx.BaselineOf(ctx, e)
		if err != nil {
			return false, err
		}
		if before != nil && before.Wall() != nil && before.Wall().Kind == page.WallSignIn {
			return false, nil
		}
		p, err := tx.OfFlows().LockPageSession(ctx, e.BatchID, e.GroupID, e.Device)
		if err != nil {
			return false, err
		}
		now := s.clock.Now()
		switch {
		case p == nil || p.Round > round || p.Status != vcd.QueueDone: // it is renewed already
			return true, s.captureAt(ctx, tx, e, now, waitsForSignIn)
		case p.Round > 1:
			return true, s.stayOutside(ctx, tx, e, entrance{reason: reasonSignedOut, sentence: signedOutSaid})
		}
		p.Round, p.Status, p.Attempts, p.Sealed, p.HeldUntil = p.Round+1, vcd.QueueOpen, 0, nil, now
		if err := tx.OfFlows().UpdatePageSession(ctx, p); err != nil {
			return false, err
		}
		return true, s.captureAt(ctx, tx, e, now, waitsForSignIn)
	})
}
