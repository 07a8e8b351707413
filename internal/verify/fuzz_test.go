package verify

import (
	"image"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"afterimage/internal/page"
)

// scribble makes a page that nobody would build: parents that come later, boxes outside of the picture, texts of all kinds.
func scribble(r *rand.Rand) Page {
	tags := strings.Fields("div p img iframe li ul table tr td a video canvas form nav h2 footer svg")
	roles := []string{"", "heading", "link", "navigation", "dialog", "progressbar", "img", "main"}
	texts := []string{"", "12 minutes ago", "$0.00", "$12.50", "NaN", "Fatal error: x", "We use cookies", "Latest posts", "Loading …",
		"Hello\x00\u202eworld", "Sponsored", strings.Repeat("long ", 90)}
	classes := []string{"", "swiper", "ad-slot", "skeleton", "x", "cookie-consent", "latest__item"}
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	p := Page{Width: r.IntN(1200), Height: r.IntN(3000), Status: []int{0, 200, 404}[r.IntN(3)], Text: pick(texts) + "\n" + pick(texts)}
	for range r.IntN(40) {
		x, y := r.IntN(1400)-100, r.IntN(3200)-100
		p.Elements = append(p.Elements, page.Element{
			Box: page.BoxOf(image.Rect(x, y, x+r.IntN(700), y+r.IntN(500))), Selector: []string{"", "#a", "html > body > p",
				"#b > div"}[r.IntN(4)], Tag: pick(tags), Role: pick(roles),
			Text: pick(texts), Parent: r.IntN(45) - 2, Classes: pick(classes), Source: []string{"", "/a.jpg", "/b.jpg?v=1"}[r.IntN(3)],
			Fixed: r.IntN(4) == 0,
			Color: []string{"", "#ffffff", "#000000", "red", "#zzzzzz"}[r.IntN(5)], Background: []string{"", "#ffffff",
				"#00000080"}[r.IntN(3)], Font: []string{"", "16px x"}[r.IntN(2)],
		})
	}
	if r.IntN(3) == 0 {
		p.FailedRequests = []page.FailedRequest{{URL: "https://example.com/a.jpg", Type: "Image"}, {URL: "", Type: "Stylesheet"}}
		p.Unstable = []page.Box{{Width: 90, Height: 90}}
	}
	return p
}

func scribbledRegions(r *rand.Rand, n int) []Region {
	regions := make([]Region, n)
	for i := range regions {
		x, y := r.IntN(1200), r.IntN(3000)
		surface := Surface{Known: r.IntN(2) == 0, Blank: r.IntN(2) == 0, Mean: [3]float64{r.Float64()}}
		regions[i] = Region{ID: i + 1, Box: image.Rect(x, y, x+r.IntN(400), y+r.IntN(300)), Pixels: r.IntN(9000), MeanDelta: r.Float64(),
			SSIM: r.Float64(), After: surface}
		if r.IntN(3) > 0 {
			regions[i].BeforeBox = regions[i].Box.Add(image.Pt(0, r.IntN(80)))
		}
	}
	return regions
}

func scribbledPair(r *rand.Rand) *Pair {
	p := &Pair{Before: scribble(r), After: scribble(r), Regions: scribbledRegions(r, r.IntN(8))}
	if r.IntN(2) == 0 {
		p.After = p.Before
	}
	if r.IntN(2) == 0 {
		p.Remaining = scribbledRegions(r, r.IntN(5))
	}
	for range r.IntN(4) {
		p.Bands = append(p.Bands, Band{
			Kind: []BandKind{BandInserted, BandDeleted, BandMoved, BandChanged, "other"}[r.IntN(5)], YBefore: r.IntN(3000),
			YAfter: r.IntN(3000),
			Rows:   r.IntN(300), X1: r.IntN(1200), Surface: Surface{Known: true, Blank: r.IntN(2) == 0},
		})
	}
	return p
}

// FuzzVerify: whatever a page and a comparison look like, each region has one verdict that says what and why, in one line, and
// the same pair gets the same answer.
func FuzzVerify(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := scribbledPair(rand.New(rand.NewPCG(seed, 7)))
		r := verified(t, p)
		if len(r.Verdicts) != len(p.Regions) || r.AllGood+r.NotSure+r.Alerts != len(p.Regions) || r.Summary == "" {
			t.Fatalf("%d regions have %+v", len(p.Regions), r)
		}
		for i, v := range r.Verdicts {
			if v.RegionID != p.Regions[i].ID || v.Description == "" || v.Reason == "" && v.Code != CodeUnknown ||
				v.Code == "" || v.Confidence <= 0 ||
				v.Confidence > 1 ||
				len(v.Findings) == 0 || len(v.Findings) > maxFindings || strings.ContainsAny(v.Description, "\n\x00\u202e") {
				t.Errorf("%+v", v)
			}
		}
		again := verified(t, p)
		for i := range r.Verdicts {
			a, b := r.Verdicts[i], again.Verdicts[i]
			a.Findings, b.Findings = nil, nil
			if !reflect.DeepEqual(a, b) {
				t.Errorf("first %+v, then %+v", a, b)
			}
		}
	})
}
