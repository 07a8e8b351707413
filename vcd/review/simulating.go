package review

import (
	"context"
	"fmt"
	"time"

	"afterimage/vcd"
)

// Limits of simulations.
const (
	maxSimulatedDays    = 90
	previewDays         = 30
	maxReplayed         = 10_000 // comparisons, newest first
	maxSimulationDrafts = 20
	simulationShown     = 100 // comparisons listed as appeared, and as vanished
)

// SimulationInput asks which alarms a group would have had with other settings.
type SimulationInput struct {
	GroupID   vcd.ID
	Threshold *float64            // percent; nil for the thresholds used at the time
	Add       []FeedbackRuleInput // rules that do not exist yet
	Include   []string            // inactive rules to apply
	Exclude   []string            // active rules not to apply
	Days      int
}

// Simulation is the result of replaying stored comparisons. Nothing is captured or compared again.
type Simulation struct {
	From          time.Time
	Complete      bool // false when only the newest comparisons were replayed because there were too many
	Comparisons   int  // replayed
	AlarmsThen    int  // of these, alarms at the time
	AlarmsNow     int
	AppearedCount int
	VanishedCount int
	Appeared      []vcd.ID // the newest comparisons that would be alarms but were not
	Vanished      []vcd.ID // the newest that were alarms but would not be
}

// RulePreview is what a rule would have done in the last 30 days.
type RulePreview struct {
	Comparisons int // it applies to
	Silenced    int // of these, alarms that it would have silenced
	Complete    bool
}

func (in SimulationInput) validate() error {
	v := &vcd.Validation{}
	v.Between("days", in.Days, 1, maxSimulatedDays)
	if t := in.Threshold; t != nil {
		v.Check(*t >= 0 && *t <= 100, "threshold", "between", "The {field} field must be between 0 and 100.")
	}
	v.Check(len(in.Add) <= maxSimulationDrafts, "rules.add", "max", fmt.Sprintf("The {field} field must not have more than %d items.",
		maxSimulationDrafts))
	v.Check(len(in.Include)+len(in.Exclude) <= maxFeedbackRules, "rules", "max",
		fmt.Sprintf("The {field} field must not have more than %d items.", maxFeedbackRules))
	return v.Err()
}

// Simulate replays a group's stored comparisons with another threshold and other feedback rules to find which alarms would
// have appeared or vanished. Differences below their threshold were examined by the rules too, but no model was asked about
// them and no page was captured again.
func (s *Service) Simulate(ctx context.Context, actor vcd.Actor, in SimulationInput) (*Simulation, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	drafts, err := s.drafts(ctx, actor, in.Add)
	if err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (*Simulation, error) {
		group, err := tx.Group(ctx, in.GroupID)
		if err != nil {
			return nil, err
		}
		rules, err := tx.AllFeedbackRules(ctx)
		if err != nil {
			return nil, err
		}
		websites, err := tx.WebsitesOfGroups(ctx, []vcd.ID{group.ID})
		if err != nil {
			return nil, err
		}
		set := ruleSet{rules: append(in.selected(rules), drafts...), websites: websites}
		sim := &Simulation{From: s.clock.Now().AddDate(0, 0, -in.Days)}
		f := vcd.ComparisonFilter{GroupIDs: &[]vcd.ID{group.ID}, From: &sim.From}
		sim.Complete, err = tx.EachComparison(ctx, f, maxReplayed, func(c *vcd.Comparison) {
			threshold := c.Threshold
			if in.Threshold != nil {
				threshold = *in.Threshold
			}
			sim.count(c, c.Replay(threshold, set.of(c)))
		})
		return sim, err
	})
}

// drafts creates rules for the simulation only.
func (s *Service) drafts(ctx context.Context, actor vcd.Actor, inputs []FeedbackRuleInput) ([]*vcd.FeedbackRule, error) {
	var drafts []*vcd.FeedbackRule
	for _, in := range inputs {
		r, err := s.draftRule(ctx, actor, in)
		if err != nil {
			return nil, err
		}
		err = s.store.Rules().Read(ctx, actor, func(ctx context.Context, tx RuleTx) error {
			r.Scope = vcd.ScopeURL
			if in.Reach != ReachGroupOrWebsite {
				return nil
			}
			r.Scope = vcd.ScopeGroup
			websites, err := tx.WebsitesOfGroups(ctx, []vcd.ID{r.GroupID})
			if w := websites[r.GroupID]; w != nil {
				r.Scope, r.WebsiteID = vcd.ScopeWebsite, &w.ID
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

// selected returns the rules that the simulation applies.
func (in SimulationInput) selected(rules []*vcd.FeedbackRule) []*vcd.FeedbackRule {
	on := map[vcd.ID]bool{}
	for _, r := range rules {
		on[r.ID] = r.IsActive
	}
	for _, id := range in.Include {
		on[vcd.ID(id)] = true
	}
	for _, id := range in.Exclude {
		on[vcd.ID(id)] = false
	}
	var kept []*vcd.FeedbackRule
	for _, r := range rules {
		if on[r.ID] {
			kept = append(kept, r)
		}
	}
	return kept
}

func (sim *Simulation) count(c *vcd.Comparison, alarm bool) {
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

// ruleSet holds rules with what is needed to decide to which pages they apply.
type ruleSet struct {
	rules    []*vcd.FeedbackRule
	websites map[vcd.ID]*vcd.Website // by group
}

// of lists the rules that apply to a comparison's page.
func (set ruleSet) of(c *vcd.Comparison) []*vcd.FeedbackRule {
	var rules []*vcd.FeedbackRule
	for _, r := range set.rules {
		holds := false
		switch w := set.websites[c.GroupID]; r.Scope {
		case vcd.ScopeURL:
			holds = r.URLID == c.URLID
		case vcd.ScopeGroup:
			holds = r.GroupID == c.GroupID
		case vcd.ScopeWebsite:
			holds = w != nil && r.WebsiteID != nil && *r.WebsiteID == w.ID
		}
		if holds {
			rules = append(rules, r)
		}
	}
	return rules
}

// PreviewRule counts the alarms of the last 30 days that a rule would have silenced in addition to the active rules.
func (s *Service) PreviewRule(ctx context.Context, actor vcd.Actor, rule *vcd.FeedbackRule) (*RulePreview, error) {
	return vcd.Read(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (*RulePreview, error) {
		rules, err := tx.AllFeedbackRules(ctx)
		if err != nil {
			return nil, err
		}
		set := ruleSet{rules: SimulationInput{Include: []string{string(rule.ID)}}.selected(rules)}
		from := s.clock.Now().AddDate(0, 0, -previewDays)
		f := vcd.ComparisonFilter{From: &from}
		switch rule.Scope {
		case vcd.ScopeURL:
			f.URLIDs = &[]vcd.ID{rule.URLID}
		case vcd.ScopeGroup:
			f.GroupIDs = &[]vcd.ID{rule.GroupID}
		case vcd.ScopeWebsite:
			f.WebsiteIDs = &[]vcd.ID{*rule.WebsiteID}
		}
		preview := &RulePreview{}
		websites := map[vcd.ID]*vcd.Website{}
		preview.Complete, err = tx.EachComparison(ctx, f, maxReplayed, func(c *vcd.Comparison) {
			if rule.Scope == vcd.ScopeWebsite {
				websites[c.GroupID] = &vcd.Website{ID: *rule.WebsiteID}
			}
			set.websites = websites
			preview.Comparisons++
			if c.Alarmed && !c.Replay(c.Threshold, set.of(c)) {
				preview.Silenced++
			}
		})
		return preview, err
	})
}
