package jobs_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"afterimage/vcd"
)

// imported waits for the end of an import, by its event.
func (w *world) imported(i *vcd.URLImport) *vcd.URLImport {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	var start int64
	events, err := w.service.Outbound.Stream(ctx, w.actor, &start, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for e := range events {
		if e.Kind == vcd.EventURLImportFinished && e.SubjectID == i.ID {
			break
		}
	}
	i, err = w.service.Inventory.URLImport(w.t.Context(), w.actor, i.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

func TestASitemapBecomesURLs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/sitemap.xml" {
			http.NotFound(rw, r)
			return
		}
		_, _ = io.WriteString(rw, "<urlset><url><loc>"+site.URL+"/a</loc></url><url><loc>"+site.URL+"/b</loc></url></urlset>")
	}))
	t.Cleanup(site.Close)
	host := strings.TrimPrefix(site.URL, "http://")
	started, err := w.service.Inventory.AddFromSitemap(t.Context(), w.actor, host)
	if err != nil {
		t.Fatal(err)
	}
	if i := w.imported(started); i.State != vcd.ImportDone || i.Found != 2 || i.Added != 2 || len(i.Problems) != 0 {
		t.Errorf("%+v", i)
	}
	text := host
	list, err := w.service.Inventory.URLs(t.Context(), w.actor, vcd.URLFilter{Search: &text}, vcd.Page{Size: 15, Total: true})
	if err != nil || list.Total != 2 || list.Items[0].Scheme != "http" {
		t.Errorf("%d URLs, %v", list.Total, err)
	}
	inside, err := w.service.Inventory.AddFromSitemap(t.Context(), w.actor, "10.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	if i := w.imported(inside); i.State != vcd.ImportFailed || len(i.Problems) != 1 || !strings.Contains(i.Problems[0],
		"could not be reached") {
		t.Errorf("%+v", i)
	}
	w.checkInvariants()
}

func TestWithoutASitemapLinksBecomeURLs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(rw, r)
			return
		}
		_, _ = io.WriteString(rw, `<a href="/lamps">Lamps</a><a href="http://other.test/">elsewhere</a>`)
	}))
	t.Cleanup(site.Close)
	started, err := w.service.Inventory.AddFromSitemapOrLinks(t.Context(), w.actor, strings.TrimPrefix(site.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	if i := w.imported(started); i.State != vcd.ImportDone || !i.OrLinks || i.Found != 2 || i.Added != 2 || len(i.Problems) != 0 {
		t.Errorf("%+v", i)
	}
	w.checkInvariants()
}
