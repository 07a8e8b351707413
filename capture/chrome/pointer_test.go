package chrome

import (
	"bytes"
	"testing"

	"afterimage/capture"
)

// TestNothingIsHovered: the pointer is on no element of a page, not even in its corner: no link is drawn as hovered, and no menu opens.
func TestNothingIsHovered(t *testing.T) {
	const plain = `a { display: block; width: 300px; padding: 40px; background: teal; color: white } div { height: 4000px }`
	const tells = `<a href=x>Home</a><div></div><script>for (const kind of ['mouseover', 'mousemove', 'pointerenter', 'mouseenter'])
		document.querySelector('a').addEventListener(kind, (e) => console.log(kind, e.clientX, e.clientY, performance.now()))</script>`
	for _, device := range []capture.Device{capture.Desktop, capture.Mobile} {
		want := take(t, capture.Request{Device: device, URL: site.page(t, `<style>`+plain+`</style>`+tells)})
		got := take(t, capture.Request{Device: device, URL: site.page(t, `<style>`+plain+`a:hover { background: red }</style>`+tells)})
		if !bytes.Equal(got.PNG, want.PNG) {
			t.Errorf("%s: the link is drawn as hovered", device)
		}
		if len(got.Console) > 0 {
			t.Errorf("%s: the page is told of a pointer: %+v", device, got.Console)
		}
	}
}
