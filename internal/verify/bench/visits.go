package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/internal/verify/labelled/sites"
)

// visited is a visit of a page with its picture.
type visited struct {
	page.Visit
	PNG []byte
}

// visit captures a visit of a page of the generated sites, or takes it from the folder.
func (s *studio) visit(ctx context.Context, p sites.Page, number int, d *sites.Damage) (*visited, error) {
	kept := &visited{}
	path := s.visitPath(p, number, d)
	if s.keep != "" && load(path, kept) == nil {
		return kept, nil
	}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	request := capture.Request{URL: s.base + p.Path(number, d), Device: capture.Desktop}
	if p.Mobile {
		request.Device = capture.Mobile
	}
	shot, err := s.pool.Capture(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("capture visit %d of %s: %w", number, p.Key(), err)
	}
	kept = &visited{shot.Visit, shot.PNG}
	if s.keep == "" {
		return kept, nil
	}
	return kept, save(path, kept)
}

// wanted is a visit that is to be captured.
type wanted struct {
	page   sites.Page
	number int
	damage *sites.Damage
}

// gather captures the visits of pairs that the folder does not have yet, at most limit of them, and reports how many. Pages
// without damage come first, one of each kind before the second of any.
func (s *studio) gather(ctx context.Context, pairs []sites.Pair, history, limit int) (int, error) {
	var missing []wanted
	want := func(w wanted) {
		_, err := os.Stat(s.visitPath(w.page, w.number, w.damage))
		if err != nil && len(missing) < limit && !slices.Contains(missing, w) {
			missing = append(missing, w)
		}
	}
	pairs = inTurn(pairs)
	for _, p := range pairs {
		want(wanted{p.Page, sites.Before, nil})
		want(wanted{p.Page, sites.After, p.Damage})
	}
	for _, p := range pairs {
		for number := sites.Before - history; number < sites.Before; number++ {
			if p.Recalled() {
				want(wanted{p.Page, number, nil})
			}
		}
	}
	err := s.each(len(missing), func(i int) error {
		_, err := s.visit(ctx, missing[i].page, missing[i].number, missing[i].damage)
		return err
	})
	return len(missing), err
}

// inTurn orders pairs so that those without damage come first, and of each kind the first page.
func inTurn(pairs []sites.Pair) []sites.Pair {
	pages, place := make(map[*sites.Kind]int), make(map[sites.Page]int)
	for _, p := range pairs {
		if _, known := place[p.Page]; !known {
			place[p.Page] = pages[p.Kind]
			pages[p.Kind]++
		}
	}
	ordered := slices.Clone(pairs)
	slices.SortStableFunc(ordered, func(a, b sites.Pair) int {
		return cmp.Or(cmp.Compare(index(a.Harmful()), index(b.Harmful())), cmp.Compare(place[a.Page], place[b.Page]))
	})
	return ordered
}

func (s *studio) visitPath(p sites.Page, number int, d *sites.Damage) string {
	return filepath.Join(s.keep, "visits", p.Key(), fmt.Sprintf("%d-%s.json.gz", number, d.Label()))
}
