package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"afterimage/capture"
	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/run"
)

// prober takes probes, one at a time, while no ordinary capture needs the place.
type prober struct {
	service   *app.Service
	capturer  *captureWorker
	comparers comparers
	pictures  pictures
	regions   []vcd.Region
	home      vcd.Region
	timeout   time.Duration
	logger    *slog.Logger
}

// next takes a due probe, if a lane is free. One that fails or gives way is begun again later, by its plan.
func (p *prober) next(ctx context.Context) (bool, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if !p.capturer.lanes.tryProbe(end) {
		return false, nil
	}
	defer p.capturer.lanes.leaveProbe()
	more, err := p.one(ctx)
	if errors.Is(context.Cause(ctx), errGivesWay) {
		return false, nil
	}
	return more, err
}

// one takes a due probe until ctx ends.
func (p *prober) one(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	task, err := p.service.Runs.BeginProbe(ctx, p.regions, p.home)
	if err != nil || task == nil {
		return false, err
	}
	learned, err := p.take(ctx, task)
	if err != nil && errors.Is(context.Cause(ctx), errGivesWay) {
		return false, err
	}
	if err != nil {
		p.logger.InfoContext(ctx, "probe failed", "address", task.Capture.Address, "device", task.Capture.Device, "cause", err)
		return false, nil
	}
	return true, p.service.Runs.FinishProbe(ctx, task, learned)
}

// take captures the page and compares it with the screenshot. It returns what is known then, nil when the two teach nothing.
func (p *prober) take(ctx context.Context, task *run.ProbeTask) (*noise.Knowledge, error) {
	if task.After != nil {
		return p.lesson(ctx, task)
	}
	var first *capture.Shot
	if task.Before == nil {
		ordinary := *task.Capture
		ordinary.Later, ordinary.Seed = 0, 0
		var err error
		if first, err = p.capture(ctx, task, &ordinary); err != nil || first.Status >= 400 {
			return nil, err
		}
	}
	shot, err := p.capture(ctx, task, task.Capture)
	if err != nil {
		return nil, err
	}
	if shot.Status >= 400 || shot.Manifest.Version() != versionOf(task, first) {
		return nil, nil
	}
	visit := task.Visit(p.service.Config().Clock.Now())
	comparer, err := p.comparers.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("take a process that compares: %w", err)
	}
	defer comparer.release()
	kept := newPages(p.service, comparer)
	if first != nil {
		return p.learn(ctx, kept, task, pictured{first.PNG, &first.Visit}, pictured{shot.PNG, &shot.Visit}, visit)
	}
	was, err := p.read(ctx, kept, task.Before)
	if err != nil {
		return nil, err
	}
	return p.learn(ctx, kept, task, was, pictured{shot.PNG, &shot.Visit}, visit)
}

// versionOf is what took the earlier picture: the first capture of two, or the screenshot.
func versionOf(task *run.ProbeTask, first *capture.Shot) string {
	if first != nil {
		return first.Manifest.Version()
	}
	return task.Before.SCVersion
}

// pictured is a visit with its picture.
type pictured struct {
	png   []byte
	visit *page.Visit
}

// read reads a screenshot that is stored.
func (p *prober) read(ctx context.Context, kept *pages, shot *vcd.Screenshot) (pictured, error) {
	png, err := p.pictures.get(ctx, shot.Image)
	if err == nil {
		err = kept.readContent(ctx, shot)
	}
	if err != nil {
		return pictured{}, err
	}
	return pictured{png, kept.visit(shot)}, nil
}

// lesson compares two screenshots that exist.
func (p *prober) lesson(ctx context.Context, task *run.ProbeTask) (*noise.Knowledge, error) {
	comparer, err := p.comparers.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("take a process that compares: %w", err)
	}
	defer comparer.release()
	kept := newPages(p.service, comparer)
	was, err := p.read(ctx, kept, task.Before)
	if err != nil {
		return nil, err
	}
	is, err := p.read(ctx, kept, task.After)
	if err != nil {
		return nil, err
	}
	return p.learn(ctx, kept, task, was, is, task.Visit(time.Time{}))
}

// learn adds a pair of visits to what is known.
func (p *prober) learn(
	ctx context.Context, kept *pages, task *run.ProbeTask, was, is pictured, visit noise.Visit,
) (*noise.Knowledge, error) {
	_, err := kept.ask(ctx, &question{Compare: &pictureQuestion{
		Before: was.png, After: is.png,
		Ignore: slices.Concat(page.Rects(was.visit.Manifest.Unstable), page.Rects(is.visit.Manifest.Unstable)),
	}})
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	a, err := kept.ask(ctx, &question{Judge: &judgeQuestion{
		Before: verify.PageOf(was.visit), After: verify.PageOf(is.visit), Noise: task.Noise.Knowledge, Learn: &visit,
	}})
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return a.Judgment.Learned, nil
}

// capture takes the page as an ordinary capture does.
func (p *prober) capture(ctx context.Context, task *run.ProbeTask, how *run.CaptureTask) (*capture.Shot, error) {
	region := task.Region
	if region == vcd.RegionAuto {
		region = p.home
	}
	shot, _, err := p.capturer.capture(ctx, how, region)
	return shot, err
}
