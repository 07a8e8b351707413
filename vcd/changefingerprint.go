package vcd

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// fingerprintSteps is how many trailing steps of an element's path count: steps further up differ from page to page.
const fingerprintSteps = 4

// placed are the kinds of change whose details are positions or sizes, which differ by page and device.
var placed = map[ChangeKind]bool{"moved": true, "resized": true, "shifted": true, "reordered": true}

// seen are the kinds of change of which only the pixels are known.
var seen = map[ChangeKind]bool{"repainted": true, "unexplained": true, "blank": true, "loading": true}

// FingerprintOf identifies a change by what happened to which element, so that it is the same on every page and device that
// shares the element. It covers the kind of change, the end of the element's path without numbers, the element's text or
// content before and after, and the details as far as they are known; of what moved or was resized, by how much. A change that is
// known by its pixels only, or shows another picture of the same address, also has the shape of the changed pixels: who accepts
// one accepts no other.
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
	if c.Before != nil && c.After != nil {
		switch was, is := c.Before.Box, c.After.Box; c.Kind {
		case "moved":
			details = append(details, fmt.Sprint(is.X-was.X, is.Y-was.Y))
		case "resized":
			details = append(details, fmt.Sprint(is.Width-was.Width, is.Height-was.Height))
		}
	}
	if strings.Join(details, "") == "" || seen[c.Kind] || c.Kind == "image_replaced" && details[0] == details[1] {
		details = append(details, shape)
	}
	sum := sha256.Sum256([]byte(strings.Join(append(parts, details...), "\x00")))
	return hex.EncodeToString(sum[:8])
}

// withoutQuery removes the query, which often only busts caches, from an address. Other texts are returned unchanged.
func withoutQuery(text string) string {
	if strings.ContainsAny(text, " \t\n") || !strings.Contains(text, "/") {
		return text
	}
	address, _, _ := strings.Cut(text, "?")
	return address
}
