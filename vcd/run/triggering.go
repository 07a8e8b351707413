package run

import (
	"context"
	"time"

	"afterimage/vcd"
)

// TriggerInput is sent by a site whose pages were saved, or by a client that wants a group to run now.
type TriggerInput struct {
	GroupID string
	Type    vcd.TriggerType
	Scope   *vcd.TriggerScope // TriggerScopeURL when nil
	URLs    []TriggeredURL
	Editor  *string
}

// Triggered is the result of a trigger.
type Triggered struct {
	Accepted int                 // pages that the group captures
	Pending  *vcd.PendingTrigger // the pending run; nil when there is none
	Batch    *vcd.Batch          // the started run; nil when there is none
}

// TriggerMonitoring triggers a run of a monitoring group. Saves wait for further ones, so that they become one run; a manual
// trigger starts a run immediately. Pages that the group does not capture are ignored.
func (s *Service) TriggerMonitoring(ctx context.Context, actor vcd.Actor, in TriggerInput) (*Triggered, error) {
	group, pages, err := in.validate(s.clock.Now())
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*Triggered, error) {
		g, err := vcd.OrGone(tx.LockGroup(ctx, group))
		switch {
		case err != nil:
			return nil, err
		case g == nil:
			return nil, vcd.Invalid("groupId", "exists", "The selected {field} is invalid.")
		case !g.RunsOn(in.Type):
			return nil, triggerNotEnabled()
		}
		if err := mayRun(ctx, tx); err != nil {
			return nil, err
		}
		accepted, err := pages.within(ctx, tx, group)
		switch {
		case err != nil:
			return nil, err
		case in.Type == vcd.TriggerManual:
			return s.runNow(ctx, tx, g, in, accepted)
		case len(accepted) == 0:
			return &Triggered{}, nil
		}
		p, err := s.await(ctx, tx, g, in.Type, accepted)
		return &Triggered{Accepted: len(accepted), Pending: p}, err
	})
}

// validate checks the input and returns the group and the pages.
func (in *TriggerInput) validate(now time.Time) (vcd.ID, reported, error) {
	v := &vcd.Validation{}
	group := triggeredGroup(v, in.GroupID)
	vcd.OneOf(v, "type", in.Type, vcd.TriggerPostSave, vcd.TriggerManual)
	if in.Scope != nil {
		allowed := []vcd.TriggerScope{vcd.TriggerScopeURL}
		if in.Type == vcd.TriggerManual {
			allowed = append(allowed, vcd.TriggerScopeAll)
		}
		vcd.OneOf(v, "scope", *in.Scope, allowed...)
	}
	v.Check(len(in.URLs) > 0 || in.all(), "urls", "required", "The {field} field is required.")
	pages := parseReported(v, in.URLs, in.Editor, now)
	return group, pages, v.Err()
}

func triggeredGroup(v *vcd.Validation, raw string) vcd.ID {
	id, ok := vcd.ParseID(raw)
	v.Check(ok, "groupId", "uuid", "The {field} field must be a valid UUID.")
	return id
}

func (in *TriggerInput) all() bool { return in.Scope != nil && *in.Scope == vcd.TriggerScopeAll }

func triggerNotEnabled() error {
	return &vcd.Error{Code: vcd.CodeInvalid, Reason: ReasonTriggerNotEnabled, Message: "The trigger is not enabled for this group: " +
		"it is not a monitoring group, is disabled, or does not have the trigger."}
}

// await adds pages to the group's pending run, or creates one. A save does not extend the wait: a site on which pages are
// saved continually would otherwise never be checked.
func (s *Service) await(
	ctx context.Context, tx Tx, g *vcd.Group, t vcd.TriggerType, pages []vcd.TriggeredPage,
) (*vcd.PendingTrigger, error) {
	p, err := tx.LockPendingTrigger(ctx, g.ID, t)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	if p == nil {
		p = &vcd.PendingTrigger{
			ID: s.ids.NewID(), Account: g.Account, GroupID: g.ID, Type: t, FirstTriggeredAt: now,
			DueAt: now.Add(s.triggerWindow), Pages: pages,
		}
		return p, tx.InsertPendingTrigger(ctx, p)
	}
	if !p.Merge(pages) {
		return nil, vcd.Invalid("urls", "max", "There are too many {field}: 1000 pages of this group are already waiting for its run.")
	}
	return p, tx.UpdatePendingTrigger(ctx, p)
}

// runNow starts the run of a manual trigger.
func (s *Service) runNow(ctx context.Context, tx Tx, g *vcd.Group, in TriggerInput, pages []vcd.TriggeredPage) (*Triggered, error) {
	scope := vcd.TriggerScopeURL
	run := monitoringRun{Group: g}
	accepted := len(pages)
	if in.all() {
		scope, pages, accepted = vcd.TriggerScopeAll, []vcd.TriggeredPage{}, g.SelectedURLsCount
	} else {
		urls := urlsOf(pages)
		run.URLs = &urls
	}
	if accepted == 0 {
		return &Triggered{}, nil
	}
	run.Trigger = &vcd.TriggerContext{Type: vcd.TriggerManual, FirstTriggeredAt: s.clock.Now(), Pages: pages, Scope: &scope,
		Editor: in.Editor}
	b, err := s.startMonitoring(ctx, tx, run)
	return &Triggered{Accepted: accepted, Batch: b}, err
}

func urlsOf(pages []vcd.TriggeredPage) []vcd.ID {
	ids := make([]vcd.ID, len(pages))
	for i, page := range pages {
		ids[i] = page.URLID
	}
	return ids
}

// ExtendTriggerInput is sent by a site while saved pages are still being edited.
type ExtendTriggerInput struct {
	GroupID *string // nil for all groups
	URLs    []TriggeredURL
}

// ExtendTriggers postpones the runs pending for the given pages by a whole window from now, but to at most an hour after the
// first save, and returns them.
func (s *Service) ExtendTriggers(ctx context.Context, actor vcd.Actor, in ExtendTriggerInput) ([]*vcd.PendingTrigger, error) {
	v := &vcd.Validation{}
	now := s.clock.Now()
	var group *vcd.ID
	if in.GroupID != nil {
		id := triggeredGroup(v, *in.GroupID)
		group = &id
	}
	v.Check(len(in.URLs) > 0, "urls", "required", "The {field} field is required.")
	pages := parseReported(v, in.URLs, nil, now)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.PendingTrigger, error) {
		if group != nil {
			if g, err := vcd.OrGone(tx.Group(ctx, *group)); err != nil || g == nil {
				return nil, orInvalid(err, "groupId")
			}
		}
		window := s.triggerWindow
		return tx.ExtendPendingTriggers(ctx, group, pages.addresses, now.Add(window), max(window, maxTriggerWait))
	})
}

func orInvalid(err error, path string) error {
	if err != nil {
		return err
	}
	return vcd.Invalid(path, "exists", "The selected {field} is invalid.")
}

// PendingTriggers reads the pending runs of some groups.
func (s *Service) PendingTriggers(ctx context.Context, actor vcd.Actor, groups []vcd.ID) (map[vcd.ID]*vcd.PendingTrigger, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]*vcd.PendingTrigger, error) {
		return tx.PendingTriggers(ctx, groups)
	})
}

// RunDueTrigger starts at most one run whose window is over and reports whether there was one. A run that would fall into the
// group's quiet hours waits for their end. One that cannot take place is dropped and reported like a scheduled one: by the
// time it could run, the saves would be old news.
func (s *Service) RunDueTrigger(ctx context.Context) (bool, error) {
	now := s.clock.Now()
	return s.store.TakeDueTrigger(ctx, now, func(ctx context.Context, p *vcd.PendingTrigger, tx Tx) error {
		account, err := tx.Account(ctx)
		if err != nil {
			return err
		}
		g, err := vcd.OrGone(tx.Group(ctx, p.GroupID))
		if err != nil {
			return err
		}
		if g == nil || !g.RunsOn(p.Type) {
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
		return s.saveRuns(ctx, tx, account, []*vcd.Group{g}, []*vcd.Group{g})
	})
}

// runTriggered starts the run of a locked group, or records and reports why it does not take place.
func (s *Service) runTriggered(ctx context.Context, tx Tx, account *vcd.Account, g *vcd.Group, p *vcd.PendingTrigger) error {
	g.MissedRun = nil
	if account.MayRun() != nil {
		why := idleBecause(account)
		if why == "" {
			return nil // there is nobody to notify
		}
		return s.missRun(ctx, tx, g, why)
	}
	urls := urlsOf(p.Pages)
	_, err := s.startMonitoring(ctx, tx, monitoringRun{Group: g, URLs: &urls, Trigger: p.Context()})
	switch vcd.CodeOf(err) {
	case vcd.CodeChecksExhausted:
		return s.missRun(ctx, tx, g, vcd.MissedChecks)
	case vcd.CodeConflict:
		return s.missRun(ctx, tx, g, vcd.MissedTooMany)
	}
	return err
}
