package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// verificationColumns are the columns of a comparison's verification. Without a status there was none.
type verificationColumns struct {
	Alarmed        bool                   `bun:"alarmed"`
	AIStatus       vcd.VerificationStatus `bun:"ai_status,nullzero"`
	CaptureIssue   vcd.CaptureIssue       `bun:"capture_issue,nullzero"`
	AISummary      string                 `bun:"ai_summary"`
	AIProcessingMS int                    `bun:"ai_processing_ms"`
	AIAllGood      int                    `bun:"ai_all_good"`
	AINotSure      int                    `bun:"ai_not_sure"`
	AIAlerts       int                    `bun:"ai_alerts"`
	LeftOut        int                    `bun:"regions_left_out"`
	Findings       []vcd.Finding          `bun:"findings,type:jsonb"`
	Explained      bool                   `bun:"explained"`
	Unlisted       int                    `bun:"unlisted_findings"`
	UnlistedPixels int                    `bun:"unlisted_pixels"`
	UnlistedWorst  vcd.Category           `bun:"unlisted_category,nullzero"`
	ConsoleVerdict *vcd.ConsoleVerdict    `bun:"console_verdict,type:jsonb"`
}

func verificationOf(c *vcd.Comparison) verificationColumns {
	v := c.Verification
	if v == nil {
		return verificationColumns{Alarmed: c.Alarmed, Findings: []vcd.Finding{}}
	}
	counts := v.Counts()
	return verificationColumns{
		Alarmed: c.Alarmed, AIStatus: v.Status, CaptureIssue: v.Issue, AISummary: plain(v.Summary),
		AIProcessingMS: int(v.Elapsed.Milliseconds()),
		AIAllGood:      counts.AllGood, AINotSure: counts.NotSure, AIAlerts: counts.Alerts, LeftOut: v.LeftOut,
		Findings:  plainFindings(v.Findings),
		Explained: v.Explained, Unlisted: v.Unlisted.Count, UnlistedPixels: v.Unlisted.Pixels, UnlistedWorst: v.Unlisted.Category,
		ConsoleVerdict: v.Console,
	}
}

func (r *verificationColumns) verification() *vcd.Verification {
	if r.AIStatus == "" {
		return nil
	}
	return &vcd.Verification{
		Status: r.AIStatus, Issue: r.CaptureIssue, Summary: r.AISummary, Elapsed: time.Duration(r.AIProcessingMS) * time.Millisecond,
		Findings: r.Findings, Explained: r.Explained, Console: r.ConsoleVerdict, LeftOut: r.LeftOut,
		Unlisted: vcd.Unlisted{Count: r.Unlisted, Pixels: r.UnlistedPixels, Category: r.UnlistedWorst},
	}
}

// plainFindings makes the texts of a page within findings storable.
func plainFindings(findings []vcd.Finding) []vcd.Finding {
	out := make([]vcd.Finding, len(findings))
	for i, f := range findings {
		f.Description, f.Reason = plain(f.Description), plain(f.Reason)
		f.Before, f.After = plainElement(f.Before), plainElement(f.After)
		f.Regions = notNil(f.Regions)
		out[i] = f
	}
	return out
}

func plainChanges(changes []vcd.FoundChange) []vcd.FoundChange {
	out := make([]vcd.FoundChange, len(changes))
	for i, c := range changes {
		c.Before, c.After = plainElement(c.Before), plainElement(c.After)
		out[i] = c
	}
	return out
}

func plainElement(e *page.ElementIdentity) *page.ElementIdentity {
	if e == nil {
		return nil
	}
	p := *e
	p.Selector, p.Role, p.Text, p.Source, p.Context = plain(e.Selector), plain(e.Role), plain(e.Text), plain(e.Source), plain(e.Context)
	return &p
}

// PendingComparison implements vcd.ComparisonStore.
func (t *tx) PendingComparison(ctx context.Context, entry vcd.ID) (*vcd.Comparison, error) {
	row := &comparisonRow{}
	q := t.bun.NewSelect().Model(row).Where("c.account_id = ? AND c.queue_id = ? AND c.ai_status = 'pending'", t.account, entry)
	err := forChange(q).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for the pending comparison of entry %s: %w", entry, err)
	}
	return row.comparison(), nil
}

// UpdateVerification implements vcd.ComparisonStore.
func (t *tx) UpdateVerification(ctx context.Context, c *vcd.Comparison) error {
	return t.updateOne(ctx, t.bun.NewUpdate().Model(rowOfComparison(c)).
		Column("status", "alarmed", "ai_status", "ai_summary", "ai_processing_ms", "ai_all_good", "ai_not_sure", "ai_alerts", "findings",
			"console_verdict", "updated_at").
		Where("account_id = ? AND id = ?", t.account, c.ID), "Comparison", c.ID)
}

// VerificationTotals implements vcd.BatchStore.
func (t *tx) VerificationTotals(ctx context.Context, batch vcd.ID) (vcd.VerificationTotals, error) {
	var row struct {
		Comparisons, Alarmed, Silenced, Blank, Unanswered, Unseen, Changes int
		Milliseconds                                                       int64
	}
	err := t.bun.NewRaw(`
		SELECT count(*) AS comparisons, count(*) FILTER (WHERE alarmed) AS alarmed,
			count(*) FILTER (WHERE NOT alarmed AND above_threshold AND ai_status IN ('verified', 'failed')
				AND capture_issue IS NULL) AS silenced,
			count(*) FILTER (WHERE capture_issue = 'after_blank') AS blank, count(*) FILTER (WHERE ai_status = 'failed') AS unanswered,
			count(*) FILTER (WHERE unseen <> '') AS unseen, coalesce(sum(ai_processing_ms), 0) AS milliseconds,
			(SELECT count(*) FROM batch_changes WHERE account_id = ?0 AND batch_id = ?1 AND not_sure + alerts > 0) AS changes
		FROM comparisons WHERE account_id = ?0 AND batch_id = ?1 AND ai_status IS NOT NULL`, t.account, batch).Scan(ctx, &row)
	if err != nil {
		return vcd.VerificationTotals{}, fmt.Errorf("add up the verifications of batch %s: %w", batch, err)
	}
	return vcd.VerificationTotals{
		Comparisons: row.Comparisons, Alarmed: row.Alarmed, Silenced: row.Silenced, Blank: row.Blank, Unanswered: row.Unanswered,
		Unseen: row.Unseen, Changes: row.Changes, Elapsed: time.Duration(row.Milliseconds) * time.Millisecond,
	}, nil
}

// summaryColumns summarize the verification of a batch.
type summaryColumns struct {
	AISummary      *string            `bun:"ai_summary"`
	AIOverall      *vcd.OverallStatus `bun:"ai_overall"`
	AIProcessingMS *int64             `bun:"ai_processing_ms"`
	ModelRegions   int                `bun:"model_regions"`
}

func summaryOf(b *vcd.Batch) summaryColumns {
	s := summaryColumns{ModelRegions: b.ModelRegions}
	if b.Summary != nil {
		ms := b.Summary.Elapsed.Milliseconds()
		s.AISummary, s.AIOverall, s.AIProcessingMS = &b.Summary.Summary, &b.Summary.Overall, &ms
	}
	return s
}

func (r *summaryColumns) summary() *vcd.BatchSummary {
	if r.AISummary == nil {
		return nil
	}
	return &vcd.BatchSummary{Summary: *r.AISummary, Overall: *r.AIOverall, Elapsed: time.Duration(*r.AIProcessingMS) * time.Millisecond}
}
