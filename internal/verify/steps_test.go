package verify

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"

	"afterimage/internal/page"
)

// verified is the result for a pair, which takes no longer than it may.
func verified(t testing.TB, p *Pair) *Result {
	t.Helper()
	r, err := Verify(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// nestedPair is a hostile page: every element lies in the one before, all have grown, and rows came in again and again.
func nestedPair(elements, regions, bands int) *Pair {
	p := &Pair{}
	for side, pg := range []*Page{&p.Before, &p.After} {
		pg.Width, pg.Height = 1000, 20_000
		for i := range elements {
			box := image.Rect(0, 0, 1000, 10_000-2*i+side*(5000-i))
			pg.Elements = append(pg.Elements, page.Element{Box: page.BoxOf(box), Selector: strings.Repeat("div > ", i%9) + "p", Tag: "div",
				Parent: i - 1, Classes: fmt.Sprint("c", i)})
		}
	}
	for i := range regions {
		box := image.Rect(0, 100*i, 1000, 100*i+90)
		p.Regions = append(p.Regions, Region{ID: i + 1, Box: box, BeforeBox: box, Pixels: 9000, MeanDelta: 0.5, SSIM: 0.3})
	}
	for i := range bands {
		p.Bands = append(p.Bands, Band{Kind: BandInserted, YBefore: 9 * i, YAfter: 10 * i, Rows: 1, X1: 1000})
	}
	return p
}

// TestAHostilePageIsJudgedWithinItsBound: what the steps do not suffice for, nobody is sure of.
func TestAHostilePageIsJudgedWithinItsBound(t *testing.T) {
	p := nestedPair(4000, 50, 2000)
	r := verified(t, p)
	if len(r.Verdicts) != 50 || r.NotSure == 0 || r.AllGood+r.NotSure+r.Alerts != 50 {
		t.Fatalf("%d verdicts, %d not sure", len(r.Verdicts), r.NotSure)
	}
	unlooked := 0
	for _, v := range r.Verdicts {
		if strings.Contains(v.Reason, "for the rules to examine") {
			unlooked++
			if v.Category != NotSure || len(v.Findings) != 1 || v.Findings[0].RegionID != v.RegionID {
				t.Errorf("%+v", v)
			}
		}
	}
	if unlooked == 0 {
		t.Error("the bound was not reached, so this page is not hostile enough")
	}
	told := 0
	for i := range r.Findings {
		if f := &r.Findings[i]; strings.Contains(f.Ruling.Reason, "for the rules to examine") {
			if told++; len(f.Regions) != unlooked {
				t.Errorf("the explanation gives up in %d regions, and says so of %d", unlooked, len(f.Regions))
			}
		}
	}
	if told != 1 || r.Explained {
		t.Errorf("the explanation gives up and says so %d times", told)
	}
}

// TestBusyPagesStayWithinTheirBound: a long page of which a good part changed uses a small part of the steps that it may.
func TestBusyPagesStayWithinTheirBound(t *testing.T) {
	p := busyPair()
	s := stepsFor(t.Context(), p)
	all := s.Remaining()
	newListing().gather(newView(s, p))
	if used := all - s.Remaining(); used > all/20 {
		t.Errorf("%d of %d steps", used, all)
	}
}

func TestVerifyHearsItsContext(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Verify(gone, busyPair()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
