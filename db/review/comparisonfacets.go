package review

import (
	"context"
	"fmt"

	"afterimage/db/query"
	"afterimage/vcd"
)

// facetRow is a number of comparisons by one of the criteria: the one whose bit in grouping is not set.
type facetRow struct {
	Grouping int
	Status   vcd.ComparisonStatus
	Device   vcd.Device
	Category vcd.Category `bun:"ai_category"`
	Group    vcd.ID       `bun:"group_id"`
	Website  vcd.ID       `bun:"website_id"`
	Count    int
}

// The values of grouping, by the order of its arguments; see GROUPING in the manual of PostgreSQL.
const (
	byStatus   = 0b01111
	byDevice   = 0b10111
	byCategory = 0b11011
	byGroup    = 0b11101
	byWebsite  = 0b11110
	byNothing  = 0b11111
)

// ComparisonFacets implements review.Tx.
func (t *Tx) ComparisonFacets(ctx context.Context, f vcd.ComparisonFilter) (*vcd.ComparisonFacets, error) {
	q, count := t.Base(comparisons, ofComparisons(t.Tenant, f)), "count(*)"
	if countedComparisons(f) {
		q, count = t.comparisonCounts(f), "coalesce(sum(c.count), 0)"
	}
	var rows []facetRow
	err := q.Join(query.LookUpIfAny("website_groups", "wg", "o.account_id = ? AND o.group_id = c.group_id"), t.Tenant).
		ColumnExpr("GROUPING(c.status, c.device, c.ai_category, c.group_id, wg.website_id) AS grouping").
		ColumnExpr("coalesce(c.status, '') AS status, coalesce(c.device, '') AS device, coalesce(c.ai_category, '') AS ai_category").
		ColumnExpr("coalesce(c.group_id::text, '') AS group_id, coalesce(wg.website_id::text, '') AS website_id").
		ColumnExpr(count+" AS count").
		GroupExpr("GROUPING SETS ((c.status), (c.device), (c.ai_category), (c.group_id), (wg.website_id), ())").
		OrderExpr("count DESC, 2, 3, 4, 5, 6").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count comparisons by their facets: %w", err)
	}
	facets := &vcd.ComparisonFacets{}
	for _, r := range rows {
		switch r.Grouping {
		case byStatus:
			facets.Statuses = append(facets.Statuses, vcd.Facet[vcd.ComparisonStatus]{Value: r.Status, Count: r.Count})
		case byDevice:
			facets.Devices = append(facets.Devices, vcd.Facet[vcd.Device]{Value: r.Device, Count: r.Count})
		case byCategory:
			facets.Categories = append(facets.Categories, vcd.Facet[vcd.Category]{Value: r.Category, Count: r.Count})
		case byGroup:
			facets.Groups = append(facets.Groups, vcd.Facet[vcd.ID]{Value: r.Group, Count: r.Count})
		case byWebsite:
			facets.Websites = append(facets.Websites, vcd.Facet[vcd.ID]{Value: r.Website, Count: r.Count})
		case byNothing:
			facets.Total = r.Count
		}
	}
	return facets, nil
}
