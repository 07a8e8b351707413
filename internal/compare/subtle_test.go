package compare

import (
	"strings"
	"testing"
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
