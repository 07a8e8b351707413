package inventory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// overviewRead is a group, of which only some columns are read, with its website.
type overviewRead struct {
	groupRead `bun:",extend"`
	Website   *vcd.ID `bun:"website_id"`
	Domain    string  `bun:"domain"`
}

// enabledGroupsQuery counts the selected URLs of all groups at once. It does not read injected code, which may be long.
var enabledGroupsQuery = `
SELECT g.account_id, g.id, g.name, g.monitoring, g.enabled, g.schedule_type, g.hour_of_day, g.interval_hours, g.schedule_days,
	g.quiet_start, g.quiet_end, g.triggers, g.next_run_at, coalesce(c.selected_urls, 0) AS selected_urls,
	coalesce(c.selected_checks, 0) AS selected_checks, w.id AS website_id, coalesce(w.domain, split_part(u.address, '/', 1), '') AS domain
FROM groups AS g
LEFT JOIN (
	SELECT s.group_id, count(*) AS selected_urls, sum(s.desktop::integer + s.mobile::integer) AS selected_checks
	FROM group_urls AS s WHERE s.account_id = ?0 AND (s.desktop OR s.mobile) GROUP BY s.group_id) AS c ON c.group_id = g.id
` + query.LookUpIfAny("website_groups", "wg", "o.account_id = ?0 AND o.group_id = g.id") + `
` + query.LookUpIfAny("websites", "w", "o.account_id = ?0 AND o.id = wg.website_id") + `
LEFT JOIN LATERAL (
	SELECT u.address FROM group_urls AS s JOIN urls AS u ON u.account_id = ?0 AND u.id = s.url_id
	WHERE s.account_id = ?0 AND s.group_id = g.id AND w.id IS NULL AND g.next_run_at IS NOT NULL
	ORDER BY s.url_created_at, s.url_id LIMIT 1) AS u ON true
WHERE g.account_id = ?0 AND g.enabled AND g.deleted_at IS NULL
ORDER BY g.created_at, g.id`

// EnabledGroups implements account.Tx.
func (t *Tx) EnabledGroups(ctx context.Context) ([]*vcd.GroupOverview, error) {
	var rows []*overviewRead
	if err := t.Bun.NewRaw(enabledGroupsQuery, t.Tenant).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("read the enabled groups: %w", err)
	}
	return query.ConvertAll(rows, func(r *overviewRead) *vcd.GroupOverview {
		return &vcd.GroupOverview{Group: *r.group(), WebsiteID: r.Website, Domain: r.Domain}
	}), nil
}

// CountSelectedURLs implements account.Tx.
func (t *Tx) CountSelectedURLs(ctx context.Context) (monitoring, manual int, err error) {
	err = t.Bun.NewRaw(`SELECT count(DISTINCT s.url_id) FILTER (WHERE g.monitoring),
		count(DISTINCT s.url_id) FILTER (WHERE NOT g.monitoring)
		FROM groups AS g JOIN group_urls AS s ON s.account_id = ?0 AND s.group_id = g.id
		WHERE g.account_id = ?0 AND g.enabled AND g.deleted_at IS NULL AND (s.desktop OR s.mobile)`, t.Tenant).Scan(ctx,
		&monitoring, &manual)
	if err != nil {
		return 0, 0, fmt.Errorf("count what is selected in groups: %w", err)
	}
	return monitoring, manual, nil
}

// AutoUpdated implements account.Tx.
func (t *Tx) AutoUpdated(ctx context.Context) ([]*vcd.Website, error) {
	rows, err := query.Fetch[websiteRead](ctx, t.Scope, websites,
		func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("w.auto_update_enabled") })
	return query.ConvertAll(rows, (*websiteRead).website), err
}
