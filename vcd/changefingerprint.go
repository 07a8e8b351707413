package vcd

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// fingerprintSteps is how many steps of an element's path count: further up pages differ from each other.
const fingerprintSteps = 4

// placed are the changes whose details are places or sizes: these differ from page to page and from device to device.
var placed = map[ChangeKind]bool{"moved": true, "resized": true, "shifted": true, "reordered": true}

// FingerprintOf identifies a change by what happened to which element, so that it is the same on every page and device that
// shares the element: the kind of the change, the end of the element's path without numbers, and what it said or showed
// before and after, details given as far as they are known. Where nothing is known of the element, or nothing but its
// kind, shape decides: the fingerprint of the changed pixels, see ChangedRegion.
func FingerprintOf(c *FoundChange, before, after, shape string) string {
	parts := []string{string(c.Kind)}
	e := c.After
	if e == nil {
		e = c.Before
	}
	if e != nil {
		parts = append(parts, e.Tag, e.Role, e.PathEnd(fingerprintSteps))
	}
	details := []string{withoutQuery(before), withoutQuery(after)}
	if e != nil && (before == "" && after == "" || placed[c.Kind]) {
		details = []string{e.Text, withoutQuery(e.Source), e.Context}
	}
	if strings.Join(details, "") == "" {
		details = []string{shape}
	}
	sum := sha256.Sum256([]byte(strings.Join(append(parts, details...), "\x00")))
	return hex.EncodeToString(sum[:8])
}

// withoutQuery is an address without what is there to pass by caches. Other texts stay as they are.
func withoutQuery(text string) string {
	if strings.ContainsAny(text, " \t\n") || !strings.Contains(text, "/") {
		return text
	}
	address, _, _ := strings.Cut(text, "?")
	return address
}
