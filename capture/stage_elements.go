package capture

import (
	"errors"

	"github.com/go-rod/rod/lib/proto"
)

// maxDescribed is the number of elements up to which a page is described: the browser's answer grows with it.
const maxDescribed = 20_000

// describe lists the elements in the picture. A page that cannot be described is captured all the same.
func (r *run) describe() error {
	if r.size.Elements > maxDescribed {
		r.gaveUp("elements")
		return nil
	}
	var snapshot *proto.DOMSnapshotCaptureSnapshotResult
	answered, err := r.await(elemBudget, func() (err error) {
		snapshot, err = proto.DOMSnapshotCaptureSnapshot{ComputedStyles: []string{"visibility", "opacity"}}.Call(r.tab)
		return err
	})
	if r.ctx.Err() != nil || errors.Is(err, errMoved) {
		return err
	}
	if err == nil && answered {
		err = r.shot.describe(snapshot)
	}
	if err != nil || !answered {
		r.gaveUp("elements")
	}
	return nil
}
