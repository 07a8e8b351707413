package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"regexp"
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
		return fmt.Errorf("there are more than %d; join some of them, for example with a comma", maxIgnored)
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

// style hides the ignored elements; "" for none. Selectors are not joined: one that is wrong would take the others along.
func (i *Ignore) style() string {
	var css strings.Builder
	for _, s := range i.Selectors {
		fmt.Fprintf(&css, ":is(%s), :is(%s) * { visibility: hidden !important }\n", s, s)
	}
	return css.String()
}

// wrongSelector begins the entry of the console that names a selector which the browser does not understand.
const wrongSelector = "afterimage: no selector: "

// script makes the page say in its console which selectors the browser does not understand, because a style sheet passes over
// them in silence; "" for none.
func (i *Ignore) script() string {
	if len(i.Selectors) == 0 {
		return ""
	}
	list, err := json.Marshal(i.Selectors)
	if err != nil {
		return "" // unreachable: strings can be encoded
	}
	return fmt.Sprintf(`for (const s of %s) { try { document.createDocumentFragment().querySelector(s) } catch { console.error(%q + s) } }`,
		list, wrongSelector)
}

// misunderstood returns the first selector that the browser did not understand; "" for none.
func misunderstood(shot *capture.Shot) string {
	for _, entry := range shot.Console {
		if wrong, ok := strings.CutPrefix(entry.Text, wrongSelector); ok {
			return wrong
		}
	}
	return ""
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
