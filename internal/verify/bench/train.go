package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"

	"afterimage/internal/verify"
	"afterimage/internal/verify/labelled/sites"
	"afterimage/internal/verify/trees"
)

// How the judge is trained. The options were chosen on the validation split.
var training = trees.Options{Trees: 120, Depth: 3, Rate: 0.1, LeafRows: 1.5, Penalty: 2, Columns: 0.5, Bins: 32, Seed: 14, Positives: 1}

// train fits the judge on the training and validation splits, the spent held-out sites and the older pairs, and writes it.
// Calibration and threshold come from pairs of kinds that the judge has not seen: each fold of the generated sites by a judge that was
// trained without it. How well they hold is told of the validation split, by a judge and a calibration that do not know it. The unseen
// sites are never looked at.
func (s *studio) train(ctx context.Context, path string) error {
	lessons, err := s.lessons(ctx, sites.Train, sites.HeldOut)
	if err != nil {
		return err
	}
	checked, err := s.lessons(ctx, sites.Validation)
	if err != nil {
		return err
	}
	older, err := s.olderLessons(ctx)
	if err != nil {
		return err
	}
	lessons = append(lessons, older...)
	first := calibrated(lessons)
	fmt.Println("validation:", first.tell(answers(first.judge.Model, checked)))
	last := calibrated(append(lessons, checked...))
	fmt.Println("folds:", last.tell(last.unseen))
	fmt.Printf("%d pairs to learn from; %d features; harmless up to %.4f\n", len(lessons)+len(checked), len(verify.FeatureNames()),
		last.judge.Harmless)
	return store(path, &last.judge)
}

// trainedJudge is a judge with what it says of pairs of kinds that it had not seen.
type trainedJudge struct {
	judge  verify.Trained
	unseen []answer
}

// calibrated fits a judge on lessons, and its calibration and threshold on folds of them.
func calibrated(lessons []lesson) *trainedJudge {
	t := &trainedJudge{judge: verify.Trained{Model: fit(lessons)}}
	for fold := range uint32(folds) {
		in, out := divide(lessons, fold)
		// The older pairs are too easy to say how sure one may be: rules were mended on them.
		t.unseen = append(t.unseen, answers(fit(in), slices.DeleteFunc(out, func(l lesson) bool { return l.pair.Kind == nil }))...)
	}
	t.judge.Model.Calibration = trees.Calibrate(examplesOf(t.unseen))
	t.judge.Harmless = threshold(t.judge.Model.Calibration, t.unseen)
	return t
}

func (t *trainedJudge) tell(of []answer) string {
	curve := t.judge.Model.Calibration
	found := calibrationError(curve, of)
	return fmt.Sprintf("%s\n    expected calibration error %.1f %% (95 %% interval %.1f to %.1f), %.1f %% if every probability were right",
		tell(of, curve, t.judge.Harmless), 100*found.expected, 100*found.low, 100*found.high, 100*found.floor)
}

func index(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// folds is in how many parts the lessons are divided for measuring on unseen kinds.
const folds = 5

// divide leaves a fold out.
func divide(lessons []lesson, fold uint32) (in, out []lesson) {
	for _, l := range lessons {
		h := fnv.New32a()
		_, _ = h.Write([]byte(l.name))
		if h.Sum32()%folds == fold {
			out = append(out, l)
		} else {
			in = append(in, l)
		}
	}
	return in, out
}

func fit(lessons []lesson) *trees.Model {
	var rows []trees.Row
	for _, l := range lessons {
		rows = append(rows, l.rows...)
	}
	return trees.Train(verify.FeatureNames(), rows, training)
}

// store writes the judge with one line for each tree.
func store(path string, judge *verify.Trained) error {
	text, err := json.Marshal(judge)
	if err != nil {
		return err
	}
	lines := strings.NewReplacer(`{"f":`, "\n"+`{"f":`, `,"trees"`, ",\n"+`"trees"`, `,"calibration"`, ",\n"+`"calibration"`).
		Replace(string(text))
	return os.WriteFile(path, []byte(lines+"\n"), 0o600)
}
