package page

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEntriesThatSayTheSameHaveOnePattern(t *testing.T) {
	for name, pair := range map[string][2]ConsoleEntry{
		"numbers": {{Text: "loaded 12 items in 3.5 ms"}, {Text: "loaded 7 items in 112 ms"}},
		"ids":     {{Text: "slot div-gpt-ad-1234567-0 is empty"}, {Text: "slot div-gpt-ad-7654321-3 is empty"}},
		"uuid": {{Text: "session 0b5b7d5e-4a7c-4b58-9a63-3c1f6f2b7a10 began"},
			{Text: "session FFFFFFFF-4a7c-4b58-9a63-000000000000 began"}},
		"hash":        {{Text: "chunk 3f2a1b9c loaded"}, {Text: "chunk 00ffee12 loaded"}},
		"nonce":       {{Text: "nonce k3J9x2P1qZ77aB0c"}, {Text: "nonce Z1a2B3c4D5e6F7g8"}},
		"moment":      {{Text: "built 2026-11-20T13:07:01Z"}, {Text: "built 2025-01-02T00:00:59+01:00"}},
		"date":        {{Text: "since Fri, 20 Nov 2026 13:07:01 GMT"}, {Text: "since Sat, 1 May 2027 01:02:03 GMT"}},
		"clock":       {{Text: "[13:07:01] ready"}, {Text: "[9:15:22 PM] ready"}},
		"white space": {{Text: "a\n\t b"}, {Text: " a b "}},
		"query": {{Text: "GET https://example.test/a.js?ver=6.1 failed"},
			{Text: "GET https://example.test/a.js?ver=6.2&x=y failed"}},
		"relative": {{Text: "loading /wp-content/a.js?t=17"}, {Text: "loading /wp-content/a.js?t=18"}},
		"cache-buster": {{Text: "x", URL: "https://example.test/app.3f2a1b9c.js"},
			{Text: "x", URL: "https://example.test/app.99d0aa7e.js"}},
		"source":   {{Text: "x", URL: "https://example.test/a.js?ver=6.1:12:7"}, {Text: "x", URL: "https://example.test/a.js"}},
		"position": {{Text: "boom", URL: "https://example.test/a.js:10:2"}, {Text: "boom", URL: "https://example.test/a.js:9:1"}},
		"stack": {{Text: "TypeError: x at https://example.test/a.js:10:2"},
			{Text: "TypeError: x at https://example.test/a.js:11:20"}},
		"file": {{Text: "at f (a.min.js:1:2021)"}, {Text: "at f (a.min.js:1:99)"}},
		"data": {{Text: "image data:image/png;base64,AAAA is broken"}, {Text: "image data:image/gif;base64,BBBB== is broken"}},
		"blob": {{Text: "at blob:https://example.test/0b5b7d5e-4a7c-4b58-9a63-3c1f6f2b7a10"},
			{Text: "at blob:https://example.test/1"}},
		"blob source": {{Text: "x", URL: "blob:"}, {Text: "x", URL: "blob:https://example.test/1"}},
		"status words": {{Text: "Failed to load resource: the server responded with a status of 404 (Not Found)"},
			{Text: "Failed to load resource: the server responded with a status of 404 ()"}},
		"no type": {{Text: "x", Type: ""}, {Text: "x", Type: "log"}},
	} {
		if a, b := pair[0].Pattern(), pair[1].Pattern(); a != b {
			t.Errorf("%s: %+v and %+v", name, a, b)
		}
	}
}

func TestEntriesThatSaySomethingElseHaveAnother(t *testing.T) {
	for name, pair := range map[string][2]ConsoleEntry{
		"words": {{Text: "a is not defined"}, {Text: "b is not defined"}},
		"type":  {{Text: "a", Type: "warning"}, {Text: "a", Type: "error"}},
		"status": {{Text: "Failed to load resource: the server responded with a status of 404 ()"},
			{Text: "Failed to load resource: the server responded with a status of 500 ()"}},
		"status text": {{Text: "request failed with status code 401"}, {Text: "request failed with status code 503"}},
		"network": {{Text: "Failed to load resource: net::ERR_CONNECTION_REFUSED"},
			{Text: "Failed to load resource: net::ERR_NAME_NOT_RESOLVED"}},
		"heading": {{Text: "no h1 on the page"}, {Text: "no h2 on the page"}},
		"host":    {{Text: "x", URL: "https://cdn1.example.test/a.js"}, {Text: "x", URL: "https://cdn2.example.test/a.js"}},
		"port":    {{Text: "x", URL: "http://localhost:1234/a.js"}, {Text: "x", URL: "http://localhost:1235/a.js"}},
		"plugin": {{Text: "x", URL: "https://example.test/wp-content/plugins/a/s.js"},
			{Text: "x", URL: "https://example.test/wp-content/plugins/b/s.js"}},
		"month words":  {{Text: "Marker 12"}, {Text: "Augment 12"}},
		"hex words":    {{Text: "facade"}, {Text: "decade"}},
		"long words":   {{Text: "internationalization"}, {Text: "internationalisation"}},
		"minified var": {{Text: "e2 is not a function"}, {Text: "e3 is not a function"}},
	} {
		if a, b := pair[0].Pattern(), pair[1].Pattern(); a == b {
			t.Errorf("%s: both are %+v", name, a)
		}
	}
}

func TestThePatternOfAPatternIsThePattern(t *testing.T) {
	words := rapid.SampledFrom([]string{"a", "status 404", "https://example.test:8080/a/b.1234abcd.js?x=1:2:3", "12:30", "0x1f",
		"data:a,b", "2026-01-02",
		"3f2a1b9c", "{n}", "{hash}", "k3J9x2P1qZ77aB0c", "Nov 20 2026", "x?y#z", ":12:3", ".js:1:2", "HTTP/1.1 500", "blob:", "é",
		"Ω12", "20.11.2026"})
	rapid.Check(t, func(t *rapid.T) {
		joint := rapid.SampledFrom([]string{" ", ", ", " (", ": "}).Draw(t, "joint")
		text := strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, "words"), joint)
		e := ConsoleEntry{Text: text, URL: words.Draw(t, "address"), Type: "error"}
		p := e.Pattern()
		if again := (ConsoleEntry{Text: p.Text, URL: p.Source, Type: p.Type}).Pattern(); again != p {
			t.Fatalf("%q: %+v becomes %+v", text, p, again)
		}
	})
}
