package main

import (
	"math/rand/v2"
	"testing"

	"afterimage/internal/verify/trees"
)

// TestReliability: of probabilities that are right, the error is what chance gives; of those that are too sure, it is more.
func TestReliability(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	right, sure := make([][]trees.Example, 300), make([][]trees.Example, 300)
	for i := range right {
		p := 0.05 + 0.9*r.Float64()
		e := trees.Example{Score: p, Yes: r.Float64() < p, Weight: 1}
		right[i] = []trees.Example{e, e}
		if e.Score = 0.05; p > 0.5 {
			e.Score = 0.95
		}
		sure[i] = []trees.Example{e, e}
	}
	good, bad := reliabilityOf(right), reliabilityOf(sure)
	if good.expected > 2*good.floor || good.low > good.high || bad.expected < 2*bad.floor || bad.low < good.expected {
		t.Errorf("right: %+v, too sure: %+v", good, bad)
	}
}
