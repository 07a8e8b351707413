package main

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"afterimage/internal/verify"
	"afterimage/internal/verify/labelled"
	"afterimage/internal/verify/labelled/sites"
	"afterimage/internal/verify/trees"
)

// lesson is a pair to learn from.
type lesson struct {
	specimen
	name    string // of what happened to the page: no two folds share it
	harmful bool
	rows    []trees.Row
	own     int // of the rows are about the pair itself, and count in calibration
}

// olderLessons are the older pairs.
func (s *studio) olderLessons(ctx context.Context) ([]lesson, error) {
	var all []lesson
	for _, p := range labelled.Pairs() {
		known, err := s.known(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name(), err)
		}
		l := lesson{specimen: specimen{known: known}, name: p.Kind.Name, harmful: p.Kind.Harmful}
		if err := l.judge(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name(), err)
		}
		// Of a harmful pair with an alert it is unknown which of the other findings matter.
		if !l.harmful || !l.alert {
			l.rows = l.all(l.harmful)
		}
		all = append(all, l)
	}
	return all, s.enrichAll(ctx, all)
}

// lessons are the pairs of splits.
func (s *studio) lessons(ctx context.Context, splits ...sites.Split) ([]lesson, error) {
	var all []lesson
	for _, split := range splits {
		learned, err := s.siteLessons(ctx, split)
		if err != nil {
			return nil, err
		}
		all = append(all, learned...)
	}
	return all, s.enrichAll(ctx, all)
}

func (s *studio) enrichAll(ctx context.Context, lessons []lesson) error {
	for i := range lessons {
		lessons[i].own = len(lessons[i].rows)
		if err := s.enrich(ctx, &lessons[i]); err != nil {
			return fmt.Errorf("%s: %w", lessons[i].name, err)
		}
	}
	return nil
}

// enrich adds what else there is to learn from a lesson: what is harmless is harmless the other way round, and a damage is
// harmful without anything that varies beside it.
func (s *studio) enrich(ctx context.Context, l *lesson) error {
	more := specimen{}
	switch {
	case !l.harmful:
		more.known = reversed(l.known)
	case l.pair.Damage != nil:
		var err error
		if more.known, err = s.damageOf(ctx, l.pair); err != nil {
			return err
		}
	default:
		return nil
	}
	if err := more.judge(ctx); err != nil {
		return err
	}
	if !l.harmful || !more.alert {
		l.rows = append(l.rows, more.all(l.harmful)...)
	}
	return nil
}

// reversed is a pair with its sides exchanged.
func reversed(p *verify.Pair) *verify.Pair {
	other := verify.Pair{Before: p.After, After: p.Before, LeftOut: p.LeftOut, Bands: slices.Clone(p.Bands)}
	turn := func(regions []verify.Region) []verify.Region {
		turned := slices.Clone(regions)
		for i := range turned {
			r := &turned[i]
			r.Box, r.BeforeBox, r.Before, r.After = r.BeforeBox, r.Box, r.After, r.Before
		}
		return turned
	}
	other.Regions, other.Remaining = turn(p.Regions), turn(p.Remaining)
	kinds := map[verify.BandKind]verify.BandKind{verify.BandInserted: verify.BandDeleted, verify.BandDeleted: verify.BandInserted}
	for i := range other.Bands {
		b := &other.Bands[i]
		b.YBefore, b.YAfter = b.YAfter, b.YBefore
		if kind, ok := kinds[b.Kind]; ok {
			b.Kind = kind
		}
	}
	return &other
}

func (s *studio) siteLessons(ctx context.Context, split sites.Split) ([]lesson, error) {
	specimens, err := s.specimens(ctx, sites.Pairs(split))
	if err != nil {
		return nil, err
	}
	all := make([]lesson, len(specimens))
	for i, sp := range specimens {
		all[i] = lesson{specimen: sp, name: sp.pair.Kind.Name, harmful: sp.pair.Harmful(), rows: sp.rows()}
		if sp.pair.Damage != nil {
			all[i].name = sp.pair.Damage.Name
		}
	}
	return all, nil
}

// all makes every undecided finding an example; those of a pair weigh as much as the square root of their number.
func (sp *specimen) all(harmful bool) []trees.Row {
	rows := make([]trees.Row, 0, len(sp.undecided))
	for _, u := range sp.undecided {
		rows = append(rows, trees.Row{Values: u.Values, Yes: harmful, Weight: 1 / math.Sqrt(float64(len(sp.undecided)))})
	}
	return rows
}

// rows are the examples of a pair: of a harmful one, the findings where its damage shows.
func (sp *specimen) rows() []trees.Row {
	if !sp.pair.Harmful() {
		return sp.all(false)
	}
	damaged := specimen{}
	for _, u := range sp.undecided {
		if sp.damages(u.Box) {
			damaged.undecided = append(damaged.undecided, u)
		}
	}
	if len(damaged.undecided) == 0 && !sp.alarm {
		damaged.undecided = sp.undecided
	}
	return damaged.all(true)
}

// damages reports whether a good part of a box is where the damage shows.
func (sp *specimen) damages(box image.Rectangle) bool {
	for _, d := range sp.damage {
		common := box.Intersect(d)
		if 4*common.Dx()*common.Dy() > min(box.Dx()*box.Dy(), d.Dx()*d.Dy()) {
			return true
		}
	}
	return false
}
