package capture

import (
	"errors"

	"github.com/go-rod/rod/lib/proto"
)

// maxDescribed is the largest number of elements of a page that is described, by height: the browser's answer grows with
// it.
const maxDescribed = 20_000

// describe lists the elements in the picture. A page that cannot be described is captured anyway.
func (r *run) describe() error {
	if r.size.Hides {
		return r.variables() // its elements were described with each of its screens
	}
	if r.size.Elements > byHeight(maxDescribed, r.shot.Height) {
		r.gaveUp("elements")
		return nil
	}
	if len(r.events.drawings.moving) > 0 { // elements are described with the page's own addresses
		if err := r.ask("movePictures", elemBudget, nil); err != nil {
			return err
		}
	}
	request := proto.DOMSnapshotCaptureSnapshot{ComputedStyles: describedStyles()}
	raw, err := r.await(request, elemBudget)
	if r.ctx.Err() != nil || errors.Is(err, errMoved) {
		return err
	}
	if err == nil && raw != nil {
		err = r.elements(request, raw)
	}
	if err != nil || raw == nil {
		r.gaveUp("elements")
		return nil
	}
	return r.variables()
}

// variables reads the document's custom properties. A page that does not tell them is described without.
func (r *run) variables() error {
	found := make(map[string]string)
	err := r.ask("variables", elemBudget, &found, maxVariables, maxVariable)
	if r.ctx.Err() != nil || errors.Is(err, errMoved) {
		return err
	}
	if err == nil && len(found) > 0 {
		r.shot.Content.Variables = found
	}
	return nil
}

func (r *run) elements(request proto.Request, raw []byte) error {
	snapshot, err := decodeAnswer[domSnapshot](request, raw)
	if err != nil {
		return err
	}
	if err := r.shot.describe(snapshot, r.wholePage()); err != nil {
		return err
	}
	return r.leftInClosedRoots(snapshot)
}
