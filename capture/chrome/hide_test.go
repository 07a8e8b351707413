package chrome

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestWhatIsHiddenInShadowTreesAndFrames: selectors find elements in open shadow trees, in frames and in what is within them, and
// the capture counts them. Closed shadow trees are closed to us.
func TestWhatIsHiddenInShadowTreesAndFrames(t *testing.T) {
	inner := func(text string) string {
		return site.page(t, `<!doctype html><style>body{margin:0}</style><p class=clock>`+text+`</p>`)
	}
	shadow := func(html string) func(string) string {
		return func(text string) string {
			return `<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = ` + "`" + strings.ReplaceAll(html, "TEXT", text) +
				"`" + `</script>`
		}
	}
	for name, c := range map[string]struct {
		page  func(text string) string
		hide  []string
		found []int
		same  bool
	}{
		"the document": {func(s string) string {
			return `<p class=clock>` + s + `</p><p class=clock>` + s + `</p>`
		}, []string{".clock"}, []int{2}, true},
		"a shadow tree": {shadow(`<p class=clock>TEXT</p>`), []string{".clock"}, []int{1}, true},
		"a tree in a tree": {func(s string) string {
			return `<div id=h></div><script>const t = h.attachShadow({mode: 'open'}); t.innerHTML = '<div></div>';
				t.firstChild.attachShadow({mode: 'open'}).innerHTML = '<p class=clock>` + s + `</p>'</script>`
		}, []string{".clock"}, []int{1}, true},
		"below a host": {func(s string) string {
			return `<div class=clock>` + shadow(`<style>p { visibility: visible }</style><p>TEXT</p>`)(s) + `</div>`
		}, []string{".clock"}, []int{1}, true},
		"what a slot shows": {func(s string) string {
			return `<div id=h><b class=clock>` + s + `</b></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<slot></slot>'</script>`
		}, []string{"#h > .clock"}, []int{1}, true},
		"a frame of the site": {func(s string) string {
			return `<iframe src="` + inner(s) + `"></iframe>`
		}, []string{".clock"}, []int{1}, true},
		"a frame of another site": {func(s string) string {
			return `<iframe src="` + strings.Replace(inner(s), "127.0.0.1", "localhost", 1) + `"></iframe>`
		}, []string{".clock"}, []int{1}, true},
		"a frame without an address": {func(s string) string {
			return fmt.Sprintf(`<iframe srcdoc="<p class=clock>%s</p>"></iframe>`, s)
		}, []string{".clock"}, []int{1}, true},
		"a closed tree": {func(s string) string {
			return strings.Replace(shadow(`<p class=clock>TEXT</p>`)(s), "'open'", "'closed'", 1)
		}, []string{".clock"}, []int{0}, false},
		"no selector, and one that finds nothing": {func(s string) string { return `<p class=clock>` + s + `</p>` },
			[]string{"p[", ".clock", "main > .clok"}, []int{-1, 1, 0}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var pictures [2][]byte
			for i, text := range []string{"one", "another time"} {
				shot := take(t, capture.Request{URL: site.page(t, c.page(text)), Hide: c.hide})
				pictures[i] = shot.PNG
				want := make([]page.Selected, 0, len(c.hide))
				for n, selector := range c.hide {
					want = append(want, page.Selected{Selector: selector, Elements: c.found[n]})
				}
				if got := shot.Manifest.Hidden; len(got) != len(want) || fmt.Sprint(got) != fmt.Sprint(want) && len(want) > 0 {
					t.Errorf("hidden: %v, want %v", got, want)
				}
			}
			if c.same && len(c.hide) == 1 && name != "below a host" {
				css := c.hide[0] + " { visibility: hidden !important }"
				shot := take(t, capture.Request{URL: site.page(t, c.page("one")), Styles: []string{css}})
				if !bytes.Equal(shot.PNG, pictures[0]) {
					t.Error("a style sheet does not reach it")
				}
			}
			if bytes.Equal(pictures[0], pictures[1]) != c.same {
				t.Errorf("the pictures are the same: %t", !c.same)
			}
		})
	}
}

// TestSelectorsThatTakeTooLong: a hundred thousand matches are hidden in time; where a selector takes minutes, in the
// document, in a frame or in long attributes, the capture fails soon and says so. At full size with many more of these.
func TestSelectorsThatTakeTooLong(t *testing.T) {
	type hiding struct {
		html, hide string
		hidden     int // 0: it fails
	}
	const crowd = `<div id=d></div><script>d.innerHTML = '<b></b>'.repeat(60000)</script>`
	long := func(elements, selectors int) hiding {
		html := `<div id=d></div><script>const kept = 'ab'.repeat(10000);
			for (let i = 0; i < %d; i++) d.append(Object.assign(document.createElement('b'), { title: kept + i }))</script>`
		return hiding{fmt.Sprintf(html, elements), strings.Repeat(`[title*="aa"], `, selectors) + `[title*="bb"]`, 0}
	}
	slow := strings.Repeat("u b, ", 30_000) + "u b" // each is tried with each element
	soak := os.Getenv("AFTERIMAGE_SOAK") != ""
	cases := map[string]hiding{
		"many matches":    {`<script>document.write('<i></i>'.repeat(100000))</script><p>text`, "i", 100_000},
		"in a frame":      {`<iframe src="` + site.page(t, crowd) + `"></iframe>`, slow, 0},
		"long attributes": long(1000, 4000),
	}
	if soak {
		cases["in the page"] = hiding{crowd, slow, 0}
		cases["many long attributes"] = long(5000, 5000)
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := capture.Request{URL: site.page(t, c.html), Hide: []string{c.hide}}
			if c.hidden > 0 {
				if hidden := take(t, request).Manifest.Hidden[0].Elements; hidden != c.hidden {
					t.Errorf("%d elements are hidden", hidden)
				}
				return
			}
			// The browser computes until it is ended, by the deadline of the capture or before: short runs do not wait for it, but for
			// as long as a busy machine takes to load the page.
			if !soak {
				request.Deadline = 3 * time.Second
			}
			failure := failToTake(t, request)
			for !soak && failure.Reason == capture.ReasonTimeout && failure.Stage != "hide" && request.Deadline < time.Minute {
				request.Deadline *= 2
				failure = failToTake(t, request)
			}
			if failure.Reason != capture.ReasonTimeout || failure.Stage != "hide" {
				t.Error(failure)
			}
		})
	}
}

// TestWhatStylesAreFor: the capture counts the elements that each selector of the injected CSS matches, whatever an element has to be
// doing for it to hold, in open shadow trees and frames too.
func TestWhatStylesAreFor(t *testing.T) {
	frame := site.handle(t, "frame", serve("text/html", `<!doctype html><p class=clock>Noon</p>`))
	other := strings.Replace(frame, "127.0.0.1", "localhost", 1)
	url := site.page(t, `<!doctype html><p class=clock>Noon</p><div id=h></div>
		<iframe src="`+frame+`"></iframe><iframe src="`+other+`"></iframe>
		<script>h.attachShadow({mode: 'open'}).innerHTML = '<b class=clock>Noon</b>'</script>`)
	shot := take(t, capture.Request{URL: url, Styles: []string{
		`.clock::before, .promo:is(.a, .b), #h > ::after, [title="a,b"] { color: red }
		@media print { p:hover { color: red } } @keyframes turn { from { top: 0 } } .clock { color: red }`,
		`.misspelt, p:not(:hover), :host { color: red } ` + strings.Repeat(".long", 100) + ` { color: red }`,
	}})
	want := []page.Selected{
		{Selector: ".clock::before", Elements: 4}, {Selector: ".promo:is(.a, .b)"}, {Selector: "#h > ::after"},
		{Selector: `[title="a,b"]`}, {Selector: "p:hover", Elements: 3}, {Selector: ".clock", Elements: 4}, {Selector: ".misspelt"},
	}
	if got := shot.Manifest.Styled; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the CSS is for %v, want %v", got, want)
	}

	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, ".x%d{color:red}", i)
	}
	shot = take(t, capture.Request{URL: url, Styles: []string{many.String()}})
	if n := len(shot.Manifest.Styled); n != 200 {
		t.Errorf("%d of 1,000 selectors were counted", n)
	}
}
