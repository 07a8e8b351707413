package verify

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"afterimage/imgdiff"
	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// attribute finds for the pixels of each element that differ what they are due to, and lists what is due to nothing else.
func (s *inspection) attribute() {
	of := make(map[int][]int) // own changes by after element
	for i := range s.own {
		if f := &s.own[i]; f.tree == s.AfterTree {
			of[f.at] = append(of[f.at], i)
		}
		for _, part := range s.own[i].inline {
			if part.tree == s.AfterTree {
				of[part.at] = append(of[part.at], i)
			}
		}
	}
	// What lies on a background picture shows it too.
	slices.SortStableFunc(s.remnants, func(a, b remnant) int { return s.pictureFirst(&a) - s.pictureFirst(&b) })
	for i := range s.remnants {
		r := &s.remnants[i]
		if cause := s.causeOfPixels(r, of); cause >= 0 {
			s.seen[cause] += r.pixels
			continue
		}
		if s.followsLayout(r) || s.redrawn(r) {
			continue
		}
		s.ownPixels(r)
		of[r.at] = append(of[r.at], len(s.own)-1)
	}
}

// pictureFirst is 0 for an element whose background picture looks different, 1 for others.
func (s *inspection) pictureFirst(r *remnant) int {
	if s.otherBackground(r) != "" {
		return 0
	}
	return 1
}

// otherBackground is the address of the background picture of an element that shows something else under the same address: a tenth of the
// element looks different, and it has no words of its own; "" for none.
func (s *inspection) otherBackground(r *remnant) string {
	b := s.ToBefore[r.at]
	if b < 0 || r.pixels < imgdiff.SpeckPixels || s.AfterTree.Element(r.at).Text != "" || 10*r.pixels < dom.Area(s.painted(r.at)) {
		return ""
	}
	is := s.AfterTree.Element(r.at).StyleIn(s.AfterTree.Styles)["background-image"]
	if was := s.BeforeTree.Element(b).StyleIn(s.BeforeTree.Styles)["background-image"]; was != is {
		return ""
	}
	_, address, found := strings.Cut(is, `url("`)
	if !found {
		return ""
	}
	address, _, _ = strings.Cut(address, `"`)
	return address
}

// causeOfPixels is the change that makes the pixels of an element differ; -1 for none.
func (s *inspection) causeOfPixels(r *remnant, of map[int][]int) int {
	a := r.at
	if len(of[a]) > 0 {
		return of[a][0]
	}
	if s.styles.Origin[a] >= 0 && len(of[s.styles.Origin[a]]) > 0 {
		return s.styleOf(of[s.styles.Origin[a]])
	}
	if s.AfterTree.Parent(a) < 0 { // the background of the body is that of the whole picture
		for _, child := range s.AfterTree.Children[a] {
			for _, i := range of[child] {
				if s.AfterTree.Element(child).Tag == "body" && len(s.own[i].styles) > 0 {
					return i
				}
			}
		}
	}
	if s.ToBefore[a] < 0 { // a part of what came
		for up := a; up >= 0; up = s.AfterTree.Parent(up) {
			s.Steps.Take(1)
			if list := of[up]; len(list) > 0 && s.own[list[0]].Change == Appeared {
				return list[0]
			}
		}
		return s.textAround(a, of)
	}
	if cause := s.placedAround(a); cause >= 0 {
		return cause
	}
	if cause := s.effectAround(r, of); cause >= 0 {
		return cause
	}
	if cause := s.shadowUpon(r); cause >= 0 {
		return cause
	}
	if cause := s.uncovered(r); cause >= 0 {
		return cause
	}
	return s.behindPicture(r, of)
}

// textAround is the change by which the texts around an element have another size or font.
func (s *inspection) textAround(a int, of map[int][]int) int {
	for up := s.AfterTree.Parent(a); up >= 0; up = s.AfterTree.Parent(up) {
		s.Steps.Take(1)
		for _, i := range of[up] {
			if slices.ContainsFunc(s.own[i].styles, css.Change.OfText) {
				return i
			}
		}
	}
	return unknownCause
}

// shadowUpon is the change of an element elsewhere whose shadow falls on this one.
func (s *inspection) shadowUpon(r *remnant) int {
	s.Steps.Take(len(s.own))
	for i := range s.own {
		f := &s.own[i]
		// A shadow falls on what is beside an element and around it, and on what is in it as far as it hangs over.
		if !f.ofStyle() || s.ToBefore[f.at] < 0 || !f.casts() || s.AfterTree.Within(r.at, f.at) && !s.hangsOver(r, f.at) {
			continue
		}
		cast := max(dom.CastOf(s.AfterTree, f.at), dom.CastOf(s.BeforeTree, s.ToBefore[f.at]))
		if cast > 0 && r.box.In(s.AfterTree.Box(f.at).Inset(-cast-dom.GlyphReach)) {
			return i
		}
	}
	return unknownCause
}

// casts reports whether a change of style is one of what an element draws beyond its box.
func (f *Finding) casts() bool {
	return slices.ContainsFunc(f.styles, func(c css.Change) bool {
		switch css.Bare(c.Property) {
		case "box-shadow", "text-shadow", "outline-width", "outline-color", "filter", "border-radius":
			return true
		}
		return c.Is(css.OfEffect | css.OfLayout)
	})
}

// behindPicture is the change of a background that shines through a picture.
func (s *inspection) behindPicture(r *remnant, of map[int][]int) int {
	if !dom.ShowsPixels(s.AfterTree.Element(r.at).Tag) {
		return unknownCause
	}
	for up := s.AfterTree.Parent(r.at); up >= 0; up = s.AfterTree.Parent(up) {
		s.Steps.Take(1 + r.box.Dy()/8)
		for _, i := range of[up] {
			for _, c := range s.own[i].styles {
				was, wasKnown := rgbOf(c.Before)
				is, isKnown := rgbOf(c.After)
				if c.Property != "background-color" || !wasKnown || !isKnown {
					continue
				}
				for _, by := range displacements(s.moved[r.at]) {
					if s.Pixels.Behind(s.rest, r.box, by, was, is) {
						return i
					}
				}
			}
		}
		if s.opaque(up) && len(of[up]) == 0 {
			break
		}
	}
	return unknownCause
}

// rgbOf reads an opaque colour.
func rgbOf(value string) (rgb [3]uint8, known bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(value, "#"), 16, 24)
	if err != nil || len(value) != len("#rrggbb") {
		return rgb, false
	}
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
}

func (s *inspection) styleOf(list []int) int {
	for _, i := range list {
		if s.own[i].Change == StyleChanged || s.own[i].Change == Moved {
			return i
		}
	}
	return list[0]
}

// effectAround is the change of style of an element around this one that makes all within it look different, or shows through it.
func (s *inspection) effectAround(r *remnant, of map[int][]int) int {
	a := r.at
	opaque := s.opaque(a)
	for up := s.AfterTree.Parent(a); up >= 0; up = s.AfterTree.Parent(up) {
		s.Steps.Take(1)
		for _, i := range of[up] {
			for _, c := range s.own[i].styles {
				if s.reachesInto(r, up, c) {
					return i
				}
				shines := !opaque && (css.Bare(c.Property) == "background-color" || css.Bare(c.Property) == "background-image" ||
					css.Bare(c.Property) == "border-radius" || css.Bare(c.Property) == "box" || c.Property != css.Bare(c.Property))
				if c.Is(css.OfEffect) || shines {
					return i
				}
			}
			if s.own[i].Change == ImageReplaced {
				return i
			}
		}
		opaque = opaque || s.opaque(up)
	}
	return unknownCause
}

// reachesInto reports whether a change of an element around the pixels shows within it, whatever covers it: a line under its words, other
// corners, a shadow behind round ones, a border along them.
func (s *inspection) reachesInto(r *remnant, around int, c css.Change) bool {
	switch css.Bare(c.Property) {
	case "text-decoration-line":
		return true
	case "border-radius":
		return s.inCorners(r, around, c.Before, c.After)
	case "box-shadow", "border-width", "border-color", "border-style":
		return s.inCorners(r, around, s.AfterTree.Element(around).StyleIn(s.AfterTree.Styles)["border-radius"])
	}
	return false
}

// inCorners reports whether all pixels of a remnant lie at the corners of an element around it, as far as they are round.
func (s *inspection) inCorners(r *remnant, around int, radii ...string) bool {
	radius := 0.0
	for _, value := range radii {
		for word := range strings.FieldsSeq(value) {
			radius = max(radius, css.Pixels(word))
		}
	}
	n := int(math.Ceil(radius)) + 1
	box := s.painted(around).Inset(-1)
	s.Steps.Take(1 + r.box.Dy()/8)
	left := r.pixels // others that differ in the box are those of elements upon it
	for _, corner := range []image.Point{box.Min, {box.Max.X - n, box.Min.Y}, {box.Min.X, box.Max.Y - n}, box.Max.Sub(image.Pt(n, n))} {
		left -= s.rest.CountIn(image.Rectangle{Min: corner, Max: corner.Add(image.Pt(n, n))}.Intersect(r.box))
	}
	return left <= 0 && n <= min(box.Dx(), box.Dy())/2
}

// opaque reports whether nothing of what is behind an element shows through it.
func (s *inspection) opaque(a int) bool {
	e := s.AfterTree.Element(a)
	covers := dom.ShowsPixels(e.Tag) && e.Tag != "svg" || len(e.Background) == len("#rrggbb")
	return covers && e.StyleIn(s.AfterTree.Styles)["opacity"] == ""
}

// followsLayout reports whether an element looks different because it is of another size or stands elsewhere as a consequence of
// another change: its text has other lines, its picture another scale, its background other edges.
func (s *inspection) followsLayout(r *remnant) bool {
	a := r.at
	if b := s.ToBefore[a]; b < 0 {
		return false
	}
	cause := unknownCause
	if s.grown[a].Beyond(0.01) {
		cause = s.sizedBy[a]
	}
	parent := s.AfterTree.Parent(a)
	turned := parent >= 0 && s.moved[a].Minus(s.moved[parent]).Beyond(0.01) || s.fractional(a) || s.movedOnPicture(a)
	e := s.AfterTree.Element(a)
	if cause < 0 && turned && (!dom.ShowsPixels(e.Tag) || s.resampled(a)) {
		cause = s.movedBy[a]
	}
	switch {
	case cause < 0:
		return false
	case s.grown[a].Beyond(0.01) && len(s.AfterTree.Children[a]) > 0 && e.Text == "" && !s.patterned(a):
		// Only its edges moved.
		outside := s.restOutside(r, s.carried(s.ToBefore[a], a), s.AfterTree.Box(a))
		if outside > 0 {
			return false
		}
	}
	s.seen[cause] += r.pixels
	return true
}

// redrawn reports whether no more than a few pixels differ of a picture that moved, on its edges: browsers draw a picture in tiles, whose
// bounds are elsewhere in it then.
func (s *inspection) redrawn(r *remnant) bool {
	cause := s.movedBy[r.at]
	if cause < 0 || r.pixels >= imgdiff.SpeckPixels || !dom.ShowsPixels(s.AfterTree.Element(r.at).Tag) || !s.moved[r.at].Beyond(0.01) {
		return false
	}
	s.Steps.Take(1 + r.box.Dy()/8)
	for _, by := range displacements(s.moved[r.at]) {
		if s.Pixels.Redrawn(s.rest, r.box, by) {
			s.seen[cause] += r.pixels
			return true
		}
	}
	return false
}

// movedOnPicture reports whether an element moved apart from the background picture behind it, with which the edges of its letters mix.
func (s *inspection) movedOnPicture(a int) bool {
	if s.opaque(a) {
		return false
	}
	for up := s.AfterTree.Parent(a); up >= 0; up = s.AfterTree.Parent(up) {
		s.Steps.Take(1)
		if s.pictured(up) {
			return s.ToBefore[up] >= 0 && s.moved[a].Minus(s.moved[up]).Beyond(0.01)
		}
		if s.opaque(up) {
			return false
		}
	}
	return false
}

// hangsOver reports whether pixels lie outside of an element that theirs is in.
func (s *inspection) hangsOver(r *remnant, around int) bool {
	s.Steps.Take(1 + r.box.Dy()/8)
	return s.rest.CountIn(r.box.Intersect(s.painted(around))) == 0
}

// resampled reports whether a picture may be drawn with other pixels because it moved: its edges are rounded to whole pixels, so that
// one whose size is not whole may cover one more or less.
func (s *inspection) resampled(a int) bool {
	at := s.AfterTree.Element(a).Place()
	return s.fractional(a) && (at.Width != math.Trunc(at.Width) || at.Height != math.Trunc(at.Height))
}

// patterned reports whether an element has a background that depends on its size.
func (s *inspection) patterned(a int) bool {
	return s.AfterTree.Element(a).StyleIn(s.AfterTree.Styles)["background-image"] != "" || decorated(s.AfterTree, a)
}

// restOutside counts the pixels of a remnant that do not lie along the edges of two boxes.
func (s *inspection) restOutside(r *remnant, was, is image.Rectangle) int {
	all := s.rest.CountIn(r.box)
	s.Steps.Take(r.box.Dy() / 32)
	for _, strip := range strips(was, is) {
		all -= s.rest.CountIn(strip.Intersect(r.box))
	}
	return all
}

// fractional reports whether an element moved by a fraction of a pixel, so that its letters are drawn anew.
func (l *layout) fractional(a int) bool {
	for _, n := range []float64{l.moved[a].X, l.moved[a].Y} {
		if off := n - float64(int(n)); off > 0.01 || off < -0.01 {
			return true
		}
	}
	return false
}

// ownPixels lists pixels that differ although nothing that is known explains it.
func (s *inspection) ownPixels(r *remnant) {
	a, b := r.at, s.ToBefore[r.at]
	e := s.AfterTree.Element(a)
	f := Finding{
		Element: e, Box: r.box, Change: Repainted, Confidence: 0.4, tree: s.AfterTree, at: a, pixels: r.pixels,
		Shape: s.rest.FingerprintIn(r.box).String(),
	}
	if b >= 0 {
		f.elementBefore = s.BeforeTree.Element(b)
	}
	background := s.otherBackground(r)
	switch {
	case background != "":
		f.Change, f.Before, f.After, f.Confidence = ImageReplaced, background, background, 0.7
		f.Description = fmt.Sprintf("The background picture %s of %s shows different content.",
			wording.FileName(background), s.AfterTree.Name(a))
	case b >= 0 && dom.ShowsPixels(e.Tag) && r.pixels >= imgdiff.SpeckPixels:
		f.Change, f.Before, f.After, f.Confidence = ImageReplaced, e.Source, e.Source, 0.8
		f.Description = s.AfterTree.Name(a) + " shows different content."
		if s.nowBlank(a, b) {
			f.Change, f.Description = Blanked, s.AfterTree.Name(a)+" is now blank."
		}
	case f.holds():
		f.Change = Unexplained
		f.describePixels(true)
	case s.nowBlank(a, b):
		f.Change, f.Confidence, f.Description = Blanked, 0.8, s.AfterTree.Name(a)+" is now blank."
	default:
		f.Description = fmt.Sprintf("%s looks different: %s.", s.AfterTree.Name(a),
			wording.Counted(r.pixels, "pixel differs", "pixels differ"))
	}
	s.own, s.seen = append(s.own, f), append(s.seen, r.pixels)
}

// nowBlank reports whether an element painted something and paints nothing now.
func (s *inspection) nowBlank(a, b int) bool {
	if b < 0 {
		return false
	}
	s.Steps.Take(s.AfterTree.Box(a).Dy())
	return s.Pixels.Even(imgdiff.After, s.AfterTree.Box(a)) && !s.Pixels.Even(imgdiff.Before, s.BeforeTree.Box(b))
}

// consequence is what follows from a change.
type consequence struct {
	moved, resized int
	by             map[image.Point]int // by how many elements moved how far
}

// consequences counts for each change what moved or has another size because of it, among what people can see.
func (s *inspection) consequences() []consequence {
	counts := make([]consequence, len(s.own))
	own := make(map[int]bool)
	for i := range s.own {
		own[s.own[i].at] = own[s.own[i].at] || s.own[i].tree == s.AfterTree
	}
	for a := range s.AfterTree.Content {
		e := s.AfterTree.Element(a)
		if s.ToBefore[a] < 0 || e.Text == "" && e.Source == "" && !dom.IsControl(e.Role) || own[a] {
			continue
		}
		if cause := s.movedBy[a]; cause >= 0 && s.moved[a].Beyond(0.5) {
			c := &counts[cause]
			if c.by == nil {
				c.by = make(map[image.Point]int)
			}
			c.moved++
			c.by[image.Pt(int(roundHalf(s.moved[a].X)), int(roundHalf(s.moved[a].Y)))]++
		} else if cause := s.sizedBy[a]; cause >= 0 && s.grown[a].Beyond(0.5) {
			counts[cause].resized++
		}
	}
	return counts
}

func roundHalf(n float64) float64 {
	if n < 0 {
		return float64(int(n - 0.5))
	}
	return float64(int(n + 0.5))
}

// words says what follows from a change; "" for nothing.
func (c *consequence) words() string {
	var parts string
	if c.moved > 0 {
		parts = wording.Counted(c.moved, "element moved", "elements moved") + c.direction()
	}
	if c.resized > 0 {
		if parts != "" {
			parts += ", "
		}
		parts += wording.Counted(c.resized, "element changed its size", "elements changed their size")
	}
	return parts
}

// direction is where most of what moved went.
func (c *consequence) direction() string {
	var most image.Point
	for _, p := range slices.SortedFunc(maps.Keys(c.by), func(a, b image.Point) int { return a.Y - b.Y + (a.X-b.X)<<20 }) {
		if c.by[p] > c.by[most] {
			most = p
		}
	}
	about := ""
	if len(c.by) > 1 {
		about = "about "
	}
	switch {
	case most.X == 0 && most.Y > 0:
		return fmt.Sprintf(" down by %s%d px", about, most.Y)
	case most.X == 0 && most.Y < 0:
		return fmt.Sprintf(" up by %s%d px", about, -most.Y)
	case most.Y == 0 && most.X > 0:
		return fmt.Sprintf(" to the right by %s%d px", about, most.X)
	case most.Y == 0 && most.X < 0:
		return fmt.Sprintf(" to the left by %s%d px", about, -most.X)
	}
	return ""
}
