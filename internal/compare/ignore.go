package compare

import (
	"errors"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"afterimage/capture"
	"afterimage/internal/page"
)

// Limits of what is ignored.
const (
	maxIgnored  = 200
	maxSelector = 500 // bytes
)

// Ignore is what does not count: elements, which are hidden on both sides and keep their space, and boxes of the pictures.
type Ignore struct {
	Selectors []string
	Boxes     []IgnoredBox
}

// IgnoredBox is a part of every picture that does not count.
type IgnoredBox struct {
	Device capture.Device // "" for every device
	Box    page.Box
}

// boxForm is x,y,width,height in pixels, on one device or on every one.
var boxForm = regexp.MustCompile(`^(?:(desktop|mobile):)?(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})$`)

// Add adds a CSS selector or a box, x,y,width,height with or without "desktop:" or "mobile:" before it.
func (i *Ignore) Add(text string) error {
	text = strings.TrimSpace(text)
	if len(i.Selectors)+len(i.Boxes) == maxIgnored {
		return fmt.Errorf("there are more than %d; combine some of them, for example with a comma", maxIgnored)
	}
	if parts := boxForm.FindStringSubmatch(text); parts != nil {
		var n [4]int
		for k := range n {
			n[k], _ = strconv.Atoi(parts[2+k]) // digits, as the form says
		}
		if n[2] == 0 || n[3] == 0 {
			return fmt.Errorf("the box %q is empty; write x,y,width,height in pixels", text)
		}
		i.Boxes = append(i.Boxes, IgnoredBox{capture.Device(parts[1]), page.Box{X: n[0], Y: n[1], Width: n[2], Height: n[3]}})
		return nil
	}
	switch {
	case text == "":
		return errors.New("it is empty; write a CSS selector, or a box as x,y,width,height")
	case len(text) > maxSelector:
		return fmt.Errorf("the selector has %d bytes; at most %d are supported", len(text), maxSelector)
	case strings.ContainsAny(text, "{};\x00"):
		return fmt.Errorf("%q is neither a CSS selector nor a box x,y,width,height", text)
	}
	i.Selectors = append(i.Selectors, text)
	return nil
}

// misunderstood returns the first selector that the browser did not understand; "" for none.
func misunderstood(shot *capture.Shot) string {
	for _, h := range shot.Manifest.Hidden {
		if h.Elements < 0 {
			return h.Selector
		}
	}
	return ""
}

// hides reports whether a selector has elements on a page.
func hides(shot *capture.Shot) bool {
	return slices.ContainsFunc(shot.Manifest.Hidden, func(h page.Selected) bool { return h.Elements > 0 })
}

// Ignored is a selector of what does not count, and how many elements it had on all pages and both sides.
type Ignored struct {
	Selector string
	Elements int
}

// ignored counts the elements of each selector over all pairs.
func (r *run) ignored() []Ignored {
	found := make(map[string]int)
	for i := range r.pairs {
		for _, m := range []*page.Manifest{&r.pairs[i].Before.Manifest, &r.pairs[i].After.Manifest} {
			for _, h := range m.Hidden {
				found[h.Selector] += h.Elements
			}
		}
	}
	var all []Ignored
	for _, s := range r.options.Ignore.Selectors {
		all = append(all, Ignored{s, found[s]})
	}
	return all
}

// unused lists the selectors of the CSS for both sides that have no element on any page, in their order. Those that could not be counted on
// some page are not among them.
func (r *run) unused() []string {
	found, counted := make(map[string]int), make(map[string]int)
	var order []string
	captured := 0
	for i := range r.pairs {
		for _, m := range []*page.Manifest{&r.pairs[i].Before.Manifest, &r.pairs[i].After.Manifest} {
			if m.Engine == "" {
				continue // it could not be captured
			}
			captured++
			for _, s := range m.Styled {
				if counted[s.Selector]++; counted[s.Selector] == 1 {
					order = append(order, s.Selector)
				}
				found[s.Selector] += s.Elements
			}
		}
	}
	return slices.DeleteFunc(order, func(s string) bool { return found[s] > 0 || counted[s] < captured })
}

// unreached counts the pages that have parts in which selectors find nothing.
func (r *run) unreached() int {
	if len(r.options.Ignore.Selectors) == 0 {
		return 0
	}
	paths := make(map[string]bool)
	for i := range r.pairs {
		if p := &r.pairs[i]; p.Before.Manifest.ClosedTrees > 0 || p.After.Manifest.ClosedTrees > 0 {
			paths[p.Path] = true
		}
	}
	return len(paths)
}

// on lists the ignored boxes of a device.
func (i *Ignore) on(device capture.Device) []image.Rectangle {
	var boxes []image.Rectangle
	for _, b := range i.Boxes {
		if b.Device == "" || b.Device == device {
			boxes = append(boxes, b.Box.Rect())
		}
	}
	return boxes
}
