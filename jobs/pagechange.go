package jobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/culprit"
	"afterimage/vcd/run"
)

// beyondPixels finds the changes of a page beside its pixels, and hints at the cause of its change. If the content of a
// screenshot is no longer stored, the rest is compared.
func (p *pages) beyondPixels(
	ctx context.Context, earlier, later *vcd.Screenshot, regions []vcd.ChangedRegion,
) ([]page.Change, *vcd.Traces, error) {
	if earlier.ElementsHash != later.ElementsHash || len(regions) > 0 { // otherwise the files are not even read
		if err := errors.Join(p.readContent(ctx, earlier), p.readContent(ctx, later)); err != nil {
			return nil, nil, err
		}
	}
	before, after := p.visit(earlier), p.visit(later)
	return page.Compare(before, after), culprit.Trace(before.Content, after.Content, regions), nil
}

// console is the change of the console up to one of the task's screenshots.
func (p *pages) console(task *run.CompareTask, later *vcd.Screenshot) vcd.ConsoleDifference {
	d, known := p.consoles[later.ID]
	if !known {
		d = task.CompareConsoles(p.visit(task.Before), p.visit(later))
		p.consoles[later.ID] = d
	}
	return d
}

// pages caches the stored data of the pages of one comparison. Each manifest and each content is decoded once, and each
// pair of consoles is compared once.
type pages struct {
	service  *app.Service
	comparer comparer
	visits   map[vcd.ID]*page.Visit           // by screenshot
	contents map[string]*page.Content         // by hash; nil if the content is no longer stored
	consoles map[vcd.ID]vcd.ConsoleDifference // by the later screenshot
}

func newPages(service *app.Service, comparer comparer) *pages {
	return &pages{
		service: service, comparer: comparer, visits: make(map[vcd.ID]*page.Visit), contents: make(map[string]*page.Content),
		consoles: make(map[vcd.ID]vcd.ConsoleDifference),
	}
}

// ask asks the comparer. A refusal is returned as an error, too.
func (p *pages) ask(ctx context.Context, q *question) (*answer, error) {
	a, err := p.comparer.ask(ctx, q)
	if err == nil {
		err = a.Refused.err()
	}
	return a, err
}

// visit is what was seen in addition to the picture. Its content is nil until readContent has read it.
func (p *pages) visit(shot *vcd.Screenshot) *page.Visit {
	v, known := p.visits[shot.ID]
	if !known {
		v = shot.Visit()
		p.visits[shot.ID] = v
	}
	return v
}

// readContent loads the content of a visit, unless it was not stored or is no longer stored.
func (p *pages) readContent(ctx context.Context, shot *vcd.Screenshot) error {
	content, known := p.contents[shot.ElementsHash]
	if !known {
		var err error
		content, err = p.service.Reviews.ContentOf(ctx, shot)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("compare pages: %w", err)
		}
		p.contents[shot.ElementsHash] = content
	}
	p.visit(shot).Content = content
	return nil
}
