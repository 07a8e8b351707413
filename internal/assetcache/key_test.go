package assetcache_test

import (
	"slices"
	"strings"
	"testing"

	"afterimage/internal/assetcache"
)

func request() assetcache.Request {
	return assetcache.Request{Site: "https://example.com", Kind: "Image", Method: "GET", URL: "https://cdn.example.com/a.png",
		Headers: fields(
			"Accept: image/*\nReferer: https://example.com/shop?x=1\nUser-Agent: Chrome\nsec-ch-ua-mobile: ?0")}
}

// TestAKeyTellsVisitorsApart changes one thing of a request at a time.
func TestAKeyTellsVisitorsApart(t *testing.T) {
	base := request()
	original, ok := base.Key()
	if !ok {
		t.Fatal("the request is not shared")
	}
	with := func(text string) func(*assetcache.Request) {
		return func(r *assetcache.Request) { r.Headers = append(r.Headers, fields(text)...) }
	}
	set := func(name, value string) func(*assetcache.Request) {
		return func(r *assetcache.Request) {
			for i := range r.Headers {
				if r.Headers[i].Name == name {
					r.Headers[i].Value = value
				}
			}
		}
	}
	const same, other, none = "same", "other", "none"
	for _, row := range []struct {
		name   string
		change func(*assetcache.Request)
		want   string
	}{
		{"nothing", func(*assetcache.Request) {}, same},
		{"the order of headers", func(r *assetcache.Request) { slices.Reverse(r.Headers) }, same},
		{"the page", set("Referer", "https://example.com/cart"), same},
		{"the page of another site", set("Referer", "https://other.test/shop"), other},
		{"a page that does not say which", func(r *assetcache.Request) { r.Headers = slices.Delete(r.Headers, 1, 2) }, other},
		{"an odd page", set("Referer", "https://a b:x/%zz"), none},
		{"the site", func(r *assetcache.Request) { r.Site = "https://www.example.com" }, other},
		{"no site", func(r *assetcache.Request) { r.Site = "" }, none},
		{"the scheme", func(r *assetcache.Request) { r.URL = "http://cdn.example.com/a.png" }, other},
		{"the query", func(r *assetcache.Request) { r.URL += "?v=2" }, other},
		{"the use", func(r *assetcache.Request) { r.Kind = "Script" }, other},
		{"the device", set("sec-ch-ua-mobile", "?1"), other},
		{"the browser", set("User-Agent", "Chrome Mobile"), other},
		{"the language", with("Accept-Language: de"), other},
		{"a cookie", with("Cookie: lang=de"), other},
		{"a request with CORS", with("Origin: https://example.com"), other},
		{"a header that runs into the next", with("a: b\nc: d"), other},
		{"a password", with("Authorization: Basic eA=="), none},
		{"a part", with("Range: bytes=0-1"), none},
		{"a reload", with("Cache-Control: no-cache"), none},
		{"a condition", with("If-None-Match: x"), none},
		{"a prefetch", with("Sec-Purpose: prefetch"), none},
		{"a service worker", with("Service-Worker: script"), none},
		{"another method", func(r *assetcache.Request) { r.Method = "POST" }, none},
		{"another scheme", func(r *assetcache.Request) { r.URL = "file:///etc/passwd" }, none},
		{"a long address", func(r *assetcache.Request) { r.URL += "?" + strings.Repeat("x", 9<<10) }, none},
	} {
		changed := request()
		row.change(&changed)
		key, ok := changed.Key()
		got := none
		if ok && key == original {
			got = same
		} else if ok {
			got = other
		}
		if got != row.want {
			t.Errorf("%s: the key is %s, want %s", row.name, got, row.want)
		}
	}
}

// TestFieldsDoNotRunIntoEachOther is about a page that moves the border between two parts of a key.
func TestFieldsDoNotRunIntoEachOther(t *testing.T) {
	a, b := request(), request()
	a.Site, a.Kind = "https://example.com", "Image"
	b.Site, b.Kind = "https://example.co", "mImage"
	keyA, _ := a.Key()
	if keyB, _ := b.Key(); keyA == keyB {
		t.Error("two requests have one key")
	}
}
