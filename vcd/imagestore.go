package vcd

// MarkedStore describes the image store that belongs to the database.
type MarkedStore struct {
	Mark   string
	Placed bool     // the store has the mark: a folder without it is a different one
	Sample []string // hashes of some of the newest files, which the store must contain; filled in while it is not placed
}
