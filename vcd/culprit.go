package vcd

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
