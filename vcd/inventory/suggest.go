package inventory

import (
	"context"

	"afterimage/vcd"
	"afterimage/vcd/pageset"
)

// Limits of suggestions.
const (
	DefaultSuggested = 20
	MaxSuggested     = 100
	maxConsidered    = 10_000 // pages, the newest ones
	consideredAtOnce = 1000
)

// SuggestPages suggests the pages of a website that are most worth checking, at most count. An unknown website is CodeNotFound.
func (s *Service) SuggestPages(ctx context.Context, actor vcd.Actor, website vcd.ID, count int) ([]pageset.Suggestion, error) {
	v := &vcd.Validation{}
	v.Check(count >= 1 && count <= MaxSuggested, "count", "between", "The {field} field must be between 1 and 100.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]pageset.Suggestion, error) {
		if _, err := tx.Website(ctx, website); err != nil {
			return nil, err
		}
		urls, err := pagesOf(ctx, tx, website)
		return pageset.Choose(urls, count), err
	})
}

// pagesOf reads the pages of a website.
func pagesOf(ctx context.Context, tx Tx, website vcd.ID) ([]*vcd.URL, error) {
	filter, page := vcd.URLFilter{WebsiteIDs: &[]vcd.ID{website}}, vcd.Page{Size: consideredAtOnce}
	var urls []*vcd.URL
	for len(urls) < maxConsidered {
		list, err := tx.URLs(ctx, filter, page)
		if err != nil {
			return nil, err
		}
		urls = append(urls, list.Items...)
		if !list.HasNextPage {
			break
		}
		last := urls[len(urls)-1]
		page.After = &vcd.Cursor{CreatedAt: last.CreatedAt, ID: last.ID}
	}
	return urls, nil
}
