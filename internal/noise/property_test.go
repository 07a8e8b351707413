package noise_test

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"afterimage/internal/noise"
	"afterimage/internal/page"
)

var (
	texts   = []string{"", "Home", "4 items", "$3.10", "NaN", "12:30", "Some words about something else"}
	sources = []string{"/a.jpg", "/b.jpg", "https://cdn.test/x/3.png", "%zz", "data:image/png,x"}
)

// anyPage draws a page of nested elements, some of which show one of a few values.
func anyPage(t *rapid.T) []page.Element {
	n := rapid.IntRange(0, 40).Draw(t, "elements")
	elements := make([]page.Element, n)
	numbers := make(map[string]int)
	for i := range elements {
		parent := rapid.IntRange(-1, i-1).Draw(t, "parent")
		tag := rapid.SampledFrom([]string{"div", "p", "img", "li"}).Draw(t, "tag")
		path := "html"
		if parent >= 0 {
			path = elements[parent].Selector
		}
		numbers[path+tag]++
		elements[i] = page.Element{
			Number: i, Parent: parent, Tag: tag, Selector: fmt.Sprintf("%s > %s:nth-of-type(%d)", path, tag, numbers[path+tag]),
			Text: rapid.SampledFrom(texts).Draw(t, "text"),
			Box: page.Box{
				X: rapid.IntRange(-5, 900).Draw(t, "x"), Y: rapid.IntRange(0, 900).Draw(t, "y"),
				Width: rapid.IntRange(0, 900).Draw(t, "width"), Height: rapid.IntRange(0, 900).Draw(t, "height"),
			},
		}
		if tag == "img" {
			elements[i].Source = rapid.SampledFrom(sources).Draw(t, "source")
		}
	}
	return elements
}

func anyBoxes(t *rapid.T) []page.Box {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) page.Box {
		return page.Box{X: rapid.IntRange(0, 500).Draw(t, "x"), Y: rapid.IntRange(0, 500).Draw(t, "y"), Width: 9, Height: 9}
	}), 0, 4).Draw(t, "repainted")
}

// What is known of any page stays within its bounds, survives storing, and never calls faults, empty parts, or what changed for
// the first time quiet.
func TestAnyHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := &noise.Knowledge{}
		at := epoch
		before := anyPage(t)
		for range rapid.IntRange(0, 5).Draw(t, "visits") {
			after := anyPage(t)
			if rapid.Bool().Draw(t, "same layout") {
				after = withTexts(t, before)
			}
			checkExplanations(t, k, before, after)
			at = at.Add(time.Duration(rapid.IntRange(0, 40*24).Draw(t, "hours")) * time.Hour)
			k.Observe(&noise.Pair{Visit: noise.Visit{At: at}, Before: before, After: after, Repainted: anyBoxes(t)})
			k = stored(t, k)
			before = after
		}
	})
}

func withTexts(t *rapid.T, of []page.Element) []page.Element {
	elements := append([]page.Element(nil), of...)
	for i := range elements {
		if rapid.IntRange(0, 3).Draw(t, "changes") == 0 {
			elements[i].Text = rapid.SampledFrom([]string{"", "Home", "9 items", "$4.90", "undefined", "Other words"}).Draw(t, "text")
		}
	}
	return elements
}

func checkExplanations(t *rapid.T, k *noise.Knowledge, before, after []page.Element) {
	sight := k.On(before, after)
	for i := range before {
		for _, a := range []int{i, -1} {
			if a >= len(after) {
				continue
			}
			e := sight.Explain(noise.Change{Before: i, After: a})
			if e.Quiet && (e.Changed < 2 || e.Changed > e.Visits || e.Reason == "") {
				t.Fatalf("quiet after too little: %+v", e)
			}
			if a < 0 || before[i].Text == after[a].Text {
				continue
			}
			if f := noise.FormOf(after[a].Text); e.Quiet && f == noise.FormFault {
				t.Fatalf("%q is quiet: %+v", after[a].Text, e)
			}
		}
	}
}

func stored(t *rapid.T, k *noise.Knowledge) *noise.Knowledge {
	file, err := k.Encode()
	if err != nil || len(file) > noise.MaxSize {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	again, err := noise.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := again.Encode()
	if err != nil || string(twice) != string(file) {
		t.Fatalf("stored twice it is another: %v", err)
	}
	return again
}

func TestALargePageStaysWithinItsBounds(t *testing.T) {
	k := &noise.Knowledge{}
	for visit := range 40 {
		var pages [2][]page.Element
		for side := range pages {
			for i := range 5000 {
				pages[side] = append(pages[side], page.Element{
					Number: i, Parent: -1, Tag: "p", Selector: fmt.Sprintf("html > body > main > section > p:nth-of-type(%d)", i),
					Text: fmt.Sprintf("Text %c%c in visit %c", 'a'+i%26, 'a'+i/26%26, 'a'+visit+side),
					Box:  page.Box{Y: 20 * i, Width: 900, Height: 20 + visit},
				})
			}
		}
		k.Observe(&noise.Pair{Visit: noise.Visit{At: epoch.AddDate(0, 0, visit)}, Before: pages[0], After: pages[1]})
	}
	file, err := k.Encode()
	if err != nil || len(file) > noise.MaxSize || len(k.Visits) != noise.Window {
		t.Errorf("%d bytes, %d visits, %v", len(file), len(k.Visits), err)
	}
}

func FuzzDecode(f *testing.F) {
	k := learn(&noise.Knowledge{}, series(func(l *look, i int) { l.slide = fmt.Sprintf("/slides/%d.jpg", 1+i%4) }, 6)...)
	file, err := k.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte("{}"))
	f.Fuzz(func(_ *testing.T, file []byte) {
		k, err := noise.Decode(file)
		if err != nil {
			return
		}
		was := usual().page()
		k.On(was, was).Explain(noise.Change{Before: 1, After: 1})
		k.Observe(&noise.Pair{Before: was, After: was})
		_, _ = k.Encode()
	})
}

func BenchmarkObserveAndExplain(b *testing.B) {
	looks := series(func(l *look, i int) {
		l.slide = fmt.Sprintf("/slides/%d.jpg", 1+i%4)
		for n := range 400 {
			l.items = append(l.items, fmt.Sprintf("Ware %c=$%d.00", 'a'+(n+i)%26, n%9))
		}
	}, 15)
	k := learn(&noise.Knowledge{}, looks[:14]...)
	file, err := k.Encode()
	if err != nil {
		b.Fatal(err)
	}
	before, after := looks[13].page(), looks[14].page()
	begun := processorTime(b)
	for b.Loop() {
		k, err := noise.Decode(file)
		if err != nil {
			b.Fatal(err)
		}
		sight := k.On(before, after)
		for i := range before {
			sight.Explain(noise.Change{Before: i, After: i})
		}
		k.Observe(&noise.Pair{Visit: noise.Visit{At: epoch.AddDate(0, 1, 0)}, Before: before, After: after})
		if _, err := k.Encode(); err != nil {
			b.Fatal(err)
		}
	}
	// of a busy machine the wall tells little
	b.ReportMetric(float64((processorTime(b)-begun).Microseconds())/1000/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(len(before)), "elements")
}

func processorTime(b *testing.B) time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
