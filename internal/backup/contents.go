package backup

import (
	"context"
	"time"
)

// Contents say what the database of a backup consists of.
type Contents struct {
	Migrations []string   `json:"migrations"` // that were applied, in order
	Queue      int        `json:"queue"`      // version of the tables of the background queue
	Store      string     `json:"store"`      // mark of the image store; empty if it has none yet
	Tables     []Table    `json:"tables"`
	Sequences  []Sequence `json:"sequences"`
}

// Table is what a backup has of a table.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"` // in the order of the fields of a line
	Rows    int64    `json:"rows"`
	Parts   int      `json:"parts"` // into which the rows are divided
}

// Sequence is where a sequence stands.
type Sequence struct {
	Name string `json:"name"`
	Last int64  `json:"last"`
}

// Sink takes a part of a table: whole lines in the text format of COPY. Parts of a table come in order.
type Sink func(ctx context.Context, table string, lines []byte) error

// File is a file that the rows name, by the hash of its content.
type File struct {
	Hash string
	Size int64
}

// Manifest describes a backup.
type Manifest struct {
	ID       string    `json:"id"`
	Program  string    `json:"program"` // version that made it
	Moment   time.Time `json:"moment"`  // as of which the rows are
	Finished time.Time `json:"finished"`
	Contents Contents  `json:"contents"`
	Files    int64     `json:"files"`             // that the rows name
	Bytes    int64     `json:"bytes"`             // of these
	Lists    int       `json:"lists"`             // parts of the list of files
	Missing  []string  `json:"missing,omitempty"` // hashes of files that the installation itself did not have
}
