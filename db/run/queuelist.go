package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"afterimage/db/query"
	"afterimage/vcd"
)

func (t *Tx) QueueEntries(ctx context.Context, f vcd.QueueFilter, p vcd.Page, figures bool) (*vcd.QueueList, error) {
	list, err := t.queuePage(ctx, f, p, figures)
	if err != nil || !figures {
		return &vcd.QueueList{List: list}, err
	}
	rows, err := t.countEntries(ctx, f, t.shownBatches(f, list))
	if err != nil {
		return nil, err
	}
	out := &vcd.QueueList{List: list, Figures: figuresOf(rows)}
	if p.Total {
		out.Total = out.Figures.All.Total()
	}
	return out, nil
}

// queuePage reads a page. With figures it leaves the total to be computed from them.
func (t *Tx) queuePage(ctx context.Context, f vcd.QueueFilter, p vcd.Page, figures bool) (*vcd.List[*vcd.QueueEntry], error) {
	rest := p
	rest.Total = p.Total && !figures
	if !countedEntries(f) || !rest.Total && !query.Far(p) {
		return query.FetchPage(ctx, t.Scope, entries, ofQueue(f), query.Order{}, rest, (*entryRead).entry)
	}
	days, err := t.entryTally(ctx, f)
	if err != nil {
		return nil, err
	}
	return query.FetchCounted(ctx, t.Scope, entries, ofQueue(f), query.Order{}, rest, days, (*entryRead).entry)
}

// countedApart is how many of the newest batches get their own figures if the filter names none.
const countedApart = 100

// shownBatches selects the batches whose figures are wanted: those of the filter, otherwise the newest and those on the
// page.
func (t *Tx) shownBatches(f vcd.QueueFilter, list *vcd.List[*vcd.QueueEntry]) schema.QueryWithArgs {
	if f.BatchIDs != nil {
		return listed(*f.BatchIDs)
	}
	batches := make([]vcd.ID, len(list.Items))
	for i, e := range list.Items {
		batches[i] = e.BatchID
	}
	newest := t.Bun.NewSelect().TableExpr("batches AS b").ColumnExpr("b.id").Where("b.account_id = ?", t.Tenant).
		OrderExpr("b.created_at DESC, b.id DESC").Limit(countedApart)
	return bun.SafeQuery("(?) UNION ALL (?)", listed(batches), newest)
}

func listed(batches []vcd.ID) schema.QueryWithArgs {
	return bun.SafeQuery("SELECT unnest(?::uuid[])", query.Array(batches))
}

func (t *Tx) QueueEntriesOfBatches(
	ctx context.Context, wanted []vcd.ID, f vcd.QueueFilter, p vcd.Page, figures bool,
) (map[vcd.ID]*vcd.QueueList, error) {
	f.BatchIDs = nil
	lists, err := query.FetchPages(ctx, t.Scope, entries, wanted, "batch_id", ofQueue(f), query.Order{}, p,
		func(r *entryRead) vcd.ID { return r.BatchID }, (*entryRead).entry)
	if err != nil {
		return nil, err
	}
	counted := map[vcd.ID][]entryCountRow{}
	if p.Total || figures {
		f.BatchIDs = &wanted
		rows, err := t.countEntries(ctx, f, listed(wanted))
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			counted[*r.Batch] = append(counted[*r.Batch], r)
		}
	}
	out := make(map[vcd.ID]*vcd.QueueList, len(lists))
	for batch, list := range lists {
		out[batch] = &vcd.QueueList{List: list, Figures: figuresOf(counted[batch])}
		list.Total = out[batch].Figures.All.Total()
	}
	return out, nil
}

// entryCountRow counts the entries of a type and, if its figures are wanted, of a batch.
type entryCountRow struct {
	Batch      *vcd.ID       `bun:"batch"`
	Type       vcd.QueueType `bun:"type"`
	Open       int           `bun:"open"`
	Processing int           `bun:"processing"`
	Done       int           `bun:"done"`
	Failed     int           `bun:"failed"`
	Unpaired   int           `bun:"unpaired"` // of the batch, the screenshots that nothing is compared with
	AnyStatus  int           `bun:"-"`        // their sum, without the filter's states
}

// countEntries counts by state over the whole filtered list, separately for each type and for each of the batches of a
// query.
func (t *Tx) countEntries(ctx context.Context, f vcd.QueueFilter, apart schema.QueryWithArgs) ([]entryCountRow, error) {
	ofAnyStatus := f
	ofAnyStatus.Statuses = nil
	var q *bun.SelectQuery
	if countedEntries(f) {
		q = t.entryCounts(f).ColumnExpr("sum(c.open) AS open, sum(c.processing) AS processing, sum(c.done) AS done, " +
			"sum(c.failed) AS failed")
	} else {
		q = t.Bun.NewSelect().TableExpr("(?) AS c", t.Base(entries, ofQueue(ofAnyStatus)).ColumnExpr("q.batch_id, q.type, q.status")).
			ColumnExpr("count(*) FILTER (WHERE c.status = 'open') AS open, count(*) FILTER (WHERE c.status = 'processing') AS processing").
			ColumnExpr("count(*) FILTER (WHERE c.status = 'done') AS done, count(*) FILTER (WHERE c.status = 'failed') AS failed")
	}
	q = q.ColumnExpr("CASE WHEN c.batch_id IN (?) THEN c.batch_id END AS batch, c.type", apart).GroupExpr("batch, c.type")
	var rows []entryCountRow
	err := t.Bun.NewSelect().TableExpr("(?) AS r", q).ColumnExpr("r.*, coalesce(b.unpaired_count, 0) AS unpaired").
		Join(query.LookUpIfAny("batches", "b", "o.account_id = ? AND o.id = r.batch"), t.Tenant).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count queue entries: %w", err)
	}
	for i := range rows {
		rows[i].only(f.Statuses)
		if !countsUnpaired(f) {
			rows[i].Unpaired = 0
		}
	}
	return rows, nil
}

// only clears the states that a filter excludes.
func (r *entryCountRow) only(states *[]vcd.QueueStatus) {
	r.AnyStatus = r.Open + r.Processing + r.Done + r.Failed
	if states == nil {
		return
	}
	all := *r
	r.Open, r.Processing, r.Done, r.Failed = 0, 0, 0, 0
	for _, state := range *states {
		switch state {
		case vcd.QueueOpen:
			r.Open = all.Open
		case vcd.QueueProcessing:
			r.Processing = all.Processing
		case vcd.QueueDone:
			r.Done = all.Done
		case vcd.QueueFailed:
			r.Failed = all.Failed
		}
	}
}

// countsUnpaired reports whether a filter is about whole batches and includes failed comparisons.
func countsUnpaired(f vcd.QueueFilter) bool {
	return f.IDs == nil && f.GroupIDs == nil && f.URLIDs == nil &&
		(f.Types == nil || slices.Contains(*f.Types, vcd.QueueCompare)) &&
		(f.Statuses == nil || slices.Contains(*f.Statuses, vcd.QueueFailed))
}

func figuresOf(rows []entryCountRow) vcd.QueueFigures {
	figures := vcd.QueueFigures{ByType: map[vcd.QueueType]vcd.StatusCounts{}, ByBatch: map[vcd.ID]vcd.StatusCounts{},
		ByPart: map[vcd.BatchPartOfType]vcd.StatusCounts{}, Unpaired: map[vcd.ID]int{}}
	for _, r := range rows {
		figures.AnyStatus += r.AnyStatus
		counts := vcd.StatusCounts{Open: r.Open, Processing: r.Processing, Done: r.Done, Failed: r.Failed}
		if counts.Total() == 0 {
			continue
		}
		figures.All = figures.All.Plus(counts)
		figures.ByType[r.Type] = figures.ByType[r.Type].Plus(counts)
		if r.Batch != nil {
			figures.ByBatch[*r.Batch] = figures.ByBatch[*r.Batch].Plus(counts)
			figures.ByPart[vcd.BatchPartOfType{Batch: *r.Batch, Type: r.Type}] = counts
			if r.Unpaired > 0 {
				figures.Unpaired[*r.Batch] = r.Unpaired
			}
		}
	}
	return figures
}
