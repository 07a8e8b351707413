package inventory

import (
	"context"
	"fmt"

	"afterimage/db/query"
	"afterimage/vcd"
)

// nodeKindsQuery looks up the ids in every table whose rows are nodes.
const nodeKindsQuery = `
SELECT id, 'subaccount' AS kind FROM accounts WHERE parent_id = ?0 AND id = ANY(?1) AND deleted_at IS NULL
UNION ALL SELECT id, 'group' FROM groups WHERE account_id = ?0 AND id = ANY(?1) AND deleted_at IS NULL
UNION ALL SELECT id, 'url' FROM urls WHERE account_id = ?0 AND id = ANY(?1) AND deleted_at IS NULL
UNION ALL SELECT id, 'website' FROM websites WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'ai_feedback_rule' FROM ai_feedback_rules WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'webhook' FROM webhooks WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'delivery' FROM deliveries WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'url_import' FROM url_imports WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'mail' FROM mails WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'batch' FROM batches WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'queue_entry' FROM queue_entries WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'screenshot' FROM screenshots WHERE account_id = ?0 AND id = ANY(?1)
UNION ALL SELECT id, 'comparison' FROM comparisons WHERE account_id = ?0 AND id = ANY(?1)`

func (t *Tx) NodeKinds(ctx context.Context, wanted []vcd.ID) (map[vcd.ID]vcd.NodeKind, error) {
	var rows []struct {
		ID   vcd.ID       `bun:"id"`
		Kind vcd.NodeKind `bun:"kind"`
	}
	if err := t.Bun.NewRaw(nodeKindsQuery, t.Tenant, query.Array(wanted)).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("look up the kinds of %d ids: %w", len(wanted), err)
	}
	kinds := make(map[vcd.ID]vcd.NodeKind, len(rows))
	for _, r := range rows {
		kinds[r.ID] = r.Kind
	}
	return kinds, nil
}
