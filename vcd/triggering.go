package vcd

import (
	"context"
	"time"
)

// TriggerInput is what a site sends when its pages were saved, or somebody who wants a group to run now.
type TriggerInput struct {
	GroupID string
	Type    TriggerType
	Scope   *TriggerScope // TriggerScopeURL when nil
	URLs    []TriggeredURL
	Editor  *string
}

// Triggered is what came of a trigger.
type Triggered struct {
	Accepted int             // pages that the group captures
	Pending  *PendingTrigger // what waits now; nil when nothing does
	Batch    *Batch          // what runs now; nil when nothing does
}

// TriggerMonitoring has a monitoring group run because of the site's pages. Saves wait a while for others, so that they
// become one run; a manual trigger starts one at once. Pages that the group does not capture are passed over.
func (s *Service) TriggerMonitoring(ctx context.Context, actor Actor, in TriggerInput) (*Triggered, error) {
	group, pages, err := in.validate(s.Clock.Now())
	if err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Triggered, error) {
		g, err := orGone(tx.LockGroup(ctx, group))
		switch {
		case err != nil:
			return nil, err
		case g == nil:
			return nil, Invalid("groupId", "exists", "The selected {field} is invalid.")
		case !g.runsOn(in.Type):
			return nil, triggerNotEnabled()
		}
		if err := mayRun(ctx, tx); err != nil {
			return nil, err
		}
		accepted, err := pages.within(ctx, tx, group)
		switch {
		case err != nil:
			return nil, err
		case in.Type == TriggerManual:
			return s.runNow(ctx, tx, g, in, accepted)
		case len(accepted) == 0:
			return &Triggered{}, nil
		}
		p, err := s.await(ctx, tx, g, in.Type, accepted)
		return &Triggered{Accepted: len(accepted), Pending: p}, err
	})
}

// validate checks the input and returns the group and the pages.
func (in *TriggerInput) validate(now time.Time) (ID, reported, error) {
	v := &validation{}
	group := triggeredGroup(v, in.GroupID)
	oneOf(v, "type", in.Type, TriggerPostSave, TriggerManual)
	if in.Scope != nil {
		allowed := []TriggerScope{TriggerScopeURL}
		if in.Type == TriggerManual {
			allowed = append(allowed, TriggerScopeAll)
		}
		oneOf(v, "scope", *in.Scope, allowed...)
	}
	v.check(len(in.URLs) > 0 || in.all(), "urls", "required", "The {field} field is required.")
	pages := parseReported(v, in.URLs, in.Editor, now)
	return group, pages, v.err()
}

func triggeredGroup(v *validation, raw string) ID {
	id, ok := ParseID(raw)
	v.check(ok, "groupId", "uuid", "The {field} field must be a valid UUID.")
	return id
}

func (in *TriggerInput) all() bool { return in.Scope != nil && *in.Scope == TriggerScopeAll }

// runsOn tells whether a trigger makes the group run.
func (g *Group) runsOn(t TriggerType) bool {
	if !g.Monitoring || !g.Enabled {
		return false
	}
	for _, has := range g.Triggers {
		if has.Type == string(t) {
			return true
		}
	}
	return t == TriggerManual
}

func triggerNotEnabled() error {
	return &Error{Code: CodeInvalid, Reason: ReasonTriggerNotEnabled, Message: "The group does not run by this trigger: " +
		"it is not a monitoring group, is disabled, or does not have the trigger."}
}

// await adds pages to the group's waiting run, or lets one begin to wait. A save does not prolong the waiting: a site on which
// somebody always saves something would never be looked at.
func (s *Service) await(ctx context.Context, tx Tx, g *Group, t TriggerType, pages []TriggeredPage) (*PendingTrigger, error) {
	p, err := tx.LockPendingTrigger(ctx, g.ID, t)
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	if p == nil {
		p = &PendingTrigger{
			ID: s.IDs.NewID(), Account: g.Account, GroupID: g.ID, Type: t, FirstTriggeredAt: now, DueAt: now.Add(s.triggerWindow()), Pages: pages,
		}
		return p, tx.InsertPendingTrigger(ctx, p)
	}
	if !p.merge(pages) {
		return nil, Invalid("urls", "max", "The {field} are too many: 1000 pages of this group wait for its run already.")
	}
	return p, tx.UpdatePendingTrigger(ctx, p)
}

func (s *Service) triggerWindow() time.Duration {
	if s.TriggerWindow > 0 {
		return s.TriggerWindow
	}
	return DefaultTriggerWindow
}

// runNow starts the run of a manual trigger.
func (s *Service) runNow(ctx context.Context, tx Tx, g *Group, in TriggerInput, pages []TriggeredPage) (*Triggered, error) {
	scope := TriggerScopeURL
	run := monitoringRun{Group: g}
	accepted := len(pages)
	if in.all() {
		scope, pages, accepted = TriggerScopeAll, []TriggeredPage{}, g.SelectedURLsCount
	} else {
		urls := urlsOf(pages)
		run.URLs = &urls
	}
	if accepted == 0 {
		return &Triggered{}, nil
	}
	run.Trigger = &TriggerContext{Type: TriggerManual, FirstTriggeredAt: s.Clock.Now(), Pages: pages, Scope: &scope, Editor: in.Editor}
	b, err := s.startMonitoring(ctx, tx, run)
	return &Triggered{Accepted: accepted, Batch: b}, err
}

func urlsOf(pages []TriggeredPage) []ID {
	ids := make([]ID, len(pages))
	for i, page := range pages {
		ids[i] = page.URLID
	}
	return ids
}

// ExtendTriggerInput is what a site sends while somebody goes on editing pages that were saved.
type ExtendTriggerInput struct {
	GroupID *string // nil for all groups
	URLs    []TriggeredURL
}

// ExtendTriggers has the runs that wait because of some pages wait a whole window from now, at most an hour after the
// first save. It returns them.
func (s *Service) ExtendTriggers(ctx context.Context, actor Actor, in ExtendTriggerInput) ([]*PendingTrigger, error) {
	v := &validation{}
	now := s.Clock.Now()
	var group *ID
	if in.GroupID != nil {
		id := triggeredGroup(v, *in.GroupID)
		group = &id
	}
	v.check(len(in.URLs) > 0, "urls", "required", "The {field} field is required.")
	pages := parseReported(v, in.URLs, nil, now)
	if err := v.err(); err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) ([]*PendingTrigger, error) {
		if group != nil {
			if g, err := orGone(tx.Group(ctx, *group)); err != nil || g == nil {
				return nil, orInvalid(err, "groupId")
			}
		}
		window := s.triggerWindow()
		return tx.ExtendPendingTriggers(ctx, group, pages.addresses, now.Add(window), max(window, maxTriggerWait))
	})
}

func orInvalid(err error, path string) error {
	if err != nil {
		return err
	}
	return Invalid(path, "exists", "The selected {field} is invalid.")
}

// PendingTriggers reads the runs of some groups that wait for further saves.
func (s *Service) PendingTriggers(ctx context.Context, actor Actor, groups []ID) (map[ID]*PendingTrigger, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (map[ID]*PendingTrigger, error) {
		return tx.PendingTriggers(ctx, groups)
	})
}

// RunDueTrigger starts at most one run whose window is over and tells whether there was one. A run that would fall into
// the group's quiet hours waits for their end. One that cannot take place is dropped and told of like a scheduled one: by
// the time it could, the pages that were saved are no news.
func (s *Service) RunDueTrigger(ctx context.Context) (bool, error) {
	now := s.Clock.Now()
	return s.Store.TakeDueTrigger(ctx, now, func(ctx context.Context, p *PendingTrigger, tx Tx) error {
		account, err := tx.Account(ctx)
		if err != nil {
			return err
		}
		g, err := orGone(tx.Group(ctx, p.GroupID))
		if err != nil {
			return err
		}
		if g == nil || !g.runsOn(p.Type) {
			return tx.DeletePendingTrigger(ctx, p) // its owner no longer wants it to run
		}
		if at := g.Plan(account.Zone()).Allowed(now); at.After(now) {
			p.DueAt = at
			return tx.UpdatePendingTrigger(ctx, p)
		}
		if err := s.runTriggered(ctx, tx, account, g, p); err != nil {
			return err
		}
		if err := tx.DeletePendingTrigger(ctx, p); err != nil {
			return err
		}
		return s.saveRun(ctx, tx, account, g)
	})
}

// runTriggered starts the run of a locked group, or notes and tells why it does not take place.
func (s *Service) runTriggered(ctx context.Context, tx Tx, account *Account, g *Group, p *PendingTrigger) error {
	g.MissedRun = nil
	switch {
	case account.Status == AccountPaused:
		return s.missRun(ctx, tx, g, MissedPaused)
	case account.mayRun() != nil:
		return nil // nobody is there to be told
	}
	urls := urlsOf(p.Pages)
	_, err := s.startMonitoring(ctx, tx, monitoringRun{Group: g, URLs: &urls, Trigger: p.context()})
	switch CodeOf(err) {
	case CodeChecksExhausted:
		return s.missRun(ctx, tx, g, MissedChecks)
	case CodeConflict:
		return s.missRun(ctx, tx, g, MissedTooMany)
	}
	return err
}
