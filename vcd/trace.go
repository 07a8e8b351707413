package vcd

import "context"

// Traces are what changed of a page that tells where a change comes from: they lead to what was updated.
type Traces struct {
	Assets  []AssetChange `json:"assets,omitempty"`
	Regions []RegionMarks `json:"regions,omitempty"`
}

// AssetChange is a script or style that is loaded from another address, or is new, or is not loaded any more.
type AssetChange struct {
	Kind   string `json:"kind"`   // see page.Asset
	Before string `json:"before"` // empty when it is new
	After  string `json:"after"`  // empty when it is gone
}

// RegionMarks are the classes, ids and addresses by which the elements of a changed region can be told, in lower case.
type RegionMarks struct {
	Region  int      `json:"region"`
	Marks   []string `json:"marks,omitempty"`   // classes, and ids with a # before them
	Sources []string `json:"sources,omitempty"` // addresses of what the elements show
}

// TracedPage is a comparison with what tells where its changes come from.
type TracedPage struct {
	ComparisonID ID
	BatchID      ID
	Address      string
	Device       Device
	Changed      bool // above its threshold, or an alarm beside the pixels
	Traces       *Traces
	Console      []DifferentEntry // that were added
}

// TraceStore keeps what changed of pages that leads to what was updated. Comparisons are stored with theirs.
type TraceStore interface {
	// TracedPagesOfBatches reads the comparisons of each batch, at most so many: those that changed come first.
	TracedPagesOfBatches(ctx context.Context, batches []ID, most int) (map[ID][]*TracedPage, error)
	TracedPages(ctx context.Context, comparisons []ID) ([]*TracedPage, error)
	// UpdateResultsOf reads those of the batches that have some.
	UpdateResultsOf(ctx context.Context, batches []ID) (map[ID]*UpdateResults, error)
}
