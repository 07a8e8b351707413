package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"time"

	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/internal/verify/labelled/sites"
)

// specimen is a pair of the generated sites with all that training and measuring need.
type specimen struct {
	pair      sites.Pair
	known     *verify.Pair
	undecided []verify.Undecided
	alert     bool // a rule raises one
	alarm     bool // whatever the trained judge says
	pixels    float64
	ssim      float64
	damage    []image.Rectangle // where the damage shows, in the after page
}

// specimens are the pairs of a split whose visits are there; -keep must have them.
func (s *studio) specimens(ctx context.Context, pairs []sites.Pair) ([]specimen, error) {
	if s.offline {
		pairs = slices.DeleteFunc(pairs, func(p sites.Pair) bool { return !s.has(p) })
	}
	all := make([]specimen, len(pairs))
	err := s.each(len(pairs), func(i int) (err error) {
		all[i], err = s.specimen(ctx, pairs[i])
		return err
	})
	// A damage that changes no pixel is none.
	all = slices.DeleteFunc(all, func(sp specimen) bool { return sp.pair.Harmful() && len(sp.damage) == 0 })
	return all, err
}

// has reports whether the folder has the visits that are compared.
func (s *studio) has(p sites.Pair) bool {
	for _, path := range []string{s.visitPath(p.Page, sites.Before, nil), s.visitPath(p.Page, sites.After, nil),
		s.visitPath(p.Page, sites.After, p.Damage)} {
		if _, err := os.Stat(path); err != nil {
			return false
		}
	}
	return true
}

func (s *studio) specimen(ctx context.Context, p sites.Pair) (specimen, error) {
	kept, err := s.compared(ctx, p.Page, p.Damage)
	if err != nil {
		return specimen{}, err
	}
	sp := specimen{pair: p, known: kept.Known, pixels: kept.Pixels, ssim: kept.SSIM}
	if p.Damage != nil {
		between, err := s.damageOf(ctx, p)
		if err != nil {
			return specimen{}, err
		}
		for _, r := range places(between) {
			sp.damage = append(sp.damage, r.Box.Union(r.BeforeBox))
		}
		for _, b := range between.Bands {
			sp.damage = append(sp.damage, image.Rect(b.X0, b.YAfter, b.X1, b.YAfter+b.Rows))
		}
	}
	return sp, sp.judge(ctx)
}

// judge lets the rules judge, with what is known of earlier visits.
func (sp *specimen) judge(ctx context.Context) error {
	result, err := verify.Verify(ctx, sp.known)
	if err != nil {
		return err
	}
	sp.alarm = result.LeftOut > 0 || result.CaptureIssue != ""
	for _, v := range result.Verdicts {
		sp.alert = sp.alert || v.Category == verify.Alert && v.Code != verify.CodeTrained
	}
	sp.alarm = sp.alarm || sp.alert
	sp.undecided, err = verify.Undecideds(ctx, sp.known)
	for _, u := range sp.undecided {
		sp.alarm = sp.alarm || u.Content
	}
	return err
}

// comparison is what is kept of a compared pair.
type comparison struct {
	Known  *verify.Pair
	Pixels float64 // share of the pixels that differ
	SSIM   float64 // structural similarity of both pictures
}

// compared compares visits 14 and 15 of a page, or takes the comparison from the folder.
func (s *studio) compared(ctx context.Context, p sites.Page, d *sites.Damage) (*comparison, error) {
	path := filepath.Join(s.keep, "sites", p.Key()+"."+d.Label()+".json.gz")
	kept := &comparison{}
	if s.keep != "" && load(path, kept) == nil {
		return kept, nil
	}
	before, err := s.visit(ctx, p, sites.Before, nil)
	if err != nil {
		return nil, err
	}
	after, err := s.visit(ctx, p, sites.After, d)
	if err != nil {
		return nil, err
	}
	if kept.Known, err = measure(ctx, before, after); err != nil {
		return nil, err
	}
	if kept.Pixels, kept.SSIM, err = baselines(before.PNG, after.PNG); err != nil || s.keep == "" {
		return kept, err
	}
	return kept, save(path, kept)
}

// damageOf compares visit 15 without and with the damage: what differs is the damage.
func (s *studio) damageOf(ctx context.Context, p sites.Pair) (*verify.Pair, error) {
	path := filepath.Join(s.keep, "damages", p.Key()+".json.gz")
	known := &verify.Pair{}
	if s.keep != "" && load(path, known) == nil {
		return known, nil
	}
	sound, err := s.visit(ctx, p.Page, sites.After, nil)
	if err != nil {
		return nil, err
	}
	damaged, err := s.visit(ctx, p.Page, sites.After, p.Damage)
	if err != nil {
		return nil, err
	}
	if known, err = measure(ctx, sound, damaged); err != nil || s.keep == "" {
		return known, err
	}
	return known, save(path, known)
}

// remember lets the specimen know this many earlier visits, as monitoring would have fed them.
func (s *studio) remember(ctx context.Context, sp *specimen, visits int) error {
	k := &noise.Knowledge{}
	for n := sites.Before - visits; n < sites.Before; n++ {
		known, err := s.step(ctx, sp.pair.Page, n)
		if err != nil {
			return err
		}
		pair := &noise.Pair{Visit: noise.Visit{At: firstVisit.AddDate(0, 0, n)}, Before: known.Before.Elements, After: known.After.Elements}
		for _, r := range places(known) {
			pair.Repainted = append(pair.Repainted, page.BoxOf(r.Box))
		}
		k.Observe(pair)
	}
	sp.known.Noise = k
	return sp.judge(ctx)
}

// step compares a visit of a page with the next one, or takes the comparison from the folder.
func (s *studio) step(ctx context.Context, p sites.Page, number int) (*verify.Pair, error) {
	path := filepath.Join(s.keep, "steps", fmt.Sprintf("%s.%d.json.gz", p.Key(), number))
	known := &verify.Pair{}
	if s.keep != "" && load(path, known) == nil {
		return known, nil
	}
	earlier, err := s.visit(ctx, p, number, nil)
	if err != nil {
		return nil, err
	}
	later, err := s.visit(ctx, p, number+1, nil)
	if err != nil {
		return nil, err
	}
	if known, err = measure(ctx, earlier, later); err != nil || s.keep == "" {
		return known, err
	}
	return known, save(path, known)
}

var firstVisit = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

// places are where pictures differ after rows have been aligned.
func places(known *verify.Pair) []verify.Region {
	if known.Remaining != nil {
		return known.Remaining
	}
	return known.Regions
}
