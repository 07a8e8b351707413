package compare

import (
	"fmt"
	"net/url"
	"strings"

	"afterimage/internal/page"
)

// A frame that is so large a part of the window leaves nothing of the page around it.
const (
	mostOfWidth  = 90 // percent
	mostOfHeight = 80
)

// framesFrom are the frames of a visit that show pages of a site.
func framesFrom(v *page.Visit, from Site) []*page.Element {
	if v.Content == nil {
		return nil
	}
	base, err := url.Parse(v.FinalURL)
	if err != nil {
		return nil
	}
	var frames []*page.Element
	for i := range v.Content.Elements {
		e := &v.Content.Elements[i]
		if e.Source == "" || e.Tag != "iframe" && e.Tag != "frame" && e.Tag != "object" && e.Tag != "embed" {
			continue
		}
		if u, err := base.Parse(e.Source); err == nil && strings.EqualFold(u.Host, from.host) {
			frames = append(frames, e)
		}
	}
	return frames
}

// framed says that the visit of one site shows the other site in a frame over the whole window, as forwarding with masked addresses does;
// "" if not.
func framed(v *page.Visit, asked string, from Site) string {
	window := v.Manifest.Viewport
	for _, e := range framesFrom(v, from) {
		if e.Box.Width*100 >= window.Width*mostOfWidth && e.Box.Height*100 >= window.Height*mostOfHeight {
			return fmt.Sprintf("%s shows %s in a frame over the whole page: it would be compared with itself.",
				asked, page.Ellipsis(e.Source, maxShownAddress))
		}
	}
	return ""
}

// borrowedFrames is a clause about the frames in which a page shows the other site.
func borrowedFrames(v *page.Visit, from Site) []string {
	frames := framesFrom(v, from)
	if len(frames) == 0 {
		return nil
	}
	what := "a frame"
	if len(frames) > 1 {
		what = fmt.Sprintf("%d frames", len(frames))
	}
	return []string{fmt.Sprintf("the page after shows %s with pages of %s", what, from.host)}
}
