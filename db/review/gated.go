package review

import (
	"context"
	"fmt"

	"afterimage/db/query"
	"afterimage/internal/page"
	"afterimage/vcd"
)

type suspectRow struct {
	ID         vcd.ID               `bun:"id"`
	GroupID    vcd.ID               `bun:"group_id"`
	Address    string               `bun:"address"`
	Status     vcd.ComparisonStatus `bun:"status"`
	Alarmed    bool                 `bun:"alarmed"`
	Measure    vcd.Measure          `bun:"measure"`
	Percent    float64              `bun:"difference_percent"`
	Aligned    float64              `bun:"aligned_percent"`
	Threshold  float64              `bun:"threshold"`
	Entries    []vcd.DifferentEntry `bun:"entries,type:jsonb"`
	Changes    []page.Change        `bun:"changes,type:jsonb"`
	PageAlarm  bool                 `bun:"page_alarm"`
	CutAlarm   bool                 `bun:"truncation_alarm"`
	Unseen     bool                 `bun:"unseen_alarm"`
	Categories []vcd.Category       `bun:"categories,type:jsonb"`
	ErrorTexts []string             `bun:"error_texts,type:jsonb"`
	Wall       *page.Wall           `bun:"wall,type:jsonb"`
	Failed     []page.FailedRequest `bun:"failed,type:jsonb"`
	Gone       []vcd.AssetChange    `bun:"gone,type:jsonb"`

	AIStatus      vcd.VerificationStatus `bun:"ai_status,nullzero"`
	CaptureIssue  vcd.CaptureIssue       `bun:"capture_issue,nullzero"`
	LeftOut       int                    `bun:"regions_left_out"`
	Unlisted      int                    `bun:"unlisted_findings"`
	UnlistedWorst vcd.Category           `bun:"unlisted_category,nullzero"`
}

func (r *suspectRow) suspect() *vcd.Suspect {
	c := &vcd.Comparison{
		ID: r.ID, GroupID: r.GroupID, URLAddress: r.Address, Status: r.Status, Alarmed: r.Alarmed,
		Measure: r.Measure, Threshold: r.Threshold,
		Difference: vcd.Difference{Percent: r.Percent, AlignedPercent: r.Aligned}, Console: vcd.ConsoleDifference{Added: r.Entries},
		PageChanges: r.Changes, PageAlarm: r.PageAlarm, TruncationAlarm: r.CutAlarm, UnseenAlarm: r.Unseen,
	}
	if r.AIStatus != "" {
		c.Verification = &vcd.Verification{Status: r.AIStatus, Issue: r.CaptureIssue, LeftOut: r.LeftOut,
			Unlisted: vcd.Unlisted{Count: r.Unlisted, Category: r.UnlistedWorst}}
		for _, category := range r.Categories {
			c.Verification.Findings = append(c.Verification.Findings, vcd.Finding{FoundChange: vcd.FoundChange{Category: category}})
		}
		for _, shows := range r.ErrorTexts {
			c.Verification.Findings = append(c.Verification.Findings,
				vcd.Finding{FoundChange: vcd.FoundChange{Category: vcd.CategoryAlert}, Error: shows})
		}
	}
	return &vcd.Suspect{Comparison: c, Wall: r.Wall, Failed: r.Failed, Gone: r.Gone}
}

// What of a comparison may matter, of its texts: changes that are alarms, and what explains many changes at once.
const (
	tellingChanges = `$[*] ? (@.severity == "alarm" || @.kind == "theme" || @.kind == "language")`
	// gatedEntries are errors that nobody caught, and what did not load.
	gatedEntries = `$[*] ? (@.type == "error" && (@.text starts with "Uncaught" || @.text starts with "Failed to load resource")
		|| @.text starts with "Mixed Content")`
	thrownEntries = `$[*] ? (@.type == "error" && @.text starts with "Uncaught" || @.text starts with "Mixed Content")`
	failedEntries = `$[*] ? (@.type == "error" && @.text starts with "Failed to load resource")`
	movedPages    = `$[*] ? (@.kind == "address" && @.severity == "warning")`
	alarms        = `$[*] ? (@.severity == "alarm")`
	failedParts   = `$.failed_requests[*] ? (@.type == "Stylesheet" || @.type == "Script")`
	goneAssets    = `$.assets[*] ? (@.after == "")`
)

// mostEntries and mostText limit what is read of a page's console: how many entries, and how much of each.
const (
	mostEntries = 60
	mostText    = 500
)

// elsewhere is a condition: the page leads to another host.
const elsewhere = `EXISTS (SELECT FROM jsonb_path_query(c.page_changes, ?12::jsonpath) AS p
	WHERE substring(p ->> 'before' from ?13) <> substring(p ->> 'after' from ?13))`

// Suspects implements review.UpdateTx.
func (t *Tx) Suspects(ctx context.Context, batch vcd.ID, most int) ([]*vcd.Suspect, error) {
	var rows []*suspectRow
	err := t.Bun.NewRaw(`SELECT c.id, c.group_id, u.address, c.status, c.alarmed, c.measure, c.difference_percent, c.aligned_percent,
			c.threshold, c.page_alarm, c.truncation_alarm, c.unseen_alarm, c.ai_status, c.capture_issue, c.regions_left_out,
			c.unlisted_findings, c.unlisted_category,
			jsonb_path_query_array(c.page_changes, ?0::jsonpath) || jsonb_path_query_array(c.page_changes, ?12::jsonpath) AS changes,
			(SELECT coalesce(jsonb_agg(jsonb_set(e, '{text}', to_jsonb(left(e ->> 'text', ?7)))), '[]')
				FROM (SELECT e FROM jsonb_path_query(c.console_added, ?1::jsonpath) AS e LIMIT ?8) AS e) AS entries,
			jsonb_path_query_array(c.findings, '$[*].category') AS categories,
			jsonb_path_query_array(c.findings, ?14::jsonpath) AS error_texts,
			after.manifest -> 'wall' AS wall, jsonb_path_query_array(after.manifest, ?5::jsonpath) AS failed,
			jsonb_path_query_array(ct.traces, ?6::jsonpath) AS gone
		FROM comparisons AS c
		`+query.LookUp("urls", "u", "o.account_id = ?2 AND o.id = c.url_id")+`
		`+query.LookUp("screenshots", "after", "o.account_id = ?2 AND o.id = c.after_id")+`
		`+query.LookUpIfAny("comparison_traces", "ct", "o.account_id = ?2 AND o.comparison_id = c.id")+`
		WHERE c.account_id = ?2 AND c.batch_id = ?3 AND (c.status IN ('new', 'to_fix') OR c.status = 'ok' AND NOT c.alarmed AND
			(c.console_change IN ('added', 'mixed') AND (jsonb_path_exists(c.console_added, ?9::jsonpath)
				OR jsonb_path_exists(c.console_added, ?10::jsonpath) AND EXISTS (SELECT FROM screenshots AS o
					WHERE o.account_id = ?2 AND o.id = c.after_id AND jsonb_path_exists(o.manifest, ?5::jsonpath) OFFSET 0))
			OR jsonb_path_exists(c.page_changes, ?0::jsonpath) OR `+elsewhere+`))
		ORDER BY jsonb_path_exists(c.page_changes, ?11::jsonpath) DESC, c.status = 'to_fix' OR c.ai_category = 'alert' DESC, `+byJudged+
		` DESC, c.id LIMIT ?4`, tellingChanges, gatedEntries, t.Tenant, batch, most, failedParts, goneAssets, mostText, mostEntries,
		thrownEntries, failedEntries, alarms, movedPages, "://([^/?#]*)", `$[*] ? (@.category == "alert").error`).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read what speaks against an update: %w", err)
	}
	return query.ConvertAll(rows, (*suspectRow).suspect), nil
}

// ComparedPages implements review.UpdateTx.
func (t *Tx) ComparedPages(ctx context.Context, batch vcd.ID) (int, error) {
	var n int
	const question = "SELECT count(DISTINCT url_id) FROM comparisons WHERE account_id = ? AND batch_id = ?"
	err := t.Bun.NewRaw(question, t.Tenant, batch).Scan(ctx, &n)
	if err != nil {
		return 0, fmt.Errorf("count the pages that were compared: %w", err)
	}
	return n, nil
}

type uncomparedRow struct {
	GroupID vcd.ID     `bun:"group_id"`
	Address string     `bun:"address"`
	Reason  string     `bun:"reason"`
	Seen    bool       `bun:"seen"`
	Failed  string     `bun:"failed"`
	Wall    *page.Wall `bun:"wall,type:jsonb"`
}

func (r *uncomparedRow) page() *vcd.UncomparedPage {
	p := vcd.UncomparedPage(*r)
	return &p
}

// UncomparedPages implements review.UpdateTx.
func (t *Tx) UncomparedPages(ctx context.Context, batch vcd.ID, most int) ([]*vcd.UncomparedPage, error) {
	var rows []*uncomparedRow
	err := t.Bun.NewRaw(`SELECT q.group_id, u.address, shot.manifest -> 'wall' AS wall,
			CASE q.status WHEN 'failed' THEN q.reason ELSE '' END AS reason, x.id IS NOT NULL AS seen,
			CASE x.status WHEN 'failed' THEN x.reason ELSE '' END AS failed
		FROM queue_entries AS q
		`+query.LookUp("urls", "u", "o.account_id = ?0 AND o.id = q.url_id")+`
		`+query.LookUpIfAny("queue_entries", "x", "o.account_id = ?0 AND o.subject_id = q.id")+`
		`+query.LookUpIfAny("screenshots", "shot", "o.account_id = ?0 AND o.queue_id = q.id")+`
		WHERE q.account_id = ?0 AND q.batch_id = ?1 AND q.type <> 'compare' AND q.confirms_id IS NULL AND q.reason <> 'withdrawn'
			AND coalesce(x.reason, '') <> 'withdrawn'
			AND NOT EXISTS (SELECT FROM comparisons AS c WHERE c.account_id = ?0 AND c.queue_id = x.id OFFSET 0)
		ORDER BY q.status = 'failed' DESC, q.created_at, q.id LIMIT ?2`, t.Tenant, batch, most).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the pages that were not compared: %w", err)
	}
	return query.ConvertAll(rows, (*uncomparedRow).page), nil
}
