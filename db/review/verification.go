package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"afterimage/db/query"
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
		Alarmed: c.Alarmed, AIStatus: v.Status, CaptureIssue: v.Issue, AISummary: query.Plain(v.Summary),
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
		f.Description, f.Reason = query.Plain(f.Description), query.Plain(f.Reason)
		f.Before, f.After = plainElement(f.Before), plainElement(f.After)
		f.Regions = query.NotNil(f.Regions)
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
	p.Selector, p.Role, p.Text, p.Source, p.Context = query.Plain(e.Selector), query.Plain(e.Role), query.Plain(e.Text),
		query.Plain(e.Source), query.Plain(e.Context)
	return &p
}

// PendingComparison implements run.Tx.
func (t *Tx) PendingComparison(ctx context.Context, entry vcd.ID) (*vcd.Comparison, error) {
	row := &comparisonRow{}
	q := t.Bun.NewSelect().Model(row).Where("c.account_id = ? AND c.queue_id = ? AND c.ai_status = 'pending'", t.Tenant, entry)
	err := query.ForChange(q).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for the pending comparison of entry %s: %w", entry, err)
	}
	return row.comparison(), nil
}

// UpdateVerification implements run.Tx.
func (t *Tx) UpdateVerification(ctx context.Context, c *vcd.Comparison) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfComparison(c)).
		Column("status", "alarmed", "ai_status", "ai_summary", "ai_processing_ms", "ai_all_good", "ai_not_sure", "ai_alerts", "findings",
			"console_verdict", "updated_at").
		Where("account_id = ? AND id = ?", t.Tenant, c.ID), "Comparison", c.ID)
}
