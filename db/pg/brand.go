package pg

import (
	"context"
	"fmt"
)

func (t *Tx) RemoveBrand(ctx context.Context) error {
	if _, err := t.Bun.NewDelete().Table("brands").Where("account_id = ?", t.Tenant).Exec(ctx); err != nil {
		return fmt.Errorf("remove the brand: %w", err)
	}
	return nil
}
