package samplesite

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

func get(t *testing.T, site http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	site.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
	return recorder
}

// release returns the site in the given release.
func release(changed bool) *Site {
	site := New()
	if changed {
		site.Change()
	}
	return site
}

func eachRelease(t *testing.T, test func(t *testing.T, site *Site)) {
	for _, changed := range []bool{false, true} {
		t.Run(fmt.Sprintf("changed=%t", changed), func(t *testing.T) { test(t, release(changed)) })
	}
}

// elements reads a page as strict XML with HTML's entities and returns every
// start tag, so a page that is not well-formed fails here.
func elements(t *testing.T, page string) []xml.StartElement {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Entity = xml.HTMLEntity
	var found []xml.StartElement
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		if element, ok := token.(xml.StartElement); ok {
			found = append(found, element.Copy())
		}
	}
}

func attribute(element xml.StartElement, name string) (string, bool) {
	for _, a := range element.Attr {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

func TestEveryPageAnswersInBothReleases(t *testing.T) {
	eachRelease(t, func(t *testing.T, site *Site) {
		for _, page := range Pages() {
			answer := get(t, site, page.Path)
			if answer.Code != http.StatusOK {
				t.Errorf("%s: status %d", page.Path, answer.Code)
			}
			if got := answer.Header().Get("Content-Type"); got != "text/html; charset=utf-8" {
				t.Errorf("%s: Content-Type %q", page.Path, got)
			}
			if got := answer.Header().Get("Cache-Control"); got != "no-store" {
				t.Errorf("%s: Cache-Control %q", page.Path, got)
			}
		}
	})
}

// The file of the Palm House is the one link that may break, and only on the
// page that says so.
func TestLinksResolve(t *testing.T) {
	eachRelease(t, func(t *testing.T, site *Site) {
		var broken []string
		for _, page := range Pages() {
			for _, element := range elements(t, get(t, site, page.Path).Body.String()) {
				for _, name := range []string{"href", "src", "action"} {
					link, ok := attribute(element, name)
					if !ok || link == ProtectedPath {
						continue
					}
					parsed, err := url.Parse(link)
					if err != nil || parsed.IsAbs() || parsed.Host != "" || !strings.HasPrefix(link, "/") {
						t.Errorf("%s: link %q leaves the site", page.Path, link)
						continue
					}
					if get(t, site, link).Code != http.StatusOK {
						broken = append(broken, page.Path+" "+link)
					}
				}
			}
		}
		var want []string
		if site.Changed() {
			want = []string{"/places/ /pictures/places/palm-house-closed.svg"}
		}
		if !slices.Equal(broken, want) {
			t.Errorf("broken links %q, want %q", broken, want)
		}
	})
}

func TestStyleSheetsStayOnTheSite(t *testing.T) {
	site := New()
	reference := regexp.MustCompile(`url\('([^']*)'\)|@import|https?:`)
	for _, sheet := range []string{"site.css", "pages.css", "service.css", "narrow.css"} {
		answer := get(t, site, "/static/"+sheet)
		if answer.Header().Get("Content-Type") != "text/css; charset=utf-8" {
			t.Fatalf("%s: status %d, Content-Type %q", sheet, answer.Code, answer.Header().Get("Content-Type"))
		}
		for _, match := range reference.FindAllStringSubmatch(answer.Body.String(), -1) {
			if match[1] == "" {
				t.Errorf("%s: %q leads elsewhere", sheet, match[0])
				continue
			}
			font := get(t, site, "/static/"+match[1])
			if font.Code != http.StatusOK || font.Header().Get("Content-Type") != "font/woff2" {
				t.Errorf("%s: %s: status %d", sheet, match[1], font.Code)
			}
		}
	}
}

func TestPagesChangeAsTheySay(t *testing.T) {
	before, after := release(false), release(true)
	unchanged := 0
	for _, page := range Pages() {
		same := bytes.Equal(get(t, before, page.Path).Body.Bytes(), get(t, after, page.Path).Body.Bytes())
		if same != (page.Change == "") {
			t.Errorf("%s: same bytes in both releases: %t, but Change is %q", page.Path, same, page.Change)
		}
		if same {
			unchanged++
		}
	}
	if unchanged < 2 || len(Pages()) < 8 {
		t.Errorf("%d pages, %d of them unchanged; want at least 8 and 2", len(Pages()), unchanged)
	}
}

func TestChangeAndReset(t *testing.T) {
	site := New()
	first := get(t, site, "/visit/").Body.String()
	site.Change()
	site.Change()
	if get(t, site, "/visit/").Body.String() == first {
		t.Error("Change left the page as it was")
	}
	site.Reset()
	if get(t, site, "/visit/").Body.String() != first {
		t.Error("Reset did not bring the page back")
	}
}

// Two sites must give the same bytes, or an unchanged page would not compare
// as unchanged.
func TestAnswersAreDeterministic(t *testing.T) {
	one, other := New(), New()
	for _, page := range Pages() {
		for _, element := range elements(t, get(t, one, page.Path).Body.String()) {
			link, ok := attribute(element, "src")
			if ok && !bytes.Equal(get(t, one, link).Body.Bytes(), get(t, other, link).Body.Bytes()) {
				t.Errorf("%s differs between two sites", link)
			}
		}
	}
}

func TestPicturesAreWellFormed(t *testing.T) {
	site := New()
	for name := range pictures() {
		answer := get(t, site, "/pictures/"+name)
		if strings.HasSuffix(name, ".png") {
			picture, err := png.Decode(answer.Body)
			if err != nil || picture.Bounds().Dx() != portraitSide {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		elements(t, answer.Body.String())
		if strings.Contains(answer.Body.String(), "%!") {
			t.Errorf("%s: a number was written wrongly", name)
		}
	}
}

// Each image says its size, so that a lazy one does not move the page.
func TestImagesHaveTextAndSize(t *testing.T) {
	lazy := 0
	for _, page := range Pages() {
		for _, element := range elements(t, get(t, New(), page.Path).Body.String()) {
			if element.Name.Local != "img" {
				continue
			}
			for _, name := range []string{"alt", "width", "height"} {
				if _, ok := attribute(element, name); !ok {
					t.Errorf("%s: an image without %s: %v", page.Path, name, element.Attr)
				}
			}
			if loading, _ := attribute(element, "loading"); loading == "lazy" {
				lazy++
			}
		}
	}
	if lazy < 20 {
		t.Errorf("%d lazy images, want many", lazy)
	}
}

func TestProtectedPage(t *testing.T) {
	site := New()
	refused := get(t, site, ProtectedPath)
	if refused.Code != http.StatusUnauthorized || refused.Header().Get("WWW-Authenticate") == "" {
		t.Errorf("without a password: status %d", refused.Code)
	}
	for password, want := range map[string]int{ProtectedPassword: http.StatusOK, "wrong": http.StatusUnauthorized} {
		request := httptest.NewRequest(http.MethodGet, ProtectedPath, nil)
		request.SetBasicAuth(ProtectedUser, password)
		recorder := httptest.NewRecorder()
		site.ServeHTTP(recorder, request)
		if recorder.Code != want {
			t.Errorf("password %q: status %d, want %d", password, recorder.Code, want)
		}
	}
}

func TestUnknownAddresses(t *testing.T) {
	site := New()
	for _, path := range []string{"/nothing", "/plants", "/pictures/x.svg", "/static/", "/static/fonts", "/static/%2e%2e/pages.go",
		"/favicon.ico"} {
		code := get(t, site, path).Code
		if code != http.StatusNotFound && (path != "/plants" || code != http.StatusTemporaryRedirect &&
			code != http.StatusMovedPermanently) {
			t.Errorf("%s: status %d, want 404", path, code)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	site := New()
	var visitors sync.WaitGroup
	for i := range 8 {
		visitors.Go(func() {
			for _, page := range Pages() {
				if i == 0 {
					site.Change()
				}
				if code := get(t, site, page.Path).Code; code != http.StatusOK {
					t.Errorf("%s: status %d", page.Path, code)
				}
			}
		})
	}
	visitors.Wait()
}
