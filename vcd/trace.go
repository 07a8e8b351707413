package vcd

// Traces are the changes of a page that hint at their cause: they link it to what was updated.
type Traces struct {
	Assets  []AssetChange `json:"assets,omitempty"`
	Regions []RegionMarks `json:"regions,omitempty"`
}

// AssetChange is a script or style whose address changed, or that was added or removed.
type AssetChange struct {
	Kind   string `json:"kind"`   // see page.Asset
	Before string `json:"before"` // empty when it was added
	After  string `json:"after"`  // empty when it was removed
}

// RegionMarks are the classes, ids and addresses, in lower case, that identify the elements of a changed region.
type RegionMarks struct {
	Region  int      `json:"region"`
	Marks   []string `json:"marks,omitempty"`   // classes, and ids with a # before them
	Sources []string `json:"sources,omitempty"` // addresses of the resources that the elements show
}

// TracedPage is a comparison with what hints at the cause of its changes.
type TracedPage struct {
	ComparisonID ID
	BatchID      ID
	Address      string
	Device       Device
	Changed      bool // above its threshold, or with a page-change alarm
	Traces       *Traces
	Console      []DifferentEntry // added entries
}
