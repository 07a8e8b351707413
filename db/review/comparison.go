package review

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/internal/page"
	"afterimage/vcd"
)

type comparisonRow struct {
	bun.BaseModel `bun:"table:comparisons,alias:c"`

	Account       vcd.ID                 `bun:"account_id,pk"`
	ID            vcd.ID                 `bun:"id,pk"`
	Token         string                 `bun:"token"`
	QueueID       vcd.ID                 `bun:"queue_id"`
	BatchID       vcd.ID                 `bun:"batch_id"`
	GroupID       vcd.ID                 `bun:"group_id"`
	URLID         vcd.ID                 `bun:"url_id"`
	Device        vcd.Device             `bun:"device"`
	BeforeID      vcd.ID                 `bun:"before_id"`
	AfterID       vcd.ID                 `bun:"after_id"`
	Threshold     float64                `bun:"threshold"`
	Percent       float64                `bun:"difference_percent"`
	Aligned       float64                `bun:"aligned_percent"`
	Measure       vcd.Measure            `bun:"measure"`
	ChangedPixels int                    `bun:"changed_pixels"`
	AntiAliased   int                    `bun:"anti_aliased"`
	Width         int                    `bun:"width"`
	Height        int                    `bun:"height"`
	Regions       []vcd.ChangedRegion    `bun:"regions,type:jsonb"`
	Bands         []vcd.Band             `bun:"bands,type:jsonb"`
	Status        vcd.ComparisonStatus   `bun:"status"`
	Confirmation  vcd.ChangeConfirmation `bun:"confirmation,nullzero"`
	Flapping      bool                   `bun:"flapping"`
	ConsoleChange vcd.ConsoleChange      `bun:"console_change"`
	ConsoleMore   []vcd.DifferentEntry   `bun:"console_added,type:jsonb"`
	ConsoleLess   []vcd.DifferentEntry   `bun:"console_removed,type:jsonb"`
	PageChanges   []page.Change          `bun:"page_changes,type:jsonb"`
	PageAlarm     bool                   `bun:"page_alarm"`
	Truncated     bool                   `bun:"truncated"`
	CutAlarm      bool                   `bun:"truncation_alarm"`
	Unseen        string                 `bun:"unseen"`
	UnseenAlarm   bool                   `bun:"unseen_alarm"`
	ImageID       *vcd.ID                `bun:"image_id"`
	CreatedAt     time.Time              `bun:"created_at"`
	UpdatedAt     time.Time              `bun:"updated_at"`

	verificationColumns `bun:"embed:"`
}

// comparisonRead is a comparison with the related data that is shown with it.
type comparisonRead struct {
	comparisonRow    `bun:",extend"`
	BeforeCreated    time.Time        `bun:"before_created"`
	BeforeUpdated    time.Time        `bun:"before_updated"`
	BeforeVersion    string           `bun:"before_version"`
	BeforeImage      query.ImageRow   `bun:"embed:bi_"`
	AfterCreated     time.Time        `bun:"after_created"`
	AfterUpdated     time.Time        `bun:"after_updated"`
	AfterVersion     string           `bun:"after_version"`
	AfterImage       query.ImageRow   `bun:"embed:ai_"`
	Image            query.ImageRow   `bun:"embed:i_"`
	URLAddress       string           `bun:"url_address"`
	HTMLTitle        string           `bun:"html_title"`
	GroupName        string           `bun:"group_name"`
	Monitoring       bool             `bun:"monitoring"`
	CMS              *string          `bun:"cms"`
	BatchName        string           `bun:"batch_name"`
	BatchSource      vcd.BatchSource  `bun:"batch_source"`
	BatchTrigger     *vcd.TriggerType `bun:"batch_trigger"`
	query.FeatureRow `bun:",extend"`
}

// comparisons falls back to the after picture where the pictures were equal and no comparison picture was made.
var comparisons = query.Source{
	Table: "comparisons AS c", Alias: "c", Created: "created_at", ID: "id", Unique: true, Batch: "batch_id",
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("before.created_at AS before_created, before.updated_at AS before_updated, before.sc_version AS "+
			"before_version").
			ColumnExpr("after.created_at AS after_created, after.updated_at AS after_updated, after.sc_version AS after_version").
			ColumnExpr(query.ImageColumns("bi")).ColumnExpr(query.ImageColumns("ai")).ColumnExpr(query.ImageColumns("i")).
			ColumnExpr("u.address AS url_address, coalesce(nullif(after.html_title, ''), u.html_title) AS html_title").
			ColumnExpr("g.name AS group_name, g.monitoring, g.cms, b.name AS batch_name, b.source AS batch_source, b.trigger_context ->> "+
				"'type' AS batch_trigger").
			ColumnExpr(query.FeatureColumns).
			Join(query.LookUp("screenshots", "before", "o.account_id = ? AND o.id = c.before_id"), account).
			Join(query.LookUp("screenshots", "after", "o.account_id = ? AND o.id = c.after_id"), account).
			Join(query.LookUp("images", "bi", "o.account_id = ? AND o.id = before.image_id"), account).
			Join(query.LookUp("images", "ai", "o.account_id = ? AND o.id = after.image_id"), account).
			Join(query.LookUp("images", "i", "o.account_id = ? AND o.id = "+query.FirstOf("c.image_id", "after.image_id")), account).
			Join(query.LookUp("urls", "u", "o.account_id = ? AND o.id = c.url_id"), account).
			Join(query.LookUp("groups", "g", "o.account_id = ? AND o.id = c.group_id"), account).
			Join(query.LookUp("batches", "b", "o.account_id = ? AND o.id = c.batch_id"), account).
			Join(query.JoinFeatures, account)
	},
}

func rowOfComparison(c *vcd.Comparison) *comparisonRow {
	row := &comparisonRow{
		Account: c.Account, ID: c.ID, Token: c.Token, QueueID: c.QueueID, BatchID: c.BatchID, GroupID: c.GroupID,
		URLID: c.URLID, Device: c.Device, BeforeID: c.BeforeID, AfterID: c.AfterID, Threshold: c.Threshold,
		Percent: c.Difference.Percent, Aligned: c.Difference.AlignedPercent, Measure: c.Measure,
		ChangedPixels: c.Difference.ChangedPixels, AntiAliased: c.Difference.AntiAliased, Width: c.Difference.Width,
		Height: c.Difference.Height, Regions: query.NotNil(c.Difference.Regions), Bands: query.NotNil(c.Difference.Bands), Status: c.Status,
		Confirmation: c.Confirmation, Flapping: c.Flapping,
		ConsoleChange: cmp.Or(c.Console.Change, vcd.ConsoleUnchanged), ConsoleMore: query.NotNil(c.Console.Added),
		ConsoleLess: query.NotNil(c.Console.Removed), PageChanges: query.NotNil(c.PageChanges), PageAlarm: c.PageAlarm,
		Truncated: c.Truncated, CutAlarm: c.TruncationAlarm, Unseen: query.Plain(c.NotSeen), UnseenAlarm: c.UnseenAlarm,
		CreatedAt:           c.CreatedAt,
		UpdatedAt:           c.UpdatedAt,
		verificationColumns: verificationOf(c),
	}
	if c.Image != nil {
		row.ImageID = &c.Image.ID
	}
	return row
}

func (r *comparisonRow) comparison() *vcd.Comparison {
	return &vcd.Comparison{
		ID: r.ID, Account: r.Account, Token: r.Token, QueueID: r.QueueID, BatchID: r.BatchID, GroupID: r.GroupID,
		URLID: r.URLID, Device: r.Device, BeforeID: r.BeforeID, AfterID: r.AfterID, Measure: r.Measure, Threshold: r.Threshold,
		Difference: vcd.Difference{
			Percent: r.Percent, AlignedPercent: r.Aligned, ChangedPixels: r.ChangedPixels, AntiAliased: r.AntiAliased,
			Width: r.Width, Height: r.Height, Regions: r.Regions, Bands: r.Bands,
		},
		Status: r.Status, Confirmation: r.Confirmation, Flapping: r.Flapping, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		Console:     vcd.ConsoleDifference{Change: r.ConsoleChange, Added: r.ConsoleMore, Removed: r.ConsoleLess},
		PageChanges: r.PageChanges, PageAlarm: r.PageAlarm, Truncated: r.Truncated, TruncationAlarm: r.CutAlarm,
		NotSeen: r.Unseen, UnseenAlarm: r.UnseenAlarm,
		Alarmed: r.Alarmed, Verification: r.verification(),
	}
}

func (r *comparisonRead) comparison() *vcd.Comparison {
	c := r.comparisonRow.comparison()
	c.Image = r.Image.Image()
	c.Before = vcd.ScreenshotRef{
		CreatedAt: r.BeforeCreated.UTC(), UpdatedAt: r.BeforeUpdated.UTC(), SCVersion: r.BeforeVersion, Image: r.BeforeImage.Image(),
	}
	c.After = vcd.ScreenshotRef{
		CreatedAt: r.AfterCreated.UTC(), UpdatedAt: r.AfterUpdated.UTC(), SCVersion: r.AfterVersion, Image: r.AfterImage.Image(),
	}
	c.URLAddress, c.HTMLTitle, c.GroupName, c.Monitoring, c.CMS = r.URLAddress, r.HTMLTitle, r.GroupName, r.Monitoring, r.CMS
	c.BatchName, c.BatchSource, c.BatchTrigger, c.Features = r.BatchName, r.BatchSource, r.BatchTrigger, r.Features()
	return c
}

func (t *Tx) Comparison(ctx context.Context, id vcd.ID) (*vcd.Comparison, error) {
	return t.comparisonWith(ctx, "c.id = ?", id)
}

func (t *Tx) ComparisonByToken(ctx context.Context, token string) (*vcd.Comparison, error) {
	return t.comparisonWith(ctx, "c.token = ?", vcd.ID(query.Plain(token)))
}

func (t *Tx) comparisonWith(ctx context.Context, condition string, key vcd.ID) (*vcd.Comparison, error) {
	row, err := query.FetchOne[comparisonRead](ctx, t.Scope, comparisons, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where(condition, key)
	})
	if err != nil {
		return nil, query.NotFound(err, "Comparison", key)
	}
	return row.comparison(), nil
}

func (t *Tx) LockComparison(ctx context.Context, id vcd.ID) (*vcd.Comparison, error) {
	row := &comparisonRow{}
	q := t.Bun.NewSelect().Model(row).Where("c.account_id = ? AND c.id = ?", t.Tenant, id).Where(query.Undeleted("c.batch_id"), t.Tenant)
	if err := query.ForChange(q).Scan(ctx); err != nil {
		return nil, fmt.Errorf("lock the comparison: %w", query.NotFound(err, "Comparison", id))
	}
	return row.comparison(), nil
}

// What comparisons can be sorted by; each has an index.
const (
	byDifference = "c.difference_percent"
	byJudged     = "CASE c.measure WHEN 'aligned' THEN c.aligned_percent ELSE c.difference_percent END"
)

func orderOfComparisons(f vcd.ComparisonFilter) query.Order {
	o := query.Order{Ascending: f.Ascending}
	switch f.Order {
	case vcd.OrderDifferencePercent:
		o.Lead = byDifference
	case vcd.OrderJudgedPercent:
		o.Lead = byJudged
	}
	return o
}

func (t *Tx) Comparisons(ctx context.Context, f vcd.ComparisonFilter, p vcd.Page, count bool) (*vcd.ComparisonList, error) {
	o, show := orderOfComparisons(f), (*comparisonRead).comparison
	where, err := t.onPages(ctx, f)
	if err != nil {
		return nil, err
	}
	if !p.Total && !count && !query.Far(p) {
		list, err := query.FetchPage(ctx, t.Scope, comparisons, where, o, p, show)
		return &vcd.ComparisonList{List: list}, err
	}
	if countedComparisons(f) {
		days, err := t.comparisonTally(ctx, f)
		if err != nil {
			return nil, err
		}
		list, err := t.countedPage(ctx, where, o, p, days)
		return &vcd.ComparisonList{List: list, AboveThreshold: days.Above()}, err
	}
	rest := p
	rest.Total = false // counted together with the comparisons above their threshold
	list, err := query.FetchPage(ctx, t.Scope, comparisons, where, o, rest, show)
	if err != nil {
		return nil, err
	}
	out := &vcd.ComparisonList{List: list}
	err = t.Base(comparisons, ofComparisons(t.Tenant, f)).ColumnExpr("count(*), count(*) FILTER (WHERE c.above_threshold)").
		Scan(ctx, &out.Total, &out.AboveThreshold)
	if err != nil {
		return nil, fmt.Errorf("count comparisons: %w", err)
	}
	return out, nil
}

func (t *Tx) ComparisonsOfBatches(
	ctx context.Context, wanted []vcd.ID, f vcd.ComparisonFilter, p vcd.Page, count bool,
) (map[vcd.ID]*vcd.ComparisonList, error) {
	f.BatchIDs = &wanted
	return t.comparisonsOf(ctx, "batch_id", wanted, f, p, count, func(r *comparisonRead) vcd.ID { return r.BatchID })
}

// comparisonsOf returns a list for each value of a column, to which the filter is limited.
func (t *Tx) comparisonsOf(
	ctx context.Context, column string, wanted []vcd.ID, f vcd.ComparisonFilter, p vcd.Page, count bool,
	parentOf func(*comparisonRead) vcd.ID,
) (map[vcd.ID]*vcd.ComparisonList, error) {
	each := f
	switch column { // compared with each value in turn
	case "batch_id":
		each.BatchIDs = nil
	case "group_id":
		each.GroupIDs = nil
	case "url_id":
		each.URLIDs = nil
	}
	lists, err := query.FetchPages(ctx, t.Scope, comparisons, wanted, column, ofComparisons(t.Tenant, each), orderOfComparisons(f), p,
		parentOf, (*comparisonRead).comparison)
	if err != nil {
		return nil, err
	}
	out := make(map[vcd.ID]*vcd.ComparisonList, len(lists))
	for parent, list := range lists {
		out[parent] = &vcd.ComparisonList{List: list}
	}
	if !p.Total && !count {
		return out, nil
	}
	return out, t.countComparisonsOf(ctx, column, f, out)
}

// countComparisonsOf fills in the totals of lists by the values of a column.
func (t *Tx) countComparisonsOf(
	ctx context.Context, column string, f vcd.ComparisonFilter, lists map[vcd.ID]*vcd.ComparisonList,
) error {
	q := t.Base(comparisons, ofComparisons(t.Tenant, f)).ColumnExpr("count(*) AS n, count(*) FILTER (WHERE c.above_threshold) AS above")
	if countedComparisons(f) {
		q = t.comparisonCounts(f).
			ColumnExpr("sum(c.count) AS n, coalesce(sum(c.count) FILTER (WHERE c.above_threshold), 0) AS above")
	}
	var rows []struct {
		Parent vcd.ID `bun:"parent"`
		Count  int    `bun:"n"`
		Above  int    `bun:"above"`
	}
	if err := q.ColumnExpr("c.? AS parent", bun.Ident(column)).GroupExpr("c.?", bun.Ident(column)).Scan(ctx, &rows); err != nil {
		return fmt.Errorf("count comparisons by %s: %w", column, err)
	}
	for _, r := range rows {
		lists[r.Parent].Total, lists[r.Parent].AboveThreshold = r.Count, r.Above
	}
	return nil
}

// showing keeps the comparisons that show one of the given changes and, if the filter asks for it, no other change that
// matters.
func showing(q *bun.SelectQuery, f vcd.ComparisonFilter) *bun.SelectQuery {
	if f.Changes == nil {
		return q
	}
	changes := make([]vcd.ID, len(*f.Changes))
	for i, fingerprint := range *f.Changes {
		changes[i] = vcd.ID(query.Plain(fingerprint))
	}
	q = q.Where(`EXISTS (SELECT FROM comparison_changes AS x
		WHERE x.account_id = c.account_id AND x.comparison_id = c.id AND x.fingerprint = ANY(?) OFFSET 0)`, query.Array(changes))
	if f.OnlyThese {
		q = q.Where(`NOT EXISTS (SELECT FROM comparison_changes AS x
			WHERE x.account_id = c.account_id AND x.comparison_id = c.id AND x.category <> 'all_good' AND x.fingerprint <> ALL(?)
			OFFSET 0)`,
			query.Array(changes))
	}
	return q
}

func (t *Tx) ComparisonsByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Comparison, error) {
	rows, err := query.Fetch[comparisonRead](ctx, t.Scope, comparisons, func(q *bun.SelectQuery) *bun.SelectQuery {
		return query.Among(q, "c.id", &wanted)
	})
	return query.ConvertAll(rows, (*comparisonRead).comparison), err
}

func (t *Tx) InsertComparison(ctx context.Context, c *vcd.Comparison) error {
	if c.Image != nil {
		if err := t.InsertImage(ctx, c.Image); err != nil {
			return err
		}
	}
	if _, err := t.Bun.NewInsert().Model(rowOfComparison(c)).Exec(ctx); err != nil {
		return fmt.Errorf("insert the comparison of entry %s: %w", c.QueueID, err)
	}
	return t.insertTraces(ctx, c)
}

// lockedComparison is a comparison of which only what a verdict depends on was read.
type lockedComparison struct {
	comparisonRow `bun:",extend"`
	Uploaded      bool `bun:"uploaded"`
}

func (r *lockedComparison) comparison() *vcd.Comparison {
	c := r.comparisonRow.comparison()
	c.Uploaded = r.Uploaded
	return c
}

func (t *Tx) LockComparisons(ctx context.Context, f vcd.ComparisonFilter, limit int) ([]*vcd.Comparison, error) {
	var rows []*lockedComparison
	q := t.Base(comparisons, ofComparisons(t.Tenant, f)).ColumnExpr("c.account_id, c.id, c.batch_id, c.status, c.page_alarm, c.truncated").
		ColumnExpr("c.ai_status, c.explained, c.unlisted_findings, c.unlisted_pixels, c.unlisted_category, c.regions_left_out").
		ColumnExpr("c.console_verdict").
		ColumnExpr("EXISTS (SELECT FROM urls AS p WHERE p.account_id = c.account_id AND p.id = c.url_id AND p.address LIKE ?) AS uploaded",
			query.UploadedAddress).
		OrderExpr("c.id").Limit(int64(limit))
	if err := q.For("NO KEY UPDATE OF c").Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("lock comparisons: %w", err)
	}
	return query.ConvertAll(rows, (*lockedComparison).comparison), nil
}

func (t *Tx) SetComparisonToken(ctx context.Context, id vcd.ID, token string, now time.Time) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Table("comparisons").Set("token = ?, updated_at = ?", token, now).
		Where("account_id = ? AND id = ?", t.Tenant, id), "Comparison", id)
}
