package trees

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Options of a training.
type Options struct {
	Trees     int
	Depth     int     // of a tree: 3 asks three questions in a row
	Rate      float64 // share of each step that is taken
	LeafRows  float64 // least weight of rows in a leaf
	Penalty   float64 // L2, on the value of a leaf
	Columns   float64 // share of the features that a tree may ask about
	Bins      int     // thresholds tried for each feature
	Seed      uint64  // which features each tree gets
	Positives float64 // weight of a row whose answer is yes, relative to the others
}

// Row is an example.
type Row struct {
	Values []float32
	Yes    bool
	Weight float64
}

// Train fits a model. The same rows and options give the same model. Time and memory grow with rows × features × trees.
func Train(features []string, rows []Row, o Options) *Model {
	t := &trainer{o: o, rows: rows, r: rand.New(rand.NewPCG(o.Seed, 1))} //nolint:gosec // reproducible
	t.cut(len(features))
	m := &Model{Features: features, Base: t.start()}
	for range o.Trees {
		t.differentiate()
		m.Trees = append(m.Trees, t.grow(t.columns(len(features))))
	}
	return m
}

// trainer is a training under way.
type trainer struct {
	o        Options
	rows     []Row
	r        *rand.Rand
	cuts     [][]float32 // by feature: the thresholds that are tried
	bins     [][]uint8   // by feature and row: how many thresholds are below its value
	score    []float64   // by row
	gradient []float64
	hessian  []float64
}

// cut chooses thresholds at quantiles.
func (t *trainer) cut(features int) {
	t.cuts, t.bins = make([][]float32, features), make([][]uint8, features)
	for f := range features {
		values := make([]float32, len(t.rows))
		for i := range t.rows {
			values[i] = t.rows[i].Values[f]
		}
		slices.Sort(values)
		distinct := slices.Compact(slices.Clone(values))
		if len(distinct) <= t.o.Bins {
			for i := 1; i < len(distinct); i++ {
				t.cuts[f] = append(t.cuts[f], (distinct[i-1]+distinct[i])/2)
			}
		} else {
			for b := 1; b < t.o.Bins; b++ {
				t.cuts[f] = append(t.cuts[f], values[b*len(values)/t.o.Bins])
			}
			t.cuts[f] = slices.Compact(t.cuts[f])
		}
		t.bins[f] = make([]uint8, len(t.rows))
		for i := range t.rows {
			for _, c := range t.cuts[f] {
				if t.rows[i].Values[f] > c {
					t.bins[f][i]++
				}
			}
		}
	}
}

func (t *trainer) weight(i int) float64 {
	if t.rows[i].Yes {
		return t.rows[i].Weight * t.o.Positives
	}
	return t.rows[i].Weight
}

// start is the log-odds of all rows together.
func (t *trainer) start() float64 {
	yes, all := 1e-9, 2e-9
	for i := range t.rows {
		all += t.weight(i)
		if t.rows[i].Yes {
			yes += t.weight(i)
		}
	}
	base := math.Log(yes / (all - yes))
	t.score = slices.Repeat([]float64{base}, len(t.rows))
	t.gradient, t.hessian = make([]float64, len(t.rows)), make([]float64, len(t.rows))
	return base
}

func (t *trainer) differentiate() {
	for i := range t.rows {
		p, want := logistic(t.score[i]), 0.0
		if t.rows[i].Yes {
			want = 1
		}
		t.gradient[i], t.hessian[i] = t.weight(i)*(p-want), t.weight(i)*p*(1-p)
	}
}

func (t *trainer) columns(features int) []int {
	chosen := t.r.Perm(features)[:max(1, int(t.o.Columns*float64(features)))]
	slices.Sort(chosen)
	return chosen
}

// grow makes a tree and adds its values to the scores.
func (t *trainer) grow(columns []int) Tree {
	var tree Tree
	node := func() int {
		tree.Feature, tree.Threshold = append(tree.Feature, -1), append(tree.Threshold, 0)
		tree.Left, tree.Value = append(tree.Left, 0), append(tree.Value, 0)
		return len(tree.Feature) - 1
	}
	all := make([]int, len(t.rows))
	for i := range all {
		all[i] = i
	}
	type task struct{ at, depth int }
	members := map[int][]int{node(): all}
	for queue := []task{{0, 0}}; len(queue) > 0; queue = queue[1:] {
		now := queue[0]
		inside := members[now.at]
		feature, bin := -1, 0
		if now.depth < t.o.Depth {
			feature, bin = t.split(inside, columns)
		}
		if feature < 0 {
			t.finish(&tree, now.at, inside)
			continue
		}
		left, right := node(), node()
		tree.Feature[now.at], tree.Threshold[now.at], tree.Left[now.at] = feature, t.cuts[feature][bin], left
		for _, i := range inside {
			child := right
			if int(t.bins[feature][i]) <= bin {
				child = left
			}
			members[child] = append(members[child], i)
		}
		queue = append(queue, task{left, now.depth + 1}, task{right, now.depth + 1})
	}
	return tree
}

// finish makes a node a leaf.
func (t *trainer) finish(tree *Tree, at int, inside []int) {
	g, h := 0.0, 0.0
	for _, i := range inside {
		g, h = g+t.gradient[i], h+t.hessian[i]
	}
	// Four digits are enough, and keep the stored form short.
	tree.Value[at] = float32(math.Round(-t.o.Rate*g/(h+t.o.Penalty)*1e4) / 1e4)
	for _, i := range inside {
		t.score[i] += float64(tree.Value[at])
	}
}

// split finds the question that gains most; feature -1 when none gains anything.
func (t *trainer) split(inside, columns []int) (feature, bin int) {
	feature, best := -1, 1e-6
	var total sum
	for _, i := range inside {
		total.add(t, i)
	}
	for _, f := range columns {
		histogram := make([]sum, len(t.cuts[f])+1)
		for _, i := range inside {
			histogram[t.bins[f][i]].add(t, i)
		}
		var left sum
		for b := range t.cuts[f] {
			left.g, left.h, left.w = left.g+histogram[b].g, left.h+histogram[b].h, left.w+histogram[b].w
			right := sum{total.g - left.g, total.h - left.h, total.w - left.w}
			if left.w < t.o.LeafRows || right.w < t.o.LeafRows {
				continue
			}
			if gain := left.gain(t.o.Penalty) + right.gain(t.o.Penalty) - total.gain(t.o.Penalty); gain > best {
				feature, bin, best = f, b, gain
			}
		}
	}
	return feature, bin
}

// sum adds up gradients, second derivatives and weights.
type sum struct{ g, h, w float64 }

func (s *sum) add(t *trainer, i int) {
	s.g, s.h, s.w = s.g+t.gradient[i], s.h+t.hessian[i], s.w+t.weight(i)
}

func (s sum) gain(penalty float64) float64 { return s.g * s.g / (s.h + penalty) }
