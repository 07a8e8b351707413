package review

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type traceRow struct {
	bun.BaseModel `bun:"table:comparison_traces,alias:ct"`

	Account      vcd.ID      `bun:"account_id,pk"`
	ComparisonID vcd.ID      `bun:"comparison_id,pk"`
	Traces       *vcd.Traces `bun:"traces,type:jsonb"`
}

// insertTraces stores the hints at the cause of a comparison's change, if there are any.
func (t *Tx) insertTraces(ctx context.Context, c *vcd.Comparison) error {
	if c.Traces == nil {
		return nil
	}
	if _, err := t.Bun.NewInsert().Model(&traceRow{Account: c.Account, ComparisonID: c.ID, Traces: c.Traces}).Exec(ctx); err != nil {
		return fmt.Errorf("insert the traces of comparison %s: %w", c.ID, err)
	}
	return nil
}

type tracedRow struct {
	ComparisonID vcd.ID               `bun:"id"`
	BatchID      vcd.ID               `bun:"batch_id"`
	Address      string               `bun:"address"`
	Device       vcd.Device           `bun:"device"`
	Changed      bool                 `bun:"changed"`
	Errors       []vcd.DifferentEntry `bun:"errors,type:jsonb"`
	Traces       *vcd.Traces          `bun:"traces,type:jsonb"`
}

// tracedColumns are selected from comparisons AS c, with their traces AS ct and their URL AS u; the first value of the
// query is firstErrors.
const tracedColumns = `c.id, c.batch_id, u.address, c.device, c.above_threshold OR c.page_alarm AS changed,
	jsonb_path_query_array(c.console_added, ?0::jsonpath) AS errors, ct.traces`

// firstErrors reduces a console to its errors among the first 30 entries.
const firstErrors = `$[0 to 29] ? (@.type == "error")`

func (t *Tx) TracedPagesOfBatches(ctx context.Context, wanted []vcd.ID, most int) (map[vcd.ID][]*vcd.TracedPage, error) {
	var rows []*tracedRow
	err := t.Bun.NewRaw(`SELECT `+tracedColumns+` FROM unnest(?1::uuid[]) AS b (id) CROSS JOIN LATERAL (
			SELECT * FROM comparisons AS o WHERE o.account_id = ?2 AND o.batch_id = b.id
			ORDER BY (o.above_threshold OR o.page_alarm) DESC, o.console_change IN ('added', 'mixed') DESC, o.created_at, o.id LIMIT ?3) `+
		`AS c
		`+query.LookUp("urls", "u", "o.account_id = ?2 AND o.id = c.url_id")+`
		`+query.LookUpIfAny("comparison_traces", "ct", "o.account_id = ?2 AND o.comparison_id = c.id")+`
		ORDER BY c.created_at, c.id`, firstErrors, query.Array(wanted), t.Tenant, most).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the traces of batches: %w", err)
	}
	pages := make(map[vcd.ID][]*vcd.TracedPage)
	for _, r := range rows {
		pages[r.BatchID] = append(pages[r.BatchID], r.page())
	}
	return pages, nil
}

func (t *Tx) TracedPages(ctx context.Context, wanted []vcd.ID) ([]*vcd.TracedPage, error) {
	var rows []*tracedRow
	err := t.Bun.NewRaw(`SELECT `+tracedColumns+` FROM comparisons AS c
		`+query.LookUp("urls", "u", "o.account_id = ?2 AND o.id = c.url_id")+`
		`+query.LookUpIfAny("comparison_traces", "ct", "o.account_id = ?2 AND o.comparison_id = c.id")+`
		WHERE c.account_id = ?2 AND c.id = ANY(?1)`, firstErrors, query.Array(wanted), t.Tenant).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read the traces of comparisons: %w", err)
	}
	return query.ConvertAll(rows, (*tracedRow).page), nil
}

func (r *tracedRow) page() *vcd.TracedPage {
	return &vcd.TracedPage{
		ComparisonID: r.ComparisonID, BatchID: r.BatchID, Address: r.Address, Device: r.Device, Changed: r.Changed, Traces: r.Traces,
		Console: r.Errors,
	}
}
