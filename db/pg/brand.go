package pg

import (
	"context"
	"fmt"
)

// RemoveBrand removes how pages of the account look: when the look is set anew, and with the account itself.
func (t *Tx) RemoveBrand(ctx context.Context) error {
	if _, err := t.Bun.NewDelete().Table("brands").Where("account_id = ?", t.Tenant).Exec(ctx); err != nil {
		return fmt.Errorf("remove the brand: %w", err)
	}
	return nil
}
