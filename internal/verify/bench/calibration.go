package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"afterimage/internal/verify/trees"
)

// lostShare is the largest share of the harmful pairs of unseen kinds that the judge may lose in training.
const lostShare = 0.005

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
