package capture

import (
	"errors"

	"github.com/go-rod/rod/lib/proto"
)

// maxDescribed is the number of elements up to which a page is described: the browser's answer grows with it.
const maxDescribed = 20_000

// describedStyles are the computed styles that the elements are described by, in the order in which [snapshot.style] counts.
var describedStyles = []string{"visibility", "opacity", "position", "color", "background-color", "font-size", "font-family"}

// describe lists the elements in the picture. A page that cannot be described is captured all the same.
func (r *run) describe() error {
	if r.size.Elements > maxDescribed {
		r.gaveUp("elements")
		return nil
	}
	request := proto.DOMSnapshotCaptureSnapshot{ComputedStyles: describedStyles}
	raw, err := r.await(request, elemBudget)
	if r.ctx.Err() != nil || errors.Is(err, errMoved) {
		return err
	}
	if err == nil && raw != nil {
		err = r.elements(request, raw)
	}
	if err != nil || raw == nil {
		r.gaveUp("elements")
	}
	return nil
}

func (r *run) elements(request proto.Request, raw []byte) error {
	snapshot, err := decodeAnswer[domSnapshot](request, raw)
	if err != nil {
		return err
	}
	return r.shot.describe(snapshot)
}
