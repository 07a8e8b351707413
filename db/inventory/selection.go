package inventory

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// selectionRow is a URL's place in a group. Its JSON form is used to write many at once.
type selectionRow struct {
	bun.BaseModel `bun:"table:group_urls,alias:s" json:"-"`

	GroupID   vcd.ID   `bun:"group_id,pk" json:"group_id"`
	URLID     vcd.ID   `bun:"url_id,pk" json:"url_id"`
	Desktop   bool     `bun:"desktop" json:"desktop"`
	Mobile    bool     `bun:"mobile" json:"mobile"`
	CSS       *string  `bun:"css" json:"css"`
	JS        *string  `bun:"js" json:"js"`
	Threshold *float64 `bun:"threshold" json:"threshold"`
}

// selectionRead is a place with its URL.
type selectionRead struct {
	selectionRow `bun:",extend"`
	URL          urlRead `bun:"embed:u_"`

	LastChangedAt *time.Time `bun:"last_changed_at"`
}

// urlColumns selects the columns of a urlRead from urls AS u under the names of an embedded struct.
var urlColumns = func() string {
	names := []string{
		"account_id", "id", "address", "scheme", "html_title", "last_crawled_at", "type", "category", "status_code",
		"error_count", "created_at", "updated_at",
	}
	for i, name := range names {
		names[i] = "u." + name + " AS u_" + name
	}
	return strings.Join(names, ", ")
}()

// lastChange is a column with the time of the last change of group_urls AS s.
const lastChange = `(SELECT max(c.created_at) FROM comparisons AS c
	WHERE c.account_id = s.account_id AND c.group_id = s.group_id AND c.url_id = s.url_id AND c.above_threshold)`

// joinURL looks the URL of each row up.
var joinURL = query.LookUp("urls", "u", "o.account_id = ? AND o.id = s.url_id")

var selections = query.Source{
	Table: "group_urls AS s", Alias: "s", Created: "url_created_at", ID: "url_id",
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr(urlColumns).ColumnExpr("n.group_ids AS u_group_ids, coalesce(u.website_id, n.website_id) AS u_website").
			ColumnExpr(tagsOfURL+" AS u_tags", account).ColumnExpr(lastChange+" AS last_changed_at").
			Join(joinURL, account).Join(placesOfURL, account)
	},
}

func (r *selectionRow) selection() *vcd.Selection {
	return &vcd.Selection{
		GroupID: r.GroupID, URLID: r.URLID, Desktop: r.Desktop, Mobile: r.Mobile, CSS: r.CSS, JS: r.JS, Threshold: r.Threshold,
	}
}

func (r *selectionRead) selection() *vcd.Selection {
	sel := r.selectionRow.selection()
	sel.URL, sel.LastChangedAt = r.URL.url(), query.UTC(r.LastChangedAt)
	return sel
}

func (t *Tx) Selections(ctx context.Context, f vcd.SelectionFilter, p vcd.Page) (*vcd.List[*vcd.Selection], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		return t.ofSelections(f)(q.Where("s.group_id = ?", f.GroupID))
	}
	return query.FetchPage(ctx, t.Scope, selections, where, query.OrderBy(f.Sort, selectionOrders), p, (*selectionRead).selection)
}

func (t *Tx) SelectionsOfGroups(
	ctx context.Context, wanted []vcd.ID, f vcd.SelectionFilter, p vcd.Page,
) (map[vcd.ID]*vcd.List[*vcd.Selection], error) {
	lists, err := query.FetchPages(ctx, t.Scope, selections, wanted, "group_id", t.ofSelections(f), query.OrderBy(f.Sort,
		selectionOrders), p,
		func(r *selectionRead) vcd.ID { return r.GroupID }, (*selectionRead).selection)
	if err != nil || !p.Total {
		return lists, err
	}
	var rows []struct {
		Group vcd.ID `bun:"group_id"`
		Count int    `bun:"n"`
	}
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		return t.ofSelections(f)(query.Among(q, "s.group_id", &wanted))
	}
	err = t.Base(selections, where).ColumnExpr("s.group_id, count(*) AS n").GroupExpr("s.group_id").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count the URLs of groups: %w", err)
	}
	for _, r := range rows {
		lists[r.Group].Total = r.Count
	}
	return lists, nil
}

// ofTheURL is an expression of the URL of group_urls AS s, which a list can be sorted by without a join.
func ofTheURL(expression string) string {
	return "(SELECT " + expression + " FROM urls AS o WHERE o.account_id = s.account_id AND o.id = s.url_id)"
}

var selectionOrders = map[string]string{
	vcd.SelectionSelected:    "(s.desktop OR s.mobile)",
	vcd.SelectionAddress:     ofTheURL("o.lower_address"),
	vcd.SelectionTitle:       ofTheURL("o.lower_title"),
	vcd.SelectionLastCrawled: "coalesce(" + ofTheURL("o.last_crawled_at") + ", '-infinity')",
	vcd.SelectionLastChanged: "coalesce(" + lastChange + ", '-infinity')",
	vcd.SelectionTag: `(SELECT CASE WHEN count(*) = 0 THEN ARRAY['1'] ELSE ARRAY['0', min(lower(t.tag))] END FROM url_tags AS t
		WHERE t.account_id = s.account_id AND t.url_id = s.url_id)`,
}

// ofSelections applies all filters except the group.
func (t *Tx) ofSelections(f vcd.SelectionFilter) query.Narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(q, "s.url_id", f.URLIDs)
		if f.ExceptURLIDs != nil {
			q = q.Where("s.url_id <> ALL(?)", query.Array(*f.ExceptURLIDs))
		}
		if f.Tags != nil {
			q = q.Where("?", t.tagged("s.url_id", *f.Tags))
		}
		if f.Type == nil && f.Category == nil && f.Search == nil && f.Address == nil && f.Addresses == nil {
			return q
		}
		return q.Where("(?)", t.theURLIf(f))
	}
}

// theURLIf is an expression that holds if the URL of group_urls AS s is as a filter wants it. It is looked up for each row: PostgreSQL
// may read the whole group for each URL of a join, since of an account that has just brought thousands its statistics know none.
func (t *Tx) theURLIf(f vcd.SelectionFilter) *bun.SelectQuery {
	q := t.Bun.NewSelect().TableExpr("urls AS u").ColumnExpr("true").Where("u.account_id = s.account_id AND u.id = s.url_id")
	q = searched(q, f.Search)
	if f.Type != nil {
		q = q.Where("u.type = ?", query.Plain(*f.Type))
	}
	if f.Category != nil {
		q = q.Where("u.category = ?", query.Plain(*f.Category))
	}
	if f.Address != nil {
		q = q.Where("u.address = ANY(?)", query.Array(bothForms(*f.Address)))
	}
	if f.Addresses != nil {
		q = q.Where("u.address = ANY(?)", query.Array(bothForms(*f.Addresses...)))
	}
	return q
}

// bothForms returns each address without and with a trailing slash.
func bothForms(addresses ...string) []string {
	forms := make([]string, 0, 2*len(addresses))
	for _, address := range addresses {
		bare := strings.TrimSuffix(query.Plain(address), "/")
		forms = append(forms, bare, bare+"/")
	}
	return forms
}

func (t *Tx) SelectionsOf(ctx context.Context, group vcd.ID, wanted []vcd.ID) ([]*vcd.Selection, error) {
	rows, err := query.Fetch[selectionRead](ctx, t.Scope, selections, func(q *bun.SelectQuery) *bun.SelectQuery {
		return query.Among(q.Where("s.group_id = ?", group), "s.url_id", &wanted)
	})
	return query.ConvertAll(rows, (*selectionRead).selection), err
}

func (t *Tx) SelectionFigures(ctx context.Context, group vcd.ID) (vcd.SelectionFigures, error) {
	var f vcd.SelectionFigures
	err := t.Bun.NewRaw(`
		SELECT count(*) FILTER (WHERE desktop OR mobile), coalesce(sum(desktop::integer + mobile::integer), 0)
		FROM group_urls WHERE account_id = ? AND group_id = ?`, t.Tenant, group).Scan(ctx, &f.SelectedURLs, &f.SelectedChecks)
	if err != nil {
		return f, fmt.Errorf("count the selection of group %s: %w", group, err)
	}
	return f, nil
}

func (t *Tx) KnownURLs(ctx context.Context, wanted []vcd.ID) ([]vcd.ID, error) {
	var known []string
	err := t.Bun.NewRaw("SELECT id FROM urls WHERE account_id = ? AND id = ANY(?) AND deleted_at IS NULL ORDER BY id FOR SHARE",
		t.Tenant, query.Array(wanted)).Scan(ctx, &known)
	if err != nil {
		return nil, fmt.Errorf("look up URLs: %w", err)
	}
	return query.IDs(known), nil
}

// saveSelectionsQuery inserts or overwrites. It copies the creation time of the URL, so that a group's list has an
// index for its order, and leaves the devices of uploaded pages off, which are never captured. A row whose xmax is 0 is new.
var saveSelectionsQuery = `
WITH saved AS (
	INSERT INTO group_urls AS s (account_id, group_id, url_id, desktop, mobile, css, js, threshold, url_created_at)
	SELECT u.account_id, n.group_id, n.url_id, n.desktop AND u.address NOT LIKE ?2, n.mobile AND u.address NOT LIKE ?2,
		n.css, n.js, n.threshold, u.created_at
	FROM jsonb_to_recordset(?1::jsonb) AS n (
		group_id uuid, url_id uuid, desktop boolean, mobile boolean, css text, js text, threshold double precision)
	` + query.LookUp("urls", "u", "o.account_id = ?0 AND o.id = n.url_id") + `
	ORDER BY n.group_id, n.url_id
	ON CONFLICT (account_id, group_id, url_id) DO UPDATE SET
		desktop = excluded.desktop, mobile = excluded.mobile, css = excluded.css, js = excluded.js, threshold = excluded.threshold
	RETURNING s.xmax = 0 AS added
)
SELECT count(*) FILTER (WHERE added) FROM saved`

func (t *Tx) SaveSelections(ctx context.Context, sels []*vcd.Selection) (added int, err error) {
	rows := make([]selectionRow, len(sels))
	for i, sel := range sels {
		rows[i] = selectionRow{
			GroupID: sel.GroupID, URLID: sel.URLID, Desktop: sel.Desktop, Mobile: sel.Mobile,
			CSS: sel.CSS, JS: sel.JS, Threshold: sel.Threshold,
		}
	}
	document, err := json.Marshal(rows)
	if err != nil {
		return 0, fmt.Errorf("write selections as JSON: %w", err)
	}
	if err := t.Bun.NewRaw(saveSelectionsQuery, t.Tenant, string(document), query.UploadedAddress).Scan(ctx, &added); err != nil {
		return 0, fmt.Errorf("save %d selections: %w", len(sels), err)
	}
	return added, nil
}

func (t *Tx) SelectedIDs(ctx context.Context, f vcd.SelectionFilter, limit int) ([]vcd.ID, error) {
	var column []string
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		return t.ofSelections(f)(q.Where("s.group_id = ?", f.GroupID))
	}
	if err := t.Base(selections, where).ColumnExpr("s.url_id").Limit(int64(limit)).Scan(ctx, &column); err != nil {
		return nil, fmt.Errorf("find URLs of group %s: %w", f.GroupID, err)
	}
	return query.IDs(column), nil
}

func (t *Tx) SwitchDevices(ctx context.Context, group vcd.ID, wanted []vcd.ID, desktop, mobile *bool) ([]vcd.ID, error) {
	var changed []string
	err := t.Bun.NewRaw(`
		UPDATE group_urls AS s SET desktop = coalesce(?3, s.desktop), mobile = coalesce(?4, s.mobile)
		WHERE s.account_id = ?0 AND s.group_id = ?1 AND s.url_id = ANY(?2)
			AND (SELECT u.address NOT LIKE ?5 FROM urls AS u WHERE u.account_id = ?0 AND u.id = s.url_id)
			AND (s.desktop, s.mobile) <> (coalesce(?3, s.desktop), coalesce(?4, s.mobile)) RETURNING s.url_id`,
		t.Tenant, group, query.Array(wanted), desktop, mobile, query.UploadedAddress).Scan(ctx, &changed)
	if err != nil {
		return nil, fmt.Errorf("switch devices of %d URLs of group %s: %w", len(wanted), group, err)
	}
	return query.IDs(changed), nil
}

func (t *Tx) TakeOut(ctx context.Context, group vcd.ID, wanted []vcd.ID) ([]*vcd.Selection, error) {
	var rows []*selectionRow
	err := t.Bun.NewRaw(`DELETE FROM group_urls WHERE account_id = ? AND group_id = ? AND url_id = ANY(?)
		RETURNING group_id, url_id, desktop, mobile, css, js, threshold`, t.Tenant, group, query.Array(wanted)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("remove URLs from group %s: %w", group, err)
	}
	return query.ConvertAll(rows, (*selectionRow).selection), nil
}

func (t *Tx) RemoveSelections(ctx context.Context, group vcd.ID, wanted []vcd.ID) (int, error) {
	result, err := t.Bun.NewDelete().Table("group_urls").
		Where("account_id = ? AND group_id = ? AND url_id = ANY(?)", t.Tenant, group, query.Array(wanted)).Exec(ctx)
	if err != nil {
		return 0, fmt.Errorf("remove URLs from group %s: %w", group, err)
	}
	n, err := result.RowsAffected()
	return int(n), err
}

func (t *Tx) SelectAll(ctx context.Context, group vcd.ID, device vcd.Device, on bool) error {
	_, err := t.Bun.NewUpdate().Table("group_urls").Set("? = ?", bun.Ident(device), on).
		Where("account_id = ? AND group_id = ?", t.Tenant, group).
		Where(`NOT EXISTS (SELECT FROM urls AS u
			WHERE u.account_id = group_urls.account_id AND u.id = group_urls.url_id AND u.address LIKE ?)`, query.UploadedAddress).Exec(ctx)
	if err != nil {
		return fmt.Errorf("switch %s for all URLs of group %s: %w", device, group, err)
	}
	return nil
}

func (t *Tx) SelectedOf(ctx context.Context, wanted []vcd.ID, tags []string, limit int) ([]*vcd.Selection, error) {
	var rows []*struct {
		selectionRow `bun:",extend"`
		FlowID       *vcd.ID `bun:"flow_id"`
	}
	q := t.Bun.NewSelect().TableExpr("group_urls AS s").ColumnExpr("s.group_id, s.url_id, s.desktop, s.mobile, p.flow_id").
		Join(query.LookUpIfAny("flow_checkpoints", "p", "o.account_id = ? AND o.url_id = s.url_id"), t.Tenant).
		Where("s.account_id = ? AND s.group_id = ANY(?) AND (s.desktop OR s.mobile)", t.Tenant, query.Array(wanted))
	if tags != nil {
		q = q.Where("?", t.tagged("s.url_id", tags))
	}
	err := q.OrderExpr("s.url_created_at, s.url_id, s.group_id").Limit(int64(limit)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("list the selection: %w", err)
	}
	selected := make([]*vcd.Selection, len(rows))
	for i, row := range rows {
		selected[i] = row.selection()
		selected[i].FlowID = row.FlowID
	}
	return selected, nil
}
