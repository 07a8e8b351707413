// Package page describes what one visit of a web page saw (the [Visit], with its [Content], [Manifest] and console) and how two
// visits differ ([Compare], [CompareConsoles], [SameElement]). Package capture fills it in; packages vcd and verify read it.
//
// Manifests, contents and changes are stored as JSON: a field keeps its name and its meaning.
package page

import "strings"

// Visit is what one visit of a page saw besides its pixels.
type Visit struct {
	Status   int    // HTTP status of the document, 0 when unknown
	FinalURL string // after all redirects, including those made by the page
	Title    string
	Console  []ConsoleEntry
	Manifest Manifest // zero when unknown
	Content  *Content // nil when unknown
}

// FullConsole returns the visit's console together with the failed requests that have no entry there.
func (v *Visit) FullConsole() []ConsoleEntry {
	told := make(map[string]bool)
	for _, e := range v.Console {
		if strings.HasPrefix(e.Text, FailedLoadPrefix) {
			told[e.URL] = true
		}
	}
	entries := v.Console[:len(v.Console):len(v.Console)]
	for _, f := range v.Manifest.FailedRequests {
		if !told[f.URL] {
			entries = append(entries, ConsoleEntry{Text: f.sentence(), Type: ConsoleError, URL: f.URL})
		}
	}
	return entries
}
