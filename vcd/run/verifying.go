package run

import (
	"context"

	"afterimage/vcd"
)

// Verify reports whether the regions of the result have to be examined: the account has the feature, something changed, and
// the findings matter. A monitoring change that needs confirmation is examined once it is confirmed.
func (task *CompareTask) Verify(r *CompareResult) bool {
	waits := task.Monitoring && task.Confirm && task.Confirmation == nil && task.judged(r.Difference) > task.Threshold
	return task.Features.AIVerification && !r.Difference.None() && !r.BlankBefore && !r.BlankAfter && !waits
}

func (task *CompareTask) judged(d vcd.Difference) float64 {
	if task.Measure == vcd.MeasureAligned {
		return d.AlignedPercent
	}
	return d.Percent
}

// verification is the verification of a comparison before a model is asked; nil for accounts without the feature, unless a
// page is blank, which takes no verification to see.
func (task *CompareTask) verification(c *vcd.Comparison, r CompareResult, after *vcd.Screenshot) *vcd.Verification {
	if !task.Features.AIVerification && !r.BlankBefore && !r.BlankAfter {
		return nil
	}
	v := &vcd.Verification{Status: vcd.VerificationSkipped}
	if r.Verification != nil {
		*v = *r.Verification
		v.Findings = vcd.PassOver(c, v.Findings, task.Rules)
	}
	v.Explained = v.Explained && !c.Truncated
	switch {
	case r.BlankBefore && r.BlankAfter:
		*v = vcd.Verification{Status: vcd.VerificationVerified, Issue: vcd.IssueBothBlank,
			Summary: "The page was and still is completely blank."}
	case r.BlankAfter:
		*v = vcd.Verification{Status: vcd.VerificationVerified, Issue: vcd.IssueAfterBlank,
			Summary: "The page is now completely blank but was not before."}
	case r.BlankBefore:
		*v = vcd.Verification{Status: vcd.VerificationVerified, Issue: vcd.IssueBeforeBlank,
			Summary: "The page was completely blank before and has recovered."}
	case c.Difference.None() && c.Truncated:
		v.Skip("Nothing changed in the part of the page that was captured.")
	case c.Difference.None() && c.NotSeen != "":
		v.Explained = true
		v.Skip("Nothing changed, but the comparison is incomplete: " + c.NotSeen + ".")
	case c.Difference.None():
		v.Explained = true
		v.Skip("Nothing changed.")
	case !c.AboveThreshold():
		v.Skip("The difference is not above the threshold.")
	case r.Verification == nil:
		v.Skip("The changes were not examined.")
	default:
		v.Status, v.Longer = vcd.VerificationVerified, longer(task.Before.Image, after.Image)
		v.Page = vcd.NameOfPage(after.HTMLTitle, task.Entry.URLAddress)
		v.Summarize()
	}
	return v
}

// longer is by how many pixels a picture is longer than another.
func longer(before, after *vcd.Image) int {
	if before == nil || after == nil {
		return 0
	}
	return after.Height - before.Height
}

// claimModel takes regions from the batch's model budget, and makes the comparison pending if the budget is not exhausted and
// a model is available. The caller has locked the entry.
func (s *Service) claimModel(ctx context.Context, tx Tx, c *vcd.Comparison, model bool) error {
	v := c.Verification
	if v == nil || !model || c.Status != vcd.ComparisonNew || v.Status != vcd.VerificationVerified || v.Issue != "" || v.Unsure() == 0 {
		return nil
	}
	b, err := tx.LockBatch(ctx, c.BatchID)
	if err != nil {
		return err
	}
	if v.Unsure() > s.modelBudget-b.ModelRegions {
		v.Summary += " Judged by rules only: the run has reached its limit of questions to the model."
		return nil
	}
	b.ModelRegions += v.Unsure()
	v.Status = vcd.VerificationPending
	v.Summary = "A model is being asked about " + vcd.Plural(v.Unsure(), "change") + "."
	return tx.UpdateBatch(ctx, b)
}

// FinishVerification stores a model's answer about a pending comparison, decides its state and completes the job, all in one
// commit. It does not override a state that a reviewer has set meanwhile.
func (s *Service) FinishVerification(ctx context.Context, actor vcd.Actor, entry vcd.ID, said vcd.Consultation) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
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
func (s *Service) settlePending(ctx context.Context, tx Tx, e *vcd.QueueEntry, c *vcd.Comparison, said vcd.Consultation) error {
	c.Verification.Longer = longer(c.Before.Image, c.After.Image)
	c.Verification.Page = vcd.NameOfPage(c.HTMLTitle, c.URLAddress)
	c.Verification.Consult(said)
	c.UpdatedAt = s.clock.Now()
	decided, reviewed := c.Decide(), c.Status != vcd.ComparisonNew
	c.Alarmed = decided == vcd.ComparisonNew
	var events []*vcd.Event
	switch {
	case reviewed:
	case c.Alarmed:
		events = append(events, s.comparisonEvent(vcd.EventComparisonStatusNew, c))
	default:
		c.Status = decided
		events = append(events, s.comparisonEvent(vcd.EventComparisonStatusChanged, c), s.comparisonEvent(vcd.EventComparisonSilenced, c))
	}
	if err := tx.UpdateVerification(ctx, c); err != nil {
		return err
	}
	return s.endCompared(ctx, tx, e, c, events)
}

// endCompared ends the entry of a decided comparison, updates everything that depends on it, and completes the job.
func (s *Service) endCompared(ctx context.Context, tx Tx, e *vcd.QueueEntry, c *vcd.Comparison, events []*vcd.Event) error {
	if err := tx.RecordChanges(ctx, c, s.reviews.ChangesOf(c)); err != nil {
		return err
	}
	if err := tx.RecordRuleMatches(ctx, c.ID, c.RuleMatches(), c.UpdatedAt); err != nil {
		return err
	}
	if err := tx.AppendEvents(ctx, events...); err != nil {
		return err
	}
	if err := s.moveEntry(ctx, tx, e, vcd.QueueDone); err != nil {
		return err
	}
	return tx.CompleteJob(ctx)
}
