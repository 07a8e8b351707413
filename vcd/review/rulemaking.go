package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// FeedbackRuleInput describes a new feedback rule. Fields that the type does not use are ignored.
type FeedbackRuleInput struct {
	Type          vcd.RuleType // RuleVisual when empty
	ComparisonID  string
	RegionID      *int // of a visual rule
	ConsoleEntry  *string
	ConsoleSource *string
	Reach         RuleReach
}

func (in *FeedbackRuleInput) validate() (comparison vcd.ID, err error) {
	v := &vcd.Validation{}
	if in.Type == "" {
		in.Type = vcd.RuleVisual
	}
	vcd.OneOf(v, "type", in.Type, vcd.RuleVisual, vcd.RuleConsole)
	vcd.OneOf(v, "scope", in.Reach, ReachURL, ReachGroupOrWebsite)
	comparison, ok := vcd.ParseID(in.ComparisonID)
	v.Check(ok, "comparisonId", "uuid", "The {field} field must be a valid UUID.")
	switch in.Type {
	case vcd.RuleVisual:
		v.Check(in.RegionID != nil, "regionId", "required", "The {field} field is required.")
	case vcd.RuleConsole:
		entry := ""
		if in.ConsoleEntry != nil {
			entry = *in.ConsoleEntry
		}
		v.Required("consoleEntry", entry, vcd.MaxConsoleEntry)
		v.OptionalText("consoleSource", in.ConsoleSource, maxConsoleSource)
	}
	return comparison, v.Err()
}

// CreateFeedbackRule creates a feedback rule from a comparison. Accounts whose plan lacks verification can create rules too,
// but these are not applied until the plan includes it.
func (s *Service) CreateFeedbackRule(ctx context.Context, actor vcd.Actor, in FeedbackRuleInput) (*vcd.FeedbackRule, error) {
	r, err := s.draftRule(ctx, actor, in)
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (*vcd.FeedbackRule, error) {
		if r.Scope, r.WebsiteID, err = settleScope(ctx, tx, in.Reach, r.GroupID); err != nil {
			return nil, err
		}
		if err := roomForRule(ctx, tx); err != nil {
			return nil, err
		}
		if err := tx.InsertFeedbackRule(ctx, r); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventFeedbackRuleCreated, vcd.SubjectFeedbackRule,
			r.ID)); err != nil {
			return nil, err
		}
		return tx.FeedbackRule(ctx, r.ID)
	})
}

// draftRule returns an unstored rule without its scope.
func (s *Service) draftRule(ctx context.Context, actor vcd.Actor, in FeedbackRuleInput) (*vcd.FeedbackRule, error) {
	id, err := in.validate()
	if err != nil {
		return nil, err
	}
	seen, err := s.seenFor(ctx, actor, id)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	r := &vcd.FeedbackRule{
		ID: s.ids.NewID(), Account: actor.Account, Type: in.Type, URLID: seen.comparison.URLID, GroupID: seen.comparison.GroupID,
		ComparisonID: &seen.comparison.ID, Device: seen.comparison.Device, IsActive: true, CreatedAt: now, UpdatedAt: now,
	}
	return r, s.describe(ctx, r, in, seen)
}

// seen is what a rule is created from.
type seen struct {
	comparison *vcd.Comparison
	after      *vcd.Screenshot
}

// seenFor reads the comparison that a client named. It reads outside the write transaction, so that none is open while the
// page's elements are fetched; the data that a rule takes from a comparison is immutable.
func (s *Service) seenFor(ctx context.Context, actor vcd.Actor, id vcd.ID) (seen, error) {
	return vcd.Read(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (out seen, err error) {
		out.comparison, err = vcd.OrGone(tx.Comparison(ctx, id))
		switch {
		case err != nil:
			return out, err
		case out.comparison == nil:
			return out, vcd.Invalid("comparisonId", "exists", "The selected {field} is invalid.")
		}
		out.after, err = tx.Screenshot(ctx, out.comparison.AfterID)
		return out, err
	})
}

// describe fills in what the rule matches.
func (s *Service) describe(ctx context.Context, r *vcd.FeedbackRule, in FeedbackRuleInput, from seen) error {
	if in.Type == vcd.RuleConsole {
		r.ConsoleEntry, r.Description = *in.ConsoleEntry, *in.ConsoleEntry
		if source := in.ConsoleSource; source != nil && *source != "" {
			r.ConsoleSource = source
		}
		return nil
	}
	regions := from.comparison.Difference.Regions
	i := slices.IndexFunc(regions, func(region vcd.ChangedRegion) bool { return region.ID == *in.RegionID })
	if i < 0 {
		return vcd.Invalid("regionId", "exists", "The selected {field} is invalid.")
	}
	box := regions[i].Box()
	element, err := s.elementAt(ctx, from.after, box)
	if err != nil {
		return err
	}
	r.Region = &vcd.RuleRegion{Box: box, Fingerprint: regions[i].Fingerprint, Element: element}
	if found := from.comparison.FindingsIn(regions[i].ID); len(found) > 0 {
		r.Region.Changes, r.Region.Category, r.Description = changesOf(found)
		return nil
	}
	r.Description = fmt.Sprintf("Region %d of %s: %d × %d pixels at %d, %d",
		regions[i].ID, from.comparison.URLAddress, box.Width, box.Height, box.X, box.Y)
	return nil
}

const (
	maxRuleDescription = 300 // characters
	maxRuleChanges     = 8   // that a rule silences, the gravest of its region; a verification compares all of them with all findings
)

// changesOf are the changes that a rule created from findings silences, the worst verdict on them, and their description, which
// says if there are more than a rule takes.
func changesOf(found []*vcd.Finding) (changes []vcd.FoundChange, worst vcd.Category, description string) {
	beyond := max(len(found)-maxRuleChanges, 0)
	found = found[:len(found)-beyond]
	worst = vcd.CategoryAllGood
	for _, f := range found {
		changes, worst = append(changes, f.FoundChange), worst.Worse(f.Ruled)
	}
	description = cutText(found[0].Description, maxRuleDescription)
	if others := len(found) - 1; others > 0 {
		more := " And " + vcd.Plural(others, "other change") + " of the region."
		if beyond > 0 {
			more += " Not covered: " + vcd.Plural(beyond, "less severe change") + " of it."
		}
		description = cutText(found[0].Description, maxRuleDescription-len(more)) + more
	}
	return changes, worst, description
}

func cutText(text string, most int) string {
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most-1]) + "…"
	}
	return text
}

// elementAt is the smallest element of the page that covers the box; nil when there is none or the page's elements are not
// stored (any more).
func (s *Service) elementAt(ctx context.Context, shot *vcd.Screenshot, box page.Box) (*vcd.RuleElement, error) {
	content, err := s.ContentOf(ctx, shot)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && content == nil:
		return nil, nil
	case err != nil:
		return nil, err
	}
	e := content.Covering(box)
	if e == nil {
		return nil, nil
	}
	return &vcd.RuleElement{Selector: e.Selector, Role: e.Role, Text: e.Text}, nil
}

// roomForRule returns an error when the account has the maximum number of rules. It locks the account so that concurrently
// created rules are counted too.
func roomForRule(ctx context.Context, tx RuleTx) error {
	if _, err := tx.LockAccount(ctx); err != nil {
		return err
	}
	n, err := tx.CountFeedbackRules(ctx)
	if err != nil {
		return err
	}
	if n >= maxFeedbackRules {
		return vcd.Invalid("comparisonId", "max", fmt.Sprintf(
			"The {field} cannot be used: the account already has %d AI feedback rules, which is the limit. Delete one first.",
			maxFeedbackRules))
	}
	return nil
}
