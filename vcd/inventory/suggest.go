package inventory

import (
	"context"
	"slices"
	"strings"

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

// SuggestFor is whose pages are considered: those of a website, or those of the account below a domain.
type SuggestFor struct {
	Website *vcd.ID
	Domain  *string
}

// SuggestPages suggests the pages that are most worth checking, at most count. An unknown website is CodeNotFound.
func (s *Service) SuggestPages(ctx context.Context, actor vcd.Actor, of SuggestFor, count int) ([]pageset.Suggestion, error) {
	v := &vcd.Validation{}
	domain := ""
	switch {
	case (of.Website == nil) == (of.Domain == nil):
		v.Add("domain", "conflict", "Give either a website or a domain.")
	case of.Domain != nil:
		domain = parseDomain(v, of.Domain)
	}
	v.Check(count >= 1 && count <= MaxSuggested, "count", "between", "The {field} field must be between 1 and 100.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store.URLs(), actor, func(ctx context.Context, tx URLTx) ([]pageset.Suggestion, error) {
		filter := vcd.URLFilter{Search: &domain}
		if of.Website != nil {
			if _, err := tx.Website(ctx, *of.Website); err != nil {
				return nil, err
			}
			filter = vcd.URLFilter{WebsiteIDs: &[]vcd.ID{*of.Website}}
		}
		urls, err := newestPages(ctx, tx, filter)
		return pageset.Choose(below(urls, domain), count), err
	})
}

// below returns the pages whose address is below a domain; all of them if there is none. A search finds others, too.
func below(urls []*vcd.URL, domain string) []*vcd.URL {
	return slices.DeleteFunc(urls, func(u *vcd.URL) bool {
		rest, ok := strings.CutPrefix(u.Address, domain)
		return domain != "" && (!ok || rest != "" && !strings.ContainsAny(rest[:1], "/?#"))
	})
}

func newestPages(ctx context.Context, tx URLTx, filter vcd.URLFilter) ([]*vcd.URL, error) {
	page := vcd.Page{Size: consideredAtOnce}
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
