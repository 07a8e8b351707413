package main

import (
	"slices"
	"time"
)

// sample is one measurement.
type sample struct {
	took    time.Duration
	cpu     time.Duration // processor time, 0 where it is not known
	changed *int          // nil where the contender does not tell
	peak    int64         // bytes, of cold commands
	err     error
}

// cell is what one contender did on one pair.
type cell struct {
	Contender string    `json:"contender"`
	Median    float64   `json:"median_ms,omitempty"`
	Ratio     float64   `json:"ratio,omitempty"` // median of the rounds' time over ours in the same round
	CPU       float64   `json:"median_cpu_ms,omitempty"`
	Samples   []float64 `json:"samples_ms,omitempty"`
	Changed   *int      `json:"changed,omitempty"`
	Peak      int64     `json:"peak_bytes,omitempty"`
	Error     string    `json:"error,omitempty"`
}

// row is one pair with every contender.
type row struct {
	pair
	Cells []cell `json:"cells"`
}

// slow is when a contender is spared further rounds after the second.
const slow = time.Second

// refusal is shown for pairs that a contender does not compare.
const refusal = "refuses unequal sizes"

// measure runs all contenders on a pair, round by round in changing order, so
// that whatever else the machine does falls on all alike. The first round is
// discarded when warm.
func measure(p pair, contenders []contender, rounds int, warm bool, run func(i int) sample) row {
	samples := make([][]sample, len(contenders))
	failed := make([]string, len(contenders))
	for round := range rounds {
		for k := range contenders {
			i := (k + round) % len(contenders)
			if c := contenders[i]; c.OneSize && !p.equal {
				failed[i] = refusal
			}
			if failed[i] != "" || round >= 2 && samples[i][0].took > slow {
				samples[i] = append(samples[i], sample{})
				continue
			}
			s := run(i)
			if s.err != nil {
				failed[i] = s.err.Error()
			}
			samples[i] = append(samples[i], s)
		}
	}
	if warm {
		for i := range samples {
			samples[i] = samples[i][1:]
		}
	}
	r := row{pair: p}
	base := 0
	for i, c := range contenders {
		if c.Ours {
			base = i
		}
		r.Cells = append(r.Cells, newCell(c, samples[i], samples[base], failed[i]))
	}
	return r
}

// newCell reduces the samples of one contender, paired with ours.
func newCell(c contender, samples, ours []sample, failed string) cell {
	if failed != "" {
		return cell{Contender: c.Name, Error: failed}
	}
	out := cell{Contender: c.Name, Changed: samples[0].changed}
	var ratios, cpu []float64
	for i, s := range samples {
		if s.took == 0 {
			continue
		}
		out.Samples = append(out.Samples, milliseconds(s.took))
		cpu = append(cpu, milliseconds(s.cpu))
		if ours[i].took > 0 {
			ratios = append(ratios, float64(s.took)/float64(ours[i].took))
		}
		out.Peak = max(out.Peak, s.peak)
	}
	out.Median, out.Ratio, out.CPU = median(out.Samples), median(ratios), median(cpu)
	return out
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// median is the middle value, or the mean of the two in the middle.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
