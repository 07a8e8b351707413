package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"afterimage/capture"
	"afterimage/imgdiff"
	"afterimage/vcd"
)

const (
	compareTimeout = 30 * time.Second
	maxBands       = 200 // kept of one comparison, from the top
)

type compareWorker struct {
	river.WorkerDefaults[compareArgs]
	service  *vcd.Service
	pictures pictures
	logger   *slog.Logger
}

func (w *compareWorker) Timeout(*river.Job[compareArgs]) time.Duration { return compareTimeout }

func (w *compareWorker) Work(ctx context.Context, job *river.Job[compareArgs]) error {
	ctx = withCompletion(ctx, job)
	actor := vcd.Actor{Account: job.Args.Account}
	task, err := w.service.BeginComparison(ctx, actor, job.Args.Entry)
	if err != nil || task == nil {
		return err
	}
	result, err := w.compare(ctx, task.Before, task.After)
	if err == nil && task.Again != nil {
		var again vcd.CompareResult
		again, err = w.compare(ctx, task.Before, task.Again)
		result.Again = &again
	}
	if sentence := refusal(err); sentence != "" {
		w.logger.WarnContext(ctx, "comparison failed", "entry", task.Entry.ID, "cause", err)
		return w.service.FailComparison(ctx, actor, task.Entry.ID, "not_comparable", sentence)
	}
	if err != nil {
		return err
	}
	return w.service.FinishComparison(ctx, actor, task, result)
}

// compare compares two visits of a page: their pictures, and what there is beside.
func (w *compareWorker) compare(ctx context.Context, earlier, later *vcd.Screenshot) (vcd.CompareResult, error) {
	result, err := w.comparePictures(ctx, earlier, later)
	if err == nil {
		result.PageChanges, err = w.pageChanges(earlier, later)
	}
	return result, err
}

// comparePictures ends at once when the pictures have the same hash: the files are not even read.
func (w *compareWorker) comparePictures(ctx context.Context, earlier, later *vcd.Screenshot) (vcd.CompareResult, error) {
	before, after := earlier.Image, later.Image
	if before.Hash == after.Hash {
		return vcd.CompareResult{Difference: vcd.Difference{Width: after.Width, Height: after.Height}}, nil
	}
	was, err := w.pictures.get(before)
	if err != nil {
		return vcd.CompareResult{}, err
	}
	is, err := w.pictures.get(after)
	if err != nil {
		return vcd.CompareResult{}, err
	}
	options := imgdiff.DefaultOptions()
	options.Ignore = append(unstable(earlier), unstable(later)...)
	return w.diff(ctx, was, is, after.Hash, options)
}

// unstable are the boxes of a screenshot that differed between pictures of the very same visit: what moves by itself is no
// change.
func unstable(shot *vcd.Screenshot) []image.Rectangle {
	var manifest capture.Manifest
	if json.Unmarshal(shot.Manifest, &manifest) != nil {
		return nil // an older form; then nothing is known to move
	}
	boxes := make([]image.Rectangle, len(manifest.Unstable))
	for i, b := range manifest.Unstable {
		boxes[i] = image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height)
	}
	return boxes
}

// diff stores the mask alone. The picture to look at is made from it when somebody looks, see package gallery: it takes
// tens of times longer to make, and most are never opened.
func (w *compareWorker) diff(ctx context.Context, was, is []byte, isHash string, options imgdiff.Options) (vcd.CompareResult, error) {
	found, err := imgdiff.Compare(was, is, options)
	if err != nil {
		return vcd.CompareResult{}, fmt.Errorf("compare: %w", err)
	}
	result := vcd.CompareResult{Difference: difference(found)}
	if found.Equal {
		return result, nil
	}
	mask, err := found.MaskPNG()
	if err != nil {
		return vcd.CompareResult{}, fmt.Errorf("draw the mask of the comparison: %w", err)
	}
	picture, err := w.pictures.put(ctx, mask, found.Width, found.Height)
	picture.Over = isHash
	result.Picture = &picture
	return result, err
}

func difference(found *imgdiff.Result) vcd.Difference {
	d := vcd.Difference{
		Percent: found.Percent, AlignedPercent: found.AlignedPercent, ChangedPixels: found.Changed,
		AntiAliased: found.AntiAliased, Width: found.Width, Height: found.Height,
	}
	for _, region := range found.Regions {
		d.Regions = append(d.Regions, vcd.ChangedRegion{
			ID: region.ID, X: region.Box.Min.X, Y: region.Box.Min.Y, Width: region.Box.Dx(), Height: region.Box.Dy(),
			Pixels: region.Pixels, MeanDelta: region.MeanDelta, Fingerprint: region.Fingerprint.String(),
		})
	}
	for _, band := range found.Bands[:min(len(found.Bands), maxBands)] {
		d.Bands = append(d.Bands, vcd.Band{
			Kind: vcd.BandKind(band.Kind), YBefore: band.YBefore, YAfter: band.YAfter, Rows: band.Rows, X0: band.X0, X1: band.X1,
		})
	}
	return d
}

// refusal is a sentence for errors that trying again cannot mend; empty for all others.
func refusal(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, fs.ErrNotExist):
		return "A picture of this comparison is no longer stored."
	case errors.Is(err, imgdiff.ErrTooLarge):
		return "The pictures are too large to be compared."
	}
	return ""
}
