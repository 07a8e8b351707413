package review_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"afterimage/vcd"
)

// seeIn asks for a page in a browser of a language.
func (w *guestWorld) seeIn(language, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Language", language)
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, r)
	return answer
}

var links = regexp.MustCompile(`href="(/b/[^"]*)"`)

// TestPagesAreInTheLanguageOfTheirReader: by what the browser asks for; or chosen, and then on all pages that are linked.
func TestPagesAreInTheLanguageOfTheirReader(t *testing.T) {
	w := newGuestWorld(t, 10, 10)
	one := w.page + "/" + string(w.first.ID)
	for path, want := range map[string][]string{
		w.page: {`<html lang="de">`, "Was sich geändert hat", "auf 2 Seiten, Desktop und mobil", "Zu prüfen", "5,00 % geändert",
			`<p class="what" dir="auto" lang="en">Price`,
			`<a class="language" href="` + w.page + `?lang=en" lang="en" hreflang="en">English</a>`},
		one: {`<html lang="de">`, "Alle Seiten dieses Laufs", "Schwelle",
			`id="status">Zu prüfen`, `href="` + w.page + `"`},
		"/c/" + w.first.Token: {`<html lang="de">`, "Schwelle", `href="/c/` + w.first.Token + `?lang=en"`},
	} {
		seen := w.seeIn("de-DE,de;q=0.9", path)
		for _, text := range want {
			if !strings.Contains(seen.Body.String(), text) {
				t.Errorf("%s: %q is not on the page: %s", path, text, seen.Body)
			}
		}
		if vary := seen.Header().Get("Vary"); vary != "Accept-Language" {
			t.Errorf("%s: Vary %q", path, vary)
		}
	}
	if seen := w.seeIn("de", "/b/unknown"); !strings.HasPrefix(seen.Body.String(), "Unter dieser Adresse gibt es nichts.") {
		t.Errorf("a link that has ended: %s", seen.Body)
	}
	seen := w.seeIn("en", w.page+"?lang=de&change=f00d")
	found := links.FindAllStringSubmatch(seen.Body.String(), -1)
	if len(found) < 4 || !strings.Contains(seen.Body.String(), `<html lang="de">`) {
		t.Fatalf("%d links: %s", len(found), seen.Body)
	}
	for _, link := range found {
		if other := link[1] == w.page+"?change=f00d&amp;lang=en"; !other && !strings.Contains(link[1], "lang=de") {
			t.Errorf("the link %s forgets the language", link[1])
		}
	}
}

func TestGuestsAreRefusedInTheirLanguage(t *testing.T) {
	w := newGuestWorld(t, 100, 100)
	one := w.page + "/" + string(w.first.ID)
	for body, says := range map[string]string{
		`{"name":" ","status":"ok"}`: "Bitte geben Sie einen Namen", `{"name":"Kim\u202e","status":"ok"}`: "Bitte geben Sie einen Namen",
	} {
		if a := w.post(one+"/verdict", body, "Accept-Language", "de"); a.Code != http.StatusUnprocessableEntity ||
			!strings.Contains(a.Body.String(), says) {
			t.Errorf("%s: %d %s", body, a.Code, a.Body)
		}
	}
	if a := w.post(one+"/comment", `{"name":"Kim","text":""}`, "Accept-Language", "de"); !strings.Contains(a.Body.String(), "Kommentar") {
		t.Errorf("no comment: %s", a.Body)
	}
	w.share(vcd.LinkRead)
	ended := w.post(one+"/verdict", `{"name":"Kim","status":"ok"}`, "Accept-Language", "de")
	if !strings.Contains(ended.Body.String(), "Unter dieser Adresse") {
		t.Errorf("by an old link: %s", ended.Body)
	}
}

func TestReportsAreInTheLanguageOfTheirReader(t *testing.T) {
	s, printer := fewStates(t), &printed{}
	w := askForReport(reporting(t, s, s, printer, 10), "/b/run/report.pdf?lang=de")
	if !strings.Contains(w.Header().Get("Content-Disposition"), "bericht.pdf") {
		t.Errorf("the file: %s", w.Header())
	}
	for _, want := range []string{`<html lang="de">`, "Sichtbare Änderungen", "Vorher nicht vorhanden.",
		"beendet am 21. November 2026, 12:00 UTC",
		"Aufnahmen vom 20. November 2026, 09:30 UTC bis 21. November 2026, 11:30 UTC", "3,21 %"} {
		if !strings.Contains(printer.documents[0], want) {
			t.Errorf("%q is not in the report: %.5000s", want, printer.documents[0])
		}
	}
}
