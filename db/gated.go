package db

import (
	"context"
	"fmt"

	"afterimage/internal/page"
	"afterimage/vcd"
)

type suspectRow struct {
	ID         vcd.ID               `bun:"id"`
	Address    string               `bun:"address"`
	Status     vcd.ComparisonStatus `bun:"status"`
	Alarmed    bool                 `bun:"alarmed"`
	Measure    vcd.Measure          `bun:"measure"`
	Percent    float64              `bun:"difference_percent"`
	Aligned    float64              `bun:"aligned_percent"`
	Threshold  float64              `bun:"threshold"`
	Errors     []vcd.DifferentEntry `bun:"errors,type:jsonb"`
	Alarms     []page.Change        `bun:"alarms,type:jsonb"`
	PageAlarm  bool                 `bun:"page_alarm"`
	CutAlarm   bool                 `bun:"truncation_alarm"`
	Unseen     bool                 `bun:"unseen_alarm"`
	Categories []vcd.Category       `bun:"categories,type:jsonb"`
	Wall       page.WallKind        `bun:"wall"`

	AIStatus      vcd.VerificationStatus `bun:"ai_status,nullzero"`
	CaptureIssue  vcd.CaptureIssue       `bun:"capture_issue,nullzero"`
	LeftOut       int                    `bun:"regions_left_out"`
	Unlisted      int                    `bun:"unlisted_findings"`
	UnlistedWorst vcd.Category           `bun:"unlisted_category,nullzero"`
}

func (r *suspectRow) suspect() *vcd.Suspect {
	c := &vcd.Comparison{
		ID: r.ID, URLAddress: r.Address, Status: r.Status, Alarmed: r.Alarmed, Measure: r.Measure, Threshold: r.Threshold,
		Difference: vcd.Difference{Percent: r.Percent, AlignedPercent: r.Aligned}, Console: vcd.ConsoleDifference{Added: r.Errors},
		PageChanges: r.Alarms, PageAlarm: r.PageAlarm, TruncationAlarm: r.CutAlarm, UnseenAlarm: r.Unseen,
	}
	if r.AIStatus != "" {
		c.Verification = &vcd.Verification{Status: r.AIStatus, Issue: r.CaptureIssue, LeftOut: r.LeftOut,
			Unlisted: vcd.Unlisted{Count: r.Unlisted, Category: r.UnlistedWorst}}
		for _, category := range r.Categories {
			c.Verification.Findings = append(c.Verification.Findings, vcd.Finding{FoundChange: vcd.FoundChange{Category: category}})
		}
	}
	return &vcd.Suspect{Comparison: c, Wall: r.Wall}
}

// Of a comparison's texts, those that may matter: changes that are alarms, and errors that nobody caught.
const (
	alarms = `$[*] ? (@.severity == "alarm")`
	thrown = `$[*] ? (@.type == "error" && @.text starts with "Uncaught")`
)

// Suspects implements vcd.GateStore.
func (t *tx) Suspects(ctx context.Context, batch vcd.ID, most int) ([]*vcd.Suspect, error) {
	var rows []*suspectRow
	err := t.bun.NewRaw(`SELECT c.id, u.address, c.status, c.alarmed, c.measure, c.difference_percent, c.aligned_percent, c.threshold,
			c.page_alarm, c.truncation_alarm, c.unseen_alarm, c.ai_status, c.capture_issue, c.regions_left_out, c.unlisted_findings,
			c.unlisted_category, jsonb_path_query_array(c.page_changes, ?0::jsonpath) AS alarms,
			jsonb_path_query_array(c.console_added, ?1::jsonpath) AS errors,
			jsonb_path_query_array(c.findings, '$[*].category') AS categories,
			coalesce(after.manifest #>> '{wall,kind}', '') AS wall
		FROM comparisons AS c
		`+lookUp("urls", "u", "o.account_id = ?2 AND o.id = c.url_id")+`
		`+lookUp("screenshots", "after", "o.account_id = ?2 AND o.id = c.after_id")+`
		WHERE c.account_id = ?2 AND c.batch_id = ?3 AND (c.status IN ('new', 'to_fix') OR c.status = 'ok' AND NOT c.alarmed AND
			(c.console_change IN ('added', 'mixed') AND jsonb_path_exists(c.console_added, ?1::jsonpath) OR
			jsonb_path_exists(c.page_changes, ?0::jsonpath)))
		ORDER BY jsonb_path_exists(c.page_changes, ?0::jsonpath) DESC, c.status = 'to_fix' OR c.ai_category = 'alert' DESC, `+byJudged+
		` DESC, c.id LIMIT ?4`, alarms, thrown, t.account, batch, most).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read what speaks against an update: %w", err)
	}
	return convertAll(rows, (*suspectRow).suspect), nil
}

// UncomparedPages implements vcd.GateStore.
func (t *tx) UncomparedPages(ctx context.Context, batch vcd.ID, most int) ([]*vcd.UncomparedPage, error) {
	var rows []*vcd.UncomparedPage
	err := t.bun.NewRaw(`SELECT u.address, CASE q.status WHEN 'failed' THEN q.reason ELSE '' END AS reason, x.id IS NOT NULL AS seen,
			CASE x.status WHEN 'failed' THEN x.reason ELSE '' END AS failed
		FROM queue_entries AS q
		`+lookUp("urls", "u", "o.account_id = ?0 AND o.id = q.url_id")+`
		`+lookUpIfAny("queue_entries", "x", "o.account_id = ?0 AND o.subject_id = q.id")+`
		WHERE q.account_id = ?0 AND q.batch_id = ?1 AND q.type <> 'compare' AND q.confirms_id IS NULL AND q.reason <> 'withdrawn'
			AND coalesce(x.reason, '') <> 'withdrawn'
			AND NOT EXISTS (SELECT FROM comparisons AS c WHERE c.account_id = ?0 AND c.queue_id = x.id OFFSET 0)
		ORDER BY q.status = 'failed' DESC, q.created_at, q.id LIMIT ?2`, t.account, batch, most).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the pages that were not compared: %w", err)
	}
	return rows, nil
}
