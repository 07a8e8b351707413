package causes

import (
	"strings"
	"testing"

	"afterimage/capture"
)

// pierPage has large parts, small ones, and a part that another one covers.
var pierPage = sheet("Pier", `html{background:#f4f1ea}body{margin:0;font:17px/1.6 sans-serif;color:#333}
.band{background:#efe6d2;padding:40px 60px}.card{background:#fff;border:1px solid #d8d2c4;padding:20px;margin:20px 60px}
.dot{display:inline-block;width:12px;height:12px;background:#c8d6c0}
.tag{background:#e8eef4;padding:2px 6px;font-size:13px}.under{background:#efe6d2}.under p{margin:0;background:#fff;padding:20px 60px}
h1,h2{margin:0;font-weight:500}.thin{font-weight:400}@media(max-width:700px){.band{padding:20px}}`,
	`<div class="band"><h1>The pier</h1><p>`+prose+`</p><span class="dot"></span> <span class="tag">open</span></div>
<div class="card"><h2>Tickets</h2><p class="thin">`+prose+`</p></div><div class="under"><p>`+prose+`</p></div>`)

// subtleEdits are edits that no pixel shows which counts, with what is said of each; "" for those that nobody can see.
var subtleEdits = []struct{ name, old, new, says string }{
	{"background of a part", "background:#efe6d2;padding", "background:#cfe3ee;padding", "background #efe6d2 → #cfe3ee"},
	{"background of a part by three levels", "background:#efe6d2;padding", "background:#efe6d5;padding", "background #efe6d2 → #efe6d5"},
	{"background of a part by two levels", "background:#efe6d2;padding", "background:#efe6d4;padding", ""},
	{"background of the page", "html{background:#f4f1ea}", "html{background:#e4ecf4}", "background #f4f1ea → #e4ecf4"},
	{"background that is covered", ".under{background:#efe6d2}", ".under{background:#cfe3ee}", ""},
	{"a dot", "background:#c8d6c0", "background:#bcd8d0", "background #c8d6c0 → #bcd8d0"},
	{"background behind words", "background:#e8eef4", "background:#f4e8ea", "background #e8eef4 → #f4e8ea"},
	{"border", "solid #d8d2c4", "solid #c4d2d8", "border colour #d8d2c4 → #c4d2d8"},
	{"colour of words", "color:#333", "color:#3c3c4a", "text colour #333333 → #3c3c4a"},
	{"shadow", "margin:20px 60px}", "margin:20px 60px;box-shadow:0 0 6px rgba(0,0,0,.06)}", "shadow none →"},
	{"weight that no font has", ".thin{font-weight:400}", ".thin{font-weight:450}", ""},
	{"weight of headings", "font-weight:500}", "font-weight:700}", "weight 500 → 700"},
	{"background that came", ".card{background:#fff;", ".card{background:#fbf8f2;", "background #ffffff → #fbf8f2"},
}

// TestSubtleEditsAreNotSilent: people see edits in nearly the same colour that a comparison of pixels does not count, whether or not
// something else of the page changed as well.
func TestSubtleEditsAreNotSilent(t *testing.T) {
	const word, other = "The pier</h1>", "The mole</h1>"
	before, after := map[string]string{"/": pierPage}, map[string]string{}
	for _, e := range subtleEdits {
		edited := strings.Replace(pierPage, e.old, e.new, 1)
		if edited == pierPage {
			t.Fatalf("%s is no edit", e.name)
		}
		after[pathOf(e.name)], after[pathOf(e.name)+"-and-a-word"] = edited, strings.Replace(edited, word, other, 1)
	}
	studio, err := Open(t.Context(), 2, Pages(before), Pages(after))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := studio.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, e := range subtleEdits {
		path, want := pathOf(e.name), 0
		device := []capture.Device{capture.Desktop, capture.Mobile}[i%2]
		for range 2 {
			if e.says != "" {
				want++
			}
			j, err := studio.JudgeEdit(t.Context(), "/", path, device)
			if err != nil {
				t.Fatal(err)
			}
			if len(j.Entries()) != want || !strings.Contains(j.Told(), e.says) {
				t.Errorf("%s on %s: %d entries, want %d (%d pixels differ):\n  %s", path, device, len(j.Entries()), want, j.Changed,
					j.Told())
			}
			path, want = path+"-and-a-word", 1
			device = []capture.Device{capture.Mobile, capture.Desktop}[i%2]
		}
	}
}
