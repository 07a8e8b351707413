package vcd

// Limits of verdicts on many comparisons at once.
const (
	DefaultVerdictLimit = 1000
)

// Narrows tells whether the filter leaves anything out.
func (f ComparisonFilter) Narrows() bool {
	f.Order, f.Ascending, f.OnlyThese = "", false, false
	return f != ComparisonFilter{}
}
