package inventory

import (
	"context"

	"afterimage/vcd"
)

// AddedAddresses is what adding addresses to a group came to.
type AddedAddresses struct {
	ValidCount int // different pages
	Count      int // URLs that were not in the group before
	Refused    []RefusedAddress
}

// RefusedAddress is an address that cannot be added.
type RefusedAddress struct {
	Index         int // among the given ones
	Rule, Message string
}

// AddAddresses creates the URLs of those addresses that the account does not have yet, without an event for each, and adds
// all to a group with both devices enabled. URLs that are in it already keep their settings. Addresses that cannot be added
// are returned. With dryRun, nothing is added.
func (s *Service) AddAddresses(ctx context.Context, actor vcd.Actor, group vcd.ID, raw []string, dryRun bool) (*AddedAddresses, error) {
	v := &vcd.Validation{}
	v.Check(len(raw) > 0, "addresses", "required", "The {field} field is required.")
	v.Check(len(raw) <= maxSelections, "addresses", "max", "The {field} field must not have more than 10000 items.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	urls, refused := s.parseAddresses(raw)
	result := &AddedAddresses{ValidCount: len(urls), Refused: refused}
	if dryRun {
		return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*AddedAddresses, error) {
			_, err := tx.Group(ctx, group)
			return result, err
		})
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*AddedAddresses, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil || len(urls) == 0 {
			return result, err
		}
		if _, err := tx.EnsureURLs(ctx, urls, s.clock.Now()); err != nil {
			return nil, err
		}
		var err error
		if result.Count, err = s.addMissing(ctx, tx, group, urls); err != nil {
			return nil, err
		}
		return result, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group))
	})
}

// parseAddresses separates addresses that can be added, each once, from those that cannot.
func (s *Service) parseAddresses(raw []string) (urls []vcd.ImportedURL, refused []RefusedAddress) {
	seen := make(map[string]bool, len(raw))
	for i, text := range raw {
		v := &vcd.Validation{}
		scheme, address := s.parseAddress(v, "address", text)
		if problems := v.Problems(); len(problems) > 0 {
			refused = append(refused, RefusedAddress{Index: i, Rule: problems[0].Rule, Message: problems[0].Text()})
			continue
		}
		if !seen[address] {
			seen[address] = true
			urls = append(urls, vcd.ImportedURL{ID: s.ids.NewID(), Address: address, Scheme: scheme, SchemeGiven: scheme != ""})
		}
	}
	return urls, refused
}

// addMissing adds the stored URLs of these addresses to a group unless they are in it, and returns how many it added.
func (s *Service) addMissing(ctx context.Context, tx Tx, group vcd.ID, urls []vcd.ImportedURL) (int, error) {
	addresses := make([]string, len(urls))
	for i, u := range urls {
		addresses[i] = u.Address
	}
	ids, err := tx.URLIDsOf(ctx, addresses)
	if err != nil {
		return 0, err
	}
	present, err := tx.SelectionsOf(ctx, group, ids)
	if err != nil {
		return 0, err
	}
	known := make(map[vcd.ID]bool, len(present))
	for _, sel := range present {
		known[sel.URLID] = true
	}
	var added []*vcd.Selection
	for _, id := range ids {
		if !known[id] {
			added = append(added, &vcd.Selection{GroupID: group, URLID: id, Desktop: true, Mobile: true})
		}
	}
	n, err := tx.SaveSelections(ctx, added)
	if err != nil {
		return 0, err
	}
	return n, s.planFirstProbes(ctx, tx, group, added)
}
