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
	"afterimage/internal/figures"
	"afterimage/internal/findings"
	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/internal/tracing"
	"afterimage/internal/verify/consult"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/run"
)

const (
	compareTimeout = time.Minute
	maxBands       = 200 // kept per comparison, from the top
)

type compareWorker struct {
	river.WorkerDefaults[compareArgs]
	service  *app.Service
	pictures pictures
	// turns limits the number of comparisons that compute at the same time; the others only wait for a model.
	turns         chan struct{}
	comparers     comparers
	model         consult.Model // nil for none
	modelPatience time.Duration
	figures       *figures.Figures
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
	diff, end := tracing.Begin(ctx, "diff")
	found, err := w.computeBounded(diff, actor, task)
	end(err)
	if sentence := refusal(err); sentence != "" {
		w.figures.Compared(figures.Failed)
		w.logger.Log(ctx, gravity(err), "comparison failed", "account", actor.Account, "batch", task.Entry.BatchID,
			"entry", task.Entry.ID, "cause", err)
		return w.service.Runs.FailComparison(ctx, actor, task.Entry.ID, "not_comparable", sentence)
	}
	if err != nil || found == nil {
		return err
	}
	compared := task.Pending
	if compared == nil {
		if compared, err = w.service.Runs.FinishComparison(ctx, actor, task, found.result); err == nil {
			w.tell(ctx, task, compared)
		}
	}
	if err != nil || compared == nil || !compared.Pending() {
		return err
	}
	asking, end := tracing.Begin(ctx, "ask the model")
	said := w.consult(asking, compared, found.judged)
	end(nil)
	return w.service.Runs.FinishVerification(ctx, actor, task.Entry.ID, said)
}

// tell counts and logs a comparison. It is nil when none was stored: a change in monitoring is to be confirmed first.
func (w *compareWorker) tell(ctx context.Context, task *run.CompareTask, c *vcd.Comparison) {
	attrs := []any{"account", task.Entry.Account, "batch", task.Entry.BatchID, "entry", task.Entry.ID, "device", task.Entry.Device}
	if c == nil {
		w.figures.Compared("unconfirmed")
		w.logger.InfoContext(ctx, "change to be confirmed", attrs...)
		return
	}
	w.figures.Compared(string(c.Status))
	w.logger.InfoContext(ctx, "compared", append(attrs, "comparison", c.ID, "status", c.Status,
		"percent", fmt.Sprintf("%.4f", c.JudgedPercent()), "above_threshold", c.AboveThreshold())...)
	if c.Verification == nil || c.Verification.Status == vcd.VerificationSkipped {
		return
	}
	n := c.Verification.Counts()
	w.figures.Judged(string(vcd.CategoryAllGood), n.AllGood)
	w.figures.Judged(string(vcd.CategoryNotSure), n.NotSure)
	w.figures.Judged(string(vcd.CategoryAlert), n.Alerts)
	w.logger.InfoContext(ctx, "verdict", append(attrs, "comparison", c.ID, "verification", c.Verification.Status,
		"all_good", n.AllGood, "not_sure", n.NotSure, "alerts", n.Alerts)...)
}

// computed is a worker's result for a comparison.
type computed struct {
	result run.CompareResult
	judged *judged // what a model may be shown; nil when the rules judged nothing
	subtle bool    // the pictures differ, but no pixel counts
}

// compute computes the comparison. The caller stores the result.
func (w *compareWorker) compute(ctx context.Context, task *run.CompareTask) (*computed, error) {
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
	found, err := w.compare(ctx, task, kept, task.After)
	if err != nil || task.Recaptured == nil {
		return found, err
	}
	second, err := w.compare(ctx, task, kept, task.Recaptured)
	if err != nil {
		return nil, err
	}
	found.result.OfRecapture, found.judged = &second.result, second.judged
	return found, nil
}

// compare compares two visits of a page: their pictures and their other properties.
func (w *compareWorker) compare(ctx context.Context, task *run.CompareTask, kept *pages, later *vcd.Screenshot) (*computed, error) {
	found, err := w.comparePictures(ctx, task, kept, later)
	if err != nil {
		return nil, err
	}
	r := &found.result
	r.Model, r.Console = w.model != nil, kept.console(task, later)
	r.PageChanges, r.Traces, err = kept.beyondPixels(ctx, task.Before, later, r.Difference.Regions)
	if err != nil || !found.subtle {
		return found, err
	}
	change, err := kept.appearance(ctx, task, later)
	if change != nil {
		r.PageChanges = append(r.PageChanges, *change)
	}
	return found, err
}

// comparePictures returns at once when the pictures have the same hash: it does not even read the files, unless it has
// to check whether they are blank.
func (w *compareWorker) comparePictures(
	ctx context.Context, task *run.CompareTask, kept *pages, later *vcd.Screenshot,
) (*computed, error) {
	earlier := task.Before
	before, after := earlier.Image, later.Image
	if before.Hash == after.Hash {
		blank, err := w.blank(ctx, task, kept, after)
		return &computed{result: run.CompareResult{
			Difference: vcd.Difference{Width: after.Width, Height: after.Height}, BlankBefore: blank, BlankAfter: blank,
			Learned: unchanged(task, later),
		}}, err
	}
	was, err := w.pictures.get(ctx, before)
	if err != nil {
		return nil, err
	}
	is, err := w.pictures.get(ctx, after)
	if err != nil {
		return nil, err
	}
	a, err := kept.ask(ctx, &question{Compare: &pictureQuestion{
		Before: was, After: is, Ignore: slices.Concat(kept.unstable(earlier), kept.unstable(later)),
		Keep: w.model != nil && (task.Features.AIVerification || task.Pending != nil), Mask: task.Pending == nil,
	}})
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	if a.Picture.AlignmentCut {
		w.logger.InfoContext(ctx, "alignment stopped at its limit", "entry", task.Entry.ID)
	}
	return w.judgePictures(ctx, task, kept, later, &a.Picture)
}

// judgePictures applies the rules to the regions in which two pictures differ, where the difference counts, and stores
// the mask.
func (w *compareWorker) judgePictures(
	ctx context.Context, task *run.CompareTask, kept *pages, later *vcd.Screenshot, a *pictureAnswer,
) (found *computed, err error) {
	found = &computed{
		result: run.CompareResult{Difference: a.Difference, BlankBefore: a.BlankBefore, BlankAfter: a.BlankAfter},
		subtle: !a.Equal && a.Difference.None() && !a.BlankBefore && !a.BlankAfter,
	}
	if task.Pending != nil || task.Verify(&found.result) {
		if found.result.Verification, found.judged, err = kept.judge(ctx, task, later, w.model != nil); err != nil {
			return nil, err
		}
		found.result.Learned = found.judged.learned
		w.figures.RefusedStatements(found.judged.refused)
	}
	if a.Mask != nil {
		found.result.Picture, err = w.mask(ctx, a, later.Image.Hash)
	}
	return found, err
}

// unchanged adds a visit that found the page unchanged to what is known of it.
func unchanged(task *run.CompareTask, later *vcd.Screenshot) *noise.Knowledge {
	if !task.Learn {
		return nil
	}
	learned := task.Noise.Knowledge.Clone()
	learned.Unchanged(task.Visit(later))
	return learned
}

// blank reports whether an unchanged picture is blank, for accounts that want to know.
func (w *compareWorker) blank(ctx context.Context, task *run.CompareTask, kept *pages, picture *vcd.Image) (bool, error) {
	if !task.Features.AIVerification {
		return false, nil
	}
	file, err := w.pictures.get(ctx, picture)
	if err != nil {
		return false, err
	}
	a, err := kept.ask(ctx, &question{Blank: file})
	if err != nil {
		return false, fmt.Errorf("look whether the picture is blank: %w", err)
	}
	return a.Blank, nil
}

// unstable lists the boxes of a screenshot that differed between pictures of the same visit: what moves by itself is
// not a change.
func (p *pages) unstable(shot *vcd.Screenshot) []image.Rectangle {
	return page.Rects(p.visit(shot).Manifest.Unstable)
}

// mask stores only the mask. The comparison picture is made from it on first view, see package gallery: that takes tens
// of times longer, and most are never opened.
func (w *compareWorker) mask(ctx context.Context, found *pictureAnswer, isHash string) (*run.Picture, error) {
	picture, err := w.pictures.put(ctx, found.Mask, found.Difference.Width, found.Difference.Height)
	picture.Over = isHash
	return &picture, err
}

func difference(found *imgdiff.Result) vcd.Difference {
	d := vcd.Difference{
		Percent: found.Percent, AlignedPercent: found.AlignedPercent + found.OutOfOrder(), ChangedPixels: found.Changed,
		AntiAliased: found.AntiAliased, Width: found.Width, Height: found.Height,
	}
	for _, region := range found.Seen {
		d.Regions = append(d.Regions, vcd.ChangedRegion{
			ID: region.ID, X: region.Box.Min.X, Y: region.Box.Min.Y, Width: region.Box.Dx(), Height: region.Box.Dy(),
			Pixels: region.Pixels, MeanDelta: region.MeanDelta, Fingerprint: region.Fingerprint.String(),
			Before: findings.BoxOf(region.BeforeBox),
		})
	}
	for _, band := range found.Bands[:min(len(found.Bands), maxBands)] {
		d.Bands = append(d.Bands, vcd.Band{
			Kind: vcd.BandKind(band.Kind), YBefore: band.YBefore, YAfter: band.YAfter, Rows: band.Rows, X0: band.X0, X1: band.X1,
		})
	}
	return d
}

// gravity is the log level of an error with a refusal: a damaged disk is an operator's task.
func gravity(err error) slog.Level {
	if errors.Is(err, blob.ErrDamaged) {
		return slog.LevelError
	}
	return slog.LevelWarn
}

// refusal is a sentence for errors that a retry cannot fix; empty for all others.
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
