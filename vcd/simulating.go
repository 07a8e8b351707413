package vcd

import (
	"context"
	"fmt"
	"time"
)

// Limits of simulations.
const (
	maxSimulatedDays    = 90
	previewDays         = 30
	maxReplayed         = 10_000 // comparisons, from the newest
	maxSimulationDrafts = 20
	simulationShown     = 100 // comparisons listed of those that appeared, and of those that vanished
)

// SimulationInput asks what the past of a group would have been under other settings.
type SimulationInput struct {
	GroupID   ID
	Threshold *float64            // percent; nil for those of the time
	Add       []FeedbackRuleInput // rules that do not exist
	Include   []string            // rules that are switched off now
	Exclude   []string            // rules that are on now
	Days      int
}

// Simulation is what a replay of stored comparisons came to. Nothing is captured or compared again.
type Simulation struct {
	From          time.Time
	Complete      bool // false when there were more comparisons than are replayed: the newest were
	Comparisons   int  // replayed
	AlarmsThen    int  // of these
	AlarmsNow     int
	AppearedCount int
	VanishedCount int
	Appeared      []ID // the newest comparisons that would be alarms and were none
	Vanished      []ID // the newest that were alarms and would be none
}

// RulePreview is what a rule would have done in the last 30 days.
type RulePreview struct {
	Comparisons int // it holds for
	Silenced    int // of these: alarms that would have been none
	Complete    bool
}

// ReplayStore reads comparisons to be decided anew.
type ReplayStore interface {
	// EachComparison hands out the comparisons that the filter leaves, the newest first and at most limit, with what
	// deciding them takes, and tells whether those were all.
	EachComparison(ctx context.Context, f ComparisonFilter, limit int, do func(*Comparison)) (complete bool, err error)
	// AllFeedbackRules lists the account's rules, oldest first.
	AllFeedbackRules(ctx context.Context) ([]*FeedbackRule, error)
}

func (in SimulationInput) validate() error {
	v := &validation{}
	v.between("days", in.Days, 1, maxSimulatedDays)
	if t := in.Threshold; t != nil {
		v.check(*t >= 0 && *t <= 100, "threshold", "between", "The {field} field must be between 0 and 100.")
	}
	v.check(len(in.Add) <= maxSimulationDrafts, "rules.add", "max", fmt.Sprintf("The {field} field must not have more than %d items.", maxSimulationDrafts))
	v.check(len(in.Include)+len(in.Exclude) <= maxFeedbackRules, "rules", "max", fmt.Sprintf("The {field} field must not have more than %d items.", maxFeedbackRules))
	return v.err()
}

// Simulate replays what is stored of a group's comparisons under another threshold and other feedback rules: which alarms
// would have appeared or vanished. Differences that were below their threshold have been looked at by the rules as well, but
// no model was asked about them and no page captured again.
func (s *Service) Simulate(ctx context.Context, actor Actor, in SimulationInput) (*Simulation, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	drafts, err := s.drafts(ctx, actor, in.Add)
	if err != nil {
		return nil, err
	}
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*Simulation, error) {
		group, err := tx.Group(ctx, in.GroupID)
		if err != nil {
			return nil, err
		}
		rules, err := tx.AllFeedbackRules(ctx)
		if err != nil {
			return nil, err
		}
		websites, err := tx.WebsitesOfGroups(ctx, []ID{group.ID})
		if err != nil {
			return nil, err
		}
		set := ruleSet{rules: append(in.selected(rules), drafts...), websites: websites}
		sim := &Simulation{From: s.Clock.Now().AddDate(0, 0, -in.Days)}
		f := ComparisonFilter{GroupIDs: &[]ID{group.ID}, From: &sim.From}
		sim.Complete, err = tx.EachComparison(ctx, f, maxReplayed, func(c *Comparison) {
			threshold := c.Threshold
			if in.Threshold != nil {
				threshold = *in.Threshold
			}
			sim.count(c, c.replay(threshold, set.of(c)))
		})
		return sim, err
	})
}

// drafts are rules that are made for a simulation only.
func (s *Service) drafts(ctx context.Context, actor Actor, inputs []FeedbackRuleInput) ([]*FeedbackRule, error) {
	var drafts []*FeedbackRule
	for _, in := range inputs {
		r, err := s.draftRule(ctx, actor, in)
		if err != nil {
			return nil, err
		}
		err = s.Store.Read(ctx, actor, func(ctx context.Context, tx Tx) error {
			r.Scope = ScopeURL
			if in.Reach != ReachGroupOrWebsite {
				return nil
			}
			r.Scope = ScopeGroup
			websites, err := tx.WebsitesOfGroups(ctx, []ID{r.GroupID})
			if w := websites[r.GroupID]; w != nil {
				r.Scope, r.WebsiteID = ScopeWebsite, &w.ID
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, r)
	}
	return drafts, nil
}

// selected are the rules that the simulation lets apply.
func (in SimulationInput) selected(rules []*FeedbackRule) []*FeedbackRule {
	on := map[ID]bool{}
	for _, r := range rules {
		on[r.ID] = r.IsActive
	}
	for _, id := range in.Include {
		on[ID(id)] = true
	}
	for _, id := range in.Exclude {
		on[ID(id)] = false
	}
	var kept []*FeedbackRule
	for _, r := range rules {
		if on[r.ID] {
			kept = append(kept, r)
		}
	}
	return kept
}

func (sim *Simulation) count(c *Comparison, alarm bool) {
	sim.Comparisons++
	if c.Alarmed {
		sim.AlarmsThen++
	}
	if alarm {
		sim.AlarmsNow++
	}
	switch {
	case alarm && !c.Alarmed:
		sim.AppearedCount++
		if len(sim.Appeared) < simulationShown {
			sim.Appeared = append(sim.Appeared, c.ID)
		}
	case c.Alarmed && !alarm:
		sim.VanishedCount++
		if len(sim.Vanished) < simulationShown {
			sim.Vanished = append(sim.Vanished, c.ID)
		}
	}
}

// ruleSet are rules with what it takes to tell for which pages they hold.
type ruleSet struct {
	rules    []*FeedbackRule
	websites map[ID]*Website // by group
}

// of lists those that hold for a comparison's page.
func (set ruleSet) of(c *Comparison) []*FeedbackRule {
	var rules []*FeedbackRule
	for _, r := range set.rules {
		holds := false
		switch w := set.websites[c.GroupID]; r.Scope {
		case ScopeURL:
			holds = r.URLID == c.URLID
		case ScopeGroup:
			holds = r.GroupID == c.GroupID
		case ScopeWebsite:
			holds = w != nil && r.WebsiteID != nil && *r.WebsiteID == w.ID
		}
		if holds {
			rules = append(rules, r)
		}
	}
	return rules
}

// replay decides anew about a stored comparison.
func (c *Comparison) replay(threshold float64, rules []*FeedbackRule) bool {
	v := c.Verification
	dismissed := c.Flapping && !c.Alarmed && c.AboveThreshold() && (v == nil || v.Status == VerificationSkipped)
	if dismissed || c.Confirmation == ChangeVanished {
		return false
	}
	again := *c
	again.Threshold = threshold
	if v != nil && v.Issue == "" {
		anew := *v
		anew.Status, anew.Findings = VerificationVerified, passOver(&again, withoutRules(v.Findings), rules)
		again.Verification = &anew
	}
	return again.decide() == ComparisonNew
}

// withoutRules are findings as they were before feedback rules.
func withoutRules(findings []Finding) []Finding {
	out := make([]Finding, len(findings))
	for i, f := range findings {
		f.Category, f.RuleID = f.Ruled, nil
		out[i] = f
	}
	return out
}

// PreviewRule tells how many alarms of the last 30 days a rule would have silenced, beside the rules that are active.
func (s *Service) PreviewRule(ctx context.Context, actor Actor, rule *FeedbackRule) (*RulePreview, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*RulePreview, error) {
		rules, err := tx.AllFeedbackRules(ctx)
		if err != nil {
			return nil, err
		}
		set := ruleSet{rules: SimulationInput{Include: []string{string(rule.ID)}}.selected(rules)}
		from := s.Clock.Now().AddDate(0, 0, -previewDays)
		f := ComparisonFilter{From: &from}
		switch rule.Scope {
		case ScopeURL:
			f.URLIDs = &[]ID{rule.URLID}
		case ScopeGroup:
			f.GroupIDs = &[]ID{rule.GroupID}
		case ScopeWebsite:
			f.WebsiteIDs = &[]ID{*rule.WebsiteID}
		}
		preview := &RulePreview{}
		websites := map[ID]*Website{}
		preview.Complete, err = tx.EachComparison(ctx, f, maxReplayed, func(c *Comparison) {
			if rule.Scope == ScopeWebsite {
				websites[c.GroupID] = &Website{ID: *rule.WebsiteID}
			}
			set.websites = websites
			preview.Comparisons++
			if c.Alarmed && !c.replay(c.Threshold, set.of(c)) {
				preview.Silenced++
			}
		})
		return preview, err
	})
}
