package review_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"afterimage/internal/blob"
	"afterimage/internal/page"
	"afterimage/internal/review"
	"afterimage/vcd"
	use "afterimage/vcd/review"
)

// states are comparisons of every kind that the viewer shows, by token, with their pictures.
type states struct {
	review.Guests // nobody may review
	review.Logos  // there are none
	t             testing.TB
	files         *blob.Folder
	order         []string
	all           map[string]*vcd.Comparison
	images        map[string]*vcd.Image // by token and part
}

// noStates has room for comparisons.
func noStates(t testing.TB) *states {
	t.Helper()
	files, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &states{t: t, files: files, all: map[string]*vcd.Comparison{}, images: map[string]*vcd.Image{}}
}

func newStates(t testing.TB) *states {
	t.Helper()
	s := noStates(t)
	s.shifted("shifted", 1440, "Prices and plans")
	s.shifted("mobile", 390, "Prices and plans")
	s.shifted("rtl", 1440, "مرحبا بالعالم 👋🏽 <script>alert(1)</script>")
	s.inserted()
	s.deleted()
	s.moved()
	s.widths()
	s.blank()
	s.broken()
	s.many()
	s.tall("long", 20_000)
	s.tall("tall", 100_000)
	same := s.page(1440, 3, ink)
	s.put("same", "Nothing changed", same, same, nil)
	s.put("first", "The first visit", nil, same, nil)
	return s
}

func (s *states) page(width, sections int, title [3]byte) *sheet {
	p := &sheet{width: width}
	p.head()
	for i := range sections {
		p.section(i, title)
	}
	return p
}

// put stores a comparison; a nil page is a picture that is missing.
func (s *states) put(token, title string, before, after *sheet, mask []byte) *vcd.Comparison {
	s.t.Helper()
	taken := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	c := &vcd.Comparison{
		ID: vcd.ID(fmt.Sprintf("0198c0de-0000-7000-8000-%012d", len(s.order)+1)), Token: token, HTMLTitle: title,
		URLAddress: "https://www.example.com/prices", Device: vcd.Desktop, Status: vcd.ComparisonNew, Threshold: 0.1,
		Before: vcd.ScreenshotRef{CreatedAt: taken}, After: vcd.ScreenshotRef{CreatedAt: taken.Add(26 * time.Hour)},
	}
	c.Features.AIVerification = true
	for part, p := range map[vcd.PublicPart]*sheet{vcd.PublicBefore: before, vcd.PublicAfter: after} {
		if p == nil {
			continue
		}
		img := s.store(token, part, p.encode(s.t), p.width, p.height)
		if part == vcd.PublicBefore {
			c.Before.Image = img
		} else {
			c.After.Image = img
		}
		c.Difference.Width, c.Difference.Height = max(c.Difference.Width, p.width), max(c.Difference.Height, p.height)
	}
	if mask != nil {
		c.Image = s.store(token, vcd.PublicMask, mask, c.Difference.Width, c.Difference.Height)
		c.Image.Over = c.After.Image.Hash
	}
	if after != nil && after.width < 500 {
		c.Device = vcd.Mobile
	}
	s.order, s.all[token] = append(s.order, token), c
	return c
}

func (s *states) store(token string, part vcd.PublicPart, content []byte, width, height int) *vcd.Image {
	s.t.Helper()
	hash := blob.Hash(content)
	if err := s.files.Put(s.t.Context(), hash, content); err != nil {
		s.t.Fatal(err)
	}
	img := &vcd.Image{ID: vcd.ID(token), Hash: hash, Size: len(content), Width: width, Height: height}
	s.images[token+"/"+string(part)] = img
	return img
}

// judge adds changes with verdicts.
func judge(c *vcd.Comparison, summary string, findings ...vcd.Finding) {
	c.Verification = &vcd.Verification{Status: vcd.VerificationVerified, Summary: summary, Findings: findings}
	c.Difference.Percent, c.Difference.AlignedPercent, c.Measure = 41.7, 3.21, vcd.MeasureAligned
}

func finding(category vcd.Category, says, reason string, before, after *page.Box) vcd.Finding {
	change := vcd.FoundChange{Category: category, Fingerprint: fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(says)))}
	return vcd.Finding{FoundChange: change, Description: says, Reason: reason, BoxBefore: before, BoxAfter: after}
}

func at(x, y, w, h int) *page.Box { return &page.Box{X: x, Y: y, Width: w, Height: h} }

// shifted has a banner, changed words and a section less.
func (s *states) shifted(token string, width int, title string) {
	before, after := s.page(width, 6, ink), &sheet{width: width}
	after.head()
	after.gap(bannerRows, sun)
	for i := range 6 {
		switch i {
		case 1:
			after.section(i, accent)
		case 3: // gone
		default:
			after.section(i, ink)
		}
	}
	second, fourth := headRows+sectionRows, headRows+3*sectionRows
	heading := rect{width / 12, second + bannerRows + 10, width / 3, 24, ink}
	mask := maskOf(s.t, width, before.height, []rect{heading, {0, fourth + bannerRows, width, 4, ink}},
		[]rect{{0, headRows, width, bannerRows, ink}})
	c := s.put(token, title, before, after, mask)
	judge(c, "2 of 4 changes need attention.",
		finding(vcd.CategoryNotSure, "A banner of 64 rows is new below the title.", "Nothing says whether it is meant.", nil,
			at(0, headRows, width, bannerRows)),
		finding(vcd.CategoryAllGood, "The heading “Plans for teams” has another colour: #3c4250 → #2654b2.",
			"A change of style within the palette of the page.", at(width/12, second+10, width/3, 24),
			at(heading.x, heading.y, heading.w, heading.h)),
		finding(vcd.CategoryAlert, "The section “What customers say” is gone.", "Content that was there on every visit has vanished.",
			at(0, fourth, width, sectionRows), nil),
		finding(vcd.CategoryAllGood, "<b>The footer</b> & everything below moved up.", "It moved with its surroundings.", nil, nil))
	c.Difference.Bands = []vcd.Band{
		{Kind: vcd.BandInserted, YBefore: headRows, YAfter: headRows, Rows: bannerRows, X1: width},
		{Kind: vcd.BandDeleted, YBefore: fourth, YAfter: fourth + bannerRows, Rows: sectionRows, X1: width},
	}
	c.Truncated = token == "rtl"
}

func (s *states) inserted() {
	before, after := s.page(1440, 3, ink), &sheet{width: 1440}
	after.head()
	after.gap(300, sun)
	for i := range 3 {
		after.section(i, ink)
	}
	c := s.put("inserted", "Only inserted", before, after, maskOf(s.t, 1440, after.height, nil, []rect{{0, headRows, 1440, 300, ink}}))
	judge(c, "", finding(vcd.CategoryNotSure, "A banner is new.", "Nothing says whether it is meant.", nil, at(0, headRows, 1440, 300)))
	c.Difference.Bands = []vcd.Band{{Kind: vcd.BandInserted, YBefore: headRows, YAfter: headRows, Rows: 300, X1: 1440}}
}

func (s *states) deleted() {
	before, after := s.page(1440, 4, ink), &sheet{width: 1440}
	after.head()
	for _, i := range []int{0, 2, 3} {
		after.section(i, ink)
	}
	first := headRows + sectionRows
	c := s.put("deleted", "Only deleted", before, after, maskOf(s.t, 1440, before.height, []rect{{0, first, 1440, 4, ink}}, nil))
	gone := at(0, first, 1440, sectionRows)
	judge(c, "", finding(vcd.CategoryAlert, "The second section is gone.", "It was there on every visit.", gone, nil))
	c.Difference.Bands = []vcd.Band{{Kind: vcd.BandDeleted, YBefore: first, YAfter: first, Rows: sectionRows, X1: 1440}}
}

func (s *states) moved() {
	before, after := s.page(1440, 5, ink), &sheet{width: 1440}
	after.head()
	for _, i := range []int{1, 2, 3, 0, 4} {
		after.section(i, ink)
	}
	to := headRows + 3*sectionRows
	c := s.put("moved", "A section moved", before, after, nil)
	judge(c, "", finding(vcd.CategoryNotSure, "The first section moved below the fourth.", "Its order among its siblings changed.",
		at(0, headRows, 1440, sectionRows), at(0, to, 1440, sectionRows)))
	c.Difference.Bands = []vcd.Band{{Kind: vcd.BandMoved, YBefore: headRows, YAfter: to, Rows: sectionRows, X1: 1440}}
}

func (s *states) widths() {
	c := s.put("widths", "The widths differ", s.page(1440, 2, ink), s.page(1200, 2, ink), nil)
	c.Difference.Regions = []vcd.ChangedRegion{{ID: 1, X: 1200, Y: 0, Width: 240, Height: 1460, Before: at(1200, 0, 240, 1460)}}
}

func (s *states) blank() {
	white := &sheet{width: 1440, height: 900}
	c := s.put("blank", "Blank after", s.page(1440, 2, ink), white, nil)
	judge(c, "The page is now blank but was not before.")
	c.Verification.Issue = vcd.IssueAfterBlank
	c.Difference.Regions = []vcd.ChangedRegion{{ID: 1, X: 0, Y: 0, Width: 1440, Height: 900, Before: at(0, 0, 1440, 900)}}
}

// broken has a picture after that is none.
func (s *states) broken() {
	c := s.put("broken", "A picture that cannot be decoded", s.page(1440, 8, ink), s.page(1440, 8, accent), nil)
	s.store("broken", vcd.PublicAfter, []byte("this is no picture"), 1440, c.After.Image.Height)
}

// many has 200 changes, with the same verdicts by turns.
func (s *states) many() {
	before, after := s.page(1440, 12, ink), s.page(1440, 12, ink)
	var found []vcd.Finding
	for i := range 200 {
		x, y := 60+(i%4)*340, headRows+20+(i/4)*120
		after.add(x, y, 120, 30, accent)
		category := []vcd.Category{vcd.CategoryAlert, vcd.CategoryNotSure, vcd.CategoryAllGood}[i%3]
		says := fmt.Sprintf("Label %d has another colour.", i)
		found = append(found, finding(category, says, "Its style changed.", at(x, y, 120, 30), at(x, y, 120, 30)))
	}
	judge(s.put("many", "Two hundred changes", before, after, nil), "200 changes.", found...)
}

// tall has an inserted banner near its top and changes down to its last rows.
func (s *states) tall(token string, height int) {
	sections := (height - headRows - bannerRows) / sectionRows
	before, after := &sheet{width: 1440}, &sheet{width: 1440}
	before.head()
	after.head()
	after.gap(bannerRows, sun)
	var found []vcd.Finding
	var changed []rect
	for i := range sections {
		title := ink
		if i%8 == 7 || i == sections-1 {
			title = accent
			y := after.height + 10
			changed = append(changed, rect{120, y, 480, 24, ink})
			found = append(found, finding(vcd.CategoryNotSure, fmt.Sprintf("Heading %d has another colour.", i+1), "Its style changed.",
				at(120, before.height+10, 480, 24), at(120, y, 480, 24)))
		}
		before.section(i, ink)
		after.section(i, title)
	}
	before.gap(height-bannerRows-before.height, pale)
	after.gap(height-after.height, pale)
	c := s.put(token, fmt.Sprintf("A page of %d rows", height), before, after,
		maskOf(s.t, 1440, height, changed, []rect{{0, headRows, 1440, bannerRows, ink}}))
	judge(c, fmt.Sprintf("%d changes.", len(found)), found...)
	c.Difference.Bands = []vcd.Band{{Kind: vcd.BandInserted, YBefore: headRows, YAfter: headRows, Rows: bannerRows, X1: 1440}}
}

// The ports of the public pages and of the gallery.

func (s *states) Review(_ context.Context, token string) (*use.SharedComparison, error) {
	if c := s.all[token]; c != nil {
		return &use.SharedComparison{Comparison: c}, nil
	}
	return nil, vcd.NotFound("Comparison", "")
}

func (s *states) Shared(_ context.Context, token, change string, _ vcd.Page) (*use.SharedBatch, error) {
	if token != "run" {
		return nil, vcd.NotFound("Batch", "")
	}
	finished := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	list := &vcd.ComparisonList{List: &vcd.List[*vcd.Comparison]{}, AboveThreshold: len(s.order)}
	changes := &vcd.List[*vcd.BatchChange]{}
	known := map[string]*vcd.BatchChange{}
	for _, token := range s.order {
		c := s.all[token]
		if c.Image == nil || strings.HasPrefix(c.HTMLTitle, "A page of") {
			continue
		}
		shows := change == ""
		for _, f := range c.Verification.Findings {
			found := known[f.Fingerprint]
			if found == nil {
				found = &vcd.BatchChange{Fingerprint: f.Fingerprint, Description: f.Description}
				known[f.Fingerprint], changes.Items = found, append(changes.Items, found)
			}
			found.Comparisons++
			if c.Device == vcd.Desktop {
				found.Desktop++
			}
			switch f.Category {
			case vcd.CategoryAlert:
				found.Verdicts.Alerts++
			case vcd.CategoryNotSure:
				found.Verdicts.NotSure++
			}
			shows = shows || f.Fingerprint == change
		}
		if shows {
			list.Items = append(list.Items, c)
		}
	}
	list.Total, changes.Total = len(list.Items), len(changes.Items)
	b := &vcd.Batch{Name: "Example shop · after the update", FinishedAt: &finished}
	return &use.SharedBatch{Batch: b, Comparisons: list, Changes: changes}, nil
}

func (s *states) SharedComparison(_ context.Context, _ string, id vcd.ID) (*use.SharedComparison, error) {
	for _, c := range s.all {
		if c.ID == id {
			return &use.SharedComparison{Comparison: c}, nil
		}
	}
	return nil, vcd.NotFound("Comparison", id)
}

func (s *states) Reported(context.Context, vcd.Actor, vcd.ID, vcd.Page) (*use.SharedBatch, error) {
	return nil, vcd.NotFound("Batch", "")
}

func (s *states) ImageByToken(context.Context, string) (*vcd.Image, error) {
	return nil, vcd.NotFound("Image", "")
}

func (s *states) ImageByPublicLink(_ context.Context, token string, part vcd.PublicPart) (*vcd.Image, error) {
	if img := s.images[token+"/"+string(part)]; img != nil {
		return img, nil
	}
	return nil, vcd.NotFound("Image", "")
}

func (s *states) SharedImage(ctx context.Context, _ string, comparison vcd.ID, part vcd.PublicPart) (*vcd.Image, error) {
	c, err := s.SharedComparison(ctx, "", comparison)
	if err != nil {
		return nil, err
	}
	return s.ImageByPublicLink(ctx, c.Token, part)
}
