// Package trees holds gradient-boosted decision trees for a yes or no, and their training: small, deterministic, without
// dependencies.
//
// The method is that of Friedman, "Greedy function approximation: a gradient boosting machine" (2001), with the second-order
// step and the regularised leaves of Chen and Guestrin, "XGBoost" (2016).
package trees

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Model is an ensemble of trees. Its JSON form is its stored form.
type Model struct {
	Features []string `json:"features"` // names of the inputs, in their order
	Base     float64  `json:"base"`     // log-odds without any tree
	Trees    []Tree   `json:"trees"`
	// Calibration maps log-odds to probabilities; empty for the logistic function.
	Calibration Curve `json:"calibration"`
}

// Tree is a binary tree, its root first. All fields have one entry for each node.
type Tree struct {
	Feature   []int     `json:"f"` // input that the node asks about; -1 for a leaf
	Threshold []float32 `json:"t"` // up to this value the left child counts
	Left      []int     `json:"l"` // the right child follows the left one
	Value     []float32 `json:"v"` // of a leaf: what it adds to the log-odds
}

// Curve is a monotone, piecewise linear function.
type Curve struct {
	X []float64 `json:"x"` // rising
	Y []float64 `json:"y"`
}

// Score returns the log-odds that the answer is yes. It does not allocate. The row has a value for each feature.
func (m *Model) Score(row []float32) float64 {
	score := m.Base
	for i := range m.Trees {
		t := &m.Trees[i]
		score += float64(t.Value[t.leaf(row)])
	}
	return score
}

func (t *Tree) leaf(row []float32) int {
	n := 0
	for t.Feature[n] >= 0 {
		if row[t.Feature[n]] <= t.Threshold[n] {
			n = t.Left[n]
		} else {
			n = t.Left[n] + 1
		}
	}
	return n
}

// Probability returns the calibrated probability of a yes.
func (m *Model) Probability(row []float32) float64 {
	score := m.Score(row)
	if len(m.Calibration.X) == 0 {
		return logistic(score)
	}
	return m.Calibration.At(score)
}

// Blame adds to each feature what it contributed to the score of a row: the value of a leaf is shared by the features on
// its path. The slice has an entry for each feature.
func (m *Model) Blame(row []float32, blame []float64) {
	for i := range m.Trees {
		t := &m.Trees[i]
		share := float64(t.Value[t.leaf(row)])
		steps := 0
		for n := 0; t.Feature[n] >= 0; n = t.next(n, row) {
			steps++
		}
		for n := 0; t.Feature[n] >= 0; n = t.next(n, row) {
			blame[t.Feature[n]] += share / float64(steps)
		}
	}
}

func (t *Tree) next(n int, row []float32) int {
	if row[t.Feature[n]] <= t.Threshold[n] {
		return t.Left[n]
	}
	return t.Left[n] + 1
}

// At returns the value of the curve; beyond its ends that of the end.
func (c *Curve) At(x float64) float64 {
	i, _ := slices.BinarySearch(c.X, x)
	switch {
	case i == 0:
		return c.Y[0]
	case i == len(c.X):
		return c.Y[len(c.Y)-1]
	}
	share := (x - c.X[i-1]) / (c.X[i] - c.X[i-1])
	return c.Y[i-1] + share*(c.Y[i]-c.Y[i-1])
}

// Check reports whether the model can be used with rows of these features: a stored one may be of another version.
func (m *Model) Check(features []string) error {
	if !slices.Equal(m.Features, features) {
		return errors.New("trees: the model was trained with other features: train it again")
	}
	if len(m.Calibration.X) != len(m.Calibration.Y) {
		return errors.New("trees: the calibration has unequal numbers of x and y")
	}
	for i := range m.Trees {
		t := &m.Trees[i]
		n := len(t.Feature)
		if n == 0 || len(t.Threshold) != n || len(t.Left) != n || len(t.Value) != n {
			return fmt.Errorf("trees: tree %d is incomplete", i)
		}
		for at, f := range t.Feature {
			if f >= len(features) || f >= 0 && (t.Left[at] <= at || t.Left[at]+1 >= n) {
				return fmt.Errorf("trees: node %d of tree %d leads nowhere", at, i)
			}
		}
	}
	return nil
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
