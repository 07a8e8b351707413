package noise

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"afterimage/internal/page"
)

// difference says which properties of an element differ between two visits.
type difference struct{ text, picture, size, style, presence bool }

func (d difference) any() bool { return d.text || d.picture || d.size || d.style || d.presence }

func (p *pairing) differ(b, a int) difference {
	was, is := &p.before.elements[b], &p.after.elements[a]
	return difference{
		text:    was.Text != is.Text,
		picture: was.Source != is.Source,
		style:   styleOf(was) != styleOf(is),
		size: off(was.Box.Width, is.Box.Width) || off(was.Box.Height, is.Box.Height) || off(was.Box.X, is.Box.X) ||
			off(p.before.top(b), p.after.top(a)),
	}
}

func off(a, b int) bool { return a-b > placeSlack || b-a > placeSlack }

func styleOf(e *page.Element) uint32 { return hash(e.Color, e.Background, e.Font) }

// lookOf is the style but for the size of the font.
func lookOf(e *page.Element) uint32 {
	_, face, _ := strings.Cut(e.Font, "px")
	return hash(e.Color, e.Background, face)
}

// fontSize is the size of an element's font in pixels; ok is false when it is not known.
func fontSize(e *page.Element) (size int, ok bool) {
	_, err := fmt.Sscanf(e.Font, "%dpx", &size)
	return size, err == nil && size > 0
}

// shapeOf is what the addresses of pictures of one kind have in common: the host, the folders without their numbers, and the
// ending.
func shapeOf(source string) uint32 {
	address, err := url.Parse(source)
	if err != nil {
		return hash(source)
	}
	if address.Scheme == "data" {
		kind, _, _ := strings.Cut(source, ",")
		return hash(kind)
	}
	return hash(address.Host, mask(path.Dir(address.Path)), path.Ext(address.Path))
}
