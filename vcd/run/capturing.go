package run

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// CaptureTask is what a worker needs in order to take a screenshot.
type CaptureTask struct {
	Entry       *vcd.QueueEntry
	Address     string   // without scheme
	Schemes     []string // in the order in which to try them, see schemesOf
	Device      vcd.Device
	Styles      []string // CSS of the group, then of the URL
	Scripts     []string // JavaScript of the group, then of the URL
	HideConsent bool     // accept or hide cookie banners and hide advertisements
	User        string   // basic authentication; empty when the group has none
	Password    string
	OnlyTLS     bool // http may work, and is not tried because of the password
	ProxyType   vcd.ProxyType
	// ProxyCountry is the required country of the proxy; empty means the region in which the screenshot is taken.
	ProxyCountry string
	// Later and Seed are those of capture.Request; zero but for probes.
	Later time.Duration
	Seed  uint32
	// Brief is whether only the document is asked for while its site refuses.
	Brief bool
	// Flow is the flow of a checkpoint; nil for other pages.
	Flow *FlowTask
	// Trial is the trial of the flow, which has no entries; nil for all others.
	Trial *vcd.FlowTrial
	// SignIn is the sign-in flow of the group, which is to be run instead: the page has another turn then. Nil for a capture.
	SignIn *FlowTask
	// Session is what the browser has of the group's sign-in flow, and SessionRound how often that has begun; empty for nothing.
	Session      vcd.PageState
	SessionRound int

	entrance entrance
}

// CaptureResult is a screenshot whose pixels the worker has stored.
type CaptureResult struct {
	Picture    Picture
	Address    string // of the task
	Title      string
	StatusCode int
	FinalURL   string
	Scheme     string // the one that worked
	SCVersion  string
	Truncated  bool
	Complete   *bool // nil where it was not measured
	Console    []page.ConsoleEntry
	Manifest   json.RawMessage
	Elements   string    // hash of the page's content in the blob store; empty when it was not stored
	Overload   *Overload // the page reports that the site gets too many requests; else nil
}

// CaptureFailure is why a screenshot could not be taken.
type CaptureFailure struct {
	Reason    string    // one word of the capture engine's closed list
	Sentence  string    // for the site's owner
	Retryable bool      // another attempt may succeed
	Address   string    // with Overload: of the task
	Overload  *Overload // the site asks for fewer requests; else nil
}

// Reasons set by this package rather than by the capture engine.
const (
	reasonBaseline     = "baseline"      // of a finished comparison: the screenshot is the first of its kind, nothing was compared
	reasonWithdrawn    = "withdrawn"     // the URL or its group was removed meanwhile
	reasonNoScreenshot = "no_screenshot" // of a comparison: there is nothing to compare
	reasonCancelled    = "cancelled"     // its run was cancelled, or its account paused or cancelled
)

// withdrawn is why entries end whose page is no longer in its group.
const withdrawn = "The URL or its group was removed before the screenshot was taken."

// BeginCapture marks an entry, or a trial of a flow, as processing. When there is nothing left to do, it completes the job and returns
// nil. Where a page is no longer in its group, others of the run may have gone with it: these end as well, without a turn of their own.
func (s *Service) BeginCapture(ctx context.Context, actor vcd.Actor, entry vcd.ID) (*CaptureTask, error) {
	var gone *vcd.QueueEntry
	missing := false
	task, err := vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*CaptureTask, error) {
		gone, missing = nil, false // the transaction may be repeated
		e, err := vcd.OrGone(tx.LockQueueEntry(ctx, entry))
		switch {
		case err != nil:
			return nil, err
		case e == nil:
			missing = true
			return nil, nil
		case e.Status.Ended():
			return nil, tx.CompleteJob(ctx)
		}
		task, err := s.captureTask(ctx, tx, e)
		if err != nil {
			return nil, err
		}
		if task == nil {
			gone = e
			e.Reason, e.ErrorMsg = reasonWithdrawn, withdrawn
			return nil, s.endCapture(ctx, tx, e)
		}
		if task.entrance != (entrance{}) {
			return nil, s.stayOutside(ctx, tx, e, task.entrance)
		}
		if task.Flow != nil && task.Flow.interrupted > 0 {
			return nil, s.finishFlow(ctx, tx, e, task.Flow.interruptedResult())
		}
		return task, s.moveEntry(ctx, tx, e, vcd.QueueProcessing)
	})
	if err == nil && missing {
		return s.beginTrial(ctx, actor, entry)
	}
	if err == nil && gone != nil {
		err = s.endWithdrawn(ctx, actor, gone.BatchID)
	}
	return task, err
}

// LastAttempt reports whether the capture will not be retried if it fails.
func (t *CaptureTask) LastAttempt() bool { return t.Entry.Attempts+1 >= maxAttempts }

// lockOpenEntry locks the entry of a job. When the entry has ended or is gone, it completes the job and returns nil.
func lockOpenEntry(ctx context.Context, tx Tx, id vcd.ID) (*vcd.QueueEntry, error) {
	e, err := tx.LockQueueEntry(ctx, id)
	switch {
	case err != nil && vcd.CodeOf(err) != vcd.CodeNotFound:
		return nil, err
	case err != nil || e.Status.Ended():
		return nil, tx.CompleteJob(ctx)
	}
	return e, nil
}

// captureTask collects the current settings; nil when the group is gone or the URL is no longer in it.
func (s *Service) captureTask(ctx context.Context, tx Tx, e *vcd.QueueEntry) (*CaptureTask, error) {
	g, err := vcd.OrGone(tx.OwnGroup(ctx, e.GroupID))
	if g == nil {
		return nil, err
	}
	u, err := vcd.OrGone(tx.OwnURL(ctx, e.URLID))
	if u == nil || u.Uploaded() {
		return nil, err
	}
	sel, err := tx.OwnSelection(ctx, g.ID, u.ID)
	if sel == nil {
		return nil, err
	}
	task := &CaptureTask{Entry: e, Address: u.Address, Device: e.Device}
	err = s.visitAs(task, g)
	task.inject(sel.CSS, sel.JS)
	task.Schemes = schemesOf(u, task.User != "")
	task.OnlyTLS = task.User != "" && u.Scheme != "https" && len(task.Schemes) == 1
	if err != nil {
		return nil, err
	}
	if g.SignInFlowID != nil {
		if e.ID == "" { // a probe is not worth signing in
			return nil, nil
		}
		if err := s.enter(ctx, tx, task, g, u); err != nil || task.SignIn != nil || task.entrance != (entrance{}) {
			return task, err
		}
	}
	if u.Checkpoint() {
		return s.flowTask(ctx, tx, task, e)
	}
	return task, nil
}

// visitAs makes a task visit its page as the pages of a group are visited.
func (s *Service) visitAs(task *CaptureTask, g *vcd.Group) (err error) {
	task.HideConsent, task.ProxyType = g.HideConsent, g.ProxyType
	task.inject(g.CSS, g.JS)
	if g.BasicAuthUser != nil && g.HasBasicAuth() {
		task.User = *g.BasicAuthUser
		task.Password, err = s.sealer.Open(vcd.PurposeBasicAuth, g.SealedPassword)
	}
	if g.ProxyCountry != nil {
		task.ProxyCountry = *g.ProxyCountry
	}
	return err
}

// schemesOf lists the schemes to try. Without a password: the scheme known to work, or https and then http. A password is
// sent unencrypted only if a client gave the address with http:// explicitly, and even then https is tried first. A capture
// that found http to work before there was a password does not count.
func schemesOf(u *vcd.URL, secret bool) []string {
	switch {
	case secret && u.Scheme == "http" && u.SchemeGiven:
		return []string{"https", "http"}
	case secret:
		return []string{"https"}
	case u.Scheme != "":
		return []string{u.Scheme}
	}
	return []string{"https", "http"}
}

func (t *CaptureTask) inject(css, js *string) {
	if css != nil && *css != "" {
		t.Styles = append(t.Styles, *css)
	}
	if js != nil && *js != "" {
		t.Scripts = append(t.Scripts, *js)
	}
}

// FinishCapture stores a screenshot, counts its check, starts the comparisons that waited for it and completes the job, all
// in one commit. An entry that has already ended stays unchanged.
func (s *Service) FinishCapture(ctx context.Context, actor vcd.Actor, entry vcd.ID, r CaptureResult) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return err
		}
		r.Title = vcd.Shown(r.Title)
		crawl := vcd.Crawl{URLID: e.URLID, Address: r.Address, At: s.clock.Now(), OK: true, Scheme: r.Scheme, HTMLTitle: r.Title,
			StatusCode: r.StatusCode}
		if err := tx.RecordCrawl(ctx, crawl); err != nil {
			return err
		}
		waits, err := s.answered(ctx, tx, e, r)
		if err != nil || waits {
			return err
		}
		waiting, err := tx.LockComparisonsOn(ctx, e)
		if err != nil {
			return err
		}
		// From here on the batch is locked: what other pages of the batch need not wait for comes before.
		shot := s.screenshot(e, r)
		if err := tx.InsertScreenshot(ctx, shot); err != nil {
			return err
		}
		if err := s.planProbe(ctx, tx, e, shot); err != nil {
			return err
		}
		e.SCVersion = r.SCVersion
		return s.settleCapture(ctx, tx, e, waiting, vcd.QueueDone)
	})
}

// answered records that a host has served a page, or that it refuses even in the last attempt, whose page is kept. That is what
// visitors see of a page that is closed; when the whole site is, and rests, the page waits with the others, which answered reports.
func (s *Service) answered(ctx context.Context, tx Tx, e *vcd.QueueEntry, r CaptureResult) (waits bool, err error) {
	if r.Overload == nil {
		return false, tx.WakeHost(ctx, hostOf(r.Address), s.clock.Now())
	}
	rest, err := s.refused(ctx, tx, e, r.Address, r.Overload)
	if err != nil || rest == nil {
		return false, err
	}
	return true, s.waitForSite(ctx, tx, e, r.Overload, rest)
}

func (s *Service) screenshot(e *vcd.QueueEntry, r CaptureResult) *vcd.Screenshot {
	now := s.clock.Now()
	return &vcd.Screenshot{
		ID: s.ids.NewID(), Account: e.Account, QueueID: e.ID, BatchID: e.BatchID, GroupID: e.GroupID, URLID: e.URLID,
		Device: e.Device, Type: e.Type, Confirmation: e.IsConfirmation(), Image: s.newImage(e.Account, r.Picture), HTMLTitle: r.Title,
		StatusCode: r.StatusCode, FinalURL: r.FinalURL, SCVersion: r.SCVersion, Truncated: r.Truncated, Complete: r.Complete,
		Console: r.Console, Manifest: r.Manifest, ElementsHash: r.Elements, CreatedAt: now, UpdatedAt: now,
	}
}

// FailCapture records a failed attempt. If a retry may succeed, the entry is reopened and queued after the batch's other
// pages of the same host; otherwise it fails and its check is released. A page whose site asks for a pause, or rests, waits without
// using up its attempts.
func (s *Service) FailCapture(ctx context.Context, actor vcd.Actor, entry vcd.ID, f CaptureFailure) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return err
		}
		if f.Overload != nil {
			rest, err := s.refused(ctx, tx, e, f.Address, f.Overload)
			if err != nil {
				return err
			}
			if rest != nil || f.Overload.Wait > 0 {
				return s.waitForSite(ctx, tx, e, f.Overload, rest)
			}
		}
		e.Attempts++
		if f.Retryable && e.Attempts < maxAttempts {
			at := s.clock.Now().Add(time.Duration(e.Attempts) * s.retryDelay)
			e.NotBefore = &at
			e.Notice = fmt.Sprintf("Attempt %d of %d failed: %s Next attempt after %s.", e.Attempts, maxAttempts, f.Sentence, clockTime(at))
			return s.retryCapture(ctx, tx, e, at)
		}
		e.Reason, e.ErrorMsg = f.Reason, f.Sentence
		if err := tx.RecordCrawl(ctx, vcd.Crawl{URLID: e.URLID, At: s.clock.Now()}); err != nil {
			return err
		}
		return s.endCapture(ctx, tx, e)
	})
}

func (s *Service) retryCapture(ctx context.Context, tx Tx, e *vcd.QueueEntry, at time.Time) error {
	if err := s.moveEntry(ctx, tx, e, vcd.QueueOpen); err != nil {
		return err
	}
	if err := tx.QueueUp(ctx, at, e.ID); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}

// endCapture fails a screenshot entry and updates everything that depends on it. It locks waiting
// comparisons before the batch, see BatchStore.LockBatch.
func (s *Service) endCapture(ctx context.Context, tx Tx, e *vcd.QueueEntry) error {
	if e.Leads() {
		return s.endFlow(ctx, tx, e)
	}
	waiting, err := tx.LockComparisonsOn(ctx, e)
	if err != nil {
		return err
	}
	return s.settleCapture(ctx, tx, e, waiting, vcd.QueueFailed)
}

// settleCapture is endCapture for a caller that has locked the waiting comparisons.
func (s *Service) settleCapture(ctx context.Context, tx Tx, e *vcd.QueueEntry, waiting []*vcd.QueueEntry, to vcd.QueueStatus) error {
	if err := s.settle(ctx, tx, e, waiting, to); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}

// settle is settleCapture for one of several entries of a job.
func (s *Service) settle(ctx context.Context, tx Tx, e *vcd.QueueEntry, waiting []*vcd.QueueEntry, to vcd.QueueStatus) error {
	if err := s.moveEntry(ctx, tx, e, to); err != nil {
		return err
	}
	for _, c := range waiting {
		if err := s.pair(ctx, tx, c); err != nil {
			return err
		}
	}
	return settleCheck(ctx, tx, e, to)
}

// settleCheck uses or releases the check reserved for a screenshot. Confirmations use none.
func settleCheck(ctx context.Context, tx Tx, e *vcd.QueueEntry, to vcd.QueueStatus) error {
	switch {
	case e.IsConfirmation():
		return nil
	case to == vcd.QueueFailed:
		return tx.SettleChecks(ctx, 0, 1)
	}
	return tx.SettleChecks(ctx, 1, 0)
}

// noScreenshot begins the reason why a comparison ends with its screenshot.
const noScreenshot = "The screenshot for the comparison could not be taken: "

// pair starts a comparison if both screenshots exist, ends it if one can never exist, and otherwise leaves it waiting. The
// caller has locked c, so if two screenshots end at the same moment, the second sees the first.
func (s *Service) pair(ctx context.Context, tx Tx, c *vcd.QueueEntry) error {
	if c.Status != vcd.QueueOpen || c.Dispatched || c.SubjectID == nil {
		return nil
	}
	subject, err := tx.OwnQueueEntry(ctx, *c.SubjectID)
	if err != nil {
		return err
	}
	switch subject.Status {
	case vcd.QueueFailed:
		return s.endComparison(ctx, tx, c, reasonNoScreenshot, noScreenshot+subject.ErrorMsg)
	case vcd.QueueOpen, vcd.QueueProcessing:
		return nil
	}
	confirmation, err := tx.ConfirmationOf(ctx, subject.ID)
	if err != nil || confirmation != nil && !confirmation.Status.Ended() {
		return err
	}
	pending, err := tx.HasPendingBaseline(ctx, subject)
	if err != nil || pending {
		return err
	}
	baseline, err := baselineOf(ctx, tx, subject)
	if err != nil {
		return err
	}
	if baseline == nil {
		return s.endUncompared(ctx, tx, c, subject)
	}
	c.Dispatched = true
	if err := tx.UpdateQueueEntry(ctx, c); err != nil {
		return err
	}
	return tx.QueueUp(ctx, c.UpdatedAt, c.ID)
}
