package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"time"

	"afterimage/capture"
	"afterimage/imgdiff"
	"afterimage/internal/verify"
	"afterimage/vcd"
)

// Limits of questions to a model about one comparison. A batch waits for them at most this long for each of its workers.
const (
	modelTimeout    = 60 * time.Second // all questions together
	maxQuestions    = 12
	questionWidth   = 768 // pixels
	questionQuality = 80
	cropSurrounds   = 24 // pixels around a region that are shown too
)

// judged is what the rules make of a comparison, with what a model is to see of it.
type judged struct {
	result *verify.Result
	crops  map[int][2][]byte // of the regions that a model may be asked about, before and after
}

// judge lets the rules look at the regions of the comparison that was asked for last.
func (p *contents) judge(ctx context.Context, task *vcd.CompareTask, later *vcd.Screenshot) (*vcd.Verification, *judged, error) {
	began := time.Now()
	q := &judgeQuestion{Crops: task.Model}
	err := p.fill(&q.Before, task.Before)
	if err == nil {
		err = p.fill(&q.After, later)
	}
	if err != nil {
		return nil, nil, err
	}
	a, err := p.ask(ctx, &question{Judge: q})
	if err != nil {
		return nil, nil, fmt.Errorf("judge: %w", err)
	}
	v := &vcd.Verification{LeftOut: a.Judgment.LeftOut, Findings: a.Judgment.Findings}
	if task.Features.BrowserConsole {
		v.Console = consoleVerdict(later.FinalURL, task.ConsoleDifference(later))
	}
	v.Elapsed = time.Since(began)
	return v, &judged{result: &verify.Result{Verdicts: a.Judgment.Verdicts}, crops: a.Judgment.Crops}, nil
}

// judge lets the rules look at the regions of a comparison. What imgdiff measured serves them: no picture is decoded again.
func judge(ctx context.Context, q *judgeQuestion, found *imgdiff.Result) (j judgment, err error) {
	pair := &verify.Pair{Before: q.Before, After: q.After}
	pair.Measure(found)
	result, err := verify.Verify(ctx, pair)
	if err != nil {
		return j, err
	}
	j = judgment{LeftOut: found.RegionsLeftOut, Findings: findings(pair, result)}
	if q.Crops {
		if j.Crops, err = cut(ctx, pair, result, found); err != nil {
			return j, err
		}
	}
	j.Verdicts = result.Verdicts
	for i := range j.Verdicts {
		j.Verdicts[i].Findings = nil
	}
	return j, nil
}

// fill fills in what was kept of a page. Without its elements there is less to say, and nothing fails.
func (p *contents) fill(side *verify.Page, shot *vcd.Screenshot) error {
	side.Title, side.Status, side.Unstable = shot.HTMLTitle, shot.StatusCode, unstable(shot)
	var manifest capture.Manifest
	if json.Unmarshal(shot.Manifest, &manifest) == nil {
		for _, f := range manifest.FailedRequests {
			side.FailedRequests = append(side.FailedRequests, verify.FailedRequest{URL: f.URL, Type: f.Type, Status: f.Status, Error: f.Error})
		}
	}
	content, err := p.of(shot)
	if err != nil || content == nil {
		return err
	}
	side.Text = content.Text
	side.Elements = make([]verify.Element, len(content.Elements))
	for i := range content.Elements {
		e := &content.Elements[i]
		side.Elements[i] = verify.Element{
			Box: rectangle(e.Box), Selector: e.Selector, Tag: e.Tag, Role: e.Role, Text: e.Text, Parent: e.Parent, Classes: e.Classes,
			Source: e.Source, Fixed: e.Fixed, Color: e.Color, Background: e.Background, Font: e.Font,
		}
	}
	return nil
}

func rectangle(b vcd.Box) image.Rectangle { return image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height) }

// findings are the verdicts in the words of package vcd.
func findings(pair *verify.Pair, result *verify.Result) []vcd.Finding {
	shapes := make(map[int]string, len(pair.Regions))
	for _, r := range pair.Regions {
		shapes[r.ID] = r.Fingerprint
	}
	before, after := newSurroundings(pair.Before.Elements), newSurroundings(pair.After.Elements)
	out := make([]vcd.Finding, len(result.Verdicts))
	for i := range result.Verdicts {
		v := &result.Verdicts[i]
		f := vcd.Finding{
			RegionID: v.RegionID, Category: vcd.Category(v.Category), Ruled: vcd.Category(v.Category), Judge: vcd.JudgeRules,
			Description: v.Description, Reason: v.Reason, Confidence: v.Confidence, Certain: v.Certain,
		}
		for j := range v.Findings {
			found := &v.Findings[j]
			change := vcd.FoundChange{Kind: vcd.ChangeKind(found.Change), Category: vcd.Category(found.Category)}
			was, is := found.Sides()
			change.Before, change.After = before.element(was), after.element(is)
			change.Fingerprint = vcd.FingerprintOf(&change, found.Before, found.After, shapes[v.RegionID])
			f.Changes = append(f.Changes, change)
		}
		out[i] = f
	}
	return out
}

func consoleVerdict(page string, d vcd.ConsoleDifference) *vcd.ConsoleVerdict {
	verdict := verify.JudgeConsole(page, consoleEntries(d.Added), consoleEntries(d.Removed))
	if verdict == nil {
		return nil
	}
	return &vcd.ConsoleVerdict{Category: vcd.Category(verdict.Category), Description: verdict.Description + " " + verdict.Reason}
}

// consoleEntries are those that no feedback rule silences.
func consoleEntries(entries []vcd.DifferentEntry) []verify.ConsoleEntry {
	var loud []verify.ConsoleEntry
	for _, e := range entries {
		if e.Rule == nil {
			loud = append(loud, verify.ConsoleEntry{Text: e.Text, Type: e.Type, URL: e.URL})
		}
	}
	return loud
}

// ask asks the model about what the rules and the feedback rules of a pending comparison have left open.
func (w *compareWorker) ask(ctx context.Context, pending *vcd.Comparison, j *judged) vcd.Consultation {
	began := time.Now()
	open := make(map[int]bool)
	for _, f := range pending.Verification.Findings {
		open[f.RegionID] = f.Category == vcd.CategoryNotSure
	}
	for i := range j.result.Verdicts {
		if v := &j.result.Verdicts[i]; !open[v.RegionID] {
			v.Category = verify.AllGood // settled already: not to be asked about
		}
	}
	consulted := j.result.Consult(ctx, w.model, j.show, verify.Budget{Questions: maxQuestions, Timeout: w.modelPatience, Total: modelTimeout})
	said := vcd.Consultation{Opinions: make(map[int]vcd.Opinion), Elapsed: time.Since(began), Problem: problem(consulted)}
	for i := range j.result.Verdicts {
		if v := &j.result.Verdicts[i]; open[v.RegionID] && v.ByModel {
			said.Opinions[v.RegionID] = vcd.Opinion{Category: vcd.Category(v.Category), Reason: v.Reason, Confidence: v.Confidence}
		}
	}
	if consulted.Err != nil {
		w.logger.WarnContext(ctx, "a model was of no help", "comparison", pending.ID, "asked", consulted.Asked, "answered", consulted.Answered, "cause", consulted.Err)
	}
	return said
}

// problem says why a model has not answered everything, for people who see neither our log nor our configuration.
func problem(c verify.Consultation) string {
	switch {
	case c.Answered == c.Open:
		return ""
	case errors.Is(c.Err, context.DeadlineExceeded):
		return "it did not answer in time"
	case errors.Is(c.Err, verify.ErrModelAnswer):
		return "it did not answer in the agreed form"
	case c.Err != nil:
		return "it could not be reached or refused to answer"
	}
	return "there were more questions than one comparison may ask"
}

// cut takes what a model would be shown out of the pictures while they are decoded: the regions that the rules are not sure
// of, with a little of what is around.
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

// crop is nil where the picture has nothing of the box.
func crop(ctx context.Context, found *imgdiff.Result, side imgdiff.Side, box image.Rectangle, page verify.Page) ([]byte, error) {
	if box.Empty() {
		return nil, nil
	}
	box = box.Inset(-cropSurrounds).Intersect(image.Rect(0, 0, page.Width, page.Height))
	if box.Empty() {
		return nil, nil
	}
	return found.Crop(ctx, side, box, questionWidth, questionQuality)
}

// show hands out what was cut.
func (j *judged) show(_ context.Context, region int) (before, after []byte, err error) {
	crops, ok := j.crops[region]
	if !ok {
		return nil, nil, fs.ErrNotExist
	}
	return crops[0], crops[1], nil
}
