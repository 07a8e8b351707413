package inventory

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

// GateRules implements review.UpdateTx.
func (t *Tx) GateRules(ctx context.Context, groups []vcd.ID) (map[vcd.ID]vcd.GateRules, error) {
	var rows []*groupRow
	err := t.Bun.NewSelect().Model(&rows).Column("id", "gate_rules").
		Where("g.account_id = ? AND g.id = ANY(?) AND g.gate_rules IS NOT NULL", t.Tenant, query.Array(groups)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the rules for updates: %w", err)
	}
	rules := make(map[vcd.ID]vcd.GateRules, len(rows))
	for _, r := range rows {
		rules[r.ID] = *r.GateRules
	}
	return rules, nil
}

type groupRow struct {
	bun.BaseModel `bun:"table:groups,alias:g"`

	Account          vcd.ID         `bun:"account_id,pk"`
	ID               vcd.ID         `bun:"id,pk"`
	Name             string         `bun:"name"`
	Monitoring       bool           `bun:"monitoring"`
	Enabled          bool           `bun:"enabled"`
	ScheduleType     schedule.Type  `bun:"schedule_type"`
	HourOfDay        int            `bun:"hour_of_day"`
	IntervalHours    float64        `bun:"interval_hours"`
	ScheduleDays     []int          `bun:"schedule_days,array"`
	QuietStart       *int           `bun:"quiet_start"`
	QuietEnd         *int           `bun:"quiet_end"`
	Triggers         []vcd.Trigger  `bun:"triggers,type:jsonb"`
	AlertEmails      []string       `bun:"alert_emails,array"`
	CSS              *string        `bun:"css"`
	JS               *string        `bun:"js"`
	CMS              *string        `bun:"cms"`
	Threshold        float64        `bun:"threshold"`
	Measure          vcd.Measure    `bun:"measure"`
	BasicAuthUser    *string        `bun:"basic_auth_user"`
	SealedPassword   []byte         `bun:"sealed_password"`
	ProxyType        vcd.ProxyType  `bun:"proxy_type"`
	ProxyCountry     *string        `bun:"proxy_country"`
	ScreenshotRegion vcd.Region     `bun:"screenshot_region"`
	ScreenshotDelay  *int           `bun:"screenshot_delay"`
	DefaultDesktop   bool           `bun:"default_desktop"`
	DefaultMobile    bool           `bun:"default_mobile"`
	HideConsent      bool           `bun:"hide_consent"`
	ConfirmChanges   bool           `bun:"confirm_changes"`
	AlarmPageChanges bool           `bun:"alarm_page_changes"`
	GateRules        *vcd.GateRules `bun:"gate_rules,type:jsonb"`
	SignInFlowID     *vcd.ID        `bun:"sign_in_flow_id"`
	NextRunAt        *time.Time     `bun:"next_run_at"`
	MissedRun        *vcd.MissedRun `bun:"missed_run"`
	CreatedAt        time.Time      `bun:"created_at"`
	UpdatedAt        time.Time      `bun:"updated_at"`
}

// groupRead is a group with its figures.
type groupRead struct {
	groupRow       `bun:",extend"`
	URLsCount      int     `bun:"urls_count"`
	SelectedURLs   int     `bun:"selected_urls"`
	SelectedChecks int     `bun:"selected_checks"`
	WebsiteID      *vcd.ID `bun:"website_id"`
}

var groups = query.Source{
	Table: "groups AS g", Alias: "g", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("f.urls_count, f.selected_urls, f.selected_checks, wg.website_id").
			Join(query.LookUpIfAny("website_groups", "wg", "o.account_id = ? AND o.group_id = g.id"), account).
			Join(`CROSS JOIN LATERAL (
				SELECT count(*) AS urls_count, count(*) FILTER (WHERE s.desktop OR s.mobile) AS selected_urls,
					coalesce(sum(s.desktop::integer + s.mobile::integer), 0) AS selected_checks
				FROM group_urls AS s WHERE s.account_id = ? AND s.group_id = g.id) AS f`, account)
	},
}

func rowOfGroup(g *vcd.Group) *groupRow {
	row := &groupRow{
		Account: g.Account, ID: g.ID, Name: g.Name, Monitoring: g.Monitoring, Enabled: g.Enabled,
		ScheduleType: g.Schedule.Type, HourOfDay: g.Schedule.HourOfDay, IntervalHours: g.Schedule.IntervalHours,
		QuietStart: g.Schedule.QuietStart, QuietEnd: g.Schedule.QuietEnd,
		Triggers: query.NotNil(g.Triggers), AlertEmails: query.NotNil(g.AlertEmails), CSS: g.CSS, JS: g.JS, CMS: g.CMS,
		Threshold: g.Threshold, Measure: g.Measure, BasicAuthUser: g.BasicAuthUser, SealedPassword: g.SealedPassword,
		ProxyType: g.ProxyType, ProxyCountry: g.ProxyCountry,
		ScreenshotRegion: g.ScreenshotRegion, ScreenshotDelay: g.ScreenshotDelay,
		DefaultDesktop: g.DefaultDesktop, DefaultMobile: g.DefaultMobile, HideConsent: g.HideConsent,
		ConfirmChanges: g.ConfirmChanges, AlarmPageChanges: g.AlarmPageChanges, GateRules: g.GateRules, SignInFlowID: g.SignInFlowID,
		NextRunAt: g.NextRunAt, MissedRun: g.MissedRun,
		CreatedAt: g.CreatedAt, UpdatedAt: g.UpdatedAt,
	}
	for _, day := range g.Schedule.Days {
		row.ScheduleDays = append(row.ScheduleDays, int(day))
	}
	return row
}

func (r *groupRead) group() *vcd.Group {
	g := &vcd.Group{
		ID: r.ID, Account: r.Account, Name: r.Name, Monitoring: r.Monitoring, Enabled: r.Enabled,
		Schedule: schedule.Schedule{
			Type: r.ScheduleType, HourOfDay: r.HourOfDay, IntervalHours: r.IntervalHours,
			QuietStart: r.QuietStart, QuietEnd: r.QuietEnd,
		},
		Triggers: r.Triggers, AlertEmails: r.AlertEmails, CSS: r.CSS, JS: r.JS, CMS: r.CMS,
		Threshold: r.Threshold, Measure: r.Measure, BasicAuthUser: r.BasicAuthUser, SealedPassword: r.SealedPassword,
		ProxyType: r.ProxyType, ProxyCountry: r.ProxyCountry,
		ScreenshotRegion: r.ScreenshotRegion, ScreenshotDelay: r.ScreenshotDelay,
		DefaultDesktop: r.DefaultDesktop, DefaultMobile: r.DefaultMobile, HideConsent: r.HideConsent,
		ConfirmChanges: r.ConfirmChanges, AlarmPageChanges: r.AlarmPageChanges, GateRules: r.GateRules, SignInFlowID: r.SignInFlowID,
		NextRunAt: query.UTC(r.NextRunAt), MissedRun: r.MissedRun,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
		URLsCount: r.URLsCount, SelectedURLsCount: r.SelectedURLs, SelectedChecks: r.SelectedChecks, WebsiteID: r.WebsiteID,
	}
	for _, day := range r.ScheduleDays {
		g.Schedule.Days = append(g.Schedule.Days, schedule.Day(day))
	}
	return g
}

func (t *Tx) Group(ctx context.Context, id vcd.ID) (*vcd.Group, error) {
	return t.group(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) LockGroup(ctx context.Context, id vcd.ID) (*vcd.Group, error) {
	return t.group(ctx, id, query.ForChange)
}

func (t *Tx) group(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.Group, error) {
	return t.groupOf(ctx, groups, id, and)
}

func (t *Tx) groupOf(ctx context.Context, s query.Source, id vcd.ID, and query.Narrow) (*vcd.Group, error) {
	row, err := query.FetchOne[groupRead](ctx, t.Scope, s, func(q *bun.SelectQuery) *bun.SelectQuery {
		return and(q.Where("g.id = ? AND g.deleted_at IS NULL", id))
	})
	if err != nil {
		return nil, query.NotFound(err, "Group", id)
	}
	return row.group(), nil
}

var groupOrders = map[string]string{
	vcd.GroupName: "lower(g.name)", vcd.GroupNextRun: "coalesce(g.next_run_at, 'infinity')",
}

func (t *Tx) Groups(ctx context.Context, f vcd.GroupFilter, p vcd.Page) (*vcd.List[*vcd.Group], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(q.Where("g.deleted_at IS NULL"), "g.id", f.IDs)
		if f.Monitoring != nil {
			q = q.Where("g.monitoring = ?", *f.Monitoring)
		}
		if f.MissedRun != nil {
			q = q.Where("(g.missed_run IS NOT NULL) = ?", *f.MissedRun)
		}
		if f.WebsiteIDs != nil {
			q = q.Where("g.id IN (SELECT wg.group_id FROM website_groups AS wg WHERE wg.account_id = ? AND wg.website_id = ANY(?))",
				t.Tenant, query.Array(*f.WebsiteIDs))
		}
		return query.Having(query.Holds(q, "g.enabled", f.Enabled), "g.name", f.Search)
	}
	return query.FetchPage(ctx, t.Scope, groups, where, query.OrderBy(f.Sort, groupOrders), p, (*groupRead).group)
}

func (t *Tx) GroupsByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Group, error) {
	rows, err := query.Fetch[groupRead](ctx, t.Scope, groups,
		func(q *bun.SelectQuery) *bun.SelectQuery { return query.Among(q, "g.id", &wanted) })
	return query.ConvertAll(rows, (*groupRead).group), err
}

func (t *Tx) InsertGroup(ctx context.Context, g *vcd.Group) error {
	if _, err := t.Bun.NewInsert().Model(rowOfGroup(g)).Exec(ctx); err != nil {
		return fmt.Errorf("insert the group: %w", err)
	}
	return nil
}

func (t *Tx) UpdateGroup(ctx context.Context, g *vcd.Group) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfGroup(g)).ExcludeColumn("account_id", "id", "created_at").
		Where("account_id = ? AND id = ? AND deleted_at IS NULL", t.Tenant, g.ID), "Group", g.ID)
}

func (t *Tx) DeleteGroup(ctx context.Context, id vcd.ID, now time.Time) error {
	err := t.UpdateOne(ctx, t.Bun.NewUpdate().Table("groups").
		Set("deleted_at = ?0, updated_at = ?0, enabled = false, next_run_at = NULL", now).
		Set("css = NULL, js = NULL, basic_auth_user = NULL, sealed_password = NULL, sign_in_flow_id = NULL").
		Where("account_id = ? AND id = ? AND deleted_at IS NULL", t.Tenant, id), "Group", id)
	if err != nil {
		return err
	}
	for _, table := range []string{"group_urls", "website_groups"} {
		_, err = t.Bun.NewDelete().Table(table).Where("account_id = ? AND group_id = ?", t.Tenant, id).Exec(ctx)
		if err != nil {
			return fmt.Errorf("remove group %s from %s: %w", id, table, err)
		}
	}
	return nil
}
