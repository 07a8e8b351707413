package inventory

import (
	"context"
	"fmt"

	"afterimage/db/query"
	"afterimage/vcd"
)

// UnsettledRegions implements inventory.Store. The order is random, so that groups whose sites cannot be located do not
// block others.
func (d *Store) UnsettledRegions(ctx context.Context, limit int) ([]vcd.UnsettledRegion, error) {
	var rows []struct {
		Account vcd.ID `bun:"account_id"`
		Group   vcd.ID `bun:"id"`
		Address string `bun:"address"`
	}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		return t.Bun.NewRaw(`
			SELECT g.account_id, g.id, oldest.address FROM groups AS g CROSS JOIN LATERAL (
				SELECT u.address FROM group_urls AS s JOIN urls AS u ON u.account_id = s.account_id AND u.id = s.url_id
				WHERE s.account_id = g.account_id AND s.group_id = g.id AND u.address NOT LIKE ?0
				ORDER BY s.url_created_at, s.url_id LIMIT 1) AS oldest
			WHERE g.screenshot_region = 'auto' AND g.deleted_at IS NULL ORDER BY random() LIMIT ?1`,
			query.UploadedAddress, limit).Scan(ctx, &rows)
	})
	if err != nil {
		return nil, fmt.Errorf("look for groups without a region: %w", err)
	}
	unsettled := make([]vcd.UnsettledRegion, len(rows))
	for i, r := range rows {
		unsettled[i] = vcd.UnsettledRegion(r)
	}
	return unsettled, nil
}
