package trees

import (
	"cmp"
	"math"
	"slices"
)

// Example is a score with what was true.
type Example struct {
	Score  float64
	Yes    bool
	Weight float64
}

// Calibrate fits the two parameters of Platt, "Probabilistic outputs for support vector machines" (1999), and returns the
// curve at a few points: with few examples a logistic curve is steadier than a step function.
func Calibrate(examples []Example) Curve {
	a, b := 1.0, 0.0
	yes, no := 0.0, 0.0
	for _, e := range examples {
		if e.Yes {
			yes += e.Weight
		} else {
			no += e.Weight
		}
	}
	// Platt's targets keep away from 0 and 1.
	high, low := (yes+1)/(yes+2), 1/(no+2)
	for range 2000 {
		var ga, gb, haa, hbb float64
		for _, e := range examples {
			want := low
			if e.Yes {
				want = high
			}
			p := logistic(a*e.Score + b)
			d, h := e.Weight*(p-want), e.Weight/4 // the largest that the second derivative can be: steps never go too far
			ga, gb = ga+d*e.Score, gb+d
			haa, hbb = haa+h*e.Score*e.Score, hbb+h
		}
		a, b = a-ga/(2*haa+1e-6), b-gb/(2*hbb+1e-6)
	}
	var c Curve
	for x := -8.0; x <= 8; x += 0.5 {
		c.X, c.Y = append(c.X, x), append(c.Y, math.Round(logistic(a*x+b)*1e4)/1e4)
	}
	return c
}

// Bin is a group of examples of about the same predicted probability.
type Bin struct {
	Predicted, Observed float64 // means
	Weight              float64
}

// Reliability groups examples by their predicted probability into bins of equal width, and returns the expected
// calibration error: the mean of how far prediction and frequency are apart, weighted by the examples. The score of an
// example is its probability here.
func Reliability(examples []Example, bins int) (groups []Bin, expected float64) {
	sorted := slices.Clone(examples)
	slices.SortStableFunc(sorted, func(a, b Example) int { return cmp.Compare(a.Score, b.Score) })
	all := make([]Bin, bins)
	total := 0.0
	for _, e := range sorted {
		g := &all[min(bins-1, int(e.Score*float64(bins)))]
		g.Predicted += e.Score * e.Weight
		if e.Yes {
			g.Observed += e.Weight
		}
		g.Weight += e.Weight
		total += e.Weight
	}
	for _, g := range all {
		if g.Weight == 0 {
			continue
		}
		g.Predicted, g.Observed = g.Predicted/g.Weight, g.Observed/g.Weight
		expected += math.Abs(g.Predicted-g.Observed) * g.Weight / total
		groups = append(groups, g)
	}
	return groups, expected
}
