package inventory

import (
	"context"
	"fmt"

	"afterimage/db/query"
	"afterimage/vcd"
)

// standingRead is a group, of which only some columns are read, with its figures.
type standingRead struct {
	groupRead  `bun:",extend"`
	Domain     string  `bun:"domain"`
	OpenAlarms int     `bun:"open_alarms"`
	LastBatch  *vcd.ID `bun:"last_batch"`
	Failed     int     `bun:"failed"`
}

// standingsQuery counts all open alarms at once, by the index comparisons_open, and finds the newest batch of each group.
var standingsQuery = `
SELECT g.account_id, g.id, g.name, g.monitoring, g.enabled, g.schedule_type, g.hour_of_day, g.interval_hours, g.schedule_days,
	g.quiet_start, g.quiet_end, g.next_run_at, g.missed_run, wg.website_id, coalesce(w.domain, '') AS domain,
	coalesce(a.count, 0) AS open_alarms, l.batch_id AS last_batch, f.failed
FROM groups AS g
` + query.LookUpIfAny("website_groups", "wg", "o.account_id = ?0 AND o.group_id = g.id") + `
` + query.LookUpIfAny("websites", "w", "o.account_id = ?0 AND o.id = wg.website_id") + `
LEFT JOIN (
	SELECT c.group_id, count(*) FROM comparisons AS c WHERE c.account_id = ?0 AND c.status = 'new' AND ` + query.Undeleted("c.batch_id") + `
	GROUP BY 1) AS a ON a.group_id = g.id
LEFT JOIN LATERAL (
	SELECT bg.batch_id FROM batch_groups AS bg WHERE bg.account_id = ?0 AND bg.group_id = g.id AND ` + query.Undeleted("bg.batch_id") + `
	ORDER BY bg.batch_id DESC LIMIT 1) AS l ON true
CROSS JOIN LATERAL (
	SELECT coalesce(sum(n.failed), 0) AS failed FROM queue_counts AS n
	WHERE n.account_id = ?0 AND n.batch_id = l.batch_id AND n.group_id = g.id) AS f
WHERE g.account_id = ?0 AND g.deleted_at IS NULL
ORDER BY g.created_at, g.id LIMIT ?1`

// GroupStandings implements account.Tx.
func (t *Tx) GroupStandings(ctx context.Context, limit int) ([]*vcd.GroupStanding, error) {
	var rows []*standingRead
	if err := t.Bun.NewRaw(standingsQuery, t.Tenant, limit).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("read the state of groups: %w", err)
	}
	return query.ConvertAll(rows, func(r *standingRead) *vcd.GroupStanding {
		return &vcd.GroupStanding{
			Group: *r.group(), Domain: r.Domain, OpenAlarms: r.OpenAlarms, LastBatch: r.LastBatch, Failed: r.Failed,
		}
	}), nil
}
