package vcd

// Facet is a number of comparisons with a value.
type Facet[T any] struct {
	Value T
	Count int
}

// ComparisonFacets count the comparisons of a filtered list by several criteria, most frequent first. Without a value are
// comparisons that nothing was judged in (CategoryNone), and those whose group belongs to no website ("").
type ComparisonFacets struct {
	Total      int
	Statuses   []Facet[ComparisonStatus]
	Devices    []Facet[Device]
	Categories []Facet[Category]
	Groups     []Facet[ID]
	Websites   []Facet[ID]
}

// CategoryNone stands for a comparison without verdicts.
const CategoryNone Category = "none"
