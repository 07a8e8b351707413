package jobs

import (
	"errors"
	"fmt"
	"io/fs"

	"afterimage/vcd"
)

// pageChanges finds what changed of a page beside its pixels. A screenshot whose content is kept no more is compared by the
// rest.
func (w *compareWorker) pageChanges(earlier, later *vcd.Screenshot) ([]vcd.PageChange, error) {
	before, after := stateOf(earlier), stateOf(later)
	if earlier.ElementsHash == later.ElementsHash { // the files are not even read
		return vcd.ComparePages(before, after), nil
	}
	var err error
	if before.Content, err = w.contentOf(earlier); err != nil {
		return nil, err
	}
	if after.Content, err = w.contentOf(later); err != nil {
		return nil, err
	}
	return vcd.ComparePages(before, after), nil
}

func stateOf(shot *vcd.Screenshot) vcd.PageState {
	return vcd.PageState{Status: shot.StatusCode, Address: shot.FinalURL, Title: shot.HTMLTitle}
}

// contentOf is nil when the content was not kept, or is not any more.
func (w *compareWorker) contentOf(shot *vcd.Screenshot) (*vcd.PageContent, error) {
	content, err := w.service.ContentOf(shot)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("compare pages: %w", err)
	}
	return content, nil
}
