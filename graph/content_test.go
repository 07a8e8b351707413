package graph_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"afterimage/internal/page"
	"afterimage/vcd/run"
)

// keepContent puts a page with n elements below each other onto the cabinet and returns its hash.
func (w *world) keepContent(n int) string {
	w.t.Helper()
	p := page.Content{Text: "Hello\nthere", Robots: "noindex", Canonical: "/home"}
	for i := range n {
		p.Elements = append(p.Elements, page.Element{
			Box: page.Box{Y: 10 * i, Width: 100, Height: 10}, Selector: fmt.Sprintf("p:nth-of-type(%d)", i+1), Tag: "p", Role: "paragraph",
			Text: fmt.Sprint("text ", i),
		})
	}
	file, err := p.Encode()
	w.check(err)
	sum := sha256.Sum256(file)
	hash := hex.EncodeToString(sum[:])
	w.check(w.store.ReserveBlob(w.t.Context(), hash, len(file)))
	w.cabinet[hash] = file
	return hash
}

func TestWhatIsToBeReadOnAScreenshot(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("shop", "https://shop.example.test/")
	hash := w.keepContent(200)
	batch := w.take("PRE", group)
	for i, e := range w.todo(batch) {
		_, err := w.use.Runs.BeginCapture(t.Context(), w.actor, e.ID)
		w.check(err)
		result := run.CaptureResult{Picture: w.picture("p"), SCVersion: "1", Manifest: []byte(`{}`)}
		if i == 0 {
			result.Elements = hash
		}
		w.check(w.use.Runs.FinishCapture(t.Context(), w.actor, e.ID, result))
	}
	const question = `query ($first: Int, $after: Int, $box: BoxInput) { screenshots(filter: {}) { nodes { content {
		text robots canonical elementsCount elements(first: $first, after: $after, box: $box) { number box { x y width height }
			selector tag role text } } } } }`
	a := w.must(question, vars{"box": vars{"x": 0, "y": 95, "width": 1, "height": 100}, "first": 2, "after": 9})
	nodes, _ := a.at(t, "screenshots", "nodes").([]any)
	contents := 0
	for i := range nodes {
		content := a.at(t, "screenshots", "nodes", i, "content")
		if content == nil {
			continue
		}
		contents++
		want(t, "text", a.at(t, "screenshots", "nodes", i, "content", "text"), "Hello\nthere")
		want(t, "robots", a.at(t, "screenshots", "nodes", i, "content", "robots"), "noindex")
		want(t, "canonical", a.at(t, "screenshots", "nodes", i, "content", "canonical"), "/home")
		want(t, "count", a.at(t, "screenshots", "nodes", i, "content", "elementsCount"), 200)
		elements, _ := a.at(t, "screenshots", "nodes", i, "content", "elements").([]any)
		want(t, "elements", len(elements), 2)
		want(t, "first", elements[0],
			"map[box:map[height:10 width:100 x:0 y:100] number:10 role:paragraph selector:p:nth-of-type(11) tag:p text:text 10]")
	}
	if len(nodes) != 2 || contents != 1 {
		t.Errorf("%d of %d screenshots have content, want 1 of 2", contents, len(nodes))
	}
	if a := w.post(question, vars{"first": 500}); len(a.Errors) == 0 {
		t.Error("500 elements of each of 15 screenshots cost too little")
	}
	// A stranger sees neither the screenshot nor its content.
	_, token, _ := w.open("eve@example.com")
	b := w.as(token).must(`{ screenshots { nodes { content { text } } } }`, nil)
	want(t, "of another account", b.at(t, "screenshots", "nodes"), "[]")
}
