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
	shot, err := p.capture(ctx, task)
	if err != nil {
		return nil, err
	}
	if shot.Status >= 400 || shot.Manifest.Version() != task.Before.SCVersion {
		return nil, nil
	}
	visit := task.Visit(p.service.Config().Clock.Now())
	was, err := p.pictures.get(ctx, task.Before.Image)
	if err != nil {
		return nil, err
	}
	comparer, err := p.comparers.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("take a process that compares: %w", err)
	}
	defer comparer.release()
	kept := newPages(p.service, comparer)
	if err := kept.readContent(ctx, task.Before); err != nil {
		return nil, err
	}
	return p.learn(ctx, kept, task, was, shot.PNG, &shot.Visit, visit)
}

// lesson compares two screenshots that exist.
func (p *prober) lesson(ctx context.Context, task *run.ProbeTask) (*noise.Knowledge, error) {
	was, err := p.pictures.get(ctx, task.Before.Image)
	if err != nil {
		return nil, err
	}
	is, err := p.pictures.get(ctx, task.After.Image)
	if err != nil {
		return nil, err
	}
	comparer, err := p.comparers.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("take a process that compares: %w", err)
	}
	defer comparer.release()
	kept := newPages(p.service, comparer)
	for _, shot := range []*vcd.Screenshot{task.Before, task.After} {
		if err := kept.readContent(ctx, shot); err != nil {
			return nil, err
		}
	}
	return p.learn(ctx, kept, task, was, is, kept.visit(task.After), task.Visit(time.Time{}))
}

// learn adds a pair of visits to what is known.
func (p *prober) learn(
	ctx context.Context, kept *pages, task *run.ProbeTask, was, is []byte, later *page.Visit, visit noise.Visit,
) (*noise.Knowledge, error) {
	_, err := kept.ask(ctx, &question{Compare: &pictureQuestion{
		Before: was, After: is, Ignore: slices.Concat(kept.unstable(task.Before), page.Rects(later.Manifest.Unstable)),
	}})
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	a, err := kept.ask(ctx, &question{Judge: &judgeQuestion{
		Before: verify.PageOf(kept.visit(task.Before)), After: verify.PageOf(later), Noise: task.Noise.Knowledge, Learn: &visit,
	}})
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return a.Judgment.Learned, nil
}

// capture takes the page as an ordinary capture does, at another date and with other random numbers.
func (p *prober) capture(ctx context.Context, task *run.ProbeTask) (*capture.Shot, error) {
	region := task.Region
	if region == vcd.RegionAuto {
		region = p.home
	}
	shot, _, err := p.capturer.capture(ctx, task.Capture, region)
	return shot, err
}
