package jobs

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"time"

	"afterimage/imgdiff"
	"afterimage/internal/findings"
	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/internal/verify/console"
	"afterimage/internal/verify/consult"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// Limits of questions to a model about one comparison. They delay a batch by at most this long per worker.
const (
	modelTimeout    = 60 * time.Second // all questions together
	maxQuestions    = 12
	questionWidth   = 768 // pixels
	questionQuality = 80
	cropSurrounds   = 24 // pixels around a region that are shown, too
)

// judged is the rules' result for a comparison, with the pictures for a model.
type judged struct {
	result *verify.Result
	crops  map[int][2][]byte // of the regions that a model may be asked about, before and after
	// learned is what is known of the page now; nil when the visits add nothing.
	learned *noise.Knowledge
	refused int // statements that do not hold
}

// judge applies the rules to the regions of the last comparison that was requested.
func (p *pages) judge(
	ctx context.Context, task *run.CompareTask, later *vcd.Screenshot, crops bool,
) (*vcd.Verification, *judged, error) {
	began := time.Now()
	if err := errors.Join(p.readContent(ctx, task.Before), p.readContent(ctx, later)); err != nil {
		return nil, nil, err
	}
	before, after := p.visit(task.Before), p.visit(later)
	q := &judgeQuestion{Before: verify.PageOf(before), After: verify.PageOf(after), Crops: crops}
	if task.Noise != nil {
		q.Noise = task.Noise.Knowledge
	}
	if task.Learn {
		visit := task.Visit(later)
		q.Learn = &visit
	}
	a, err := p.ask(ctx, &question{Judge: q})
	if err != nil {
		return nil, nil, fmt.Errorf("judge: %w", err)
	}
	v := &vcd.Verification{
		LeftOut: a.Judgment.LeftOut, Findings: a.Judgment.Findings, Unlisted: a.Judgment.Unlisted, Explained: a.Judgment.Explained,
	}
	if task.Features.BrowserConsole {
		v.Console = consoleVerdict(later.FinalURL, p.console(task, later))
	}
	v.Elapsed = time.Since(began)
	return v, &judged{
		result: &verify.Result{Verdicts: a.Judgment.Verdicts}, crops: a.Judgment.Crops, learned: a.Judgment.Learned,
		refused: a.Judgment.Refused,
	}, nil
}

// appearance is what a stricter look finds at the two pictures that were compared last, which differ although no pixel counts; nil for
// nothing. Accounts without verification are told of backgrounds only.
func (p *pages) appearance(ctx context.Context, task *run.CompareTask, later *vcd.Screenshot) (*page.Change, error) {
	if err := errors.Join(p.readContent(ctx, task.Before), p.readContent(ctx, later)); err != nil {
		return nil, err
	}
	before, after := p.visit(task.Before), p.visit(later)
	if !task.Features.AIVerification {
		return page.CompareBackgrounds(before, after), nil
	}
	q := &judgeQuestion{Before: verify.PageOf(before), After: verify.PageOf(after)}
	if task.Noise != nil {
		q.Noise = task.Noise.Knowledge
	}
	a, err := p.ask(ctx, &question{Judge: q})
	if err != nil {
		return nil, fmt.Errorf("compare the backgrounds: %w", err)
	}
	var changes []string
	for i := range a.Judgment.Findings {
		if f := &a.Judgment.Findings[i]; f.Category != vcd.CategoryAllGood {
			changes = append(changes, f.Description)
		}
	}
	if len(changes) == 0 {
		return page.CompareBackgrounds(before, after), nil
	}
	return page.Appearance(changes), nil
}

// judge applies the rules to the regions of a comparison. It uses the measurements of imgdiff: no picture is decoded
// again.
func judge(ctx context.Context, q *judgeQuestion, found *imgdiff.Result) (j judgment, err error) {
	pair := &verify.Pair{Before: q.Before, After: q.After, Noise: q.Noise}
	pair.Measure(found)
	result, err := verify.Verify(ctx, pair)
	if err != nil {
		return j, err
	}
	j = judgment{
		LeftOut: result.LeftOut, Refused: result.Refused, Findings: findings.Of(pair, result), Explained: result.Explained,
		Unlisted: vcd.Unlisted{
			Count: result.Unlisted.Count, Pixels: result.Unlisted.Pixels, Category: vcd.Category(result.Unlisted.Category),
		},
	}
	if q.Crops {
		if j.Crops, err = cut(ctx, pair, result, found); err != nil {
			return j, err
		}
	}
	if q.Noise != nil && q.Learn != nil {
		j.Learned = pair.Learn(*q.Learn, result)
	}
	j.Verdicts = result.Verdicts
	for i := range j.Verdicts {
		j.Verdicts[i].Findings = nil
	}
	return j, nil
}

func consoleVerdict(address string, d vcd.ConsoleDifference) *vcd.ConsoleVerdict {
	verdict := console.Judge(address, consoleEntries(d.Added), consoleEntries(d.Removed))
	if verdict == nil {
		return nil
	}
	return &vcd.ConsoleVerdict{Category: vcd.Category(verdict.Category), Description: verdict.Description + " " + verdict.Reason}
}

// consoleEntries lists the entries that no feedback rule silences.
func consoleEntries(entries []vcd.DifferentEntry) []page.ConsoleEntry {
	var loud []page.ConsoleEntry
	for _, e := range entries {
		if e.Rule == nil {
			loud = append(loud, e.ConsoleEntry)
		}
	}
	return loud
}

// consult asks the model about what the rules and the feedback rules leave open in a pending comparison.
func (w *compareWorker) consult(ctx context.Context, pending *vcd.Comparison, j *judged) vcd.Consultation {
	if w.model == nil || j == nil {
		return vcd.Consultation{Problem: "no model was available any more"}
	}
	began := time.Now()
	open := make(map[int]bool)
	for _, r := range pending.Verification.Regions() {
		open[r.RegionID] = r.Category == vcd.CategoryNotSure
	}
	for i := range j.result.Verdicts {
		if v := &j.result.Verdicts[i]; !open[v.RegionID] {
			v.Category = verify.AllGood // already settled: must not be asked about
		}
	}
	budget := consult.Budget{Questions: maxQuestions, Timeout: w.modelPatience, Total: modelTimeout}
	consulted := consult.Ask(ctx, j.result, w.model, j.show, budget)
	said := vcd.Consultation{Opinions: make(map[int]vcd.Opinion), Elapsed: time.Since(began), Problem: problem(consulted)}
	for i := range j.result.Verdicts {
		if v := &j.result.Verdicts[i]; open[v.RegionID] && v.ByModel {
			said.Opinions[v.RegionID] = vcd.Opinion{Category: vcd.Category(v.Category), Reason: v.Reason, Confidence: v.Confidence}
		}
	}
	if consulted.Err != nil {
		w.logger.WarnContext(ctx, "no usable answer from the model", "comparison", pending.ID,
			"asked", consulted.Asked, "answered", consulted.Answered, "cause", consulted.Err)
	}
	return said
}

// problem says why a model has not answered every question, for people who see neither our log nor our configuration.
func problem(c consult.Consultation) string {
	switch {
	case c.Answered == c.Open:
		return ""
	case errors.Is(c.Err, context.DeadlineExceeded):
		return "it did not answer in time"
	case errors.Is(c.Err, consult.ErrModelAnswer):
		return "its answer was not in the required format"
	case c.Err != nil:
		return "it could not be reached or refused to answer"
	}
	return "the limit of questions for one comparison was reached"
}

// cut crops what a model would be shown from the pictures while they are decoded: the regions that the rules are not
// sure of, with some of their surroundings.
func cut(ctx context.Context, pair *verify.Pair, result *verify.Result, found *imgdiff.Result) (map[int][2][]byte, error) {
	crops := make(map[int][2][]byte)
	for i := range result.Verdicts {
		v := &result.Verdicts[i]
		if v.Category != verify.NotSure || len(crops) == maxQuestions {
			continue
		}
		r := pair.Regions[i]
		before, err := crop(ctx, found, imgdiff.Before, r.BeforeBox, pair.Before)
		if err != nil {
			return nil, err
		}
		after, err := crop(ctx, found, imgdiff.After, r.Box, pair.After)
		if err != nil {
			return nil, err
		}
		crops[v.RegionID] = [2][]byte{before, after}
	}
	return crops, nil
}

// crop returns nil where the picture has no part in the box.
func crop(ctx context.Context, found *imgdiff.Result, side imgdiff.Side, box image.Rectangle, in verify.Page) ([]byte, error) {
	if box.Empty() {
		return nil, nil
	}
	box = box.Inset(-cropSurrounds).Intersect(image.Rect(0, 0, in.Width, in.Height))
	if box.Empty() {
		return nil, nil
	}
	return found.Crop(ctx, side, box, questionWidth, questionQuality)
}

// show returns the stored crops.
func (j *judged) show(_ context.Context, region int) (before, after []byte, err error) {
	crops, ok := j.crops[region]
	if !ok {
		return nil, nil, fs.ErrNotExist
	}
	return crops[0], crops[1], nil
}
