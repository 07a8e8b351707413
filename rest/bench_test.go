package rest

import (
	"net/http"
	"strings"
	"testing"
)

// BenchmarkList measures what this package adds to the execution of a list of 15 groups: routing, binding, envelope.
func BenchmarkList(b *testing.B) {
	group := `{` + strings.TrimSuffix(strings.Repeat(`"some_field":"some value",`, 28), ",") + `}`
	result := `{"data":{"nodes":[` + strings.TrimSuffix(strings.Repeat(group+",", 15), ",") + `],"total":150,"open_count":1}}`
	f := newFixture(b, data(result))
	b.SetBytes(int64(len(result)))
	for b.Loop() {
		if w := f.get("/api/v2/shelves?open=1&colors=blue,dark_red&page=2"); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

// BenchmarkForm measures the reading and binding of a form of 1,000 nested items.
func BenchmarkForm(b *testing.B) {
	f := newFixture(b, data(`{"addBooks":{"count":1}}`))
	var form strings.Builder
	for range 1000 {
		form.WriteString("books[][id]=" + idB + "&")
	}
	for b.Loop() {
		if w := f.form("POST", "/api/v2/shelves/"+idA+"/books", form.String()); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}
