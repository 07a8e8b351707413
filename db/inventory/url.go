package inventory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

type urlRow struct {
	bun.BaseModel `bun:"table:urls,alias:u"`

	Account       vcd.ID     `bun:"account_id,pk"`
	ID            vcd.ID     `bun:"id,pk"`
	Address       string     `bun:"address"`
	Scheme        string     `bun:"scheme"`
	SchemeGiven   bool       `bun:"scheme_given"`
	HTMLTitle     string     `bun:"html_title"`
	LastCrawledAt *time.Time `bun:"last_crawled_at"`
	Type          *string    `bun:"type"`
	Category      *string    `bun:"category"`
	StatusCode    *int       `bun:"status_code"`
	ErrorCount    int        `bun:"error_count"`
	CreatedAt     time.Time  `bun:"created_at"`
	UpdatedAt     time.Time  `bun:"updated_at"`
}

// urlRead is a URL with its groups and the website it belongs to.
type urlRead struct {
	urlRow   `bun:",extend"`
	GroupIDs []string `bun:"group_ids,array"`
	Website  *vcd.ID  `bun:"website"`
	Tags     []string `bun:"tags,array"`
}

// placesOfURL is a join that yields the groups of urls AS u, oldest first, and their oldest website.
var placesOfURL = `CROSS JOIN LATERAL (
	SELECT coalesce(array_agg(m.group_id ORDER BY m.group_id), '{}') AS group_ids,
		(array_agg(wg.website_id ORDER BY wg.website_id) FILTER (WHERE wg.website_id IS NOT NULL))[1] AS website_id
	FROM group_urls AS m ` + query.LookUpIfAny("website_groups", "wg", "o.account_id = ?0 AND o.group_id = m.group_id") + `
	WHERE m.account_id = ?0 AND m.url_id = u.id) AS n`

var urls = query.Source{
	Table: "urls AS u", Alias: "u", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("n.group_ids, coalesce(u.website_id, n.website_id) AS website").ColumnExpr(tagsOfURL+" AS tags", account).
			Join(placesOfURL, account)
	},
}

func rowOfURL(u *vcd.URL) *urlRow {
	return &urlRow{
		Account: u.Account, ID: u.ID, Address: u.Address, Scheme: u.Scheme, SchemeGiven: u.SchemeGiven, HTMLTitle: u.HTMLTitle,
		LastCrawledAt: u.LastCrawledAt, Type: u.Type, Category: u.Category, StatusCode: u.StatusCode,
		ErrorCount: u.ErrorCount, CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt,
	}
}

func (r *urlRead) url() *vcd.URL {
	return &vcd.URL{
		ID: r.ID, Account: r.Account, Address: r.Address, Scheme: r.Scheme, SchemeGiven: r.SchemeGiven, HTMLTitle: r.HTMLTitle,
		LastCrawledAt: query.UTC(r.LastCrawledAt), Type: r.Type, Category: r.Category, StatusCode: r.StatusCode,
		ErrorCount: r.ErrorCount, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), GroupIDs: query.IDs(r.GroupIDs),
		WebsiteID: r.Website, Tags: r.Tags,
	}
}

func (t *Tx) URL(ctx context.Context, id vcd.ID) (*vcd.URL, error) {
	return t.url(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) LockURL(ctx context.Context, id vcd.ID) (*vcd.URL, error) {
	return t.url(ctx, id, query.ForChange)
}

func (t *Tx) url(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.URL, error) {
	return t.urlOf(ctx, urls, id, and)
}

func (t *Tx) urlOf(ctx context.Context, s query.Source, id vcd.ID, and query.Narrow) (*vcd.URL, error) {
	row, err := query.FetchOne[urlRead](ctx, t.Scope, s, func(q *bun.SelectQuery) *bun.SelectQuery {
		return and(q.Where("u.id = ? AND u.deleted_at IS NULL", id))
	})
	if err != nil {
		return nil, query.NotFound(err, "Url", id)
	}
	return row.url(), nil
}

var urlOrders = map[string]string{
	vcd.URLAddress: "u.lower_address", vcd.URLTitle: "u.lower_title",
	vcd.URLLastCrawled: "coalesce(u.last_crawled_at, '-infinity')",
}

func (t *Tx) URLs(ctx context.Context, f vcd.URLFilter, p vcd.Page) (*vcd.List[*vcd.URL], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.Where("u.deleted_at IS NULL")
		if f.GroupIDs != nil {
			q = q.Where(`EXISTS (SELECT FROM group_urls AS s
				WHERE s.account_id = ? AND s.group_id = ANY(?) AND s.url_id = u.id OFFSET 0)`, t.Tenant, query.Array(*f.GroupIDs))
		}
		if f.WebsiteIDs != nil {
			q = q.Where(`(u.website_id = ANY(?1) OR u.id IN (
				SELECT s.url_id FROM website_groups AS wg JOIN group_urls AS s ON s.account_id = ?0 AND s.group_id = wg.group_id
				WHERE wg.account_id = ?0 AND wg.website_id = ANY(?1)))`, t.Tenant, query.Array(*f.WebsiteIDs))
		}
		if f.Tags != nil {
			q = q.Where("?", t.tagged("u.id", *f.Tags))
		}
		return searched(q, f.Search)
	}
	return query.FetchPage(ctx, t.Scope, urls, where, query.OrderBy(f.Sort, urlOrders), p, (*urlRead).url)
}

// searched keeps the URLs (alias u) whose address or title contains the text, ignoring case.
func searched(q *bun.SelectQuery, text *string) *bun.SelectQuery {
	if text == nil {
		return q
	}
	return q.Where("(u.lower_address LIKE lower(?0) OR u.lower_title LIKE lower(?0))", query.Containing(query.Plain(*text)))
}

func (t *Tx) URLsByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.URL, error) {
	rows, err := query.Fetch[urlRead](ctx, t.Scope, urls, func(q *bun.SelectQuery) *bun.SelectQuery {
		return query.Among(q, "u.id",
			&wanted)
	})
	return query.ConvertAll(rows, (*urlRead).url), err
}

// ensureAttempts limits the retries when others insert and delete the same address at the same time.
const ensureAttempts = 5

func (t *Tx) URLIDsOf(ctx context.Context, addresses []string) ([]vcd.ID, error) {
	var column []string
	err := t.Bun.NewSelect().TableExpr("urls AS u").ColumnExpr("u.id").
		Where("u.account_id = ? AND u.deleted_at IS NULL", t.Tenant).
		Where("md5(u.address) IN (SELECT md5(a) FROM unnest(?::text[]) AS a)", query.Array(addresses)).
		Where("u.address = ANY(?)", query.Array(addresses)).OrderExpr("u.id").Scan(ctx, &column)
	if err != nil {
		return nil, fmt.Errorf("find the URLs of %d addresses: %w", len(addresses), err)
	}
	return query.IDs(column), nil
}

func (t *Tx) EnsureURL(ctx context.Context, u *vcd.URL) (stored *vcd.URL, created bool, err error) {
	for range ensureAttempts {
		result, err := t.Bun.NewInsert().Model(rowOfURL(u)).
			On("CONFLICT (account_id, md5(address)) WHERE deleted_at IS NULL DO NOTHING").Exec(ctx)
		if err != nil {
			return nil, false, fmt.Errorf("insert the URL: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 1 {
			return u, true, err
		}
		row, err := query.FetchOne[urlRead](ctx, t.Scope, urls, func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("md5(u.address) = md5(?0) AND u.address = ?0 AND u.deleted_at IS NULL", u.Address)
		})
		if err == nil {
			return row.url(), false, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return nil, false, err
		}
	}
	return nil, false, pg.ErrContended
}

func (t *Tx) UpdateURL(ctx context.Context, u *vcd.URL) error {
	err := t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfURL(u)).ExcludeColumn("account_id", "id", "created_at").
		Where("account_id = ? AND id = ? AND deleted_at IS NULL", t.Tenant, u.ID), "Url", u.ID)
	if pg.Violates(err, "urls_address_key") {
		return vcd.Invalid("url", "unique", "The {field} has already been taken.")
	}
	return err
}

func (t *Tx) RecordCrawl(ctx context.Context, c vcd.Crawl) error {
	q := t.Bun.NewUpdate().Table("urls").Where("account_id = ? AND id = ? AND deleted_at IS NULL", t.Tenant, c.URLID)
	if c.OK {
		q = q.Where("address = ?", c.Address).Set("error_count = 0, last_crawled_at = ?, status_code = ?", c.At, c.StatusCode).
			Set("scheme = CASE WHEN scheme_given THEN scheme ELSE coalesce(nullif(?, ''), scheme) END", c.Scheme).
			Set("html_title = coalesce(nullif(?, ''), html_title)", query.Plain(c.HTMLTitle))
	} else {
		q = q.Set("error_count = error_count + 1")
	}
	if _, err := q.Exec(ctx); err != nil {
		return fmt.Errorf("record the crawl of URL %s: %w", c.URLID, err)
	}
	return nil
}

func (t *Tx) DeleteURLs(ctx context.Context, wanted []vcd.ID, now time.Time) ([]vcd.ID, error) {
	var deleted []string
	err := t.InBulk(ctx, len(wanted), func() error {
		return t.Bun.NewRaw(`
			WITH held AS (SELECT id FROM urls WHERE account_id = ?0 AND id = ANY(?1) AND deleted_at IS NULL
				AND NOT EXISTS (SELECT FROM flow_checkpoints AS p WHERE p.account_id = ?0 AND p.url_id = urls.id OFFSET 0)
				ORDER BY id FOR UPDATE)
			UPDATE urls AS u SET deleted_at = ?2, updated_at = ?2 FROM held WHERE u.account_id = ?0 AND u.id = held.id RETURNING u.id`,
			t.Tenant, query.Array(wanted), now).Scan(ctx, &deleted)
	})
	if err != nil {
		return nil, fmt.Errorf("delete %d URLs: %w", len(wanted), err)
	}
	_, err = t.Affect(ctx, "take deleted URLs out of their groups", "DELETE FROM group_urls WHERE account_id = ? AND url_id = ANY(?)",
		t.Tenant, query.Array(deleted))
	return query.IDs(deleted), err
}

func (t *Tx) DeleteURL(ctx context.Context, id vcd.ID, now time.Time) error {
	err := t.UpdateOne(ctx, t.Bun.NewUpdate().Table("urls").Set("deleted_at = ?0, updated_at = ?0", now).
		Where("account_id = ? AND id = ? AND deleted_at IS NULL", t.Tenant, id), "Url", id)
	if err != nil {
		return err
	}
	_, err = t.Bun.NewDelete().Table("group_urls").Where("account_id = ? AND url_id = ?", t.Tenant, id).Exec(ctx)
	if err != nil {
		return fmt.Errorf("take URL %s out of its groups: %w", id, err)
	}
	return nil
}
