package sites

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestPages: each kind varies between the visits that are compared, every page is the same each time, and no name is in two
// splits.
func TestPages(t *testing.T) {
	names := make(map[string]bool)
	for _, split := range []Split{Train, Validation, HeldOut, Unseen} {
		pages, pairs := Pages(split), Pairs(split)
		damaged := 0
		for _, p := range pages {
			if names[p.Key()] {
				t.Errorf("%s is there twice", p.Key())
			}
			names[p.Key()] = true
			if p.Template.Split != split || p.Kind.Split != split {
				t.Errorf("%s mixes splits", p.Name())
			}
			if first, second := p.HTML(Before, nil), p.HTML(Before, nil); first != second {
				t.Errorf("%s is another page each time", p.Name())
			}
			if p.HTML(Before, nil) == p.HTML(After, nil) {
				t.Errorf("%s does not vary", p.Name())
			}
		}
		used := make(map[*Damage]bool)
		for _, p := range pairs {
			if !p.Harmful() {
				continue
			}
			damaged++
			used[p.Damage] = true
			if p.HTML(After, p.Damage) == p.HTML(After, nil) {
				t.Errorf("%s is not damaged", p.Name())
			}
		}
		for _, d := range Damages {
			if d.Split == split && !used[d] {
				t.Errorf("no page has the damage %q", d.Name)
			}
		}
		t.Logf("%s: %d pages, %d pairs, %d harmful", split, len(pages), len(pairs), damaged)
	}
}

func TestHandler(t *testing.T) {
	server := httptest.NewServer(Handler())
	defer server.Close()
	p := Pairs(Train)[1]
	for path, want := range map[string]int{
		p.Path(Before, nil): http.StatusOK, p.Path(After, p.Damage): http.StatusOK, "/picture/5/20x10.jpg": http.StatusOK,
		"/site/none/1/none/": http.StatusNotFound, p.Path(Last+1, nil): http.StatusNotFound, "/gone/picture.jpg": http.StatusNotFound,
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
