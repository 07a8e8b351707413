package page

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func pageOfElements(n int) *Content {
	p := &Content{Title: "T", Robots: "noindex", Canonical: "/", Text: "one\ntwo"}
	for i := range n {
		p.Elements = append(p.Elements, Element{Number: i, Box: Box{X: 0, Y: 10 * i, Width: 100, Height: 10}, Selector: "#a", Tag: "p"})
	}
	return p
}

func TestAPagesContentComesBackFromItsFile(t *testing.T) {
	p := pageOfElements(3)
	file, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Encode()
	if err != nil || !bytes.Equal(file, again) {
		t.Errorf("the same content has two files (%v)", err)
	}
	got, err := DecodeContent(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p, got); diff != "" {
		t.Error(diff)
	}
	for _, broken := range [][]byte{nil, []byte("no gzip"), file[:len(file)/2]} {
		if _, err := DecodeContent(broken); err == nil {
			t.Errorf("%q was decoded", broken)
		}
	}
}
