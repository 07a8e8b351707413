package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"afterimage/internal/verify"
	"afterimage/internal/verify/labelled"
	"afterimage/internal/verify/labelled/sites"
	"afterimage/internal/verify/trees"
)

// How the judge is trained. The options were chosen on the validation split.
var training = trees.Options{Trees: 120, Depth: 3, Rate: 0.1, LeafRows: 1.5, Penalty: 2, Columns: 0.5, Bins: 32, Seed: 14, Positives: 1}

// lostShare is the largest share of the harmful pairs of unseen kinds that the judge may lose in training.
const lostShare = 0.005

// lesson is a pair to learn from.
type lesson struct {
	specimen
	name    string // of what happened to the page: no two folds share it
	harmful bool
	rows    []trees.Row
	own     int // of the rows are about the pair itself, and count in calibration
}

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

func examplesOf(answers []answer) []trees.Example {
	var all []trees.Example
	for _, a := range answers {
		all = append(all, a.examples...)
	}
	return all
}

// reliability is an expected calibration error, with the interval that holds 95 % of those of as many pairs drawn with replacement
// (bootstrap percentiles, Efron 1979), and what it would be by chance alone if every probability were right.
type reliability struct{ expected, low, high, floor float64 }

const bootstraps = 400

func calibrationError(curve trees.Curve, answers []answer) reliability {
	var pairs [][]trees.Example // probabilities instead of scores
	for _, a := range answers {
		all := slices.Clone(a.examples)
		for i := range all {
			all[i].Score = curve.At(all[i].Score)
		}
		pairs = append(pairs, all)
	}
	return reliabilityOf(pairs)
}

func reliabilityOf(pairs [][]trees.Example) reliability {
	measure := func(pairs [][]trees.Example) float64 {
		_, found := trees.Reliability(slices.Concat(pairs...), calibrationBins)
		return found
	}
	r := rand.New(rand.NewPCG(training.Seed, 3)) //nolint:gosec // reproducible
	drawn, floor := make([]float64, bootstraps), 0.0
	for n := range drawn {
		again, fair := make([][]trees.Example, len(pairs)), make([][]trees.Example, len(pairs))
		for i := range pairs {
			again[i] = pairs[r.IntN(len(pairs))]
			fair[i] = asPredicted(pairs[i], r)
		}
		drawn[n] = measure(again)
		floor += measure(fair) / bootstraps
	}
	slices.Sort(drawn)
	return reliability{measure(pairs), drawn[bootstraps/40], drawn[bootstraps-1-bootstraps/40], floor}
}

// asPredicted makes the findings of a pair harmful as often as their probabilities say, all together or none.
func asPredicted(examples []trees.Example, r *rand.Rand) []trees.Example {
	mean := 0.0
	for _, e := range examples {
		mean += e.Score / float64(len(examples))
	}
	harmful := r.Float64() < mean
	fair := slices.Clone(examples)
	for i := range fair {
		fair[i].Yes = harmful
	}
	return fair
}

// tell words how many pairs of either kind are alarms, by the rules alone and with the judge.
func tell(answers []answer, calibration trees.Curve, harmless float64) string {
	var count [2]struct{ pairs, ruled, judged int }
	for _, a := range answers {
		c := &count[index(a.harmful)]
		c.pairs++
		if a.alarm || !math.IsInf(a.worst, -1) {
			c.ruled++
		}
		if a.alarm || !math.IsInf(a.worst, -1) && calibration.At(a.worst) > harmless {
			c.judged++
		}
	}
	return fmt.Sprintf("of %d harmful pairs the rules alone keep %d and the judge keeps %d; of %d harmless ones they silence %d and %d",
		count[1].pairs, count[1].ruled, count[1].judged, count[0].pairs, count[0].pairs-count[0].ruled, count[0].pairs-count[0].judged)
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

// olderLessons are the older pairs.
func (s *studio) olderLessons(ctx context.Context) ([]lesson, error) {
	var all []lesson
	for _, p := range labelled.Pairs() {
		known, err := s.known(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name(), err)
		}
		l := lesson{specimen: specimen{known: known}, name: p.Kind.Name, harmful: p.Kind.Harmful}
		if err := l.judge(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name(), err)
		}
		// Of a harmful pair with an alert it is unknown which of the other findings matter.
		if !l.harmful || !l.alert {
			l.rows = l.all(l.harmful)
		}
		all = append(all, l)
	}
	return all, s.enrichAll(ctx, all)
}

// lessons are the pairs of splits.
func (s *studio) lessons(ctx context.Context, splits ...sites.Split) ([]lesson, error) {
	var all []lesson
	for _, split := range splits {
		learned, err := s.siteLessons(ctx, split)
		if err != nil {
			return nil, err
		}
		all = append(all, learned...)
	}
	return all, s.enrichAll(ctx, all)
}

func (s *studio) enrichAll(ctx context.Context, lessons []lesson) error {
	for i := range lessons {
		lessons[i].own = len(lessons[i].rows)
		if err := s.enrich(ctx, &lessons[i]); err != nil {
			return fmt.Errorf("%s: %w", lessons[i].name, err)
		}
	}
	return nil
}

// enrich adds what else there is to learn from a lesson: what is harmless is harmless the other way round, and a damage is
// harmful without anything that varies beside it.
func (s *studio) enrich(ctx context.Context, l *lesson) error {
	more := specimen{}
	switch {
	case !l.harmful:
		more.known = reversed(l.known)
	case l.pair.Damage != nil:
		var err error
		if more.known, err = s.damageOf(ctx, l.pair); err != nil {
			return err
		}
	default:
		return nil
	}
	if err := more.judge(ctx); err != nil {
		return err
	}
	if !l.harmful || !more.alert {
		l.rows = append(l.rows, more.all(l.harmful)...)
	}
	return nil
}

// reversed is a pair with its sides exchanged.
func reversed(p *verify.Pair) *verify.Pair {
	other := verify.Pair{Before: p.After, After: p.Before, LeftOut: p.LeftOut, Bands: slices.Clone(p.Bands)}
	turn := func(regions []verify.Region) []verify.Region {
		turned := slices.Clone(regions)
		for i := range turned {
			r := &turned[i]
			r.Box, r.BeforeBox, r.Before, r.After = r.BeforeBox, r.Box, r.After, r.Before
		}
		return turned
	}
	other.Regions, other.Remaining = turn(p.Regions), turn(p.Remaining)
	kinds := map[verify.BandKind]verify.BandKind{verify.BandInserted: verify.BandDeleted, verify.BandDeleted: verify.BandInserted}
	for i := range other.Bands {
		b := &other.Bands[i]
		b.YBefore, b.YAfter = b.YAfter, b.YBefore
		if kind, ok := kinds[b.Kind]; ok {
			b.Kind = kind
		}
	}
	return &other
}

func (s *studio) siteLessons(ctx context.Context, split sites.Split) ([]lesson, error) {
	specimens, err := s.specimens(ctx, sites.Pairs(split))
	if err != nil {
		return nil, err
	}
	all := make([]lesson, len(specimens))
	for i, sp := range specimens {
		all[i] = lesson{specimen: sp, name: sp.pair.Kind.Name, harmful: sp.pair.Harmful(), rows: sp.rows()}
		if sp.pair.Damage != nil {
			all[i].name = sp.pair.Damage.Name
		}
	}
	return all, nil
}

// answer is what a judge says of a pair whose kind it has not seen.
type answer struct {
	harmful, alarm bool
	worst          float64 // score of the worst finding on which no rule decides; -Inf when there is none
	examples       []trees.Example
}

func answers(m *trees.Model, lessons []lesson) []answer {
	all := make([]answer, len(lessons))
	for i, l := range lessons {
		all[i] = answer{harmful: l.harmful, alarm: l.alarm, worst: math.Inf(-1)}
		for _, u := range l.undecided {
			all[i].worst = max(all[i].worst, m.Score(u.Values))
		}
		for _, row := range l.rows[:l.own] {
			all[i].examples = append(all[i].examples, trees.Example{Score: m.Score(row.Values), Yes: row.Yes, Weight: row.Weight})
		}
	}
	return all
}

// all makes every undecided finding an example; those of a pair weigh as much as the square root of their number.
func (sp *specimen) all(harmful bool) []trees.Row {
	rows := make([]trees.Row, 0, len(sp.undecided))
	for _, u := range sp.undecided {
		rows = append(rows, trees.Row{Values: u.Values, Yes: harmful, Weight: 1 / math.Sqrt(float64(len(sp.undecided)))})
	}
	return rows
}

// rows are the examples of a pair: of a harmful one, the findings where its damage shows.
func (sp *specimen) rows() []trees.Row {
	if !sp.pair.Harmful() {
		return sp.all(false)
	}
	damaged := specimen{}
	for _, u := range sp.undecided {
		if sp.damages(u.Box) {
			damaged.undecided = append(damaged.undecided, u)
		}
	}
	if len(damaged.undecided) == 0 && !sp.alarm {
		damaged.undecided = sp.undecided
	}
	return damaged.all(true)
}

// damages reports whether a good part of a box is where the damage shows.
func (sp *specimen) damages(box image.Rectangle) bool {
	for _, d := range sp.damage {
		common := box.Intersect(d)
		if 4*common.Dx()*common.Dy() > min(box.Dx()*box.Dy(), d.Dx()*d.Dy()) {
			return true
		}
	}
	return false
}

// worst is the probability of harm of the worst undecided finding of a pair: 1 for an alarm of a rule, 0 for a pair of which
// the rules silence everything.
func (sp *specimen) worst(m *trees.Model) float64 {
	if sp.alarm {
		return 1
	}
	worst := 0.0
	for _, u := range sp.undecided {
		worst = max(worst, m.Probability(u.Values))
	}
	return worst
}

// threshold is the highest at which of the harmful pairs of unseen kinds no more than a few are lost.
func threshold(calibration trees.Curve, unseen []answer) float64 {
	var worst []float64 // of the harmful pairs that no rule keeps
	harmful := 0
	for _, a := range unseen {
		if a.harmful {
			harmful++
			if !a.alarm {
				worst = append(worst, calibration.At(a.worst))
			}
		}
	}
	slices.Sort(worst)
	may := int(lostShare * float64(harmful))
	if may >= len(worst) {
		return 0
	}
	return math.Round((worst[may]-1e-4)*1e4) / 1e4
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
