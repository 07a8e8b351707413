package review

import (
	"context"
	"strings"
	"time"

	"afterimage/vcd"
)

// BrandChange is what an owner may change about the look of public pages and reports. A null takes away what was chosen.
type BrandChange struct {
	Logo  vcd.Optional[string] // a PNG, JPEG or WebP file in base64
	Color vcd.Optional[string] // #rrggbb
}

// ShownBrand is the look that an account's public pages and reports have.
type ShownBrand struct {
	vcd.Brand
	Account vcd.ID // whose it is: the account's own, or that of the account above it
	Name    string // of that account
}

// Letterhead is what public pages and reports say about the account that they come from.
type Letterhead struct {
	Account string         // its name
	Zone    *time.Location // of its times
	Brand   ShownBrand
}

// Brand is the look of the actor's public pages and reports.
func (s *Service) Brand(ctx context.Context, actor vcd.Actor) (ShownBrand, error) {
	head, err := s.letterhead(ctx, actor)
	return head.Brand, err
}

// BrandLogo is the logo that the actor's public pages and reports have; nil for none.
func (s *Service) BrandLogo(ctx context.Context, actor vcd.Actor) (*vcd.Logo, error) {
	brand, err := s.Brand(ctx, actor)
	if err != nil || brand.Logo == nil {
		return nil, err
	}
	owner := vcd.Actor{Account: brand.Account}
	return vcd.Read(ctx, s.store.PublicPages(), owner, func(ctx context.Context, tx PublicTx) (*vcd.Logo, error) {
		return tx.BrandLogo(ctx)
	})
}

// UpdateBrand changes the look of the actor's public pages and reports; absent fields stay unchanged.
func (s *Service) UpdateBrand(ctx context.Context, actor vcd.Actor, in BrandChange) (ShownBrand, error) {
	v := &vcd.Validation{}
	color := vcd.Color(strings.ToLower(valueOf(in.Color)))
	v.Check(color == "" && in.Color.Value == nil || color.Valid(), "color", "color",
		"The {field} must be a colour as #rrggbb, for example #1a5fb4.")
	var logo *vcd.Logo
	if in.Logo.Value != nil {
		logo = newLogo(v, *in.Logo.Value)
	}
	if err := v.Err(); err != nil {
		return ShownBrand{}, err
	}
	err := s.store.PublicPages().InTx(ctx, actor, func(ctx context.Context, tx PublicTx) error {
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return err
		}
		brand, err := tx.Brand(ctx)
		if err != nil {
			return err
		}
		if brand.Logo, err = tx.BrandLogo(ctx); err != nil {
			return err
		}
		if in.Color.Set {
			brand.Color = color
		}
		if in.Logo.Set {
			brand.Logo = logo
		}
		if err := tx.SetBrand(ctx, brand, s.clock.Now()); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
	})
	if err != nil {
		return ShownBrand{}, err
	}
	return s.Brand(ctx, actor)
}

func valueOf(o vcd.Optional[string]) string {
	if o.Value == nil {
		return ""
	}
	return *o.Value
}

// letterhead reads the letterhead of the actor's account. A subaccount that has chosen nothing looks like the account above it.
func (s *Service) letterhead(ctx context.Context, actor vcd.Actor) (Letterhead, error) {
	a, brand, err := s.accountAndBrand(ctx, actor)
	if err != nil {
		return Letterhead{}, err
	}
	head := Letterhead{Account: nameOf(a), Zone: a.Zone(), Brand: ShownBrand{brand, a.ID, nameOf(a)}}
	if !brand.Empty() || a.Parent == nil {
		return head, nil
	}
	above, brand, err := s.accountAndBrand(ctx, vcd.Actor{Account: *a.Parent})
	if err != nil {
		return Letterhead{}, err
	}
	if !brand.Empty() {
		head.Brand = ShownBrand{brand, above.ID, nameOf(above)}
	}
	return head, nil
}

func (s *Service) accountAndBrand(ctx context.Context, actor vcd.Actor) (a *vcd.Account, brand vcd.Brand, err error) {
	err = s.store.PublicPages().Read(ctx, actor, func(ctx context.Context, tx PublicTx) error {
		if a, err = tx.Account(ctx); err != nil {
			return err
		}
		brand, err = tx.Brand(ctx)
		return err
	})
	return a, brand, err
}

// nameOf is the company of an account, else the name of its owner.
func nameOf(a *vcd.Account) string {
	if a.Company != nil && *a.Company != "" {
		return *a.Company
	}
	return strings.TrimSpace(a.NameFirst + " " + a.NameLast)
}
