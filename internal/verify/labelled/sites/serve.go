package sites

import (
	"fmt"
	"net/http"
	"strconv"

	"afterimage/internal/verify/labelled"
)

// Handler serves the pages, /site/{page}/{visit}/{damage}/ with "none" for no damage, and the pictures that they ask for.
func Handler() http.Handler {
	pages, damages := make(map[string]Page), map[string]*Damage{(*Damage)(nil).Label(): nil}
	for _, split := range []Split{Train, Validation, HeldOut, Unseen} {
		for _, p := range Pages(split) {
			pages[p.Name()] = p
		}
	}
	for _, d := range Damages {
		damages[d.Label()] = d
	}
	mux := http.NewServeMux()
	mux.Handle("GET /picture/", labelled.Handler())
	mux.HandleFunc("GET /site/{page}/{visit}/{damage}/{$}", func(w http.ResponseWriter, r *http.Request) {
		p, ok := pages[r.PathValue("page")]
		d, known := damages[r.PathValue("damage")]
		visit, err := strconv.Atoi(r.PathValue("visit"))
		if !ok || !known || err != nil || visit < 0 || visit > Last {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(p.HTML(visit, d)))
	})
	return mux
}

// Path is the path of a visit for [Handler].
func (p Page) Path(visit int, d *Damage) string {
	return fmt.Sprintf("/site/%s/%d/%s/", p.Name(), visit, d.Label())
}
