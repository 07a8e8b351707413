package run

import (
	"context"
	"fmt"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// membersOf tells which groups belong to which holder.
var membersOf = map[vcd.Holder]string{
	vcd.HolderAccount: "SELECT ?0::uuid AS holder, g.id AS group_id FROM groups AS g WHERE g.account_id = ?0 AND ?0 = ANY(?1::uuid[])",
	vcd.HolderGroup:   "SELECT p.id AS holder, p.id AS group_id FROM unnest(?1::uuid[]) AS p (id)",
	vcd.HolderWebsite: `SELECT wg.website_id AS holder, wg.group_id FROM website_groups AS wg
		WHERE wg.account_id = ?0 AND wg.website_id = ANY(?1::uuid[])`,
}

// seriesQuery adds up the counts of the batches of a period. Batches that have several groups of a holder are counted once.
const seriesQuery = `, b AS MATERIALIZED (
	SELECT b.id, (b.created_at AT TIME ZONE ?4)::date AS day, extract(epoch FROM b.finished_at - b.created_at)::float8 AS seconds
	FROM batches AS b WHERE b.account_id = ?0 AND b.created_at >= ?2 AND b.created_at < ?3 AND b.deleted_at IS NULL
), f AS (
	SELECT m.holder, b.day, s.count AS captures, 0 AS comparisons, 0 AS changes, 0 AS false_alarms, NULL::float8 AS seconds
	FROM b JOIN screenshot_counts AS s ON s.account_id = ?0 AND s.batch_id = b.id JOIN m ON m.group_id = s.group_id
	UNION ALL
	SELECT m.holder, b.day, 0, c.count, CASE WHEN c.above_threshold THEN c.count ELSE 0 END,
		CASE WHEN c.status = 'false_positive' THEN c.count ELSE 0 END, NULL
	FROM b JOIN comparison_counts AS c ON c.account_id = ?0 AND c.batch_id = b.id JOIN m ON m.group_id = c.group_id
	UNION ALL
	SELECT r.holder, r.day, 0, 0, 0, 0, r.seconds FROM (
		SELECT DISTINCT m.holder, b.id, b.day, b.seconds
		FROM b JOIN batch_groups AS bg ON bg.account_id = ?0 AND bg.batch_id = b.id JOIN m ON m.group_id = bg.group_id) AS r
)
SELECT f.holder, f.day, sum(f.captures) AS captures, sum(f.comparisons) AS comparisons, sum(f.changes) AS changes,
	sum(f.false_alarms) AS false_alarms, count(f.seconds) AS runs, coalesce(avg(f.seconds), 0) AS mean,
	coalesce(max(f.seconds), 0) AS longest
FROM f GROUP BY f.holder, f.day ORDER BY f.holder, f.day`

// Series implements run.Tx.
func (t *Tx) Series(ctx context.Context, of vcd.Holder, wanted []vcd.ID, p vcd.Period) (map[vcd.ID][]*vcd.DayFigures, error) {
	var rows []struct {
		Holder      vcd.ID
		Day         time.Time
		Captures    int
		Comparisons int
		Changes     int
		FalseAlarms int
		Runs        int
		Mean        float64
		Longest     float64
	}
	from, to := p.Bounds()
	statement := "WITH m AS (" + membersOf[of] + ")" + seriesQuery
	if err := t.Bun.NewRaw(statement, t.Tenant, query.Array(wanted), from, to, p.Zone.String()).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("add up the days by %s: %w", of, err)
	}
	series := make(map[vcd.ID][]*vcd.DayFigures, len(wanted))
	for _, r := range rows {
		series[r.Holder] = append(series[r.Holder], &vcd.DayFigures{
			Day: r.Day.UTC(), Captures: r.Captures, Comparisons: r.Comparisons, Changes: r.Changes, FalseAlarms: r.FalseAlarms,
			Runs: r.Runs, MeanSeconds: r.Mean, LongestSeconds: r.Longest,
		})
	}
	return series, nil
}
