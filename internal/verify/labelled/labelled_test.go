package labelled

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestPairs: there are enough of them, half of them harmless, and every page is served.
func TestPairs(t *testing.T) {
	count := map[[2]bool]int{}
	for _, k := range Kinds() {
		count[[2]bool{k.Harmful, k.HeldOut}]++
	}
	for half, n := range count {
		if n < 15 || len(count) != 4 {
			t.Errorf("harmful %v, held out %v: %d kinds", half[0], half[1], n)
		}
	}
	server := httptest.NewServer(Handler())
	defer server.Close()
	for _, p := range Pairs() {
		before, after := p.documents()
		again, _ := p.documents()
		if before.HTML() != again.HTML() {
			t.Errorf("%s is made anew each time", p.Name())
		}
		if before.HTML() == after.HTML() && p.Kind.Name != "restless canvas" {
			t.Errorf("%s does not change", p.Name())
		}
	}
	for path, want := range map[string]int{
		"/before/carousel-0/": 200, "/after/page not found-0/": 404, "/during/carousel-0/": 404, "/after/unicorn-9/": 404,
		"/picture/1/20x10.jpg": 200, "/picture/1/90000x1.jpg": 404, "/style/0/1.css": 200, "/style/0/9.css": 404, "/frame/3": 200,
	} {
		answer, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if _ = answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("%s answers %d, want %d", path, answer.StatusCode, want)
		}
	}
}
