package compare

import (
	"image"
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// TestWhatNoPixelCountsOfIsTold: people see words and a card in nearly the same colour. Neither is equal, alone on its
// page as it is.
func TestWhatNoPixelCountsOfIsTold(t *testing.T) {
	const html = `<style>p{color:#333}.card{background:#efe6d2;width:300px;height:60px}</style><h1>The pier</h1>
		<p>Boats leave every hour.</p><div class="card"></div>`
	edits := []struct{ old, new, says string }{
		{"", "", ""},
		{"#333", "#3c3c4a", "text colour #333333 → #3c3c4a"},
		{"#efe6d2", "#efe6d6", "background #efe6d2 → #efe6d6"},
		{"#efe6d2", "#efe6d3", ""}, // one level: nobody sees it
	}
	documents := []document{{"", "/", html}}
	for _, e := range edits {
		documents = append(documents, document{"", "/", strings.Replace(html, e.old, e.new, 1)})
	}
	shots := captureAll(t, documents)
	for _, shot := range shots {
		shot.FinalURL = "https://www.example.com/"
	}
	r := newRun(nil, &Options{Before: site(t, "https://www.example.com"), After: site(t, "https://preview.example.com")}, nil, nil)
	for i, e := range edits {
		p := &Pair{}
		if err := r.judge(t.Context(), p, shots[0], shots[i+1], nil); err != nil {
			t.Fatal(err)
		}
		p.settle()
		var told []string
		for _, f := range p.Findings {
			told = append(told, string(f.Category)+" "+f.Description)
		}
		if (p.Outcome == Equal) != (e.says == "") || !strings.Contains(strings.Join(told, " "), e.says) || p.Pixels != 0 {
			t.Errorf("%q → %q is %s, %d pixels: %q", e.old, e.new, p.Outcome, p.Pixels, told)
		}
	}
}

// TestWhatSeveralElementsShareIsToldIfOneLiesElsewhere: an entry for several elements is not passed over for the place of its first one.
func TestWhatSeveralElementsShareIsToldIfOneLiesElsewhere(t *testing.T) {
	in, out := &page.Box{X: 20, Y: 20, Width: 50, Height: 20}, &page.Box{X: 20, Y: 500, Width: 50, Height: 20}
	ignore := []image.Rectangle{image.Rect(10, 10, 400, 60)}
	for name, c := range map[string]struct {
		f    vcd.Finding
		want bool
	}{
		"in the box":       {vcd.Finding{BoxBefore: in, BoxAfter: in}, true},
		"it came":          {vcd.Finding{BoxAfter: in}, true},
		"it left the box":  {vcd.Finding{BoxBefore: in, BoxAfter: out}, false},
		"nowhere":          {vcd.Finding{}, false},
		"all in the box":   {vcd.Finding{BoxAfter: in, Cause: &vcd.Cause{Elements: 2, Places: []*page.Box{in, in}}}, true},
		"one elsewhere":    {vcd.Finding{BoxAfter: in, Cause: &vcd.Cause{Elements: 2, Places: []*page.Box{in, out}}}, false},
		"places not known": {vcd.Finding{BoxAfter: in, Cause: &vcd.Cause{Elements: 90, Places: []*page.Box{in, in}}}, false},
	} {
		if got := isIgnored(&c.f, ignore); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestWhatIsIgnoredIsNotTold: a text in a box that is ignored is no change, whether or not something else of the page changed.
func TestWhatIsIgnoredIsNotTold(t *testing.T) {
	const html = `<style>p{position:absolute;left:20px;top:20px;width:300px;height:30px;margin:0;background:#efe6d2}
		h1{margin:90px 0 0}</style><h1>The pier</h1><p>`
	shots := captureAll(t, []document{{"", "/", html + "It is 9:00"}, {"", "/", html + "It is 10:15, and windy"},
		{"", "/", strings.Replace(html, "The pier", "The mole", 1) + "It is 10:15, and windy"}})
	r := newRun(nil, &Options{Before: site(t, "https://www.example.com"), After: site(t, "https://preview.example.com")}, nil, nil)
	for i, want := range []string{"", "Heading: “The pier” → “The mole”."} {
		shots[0].FinalURL, shots[i+1].FinalURL = "", ""
		shots[0].Content.Text, shots[i+1].Content.Text = "", ""
		p := &Pair{}
		if err := r.judge(t.Context(), p, shots[0], shots[i+1], []image.Rectangle{image.Rect(10, 10, 400, 60)}); err != nil {
			t.Fatal(err)
		}
		p.settle()
		var told []string
		for _, f := range p.Findings {
			told = append(told, f.Description)
		}
		if strings.Join(told, " ") != want || (p.Outcome == Equal) != (want == "") {
			t.Errorf("%s: %q, want %q", p.Outcome, told, want)
		}
	}
}
