package assetcache_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"afterimage/internal/assetcache"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// fields reads header fields, one a line.
func fields(text string) assetcache.Headers {
	var h assetcache.Headers
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		h = append(h, assetcache.Header{Name: name, Value: strings.TrimSpace(value)})
	}
	return h
}

func TestLifetime(t *testing.T) {
	const day = "Cache-Control: max-age=86400"
	const most = assetcache.MaxLifetime
	for _, row := range []struct {
		name, headers string
		want          time.Duration
	}{
		{"nothing", "", 0},
		{"a minute", "Cache-Control: max-age=60", time.Minute},
		{"a day", day, most},
		{"a year, immutable", "Cache-Control: public, max-age=31536000, immutable", most},
		{"any case and space", "cache-CONTROL: Public ,  MAX-AGE = 60", time.Minute},
		{"several fields", "Cache-Control: public\nCache-Control: max-age=60", time.Minute},
		{"quoted", `Cache-Control: max-age="60"`, time.Minute},
		{"a directive within quotes", `Cache-Control: ext="a, no-store, \", b", max-age=60`, time.Minute},
		{"quotes that do not end", `Cache-Control: ext="a, max-age=60`, 0},
		{"shared caches may keep it shorter", "Cache-Control: max-age=600, s-maxage=30", 30 * time.Second},
		{"shared caches may keep it longer", "Cache-Control: max-age=30, s-maxage=600", 30 * time.Second},
		{"shared caches only", "Cache-Control: s-maxage=30", 30 * time.Second},
		{"two lifetimes", "Cache-Control: max-age=60, max-age=30", 30 * time.Second},
		{"too large a number", "Cache-Control: max-age=99999999999999999999999", most},
		{"a negative number", "Cache-Control: max-age=-1", 0},
		{"no number", "Cache-Control: max-age=soon\nExpires: Tue, 24 Nov 2026 13:00:00 GMT", 0},
		{"a fraction", "Cache-Control: max-age=1.5", 0},
		{"an empty number", "Cache-Control: max-age", 0},
		{"to be asked for again", "Cache-Control: max-age=0, must-revalidate\nETag: \"1\"", 0},
		{"not once stale", "Cache-Control: max-age=60, must-revalidate", time.Minute},
		{"stale is allowed, but not used", "Cache-Control: max-age=0, stale-while-revalidate=600", 0},

		{"no-store", "Cache-Control: no-store, max-age=60", 0},
		{"no-store, before and after", "Cache-Control: max-age=60\nCache-Control: No-Store", 0},
		{"no-cache", "Cache-Control: no-cache, max-age=60", 0},
		{"no-cache of a field", `Cache-Control: no-cache="x-user", max-age=60`, 0},
		{"private", "Cache-Control: private, max-age=31536000", 0},
		{"private field", `Cache-Control: private="x-user", max-age=60`, 0},
		{"public and private", "Cache-Control: public, private, max-age=60", 0},
		{"no-cache by HTTP/1.0", "Pragma: no-cache\nExpires: Tue, 24 Nov 2026 13:00:00 GMT", 0},
		{"Pragma is overruled", "Pragma: no-cache\nCache-Control: max-age=60", time.Minute},

		{"expires", "Date: Tue, 24 Nov 2026 12:00:00 GMT\nExpires: Tue, 24 Nov 2026 12:01:00 GMT", time.Minute},
		{"expires, without a date", "Expires: Tue, 24 Nov 2026 12:01:00 GMT", time.Minute},
		{"expired", "Expires: Tue, 24 Nov 2026 11:00:00 GMT", 0},
		{"expires never", "Expires: 0\nLast-Modified: Tue, 24 Nov 2025 12:00:00 GMT", 0},
		{"expires twice", "Expires: Tue, 24 Nov 2026 13:00:00 GMT\nExpires: Tue, 24 Nov 2026 14:00:00 GMT", 0},
		{"max-age overrules expires", "Cache-Control: max-age=60\nExpires: Tue, 24 Nov 2026 11:00:00 GMT", time.Minute},
		{"changed ten minutes ago", "Date: Tue, 24 Nov 2026 12:00:00 GMT\nLast-Modified: Tue, 24 Nov 2026 11:50:00 GMT", time.Minute},
		{"changed last year", "Last-Modified: Mon, 24 Nov 2025 12:00:00 GMT", most},
		{"changed tomorrow", "Last-Modified: Wed, 25 Nov 2026 12:00:00 GMT", 0},
		{"changed some day", "Last-Modified: yesterday", 0},
		{"an ETag says nothing", "ETag: \"1\"", 0},

		{"old already", "Cache-Control: max-age=100\nAge: 60", 40 * time.Second},
		{"too old", "Cache-Control: max-age=60\nAge: 61", 0},
		{"of unknown age", "Cache-Control: max-age=86400\nAge: old", 0},
		{"dated earlier", "Cache-Control: max-age=100\nDate: Tue, 24 Nov 2026 11:59:00 GMT", 40 * time.Second},
		{"dated later", "Cache-Control: max-age=60\nDate: Tue, 24 Nov 2026 13:00:00 GMT", time.Minute},

		{"sets a cookie", day + "\nSet-Cookie: a=1", 0},
		{"clears", day + "\nClear-Site-Data: \"*\"", 0},
		{"logs in", day + "\nWWW-Authenticate: Basic", 0},
		{"goes elsewhere", day + "\nRefresh: 0; url=/", 0},
		{"a document", day + "\nContent-Type: Text/HTML; charset=utf-8", 0},
		{"another document", day + "\nContent-Type: application/xhtml+xml", 0},
		{"a picture without an end", day + "\nContent-Type: multipart/x-mixed-replace; boundary=b", 0},
		{"a stream", day + "\nContent-Type: text/event-stream", 0},
		{"a part", day + "\nContent-Range: bytes 0-1/2", 0},
		{"a picture", day + "\nContent-Type: image/png", most},

		{"varies by what is in the key", day + "\nVary: Accept-Encoding, Accept, Cookie, Origin, User-Agent, Accept-Language", most},
		{"varies by anything", day + "\nVary: accept, *", 0},
		{"varies by the page", day + "\nVary: Referer", 0},
		{"varies by the use", day + "\nVary: Sec-Fetch-Dest", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := max(0, assetcache.Lifetime(fields(row.headers), noon)); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

// FuzzLifetime checks what holds of every response: nothing is kept for longer than the bound, a prohibition that is added in
// any place makes the lifetime nothing, and a lifetime that is added never makes it longer than that.
func FuzzLifetime(f *testing.F) {
	for _, seed := range []string{
		"Cache-Control: max-age=60", "Expires: 0\nAge: 1", `Cache-Control: a="b,c", s-maxage=5`, "Vary: x\nPragma: y",
		"Last-Modified: Mon, 24 Nov 2025 12:00:00 GMT\nDate: Tue, 24 Nov 2026 12:00:00 GMT",
		"Content-Type: text/css\nCache-Control: \"\\",
	} {
		f.Add(seed, uint8(0), uint16(30))
	}
	forbid := []string{
		"Cache-Control: no-store", "Cache-Control: private", "Cache-Control: max-age=9, No-Cache", "Set-Cookie: a=b", "Vary: *",
		"Vary: Accept, REFERER", "Content-Type: text/html", "Content-Range: bytes 0-1/2", "Clear-Site-Data: \"cookies\"", "Age: x"}
	f.Fuzz(func(t *testing.T, text string, which uint8, seconds uint16) {
		h := fields(text)
		lifetime := assetcache.Lifetime(h, noon)
		if lifetime > assetcache.MaxLifetime {
			t.Fatalf("%q may be kept for %s", text, lifetime)
		}
		extra := forbid[int(which)%len(forbid)]
		for _, changed := range []assetcache.Headers{append(fields(extra), h...), append(h[:len(h):len(h)], fields(extra)...)} {
			if got := assetcache.Lifetime(changed, noon); got > 0 {
				t.Fatalf("%q with %q may be kept for %s", text, extra, got)
			}
		}
		bound := time.Duration(seconds) * time.Second
		limited := append(h[:len(h):len(h)], assetcache.Header{Name: "Cache-Control", Value: fmt.Sprintf("max-age=%d", seconds)},
			assetcache.Header{Name: "Cache-Control", Value: "s-maxage=99999"})
		if got := assetcache.Lifetime(limited, noon); got > bound {
			t.Fatalf("%q with a lifetime of %s may be kept for %s", text, bound, got)
		}
	})
}
