package jobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"afterimage/vcd"
)

// beyondPixels finds what changed of a page beside its pixels, and what leads to the cause of its change. A screenshot whose
// content is kept no more is compared by the rest.
func (p *contents) beyondPixels(result *vcd.CompareResult, earlier, later *vcd.Screenshot) error {
	before, after := stateOf(earlier), stateOf(later)
	if earlier.ElementsHash != later.ElementsHash || len(result.Difference.Regions) > 0 { // else the files are not even read
		var err error
		if before.Content, err = p.of(earlier); err != nil {
			return err
		}
		if after.Content, err = p.of(later); err != nil {
			return err
		}
	}
	result.PageChanges = vcd.ComparePages(before, after)
	result.Traces = vcd.TracesOf(before.Content, after.Content, result.Difference.Regions)
	return nil
}

func stateOf(shot *vcd.Screenshot) vcd.PageState {
	return vcd.PageState{Status: shot.StatusCode, Address: shot.FinalURL, Title: shot.HTMLTitle}
}

// contents holds what was kept of the pages of one comparison, each read and unpacked once.
type contents struct {
	service  *vcd.Service
	comparer comparer
	read     map[string]*vcd.PageContent
}

// ask asks the comparer. The error says also that it refused.
func (p *contents) ask(ctx context.Context, q *question) (*answer, error) {
	a, err := p.comparer.ask(ctx, q)
	if err == nil {
		err = a.Refused.err()
	}
	return a, err
}

// of is nil when the content was not kept, or is not any more.
func (p *contents) of(shot *vcd.Screenshot) (*vcd.PageContent, error) {
	if content, known := p.read[shot.ElementsHash]; known {
		return content, nil
	}
	content, err := p.service.ContentOf(shot)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("compare pages: %w", err)
	}
	if p.read == nil {
		p.read = make(map[string]*vcd.PageContent)
	}
	p.read[shot.ElementsHash] = content
	return content, nil
}
