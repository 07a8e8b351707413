package inventory

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

type importRow struct {
	bun.BaseModel `bun:"table:url_imports,alias:i"`

	Account       vcd.ID          `bun:"account_id,pk"`
	ID            vcd.ID          `bun:"id,pk"`
	Kind          vcd.ImportKind  `bun:"kind"`
	Domain        string          `bun:"domain"`
	ManagedBy     *string         `bun:"managed_by"`
	Gathered      bool            `bun:"gathered"`
	State         vcd.ImportState `bun:"state"`
	OrLinks       bool            `bun:"or_links"`
	OverHTTP      bool            `bun:"over_http"`
	DeleteMissing bool            `bun:"delete_missing"`
	Found         int             `bun:"found"`
	Added         int             `bun:"added"`
	Renamed       int             `bun:"renamed"`
	Removed       int             `bun:"removed"`
	Problems      []string        `bun:"problems,array"`
	CreatedAt     time.Time       `bun:"created_at"`
	UpdatedAt     time.Time       `bun:"updated_at"`
	FinishedAt    *time.Time      `bun:"finished_at"`
}

var imports = query.Source{
	Table: "url_imports AS i", Alias: "i", Created: "created_at", ID: "id",
	Widen: func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q },
}

func rowOfImport(i *vcd.URLImport) *importRow {
	row := &importRow{
		Account: i.Account, ID: i.ID, Kind: i.Kind, Domain: i.Domain, ManagedBy: i.ManagedBy, Gathered: i.Gathered, State: i.State,
		OrLinks: i.OrLinks, OverHTTP: i.OverHTTP,
		DeleteMissing: i.DeleteMissing, Found: i.Found, Added: i.Added, Renamed: i.Renamed, Removed: i.Removed, Problems: []string{},
		CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, FinishedAt: i.FinishedAt,
	}
	for _, problem := range i.Problems {
		row.Problems = append(row.Problems, query.Plain(problem))
	}
	return row
}

func (r *importRow) urlImport() *vcd.URLImport {
	return &vcd.URLImport{
		ID: r.ID, Account: r.Account, Kind: r.Kind, Domain: r.Domain, ManagedBy: r.ManagedBy, Gathered: r.Gathered, State: r.State,
		OrLinks: r.OrLinks, OverHTTP: r.OverHTTP,
		DeleteMissing: r.DeleteMissing, Found: r.Found, Added: r.Added, Renamed: r.Renamed, Removed: r.Removed, Problems: r.Problems,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), FinishedAt: query.UTC(r.FinishedAt),
	}
}

func (t *Tx) URLImport(ctx context.Context, id vcd.ID) (*vcd.URLImport, error) {
	return t.urlImport(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) LockURLImport(ctx context.Context, id vcd.ID) (*vcd.URLImport, error) {
	return t.urlImport(ctx, id, query.ForChange)
}

func (t *Tx) urlImport(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.URLImport, error) {
	row, err := query.FetchOne[importRow](ctx, t.Scope, imports,
		func(q *bun.SelectQuery) *bun.SelectQuery { return and(q.Where("i.id = ?", id)) })
	if err != nil {
		return nil, query.NotFound(err, "UrlImport", id)
	}
	return row.urlImport(), nil
}

func (t *Tx) URLImports(ctx context.Context, f vcd.URLImportFilter, p vcd.Page) (*vcd.List[*vcd.URLImport], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(query.Among(q, "i.kind", f.Kinds), "i.state", f.States)
		if f.Domain != nil {
			q = q.Where("i.domain = ?", query.Plain(*f.Domain))
		}
		return q
	}
	return query.FetchPage(ctx, t.Scope, imports, where, query.Order{}, p, (*importRow).urlImport)
}

func (t *Tx) URLImportsByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.URLImport, error) {
	rows, err := query.Fetch[importRow](ctx, t.Scope, imports,
		func(q *bun.SelectQuery) *bun.SelectQuery { return query.Among(q, "i.id", &wanted) })
	return query.ConvertAll(rows, (*importRow).urlImport), err
}

func (t *Tx) LockGathered(ctx context.Context, f vcd.GatheredFilter) ([]*vcd.URLImport, error) {
	rows, err := query.Fetch[importRow](ctx, t.Scope, imports, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.Where("i.gathered AND i.state = 'collecting' AND coalesce(i.managed_by, '') = coalesce(?, '')", f.ManagedBy)
		if f.Domain != nil {
			q = q.Where("i.domain = ?", query.Plain(*f.Domain))
		}
		return query.ForChange(q.OrderExpr("i.id DESC"))
	})
	return query.ConvertAll(rows, (*importRow).urlImport), err
}

func (t *Tx) EnsureURLImport(ctx context.Context, i *vcd.URLImport) (stored *vcd.URLImport, created bool, err error) {
	for range ensureAttempts {
		result, err := t.Bun.NewInsert().Model(rowOfImport(i)).On("CONFLICT DO NOTHING").Exec(ctx)
		if err != nil {
			return nil, false, fmt.Errorf("insert the import: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 1 {
			return i, true, err
		}
		rows, err := query.Fetch[importRow](ctx, t.Scope, imports, func(q *bun.SelectQuery) *bun.SelectQuery {
			return query.ForChange(q.Where(`(i.id = ? OR i.kind = 'sitemap' AND i.state = 'started' AND ? = 'sitemap' AND i.domain = ? OR
				i.gathered AND i.state = 'collecting' AND ? AND i.domain = ? AND coalesce(i.managed_by, '') = coalesce(?, ''))`,
				i.ID, i.Kind, i.Domain, i.Gathered, i.Domain, i.ManagedBy).Limit(1))
		})
		if err != nil {
			return nil, false, err
		}
		if len(rows) == 1 {
			return rows[0].urlImport(), false, nil
		}
	}
	return nil, false, pg.ErrContended
}

func (t *Tx) UpdateURLImport(ctx context.Context, i *vcd.URLImport) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfImport(i)).
		ExcludeColumn("account_id", "id", "kind", "domain", "managed_by", "gathered", "created_at").
		Where("account_id = ? AND id = ?", t.Tenant, i.ID), "UrlImport", i.ID)
}

// importedRow is an imported URL as a row of a JSON array.
type importedRow struct {
	ID          vcd.ID  `json:"id"`
	Address     string  `json:"address"`
	Scheme      string  `json:"scheme"`
	SchemeGiven bool    `json:"scheme_given"`
	HTMLTitle   string  `json:"html_title"`
	Type        string  `json:"type"`
	Category    string  `json:"category"`
	NewAddress  *string `json:"new_address"`
	NewScheme   *string `json:"new_scheme"`
}

func importedRows(urls []vcd.ImportedURL) (string, error) {
	rows := make([]importedRow, len(urls))
	for i, u := range urls {
		rows[i] = importedRow(u)
	}
	document, err := json.Marshal(rows)
	if err != nil {
		return "", fmt.Errorf("write %d URLs as JSON: %w", len(urls), err)
	}
	return string(document), nil
}

const collectQuery = `
INSERT INTO collected_urls (account_id, import_id, address, scheme, html_title, type, category, new_address, new_scheme)
SELECT ?0::uuid, ?1::uuid, n.address, n.scheme, n.html_title, n.type, n.category, n.new_address, n.new_scheme
FROM jsonb_to_recordset(?2::jsonb) AS n (
	address text, scheme text, html_title text, type text, category text, new_address text, new_scheme text)
ON CONFLICT (account_id, import_id, md5(address)) DO UPDATE SET
	scheme = excluded.scheme, html_title = excluded.html_title, type = excluded.type, category = excluded.category,
	new_address = excluded.new_address, new_scheme = excluded.new_scheme`

func (t *Tx) CollectURLs(ctx context.Context, id vcd.ID, urls []vcd.ImportedURL) (total int, err error) {
	document, err := importedRows(urls)
	if err != nil {
		return 0, err
	}
	if _, err := t.Bun.NewRaw(collectQuery, t.Tenant, id, document).Exec(ctx); err != nil {
		return 0, fmt.Errorf("collect %d URLs: %w", len(urls), err)
	}
	err = t.Bun.NewRaw("SELECT count(*) FROM collected_urls WHERE account_id = ? AND import_id = ?", t.Tenant, id).Scan(ctx, &total)
	if err != nil {
		return 0, fmt.Errorf("count the URLs of collection %s: %w", id, err)
	}
	return total, nil
}

// ensureURLsQuery inserts in the order of addresses, so that two concurrent imports wait for each other instead of
// deadlocking.
const ensureURLsQuery = `
INSERT INTO urls (account_id, id, address, scheme, scheme_given, html_title, created_at, updated_at)
SELECT ?0::uuid, n.id, n.address, n.scheme, n.scheme_given, n.html_title, ?2, ?2
FROM jsonb_to_recordset(?1::jsonb) AS n (id uuid, address text, scheme text, scheme_given boolean, html_title text) ORDER BY n.address
ON CONFLICT (account_id, md5(address)) WHERE deleted_at IS NULL DO NOTHING`

// giveSchemesQuery gives those that exist already the schemes that a client gave, in the order of ids for the same reason.
const giveSchemesQuery = `
WITH given AS (
	SELECT u.id, n.scheme FROM jsonb_to_recordset(?1::jsonb) AS n (address text, scheme text, scheme_given boolean)
	JOIN urls AS u ON u.account_id = ?0 AND u.deleted_at IS NULL AND md5(u.address) = md5(n.address) AND u.address = n.address
	WHERE n.scheme_given AND (u.scheme <> n.scheme OR NOT u.scheme_given) ORDER BY u.id FOR UPDATE OF u
)
UPDATE urls AS u SET scheme = g.scheme, scheme_given = true, updated_at = ?2 FROM given AS g WHERE u.account_id = ?0 AND u.id = g.id`

func (t *Tx) EnsureURLs(ctx context.Context, urls []vcd.ImportedURL, now time.Time) (added int, err error) {
	document, err := importedRows(urls)
	if err != nil {
		return 0, err
	}
	added, err = t.Affect(ctx, "insert URLs", ensureURLsQuery, t.Tenant, document, now)
	if err == nil && slices.ContainsFunc(urls, func(u vcd.ImportedURL) bool { return u.SchemeGiven }) {
		_, err = t.Affect(ctx, "set the schemes of URLs", giveSchemesQuery, t.Tenant, document, now)
	}
	return added, err
}
