package inventory

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

type websiteRow struct {
	bun.BaseModel `bun:"table:websites,alias:w"`

	Account           vcd.ID            `bun:"account_id,pk"`
	ID                vcd.ID            `bun:"id,pk"`
	Domain            string            `bun:"domain"`
	ManagedBy         *string           `bun:"managed_by"`
	SyncURLTypes      []vcd.SyncURLType `bun:"sync_url_types,type:jsonb"`
	Allowances        map[string]bool   `bun:"allowances,type:jsonb"`
	AutoUpdateEnabled *bool             `bun:"auto_update_enabled"`
	AutoUpdateFrom    *string           `bun:"auto_update_from"`
	AutoUpdateTo      *string           `bun:"auto_update_to"`
	AutoUpdateDays    []int             `bun:"auto_update_days,array"`
	AutoUpdateEmails  []string          `bun:"auto_update_emails,array"`
	CreatedAt         time.Time         `bun:"created_at"`
	UpdatedAt         time.Time         `bun:"updated_at"`
}

// websiteRead is a website with its groups.
type websiteRead struct {
	websiteRow  `bun:",extend"`
	ManualGroup *vcd.ID `bun:"manual_group"`
	AutoGroup   *vcd.ID `bun:"auto_group"`
}

// The roles of a website's groups.
const (
	roleManual = "manual"
	roleAuto   = "auto"
)

var websites = query.Source{
	Table: "websites AS w", Alias: "w", Created: "created_at", ID: "id",
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("manual.group_id AS manual_group, auto.group_id AS auto_group").
			Join(query.LookUpIfAny("website_groups", "manual", "o.account_id = ? AND o.website_id = w.id AND o.role = ?"), account,
				roleManual).
			Join(query.LookUpIfAny("website_groups", "auto", "o.account_id = ? AND o.website_id = w.id AND o.role = ?"), account, roleAuto)
	},
}

func rowOfWebsite(w *vcd.Website) *websiteRow {
	row := &websiteRow{
		Account: w.Account, ID: w.ID, Domain: w.Domain, ManagedBy: w.ManagedBy, SyncURLTypes: query.NotNil(w.SyncURLTypes),
		Allowances: w.Allowances, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
	if row.Allowances == nil {
		row.Allowances = map[string]bool{}
	}
	if a := w.AutoUpdate; a != nil {
		row.AutoUpdateEnabled, row.AutoUpdateFrom, row.AutoUpdateTo = &a.Enabled, &a.From, &a.To
		row.AutoUpdateDays, row.AutoUpdateEmails = []int{}, query.NotNil(a.Emails)
		for i, on := range a.Days {
			if on {
				row.AutoUpdateDays = append(row.AutoUpdateDays, i+1)
			}
		}
	}
	return row
}

func (r *websiteRead) website() *vcd.Website {
	return &vcd.Website{
		ID: r.ID, Account: r.Account, Domain: r.Domain, ManagedBy: r.ManagedBy, ManualGroupID: r.ManualGroup, AutoGroupID: r.AutoGroup,
		SyncURLTypes: r.SyncURLTypes, AutoUpdate: r.autoUpdate(), Allowances: r.Allowances,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

func (r *websiteRow) autoUpdate() *vcd.AutoUpdateSettings {
	if r.AutoUpdateEnabled == nil {
		return nil
	}
	a := &vcd.AutoUpdateSettings{
		Enabled: *r.AutoUpdateEnabled, From: *r.AutoUpdateFrom, To: *r.AutoUpdateTo, Emails: r.AutoUpdateEmails,
	}
	for _, day := range r.AutoUpdateDays {
		a.Days[day-1] = true
	}
	return a
}

func (t *Tx) Website(ctx context.Context, id vcd.ID) (*vcd.Website, error) {
	return t.website(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) LockWebsite(ctx context.Context, id vcd.ID) (*vcd.Website, error) {
	return t.website(ctx, id, query.ForChange)
}

func (t *Tx) website(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.Website, error) {
	row, err := query.FetchOne[websiteRead](ctx, t.Scope, websites,
		func(q *bun.SelectQuery) *bun.SelectQuery { return and(q.Where("w.id = ?", id)) })
	if err != nil {
		return nil, query.NotFound(err, "Website", id)
	}
	return row.website(), nil
}

func (t *Tx) Websites(ctx context.Context, f vcd.WebsiteFilter, p vcd.Page) (*vcd.List[*vcd.Website], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(q, "w.id", f.IDs)
		if f.Domain != nil {
			q = q.Where("w.domain = ?", query.Plain(*f.Domain))
		}
		if f.ManagedBy != nil {
			q = q.Where("w.managed_by = ?", query.Plain(*f.ManagedBy))
		}
		if f.Unmanaged {
			q = q.Where("w.managed_by IS NULL")
		}
		return query.Having(q, "w.domain", f.Search)
	}
	return query.FetchPage(ctx, t.Scope, websites, where, query.OrderBy(f.Sort, map[string]string{vcd.WebsiteDomain: "w.domain"}), p,
		(*websiteRead).website)
}

func (t *Tx) WebsitesByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Website, error) {
	rows, err := query.Fetch[websiteRead](ctx, t.Scope, websites,
		func(q *bun.SelectQuery) *bun.SelectQuery { return query.Among(q, "w.id", &wanted) })
	return query.ConvertAll(rows, (*websiteRead).website), err
}

func (t *Tx) WebsitesOfGroups(ctx context.Context, members []vcd.ID) (map[vcd.ID]*vcd.Website, error) {
	rows, err := query.Fetch[websiteRead](ctx, t.Scope, websites, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("w.id IN (SELECT wg.website_id FROM website_groups AS wg WHERE wg.account_id = ? AND wg.group_id = ANY(?))",
			t.Tenant, query.Array(members))
	})
	if err != nil {
		return nil, err
	}
	byGroup := make(map[vcd.ID]*vcd.Website, len(members))
	for _, row := range rows {
		w := row.website()
		for _, group := range w.GroupIDs() {
			byGroup[group] = w
		}
	}
	return byGroup, nil
}

func (t *Tx) InsertWebsite(ctx context.Context, w *vcd.Website) error {
	if _, err := t.Bun.NewInsert().Model(rowOfWebsite(w)).Exec(ctx); err != nil {
		return domainTaken(fmt.Errorf("insert the website: %w", err))
	}
	return t.saveWebsiteGroups(ctx, w)
}

func (t *Tx) UpdateWebsite(ctx context.Context, w *vcd.Website) error {
	err := t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfWebsite(w)).ExcludeColumn("account_id", "id", "created_at").
		Where("account_id = ? AND id = ?", t.Tenant, w.ID), "Website", w.ID)
	if err != nil {
		return domainTaken(err)
	}
	return t.saveWebsiteGroups(ctx, w)
}

func domainTaken(err error) error {
	if pg.Violates(err, "websites_domain_key") {
		return vcd.Invalid("domain", "unique", "The {field} has already been taken.")
	}
	return err
}

// saveWebsiteGroups replaces the groups of a website.
func (t *Tx) saveWebsiteGroups(ctx context.Context, w *vcd.Website) error {
	_, err := t.Bun.NewDelete().Table("website_groups").Where("account_id = ? AND website_id = ?", t.Tenant, w.ID).Exec(ctx)
	if err != nil {
		return fmt.Errorf("clear the groups of website %s: %w", w.ID, err)
	}
	for role, group := range map[string]*vcd.ID{roleManual: w.ManualGroupID, roleAuto: w.AutoGroupID} {
		if group == nil {
			continue
		}
		_, err := t.Bun.NewRaw("INSERT INTO website_groups (account_id, group_id, website_id, role) VALUES (?, ?, ?, ?)",
			t.Tenant, *group, w.ID, role).Exec(ctx)
		if err != nil {
			return fmt.Errorf("give website %s its group %s: %w", w.ID, *group, err)
		}
	}
	return nil
}

func (t *Tx) DeleteWebsite(ctx context.Context, id vcd.ID) error {
	return t.DeleteOne(ctx, "websites", "Website", id)
}
