package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

type brandRow struct {
	bun.BaseModel `bun:"table:brands,alias:b"`

	Account   vcd.ID    `bun:"account_id,pk"`
	Color     vcd.Color `bun:"color,nullzero"`
	Logo      []byte    `bun:"logo,nullzero"`
	Width     int       `bun:"logo_width,nullzero"`
	Height    int       `bun:"logo_height,nullzero"`
	UpdatedAt time.Time `bun:"updated_at"`
}

func (r *brandRow) logo() *vcd.Logo {
	if r.Width == 0 {
		return nil
	}
	return &vcd.Logo{Width: r.Width, Height: r.Height, Content: r.Logo}
}

// Brand implements review.PublicTx.
func (t *Tx) Brand(ctx context.Context) (vcd.Brand, error) {
	row, err := t.brand(ctx, "color", "logo_width", "logo_height")
	return vcd.Brand{Color: row.Color, Logo: row.logo()}, err
}

// BrandLogo implements review.PublicTx.
func (t *Tx) BrandLogo(ctx context.Context) (*vcd.Logo, error) {
	row, err := t.brand(ctx, "logo", "logo_width", "logo_height")
	return row.logo(), err
}

func (t *Tx) brand(ctx context.Context, columns ...string) (*brandRow, error) {
	row := &brandRow{}
	err := t.Bun.NewSelect().Model(row).Column(columns...).Where("b.account_id = ?", t.Tenant).Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return row, fmt.Errorf("read the brand: %w", err)
	}
	return row, nil
}

// SetBrand implements review.PublicTx.
func (t *Tx) SetBrand(ctx context.Context, b vcd.Brand, now time.Time) error {
	if b.Empty() {
		return t.RemoveBrand(ctx)
	}
	row := &brandRow{Account: t.Tenant, Color: b.Color, UpdatedAt: now}
	if b.Logo != nil {
		row.Logo, row.Width, row.Height = b.Logo.Content, b.Logo.Width, b.Logo.Height
	}
	_, err := t.Bun.NewInsert().Model(row).On("CONFLICT (account_id) DO UPDATE").
		Set("color = excluded.color, logo = excluded.logo, logo_width = excluded.logo_width, logo_height = excluded.logo_height").
		Set("updated_at = excluded.updated_at").
		Exec(ctx)
	if err != nil {
		return fmt.Errorf("set the brand: %w", err)
	}
	return nil
}
