package view

import (
	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// URLImport shows an import of URLs.
type URLImport struct {
	*vcd.URLImport
}

// NewURLImport shows i.
func NewURLImport(i *vcd.URLImport) *URLImport { return &URLImport{i} }

// Kind is where the URLs come from.
func (i *URLImport) Kind() scalar.Word { return scalar.Word(i.URLImport.Kind) }

// State is how far the import is.
func (i *URLImport) State() scalar.Word { return scalar.Word(i.URLImport.State) }

// DeleteMissingUrls reports whether URLs that are missing are removed.
func (i *URLImport) DeleteMissingUrls() bool { return i.DeleteMissing }

// UrlsCount is how many URLs were read or collected.
func (i *URLImport) UrlsCount() int { return i.Found }

// AddedCount is how many of them were new.
func (i *URLImport) AddedCount() int { return i.Added }

// RenamedCount is how many of them had another address before.
func (i *URLImport) RenamedCount() int { return i.Renamed }

// RemovedCount is how many URLs were missing.
func (i *URLImport) RemovedCount() int { return i.Removed }
