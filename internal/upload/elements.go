package upload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// Limits of the elements of a picture. Texts that are longer are cut, as a capture cuts them.
const (
	maxElements = 4000
	maxText     = 200 // bytes
	maxSelector = 500
)

// readElements reads the elements that a picture of the given size shows: a JSON array of page.Element in document order. They
// are decoded one by one, so that a small file cannot become a large list.
func readElements(file []byte, width, height int) (*page.Content, error) {
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if first, err := decoder.Token(); err != nil || first != json.Delim('[') {
		return nil, badElements("be a JSON array")
	}
	content := &page.Content{Elements: []page.Element{}}
	var text strings.Builder
	picture := image.Rect(0, 0, width, height)
	for n := 0; decoder.More(); n++ {
		if n == maxElements {
			return nil, badElements(fmt.Sprintf("have at most %d entries: send the first ones", maxElements))
		}
		e := page.Element{Parent: -1}
		if err := decoder.Decode(&e); err != nil {
			return nil, badElements(fmt.Sprintf("be a JSON array of elements; entry %d is not an element: %s", n, said(err)))
		}
		if err := settle(&e, n, picture); err != nil {
			return nil, err
		}
		if e.Text != "" && e.Source == "" { // the text of a picture is not shown
			text.WriteString(e.Text + "\n")
		}
		content.Elements = append(content.Elements, e)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, badElements("be a JSON array: its end is missing")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, badElements("be a single JSON array: there is more text after its end")
	}
	content.Text = strings.TrimSuffix(text.String(), "\n")
	return content, nil
}

// settle checks an element and cuts it to what a capture would have stored.
func settle(e *page.Element, n int, picture image.Rectangle) error {
	const most = 1 << 24 // pixels; far more than a picture has on a side, far less than what overflows
	b := e.Box
	if b.X < -most || b.X > most || b.Y < -most || b.Y > most || b.Width < 0 || b.Width > most || b.Height < 0 || b.Height > most {
		return badElements(fmt.Sprintf("have boxes in pixels of the picture; the box of entry %d is invalid", n))
	}
	box := b.Rect().Intersect(picture)
	switch {
	case box.Empty():
		return badElements(fmt.Sprintf("lie in the picture, which has %d × %d pixels; entry %d does not: leave it out",
			picture.Dx(), picture.Dy(), n))
	case e.Parent < -1 || e.Parent >= n:
		return badElements(fmt.Sprintf("have as parent the number of an earlier entry, or -1; the parent of entry %d is %d", n, e.Parent))
	case e.Tag == "":
		return badElements(fmt.Sprintf("have a tag; entry %d has none", n))
	}
	e.Number, e.Box, e.Tag = n, page.BoxOf(box), cut(strings.ToLower(e.Tag))
	e.Text, e.Classes = cut(page.CollapseSpace(e.Text)), cut(page.CollapseSpace(e.Classes))
	for _, text := range []*string{&e.Role, &e.Source, &e.Color, &e.Background, &e.Font} {
		*text = cut(*text)
	}
	if len(e.Selector) > maxSelector {
		e.Selector = ""
	}
	return nil
}

// cut shortens a text to maxText bytes.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "")
}

// said is what a decoder has to say to a client.
func said(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%q is a %s", kind.Field, kind.Value)
	}
	if unknown, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok && len(unknown) < maxText {
		return "it has an unknown field " + unknown
	}
	return "it is not valid JSON"
}

func badElements(what string) error {
	return vcd.Invalid("elements", "elements", "The {field} must "+what+".")
}
