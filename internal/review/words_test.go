package review

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"afterimage/vcd"
)

// TestEveryLanguageHasAllWords: a text that is missing in one language would be an empty place on its pages.
func TestEveryLanguageHasAllWords(t *testing.T) {
	en, de := reflect.ValueOf(english), reflect.ValueOf(german)
	for i := range en.NumField() {
		name := en.Type().Field(i).Name
		a, b := en.Field(i), de.Field(i)
		if a.IsZero() || b.IsZero() {
			t.Errorf("%s: missing in English %t, in German %t", name, a.IsZero(), b.IsZero())
			continue
		}
		if a.Kind() != reflect.Map {
			continue
		}
		if a.Len() != b.Len() {
			t.Errorf("%s: %d words in English, %d in German", name, a.Len(), b.Len())
		}
		for _, key := range a.MapKeys() {
			if found := b.MapIndex(key); !found.IsValid() || found.String() == "" {
				t.Errorf("%s: nothing for %v in German", name, key)
			}
		}
	}
}

func TestTheLanguageOfARequest(t *testing.T) {
	many := "fr"
	for range 100 {
		many += ",fr"
	}
	for _, c := range []struct {
		address, accepts string
		want             *words
		chosen           bool
	}{
		{"/b/a", "", &english, false}, {"/b/a", "de", &german, false}, {"/b/a", "DE-at,en;q=0.5", &german, false},
		{"/b/a", "en-GB, de;q=0.9", &english, false}, {"/b/a", "fr,de;q=0.2,en;q=0.1", &german, false}, {"/b/a", "fr", &english, false},
		{"/b/a", "de;q=0", &english, false}, {"/b/a", "de;q=x", &english, false}, {"/b/a", many + ",de", &english, false},
		{"/b/a", "den", &english, false}, {"/b/a?lang=de", "en", &german, true}, {"/b/a?lang=en", "de", &english, true},
		{"/b/a?lang=fr", "de", &german, false}, {"/b/a?lang=", "de", &german, false},
	} {
		r := httptest.NewRequest(http.MethodGet, c.address, nil)
		r.Header.Set("Accept-Language", c.accepts)
		if got, chosen := wordsFor(r); got != c.want || chosen != c.chosen {
			t.Errorf("%s for %.30q: %s, %t", c.address, c.accepts, got.Language, chosen)
		}
	}
}

func TestTheTimeOfScreenshotsIsSaidOnce(t *testing.T) {
	at := time.Date(2026, 3, 1, 22, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		to   time.Duration
		want string
	}{
		{time.Second, "Screenshots of 1 March 2026, 22:05 UTC"}, {time.Hour, "Screenshots from 1 March 2026, 22:05 UTC to 23:05 UTC"},
		{2 * time.Hour, "Screenshots from 1 March 2026, 22:05 UTC to 2 March 2026, 00:05 UTC"},
	} {
		if got := english.captured(at, at.Add(c.to), nil); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestWhatBecameOfAChange(t *testing.T) {
	for _, c := range []struct {
		open     int
		accepted bool
		want     string
	}{{0, true, "geprüft"}, {0, false, "geprüft"}, {1, false, "1 Seite offen"}, {2, true, "freigegeben, 2 Seiten offen"}} {
		if got := german.standing(vcd.ChangeStanding{Open: c.open}, c.accepted); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestNumbersAndTimesAreWrittenAsPeopleDo(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	dubai, err := time.LoadLocation("Asia/Dubai")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 23, 5, 0, 0, time.UTC)
	for _, c := range []struct{ got, want string }{
		{english.moment(at, nil), "1 March 2026, 23:05 UTC"}, {german.moment(at, berlin), "2. März 2026, 00:05 CET"},
		{english.moment(at.AddDate(0, 4, 0), berlin), "2 July 2026, 01:05 CEST"}, {english.moment(at, dubai), "2 March 2026, 03:05 UTC+04"},
		{english.Percent(0.004), "< 0.01 %"}, {german.Percent(0.004), "< 0,01 %"}, {german.Percent(12.345), "12,35 %"},
		{english.Percent(0), "0.00 %"}, {german.Pages(1), "1 Seite"}, {german.Pages(0), "0 Seiten"}, {english.Pages(2), "2 pages"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
