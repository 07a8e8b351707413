package review

import (
	"strconv"

	"afterimage/internal/gallery"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// wholeRows is the height up to which browsers are given a picture as a whole: to decode it costs them less than requests for
// its strips.
const wholeRows = 4096

// pageData is what the script of a public page finds in it, as JSON. The names are those of web/viewer/types.ts.
type pageData struct {
	Comparison *shownComparison `json:"comparison,omitempty"`
	Crops      map[string]crop  `json:"crops,omitempty"` // by the id of the element that shows it
	Guest      *guestData       `json:"guest,omitempty"` // for visitors who may review
}

// shownComparison is a comparison as the viewer takes it.
type shownComparison struct {
	Before      *picture `json:"before"`
	After       *picture `json:"after"`
	Mask        *picture `json:"mask"`
	Bands       []band   `json:"bands"`
	Changes     []change `json:"changes"`
	Notes       []note   `json:"notes"`
	TakenBefore string   `json:"takenBefore"`
	TakenAfter  string   `json:"takenAfter"`
}

// picture is a picture's size and addresses: of the whole, or of its strips when it is tall.
type picture struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	URL    string  `json:"url,omitempty"`
	Strips *strips `json:"strips,omitempty"`
	// Whole is the address of the whole picture, for those without scripts.
	Whole string `json:"-"`
}

type strips struct {
	Rows    int    `json:"rows"`
	Address string `json:"address"` // with {n} for the number
}

type band struct {
	Kind    vcd.BandKind `json:"kind"`
	YBefore int          `json:"yBefore"`
	YAfter  int          `json:"yAfter"`
	Rows    int          `json:"rows"`
	X0      int          `json:"x0"`
	X1      int          `json:"x1"`
}

type box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// change is a change of the page in words, with where it is in each picture.
type change struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Reason  string `json:"reason,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Before  *box   `json:"before,omitempty"`
	After   *box   `json:"after,omitempty"`
}

// note is a remark on all of a comparison; its tone is alert or plain.
type note struct {
	Tone string `json:"tone"`
	Text string `json:"text"`
}

// crop is a part of a picture.
type crop struct {
	Picture *picture `json:"picture"`
	Box     *box     `json:"box"`
	Label   string   `json:"label"`
}

// screenshotOf is a picture of the page; nil when there is none.
func screenshotOf(s vcd.ScreenshotRef, link, part string) *picture {
	if s.Image == nil {
		return nil
	}
	return pictureOf(s.Image.Width, s.Image.Height, link, part)
}

func pictureOf(width, height int, link, part string) *picture {
	p := &picture{Width: width, Height: height, Whole: address(link, part+".png")}
	if height <= wholeRows {
		p.URL = p.Whole
		return p
	}
	p.Strips = &strips{Rows: gallery.StripRows, Address: address(link, part+"_strip-{n}.png")}
	return p
}

func bandsOf(bands []vcd.Band) []band {
	list := make([]band, len(bands))
	for i, b := range bands {
		list[i] = band{Kind: b.Kind, YBefore: b.YBefore, YAfter: b.YAfter, Rows: b.Rows, X0: b.X0, X1: b.X1}
	}
	return list
}

// changesOf are the changes that were judged, and the changed regions that none of them explains.
func changesOf(t *words, c *vcd.Comparison) []change {
	list := []change{}
	explained := map[int]bool{}
	if judged(c) {
		for i, f := range c.Verification.Judged() {
			list = append(list, change{
				ID: "f" + strconv.Itoa(i), Title: headlineOf(f.Description, f.FoundChange), Reason: f.Reason,
				Verdict: verdictNames[f.Category], Before: boxOf(f.BoxBefore), After: boxOf(f.BoxAfter),
			})
			for _, region := range f.Regions {
				explained[region] = true
			}
		}
	}
	for _, r := range c.Difference.Regions {
		if explained[r.ID] {
			continue
		}
		inAfter := r.Box()
		list = append(list, change{
			ID: "r" + strconv.Itoa(r.ID), Title: t.Area(r.Width, r.Height),
			Before: boxOf(r.Before), After: boxOf(&inAfter),
		})
	}
	return list
}

func boxOf(b *page.Box) *box {
	if b == nil {
		return nil
	}
	return &box{X: b.X, Y: b.Y, Width: b.Width, Height: b.Height}
}

// verdictNames are the viewer's names of verdicts.
var verdictNames = map[vcd.Category]string{
	vcd.CategoryAllGood: "good", vcd.CategoryNotSure: "unsure", vcd.CategoryAlert: "alert",
}
