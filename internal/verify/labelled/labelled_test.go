package labelled

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestPairs: there are enough of them, half of them harmless, and every page is served.
func TestPairs(t *testing.T) {
	count := map[Set]map[bool]int{}
	for _, k := range Kinds() {
		if count[k.Set] == nil {
			count[k.Set] = map[bool]int{}
		}
		count[k.Set][k.Harmful]++
	}
	for _, set := range []Set{Development, HeldOut, SecondSet, ThirdSet, FourthSet, FifthSet} {
		if n := count[set]; n[true] < 12 || n[false] < 14 {
			t.Errorf("%s: %d harmful and %d harmless kinds", set, n[true], n[false])
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
