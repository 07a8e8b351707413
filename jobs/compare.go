package jobs

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"afterimage/imgdiff"
	"afterimage/internal/blob"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/run"
)

const (
	compareTimeout = 30 * time.Second
	maxBands       = 200 // kept of one comparison, from the top
)

type compareWorker struct {
	river.WorkerDefaults[compareArgs]
	service  *app.Service
	pictures pictures
	// turns bounds how many comparisons compute at the same time: others only wait for a model.
	turns         chan struct{}
	comparers     comparers
	model         verify.Model // nil for none
	modelPatience time.Duration
	logger        *slog.Logger
}

func (w *compareWorker) Timeout(*river.Job[compareArgs]) time.Duration {
	return run.MaxOverruns*compareTimeout + modelTimeout
}

func (w *compareWorker) Work(ctx context.Context, job *river.Job[compareArgs]) error {
	ctx = withCompletion(ctx, job)
	actor := vcd.Actor{Account: job.Args.Account}
	task, err := w.service.Runs.BeginComparison(ctx, actor, job.Args.Entry)
	if err != nil || task == nil {
		return err
	}
	task.Model = w.model != nil
	shown, err := w.computeBounded(ctx, actor, task)
	if sentence := refusal(err); sentence != "" {
		w.logger.Log(ctx, gravity(err), "comparison failed", "entry", task.Entry.ID, "cause", err)
		return w.service.Runs.FailComparison(ctx, actor, task.Entry.ID, "not_comparable", sentence)
	}
	if err != nil || task.Pending == nil {
		return err
	}
	said := vcd.Consultation{Problem: "there was no model to ask any more"}
	if w.model != nil && shown != nil {
		said = w.ask(ctx, task.Pending, shown)
	}
	return w.service.Runs.FinishVerification(ctx, actor, task.Entry.ID, said)
}

// compute does all of a comparison but asking a model. What a model is to see is returned.
func (w *compareWorker) compute(ctx context.Context, actor vcd.Actor, task *run.CompareTask) (*judged, error) {
	ctx, cancel := context.WithTimeout(ctx, compareTimeout)
	defer cancel()
	select {
	case w.turns <- struct{}{}:
		defer func() { <-w.turns }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a turn: %w", ctx.Err())
	}
	comparer, err := w.comparers.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("take a process that compares: %w", err)
	}
	defer comparer.release()
	kept := newPages(w.service, comparer)
	result, shown, err := w.compare(ctx, task, kept, task.After)
	if err == nil && task.Again != nil {
		var again run.CompareResult
		again, shown, err = w.compare(ctx, task, kept, task.Again)
		result.Again = &again
	}
	if err != nil || task.Pending != nil {
		return shown, err
	}
	return shown, w.service.Runs.FinishComparison(ctx, actor, task, result)
}

// compare compares two visits of a page: their pictures, and what there is beside.
func (w *compareWorker) compare(
	ctx context.Context, task *run.CompareTask, kept *pages, later *vcd.Screenshot,
) (run.CompareResult, *judged, error) {
	result, shown, err := w.comparePictures(ctx, task, kept, later)
	if err == nil {
		err = kept.beyondPixels(task, &result, later)
	}
	return result, shown, err
}

// comparePictures ends at once when the pictures have the same hash: the files are not even read, unless it is to be seen
// whether they are blank.
func (w *compareWorker) comparePictures(
	ctx context.Context, task *run.CompareTask, kept *pages, later *vcd.Screenshot,
) (run.CompareResult, *judged, error) {
	earlier := task.Before
	before, after := earlier.Image, later.Image
	if before.Hash == after.Hash {
		blank, err := w.blank(ctx, task, kept, after)
		return run.CompareResult{
			Difference: vcd.Difference{Width: after.Width, Height: after.Height}, BlankBefore: blank, BlankAfter: blank,
		}, nil, err
	}
	was, err := w.pictures.get(before)
	if err != nil {
		return run.CompareResult{}, nil, err
	}
	is, err := w.pictures.get(after)
	if err != nil {
		return run.CompareResult{}, nil, err
	}
	a, err := kept.ask(ctx, &question{Compare: &pictureQuestion{
		Before: was, After: is, Ignore: slices.Concat(kept.unstable(earlier), kept.unstable(later)),
		Keep: task.Model && (task.Features.AIVerification || task.Pending != nil), Mask: task.Pending == nil,
	}})
	if err != nil {
		return run.CompareResult{}, nil, fmt.Errorf("compare: %w", err)
	}
	found := a.Picture
	if found.AlignmentCut {
		w.logger.InfoContext(ctx, "alignment was cut short", "entry", task.Entry.ID)
	}
	result := run.CompareResult{Difference: found.Difference, BlankBefore: found.BlankBefore, BlankAfter: found.BlankAfter}
	var shown *judged
	if task.Pending != nil || task.Verify(&result) {
		if result.Verification, shown, err = kept.judge(ctx, task, later); err != nil {
			return result, nil, err
		}
	}
	if found.Mask != nil {
		result.Picture, err = w.mask(ctx, &found, after.Hash)
	}
	return result, shown, err
}

// blank tells whether a picture that did not change is blank, for accounts that are told so.
func (w *compareWorker) blank(ctx context.Context, task *run.CompareTask, kept *pages, picture *vcd.Image) (bool, error) {
	if !task.Features.AIVerification {
		return false, nil
	}
	file, err := w.pictures.get(picture)
	if err != nil {
		return false, err
	}
	a, err := kept.ask(ctx, &question{Blank: file})
	if err != nil {
		return false, fmt.Errorf("look whether the picture is blank: %w", err)
	}
	return a.Blank, nil
}

// unstable are the boxes of a screenshot that differed between pictures of the very same visit: what moves by itself is no
// change.
func (p *pages) unstable(shot *vcd.Screenshot) []image.Rectangle {
	return page.Rects(p.visit(shot).Manifest.Unstable)
}

// mask stores the mask alone. The picture to look at is made from it when somebody looks, see package gallery: it takes
// tens of times longer to make, and most are never opened.
func (w *compareWorker) mask(ctx context.Context, found *pictureAnswer, isHash string) (*run.Picture, error) {
	picture, err := w.pictures.put(ctx, found.Mask, found.Difference.Width, found.Difference.Height)
	picture.Over = isHash
	return &picture, err
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

// gravity is that of an error with a refusal: a damaged disk is the operator's to look after.
func gravity(err error) slog.Level {
	if errors.Is(err, blob.ErrDamaged) {
		return slog.LevelError
	}
	return slog.LevelWarn
}

// refusal is a sentence for errors that trying again cannot mend; empty for all others.
func refusal(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, fs.ErrNotExist):
		return "An image of this comparison is no longer stored."
	case errors.Is(err, blob.ErrDamaged):
		return "An image of this comparison is corrupt on disk. Take the screenshots again to repeat the comparison."
	case errors.Is(err, imgdiff.ErrTooLarge):
		return "The images are too large to compare."
	}
	return ""
}
