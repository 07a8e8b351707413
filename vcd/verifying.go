package vcd

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Verify tells whether the regions of the result are to be looked at: the account has the feature, something changed, and
// what is found out counts. A change in monitoring that is to be confirmed is looked at once it is.
func (task *CompareTask) Verify(r *CompareResult) bool {
	waits := task.Monitoring && task.Confirm && task.Confirmation == nil && task.judged(r.Difference) > task.Threshold
	return task.Features.AIVerification && len(r.Difference.Regions) > 0 && !r.BlankBefore && !r.BlankAfter && !waits
}

func (task *CompareTask) judged(d Difference) float64 {
	if task.Measure == MeasureAligned {
		return d.AlignedPercent
	}
	return d.Percent
}

// verification is what is known of a comparison before a model is asked; nil for accounts without the feature.
func (task *CompareTask) verification(c *Comparison, r CompareResult) *Verification {
	if !task.Features.AIVerification {
		return nil
	}
	v := &Verification{Status: VerificationSkipped}
	if r.Verification != nil {
		*v = *r.Verification
		v.Findings = passOver(c, v.Findings, task.Rules)
	}
	switch {
	case r.BlankBefore && r.BlankAfter:
		*v = Verification{Status: VerificationVerified, Issue: IssueBothBlank, Summary: "The page is completely blank, and was so before."}
	case r.BlankAfter:
		*v = Verification{Status: VerificationVerified, Issue: IssueAfterBlank, Summary: "The page is completely blank now and was not before."}
	case r.BlankBefore:
		*v = Verification{Status: VerificationVerified, Issue: IssueBeforeBlank, Summary: "The page was completely blank before and has recovered."}
	case len(c.Difference.Regions) == 0:
		v.skip("Nothing changed.")
	case !c.AboveThreshold():
		v.skip("The difference is not above the threshold: there was nothing to decide.")
	case r.Verification == nil:
		v.skip("The changes were not looked at.")
	default:
		v.Status = VerificationVerified
		v.summarize(task.Model)
	}
	return v
}

// skip notes that no verdict was needed. What was found out stays.
func (v *Verification) skip(why string) { v.Status, v.Summary = VerificationSkipped, why }

// summarize words the verdicts, the worst first, and says who judged.
func (v *Verification) summarize(model bool) {
	counts := v.Counts()
	if v.Console != nil {
		counts.add(v.Console.Category)
	}
	n := counts.Total()
	worst, says := CategoryAllGood, ""
	for i := range v.Findings {
		if f := &v.Findings[i]; says == "" || f.Category.worse(worst) != worst {
			worst, says = f.Category.worse(worst), f.Description
		}
	}
	if v.Console != nil && v.Console.Category.worse(worst) != worst {
		says = v.Console.Description
	}
	var text string
	switch {
	case counts.Alerts > 0:
		text = fmt.Sprintf("%d of %s need attention. %s", counts.Alerts, plural(n, "change"), says)
	case counts.NotSure > 0:
		text = fmt.Sprintf("%d of %s may need attention. %s", counts.NotSure, plural(n, "change"), says)
	default:
		text = fmt.Sprintf("%s without a fault. %s", plural(n, "change"), says)
	}
	if v.LeftOut > 0 {
		text += fmt.Sprintf(" %s more were not looked at.", plural(v.LeftOut, "change"))
	}
	if counts.NotSure > 0 && !model {
		text += " Judged by rules only: no model is configured."
	}
	v.Summary = strings.TrimSpace(text)
}

// plural counts something in words.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// claimModel takes regions out of the batch's budget for a model, and makes the comparison pending if there is any left.
// The caller has locked the entry.
func (s *Service) claimModel(ctx context.Context, tx Tx, task *CompareTask, c *Comparison) error {
	v := c.Verification
	if v == nil || !task.Model || c.Status != ComparisonNew || v.Status != VerificationVerified || v.Issue != "" || v.unsure() == 0 {
		return nil
	}
	b, err := tx.LockBatch(ctx, c.BatchID)
	if err != nil {
		return err
	}
	if v.unsure() > s.ModelBudget-b.ModelRegions {
		v.Summary += " Judged by rules only: the questions to the model that a batch may ask were used up."
		return nil
	}
	b.ModelRegions += v.unsure()
	v.Status = VerificationPending
	v.Summary = "A model is asked about " + plural(v.unsure(), "change") + "."
	return tx.UpdateBatch(ctx, b)
}

// Consultation is what a model said about the regions that the rules were not sure of.
type Consultation struct {
	Opinions map[int]Opinion // by region; those without an answer are missing
	Problem  string          // why there are not all, as the end of a sentence; empty when there are
	Elapsed  time.Duration
}

// Opinion is a model's about one region.
type Opinion struct {
	Category   Category
	Reason     string
	Confidence float64
}

// consult takes a model's opinions over. What the rules or a feedback rule have settled is not the model's to change.
func (v *Verification) consult(said Consultation) {
	asked, answered := v.unsure(), 0
	for i := range v.Findings {
		f := &v.Findings[i]
		o, ok := said.Opinions[f.RegionID]
		if !ok || f.Category != CategoryNotSure || f.Certain {
			continue
		}
		answered++
		f.Category, f.Ruled, f.Judge, f.Reason, f.Confidence = o.Category, o.Category, JudgeModel, o.Reason, o.Confidence
	}
	v.Status = VerificationVerified
	v.Elapsed += said.Elapsed
	v.summarize(true)
	if answered < asked {
		v.Status = VerificationFailed
		v.Summary += fmt.Sprintf(" The model was asked about %s and %s: the rules' verdicts stand.", plural(asked, "change"), said.Problem)
	}
}

// FinishVerification stores what a model said about a pending comparison, decides its state and completes the job, all in
// one commit. A state that a reviewer has given it meanwhile stays.
func (s *Service) FinishVerification(ctx context.Context, actor Actor, entry ID, said Consultation) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		e, err := lockOpenEntry(ctx, tx, entry)
		if e == nil {
			return err
		}
		c, err := tx.PendingComparison(ctx, e.ID)
		if err != nil {
			return err
		}
		if c == nil {
			return tx.CompleteJob(ctx)
		}
		return s.settlePending(ctx, tx, e, c, said)
	})
}

// settlePending ends a pending comparison and its entry.
func (s *Service) settlePending(ctx context.Context, tx Tx, e *QueueEntry, c *Comparison, said Consultation) error {
	c.Verification.consult(said)
	c.UpdatedAt = s.Clock.Now()
	decided, reviewed := c.decide(), c.Status != ComparisonNew
	c.Alarmed = decided == ComparisonNew
	var events []*Event
	switch {
	case reviewed:
	case c.Alarmed:
		events = append(events, s.comparisonEvent(EventComparisonStatusNew, c))
	default:
		c.Status = decided
		events = append(events, s.comparisonEvent(EventComparisonStatusChanged, c))
	}
	if err := tx.UpdateVerification(ctx, c); err != nil {
		return err
	}
	return s.endCompared(ctx, tx, e, c, events)
}

// endCompared ends the entry of a comparison that is decided, with all that follows from it, and completes the job.
func (s *Service) endCompared(ctx context.Context, tx Tx, e *QueueEntry, c *Comparison, events []*Event) error {
	if err := tx.RecordChanges(ctx, c, s.changesOf(c)); err != nil {
		return err
	}
	if err := tx.RecordRuleMatches(ctx, c.ID, c.ruleMatches(), c.UpdatedAt); err != nil {
		return err
	}
	if err := tx.AppendEvents(ctx, events...); err != nil {
		return err
	}
	if err := s.moveEntry(ctx, tx, e, QueueDone); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}

// ruleMatches counts the regions and console entries that each feedback rule has passed over.
func (c *Comparison) ruleMatches() map[ID]int {
	matches := map[ID]int{}
	if c.Verification != nil {
		for _, f := range c.Verification.Judged() {
			if f.RuleID != nil {
				matches[*f.RuleID]++
			}
		}
	}
	for _, entries := range [][]DifferentEntry{c.Console.Added, c.Console.Removed} {
		for _, e := range entries {
			if e.Rule != nil {
				matches[*e.Rule]++
			}
		}
	}
	return matches
}
