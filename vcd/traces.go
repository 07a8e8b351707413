package vcd

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
