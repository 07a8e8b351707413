// Package wording knows what texts of pages say: dates, times, counters and amounts in several languages, messages of errors, names
// that tell why a part varies on its own, and what differs between two texts. It also words texts for people. It knows nothing of
// elements and pictures.
package wording
