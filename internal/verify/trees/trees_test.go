package trees

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// examples are points of the plane; the answer is yes in two opposite quadrants, which no single threshold tells.
func examples(n int, seed uint64) []Row {
	r := rand.New(rand.NewPCG(seed, 2))
	rows := make([]Row, n)
	for i := range rows {
		x, y, noise := r.Float32()-0.5, r.Float32()-0.5, r.Float32()
		rows[i] = Row{Values: []float32{x, y, noise}, Yes: x*y > 0, Weight: 1}
	}
	return rows
}

var features = []string{"x", "y", "noise"}

var options = Options{Trees: 60, Depth: 3, Rate: 0.2, LeafRows: 4, Penalty: 1, Columns: 1, Bins: 32, Seed: 1, Positives: 1}

// TestTraining: what needs two questions in a row is learned, the same each time, and stays the same when it is stored.
func TestTraining(t *testing.T) {
	m := Train(features, examples(800, 1), options)
	right := 0
	fresh := examples(400, 2)
	for _, row := range fresh {
		if (m.Score(row.Values) > 0) == row.Yes {
			right++
		}
	}
	if right < 380 {
		t.Errorf("%d of %d are right", right, len(fresh))
	}
	stored, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(Train(features, examples(800, 1), options))
	if err != nil || string(again) != string(stored) {
		t.Errorf("the same rows give another model (%v)", err)
	}
	read := &Model{}
	if err := json.Unmarshal(stored, read); err != nil || read.Check(features) != nil {
		t.Fatal(err, read.Check(features))
	}
	if a, b := m.Score(fresh[0].Values), read.Score(fresh[0].Values); a != b {
		t.Errorf("stored, it says %v instead of %v", b, a)
	}
	blame := make([]float64, len(features))
	m.Blame(fresh[0].Values, blame)
	if sum := m.Base + blame[0] + blame[1] + blame[2]; sum-m.Score(fresh[0].Values) > 1e-6 || m.Score(fresh[0].Values)-sum > 1e-6 {
		t.Errorf("the contributions add up to %v", sum)
	}
	if n := testing.AllocsPerRun(10, func() { m.Probability(fresh[0].Values) }); n != 0 {
		t.Errorf("a prediction allocates %v times", n)
	}
}

// TestModelsOfAnotherVersion: a model that does not fit is refused, and does not panic later.
func TestModelsOfAnotherVersion(t *testing.T) {
	for name, m := range map[string]*Model{
		"other features": {Features: []string{"x"}},
		"incomplete":     {Features: features, Trees: []Tree{{Feature: []int{0}}}},
		"endless": {Features: features, Trees: []Tree{{Feature: []int{0}, Threshold: []float32{0}, Left: []int{0},
			Value: []float32{0}}}},
		"unequal curve": {Features: features, Calibration: Curve{X: []float64{1}}},
	} {
		if m.Check(features) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestCalibration: scores that are too sure are corrected.
func TestCalibration(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	list := make([]Example, 4000)
	for i := range list {
		truth := 4*r.Float64() - 2
		list[i] = Example{Score: 3 * truth, Yes: r.Float64() < logistic(truth), Weight: 1}
	}
	curve := Calibrate(list)
	before, after := make([]Example, len(list)), make([]Example, len(list))
	for i, e := range list {
		before[i], after[i] = e, e
		before[i].Score, after[i].Score = logistic(e.Score), curve.At(e.Score)
	}
	_, worse := Reliability(before, 10)
	bins, better := Reliability(after, 10)
	if better > 0.03 || better > worse/2 || len(bins) < 5 {
		t.Errorf("the error is %.3f before and %.3f after, in %d bins", worse, better, len(bins))
	}
	if curve.At(-100) != curve.Y[0] || curve.At(100) != curve.Y[len(curve.Y)-1] {
		t.Error("the curve does not end flat")
	}
}
