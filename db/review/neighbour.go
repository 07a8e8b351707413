package review

import (
	"context"
	"fmt"

	"afterimage/db/query"
	"afterimage/vcd"
)

// NeighboursOfComparisons implements review.Tx.
func (t *Tx) NeighboursOfComparisons(ctx context.Context, ids []vcd.ID) (map[vcd.ID]vcd.Neighbours, error) {
	var rows []struct {
		ID       vcd.ID  `bun:"id"`
		Sibling  *vcd.ID `bun:"sibling"`
		Previous *vcd.ID `bun:"previous"`
		Next     *vcd.ID `bun:"next"`
	}
	err := t.Bun.NewRaw(`SELECT c.id, s.id AS sibling, p.id AS previous, n.id AS next FROM comparisons AS c
		LEFT JOIN LATERAL (SELECT o.id FROM comparisons AS o
			WHERE o.account_id = ?0 AND o.url_id = c.url_id AND o.batch_id = c.batch_id AND o.group_id = c.group_id
				AND o.device <> c.device
			ORDER BY o.created_at DESC, o.id DESC LIMIT 1) AS s ON true
		LEFT JOIN LATERAL (SELECT o.id FROM comparisons AS o
			WHERE o.account_id = ?0 AND o.url_id = c.url_id AND o.group_id = c.group_id AND o.device = c.device
				AND `+query.Undeleted("o.batch_id")+`
				AND (o.created_at, o.id) < (c.created_at, c.id)
			ORDER BY o.created_at DESC, o.id DESC LIMIT 1) AS p ON true
		LEFT JOIN LATERAL (SELECT o.id FROM comparisons AS o
			WHERE o.account_id = ?0 AND o.url_id = c.url_id AND o.group_id = c.group_id AND o.device = c.device
				AND `+query.Undeleted("o.batch_id")+`
				AND (o.created_at, o.id) > (c.created_at, c.id)
			ORDER BY o.created_at, o.id LIMIT 1) AS n ON true
		WHERE c.account_id = ?0 AND c.id = ANY(?1)`, t.Tenant, query.Array(ids)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("find the neighbours of %d comparisons: %w", len(ids), err)
	}
	out := make(map[vcd.ID]vcd.Neighbours, len(rows))
	for _, r := range rows {
		out[r.ID] = vcd.Neighbours{Sibling: r.Sibling, Previous: r.Previous, Next: r.Next}
	}
	return out, nil
}
