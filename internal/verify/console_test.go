package verify

import (
	"strings"
	"testing"

	"afterimage/internal/page"
)

func said(text, kind, address string) page.ConsoleEntry {
	return page.ConsoleEntry{Text: text, Type: kind, URL: address}
}

func TestNewEntriesOfTheConsoleAreJudged(t *testing.T) {
	const address = "https://www.example.com/shop"
	for name, c := range map[string]struct {
		entry page.ConsoleEntry
		want  Category
	}{
		"log":               {said("ready", "log", ""), AllGood},
		"deprecation":       {said("Synchronous XMLHttpRequest is deprecated", "warning", "https://example.com/a.js"), AllGood},
		"migration":         {said("JQMIGRATE: jQuery.fn.load() is deprecated", "warning", "https://example.com/a.js"), AllGood},
		"uncaught":          {said("Uncaught TypeError: a is not a function", "error", "https://example.com/a.js"), Alert},
		"uncaught, inline":  {said("Uncaught ReferenceError: jQuery is not defined", "error", ""), Alert},
		"uncaught, own CDN": {said("Uncaught Error: x", "error", "https://cdn.example.com/a.js"), Alert},
		"uncaught, foreign": {said("Uncaught Error: x", "error", "https://widget.test/a.js"), NotSure},
		"uncaught, counter": {said("Uncaught Error: x", "error", "https://www.google-analytics.com/a.js"), AllGood},
		"promise":           {said("Uncaught (in promise) TypeError: Failed to fetch", "error", "https://example.com/a.js"), Alert},
		"aborted": {said("Uncaught (in promise) AbortError: The play() request was interrupted", "error",
			"https://example.com/a.js"), AllGood},
		"observer": {said("Uncaught ResizeObserver loop completed with undelivered notifications.", "error", ""), AllGood},
		"chunk":    {said("ChunkLoadError: Loading chunk 7 failed.", "error", "https://example.com/a.js"), Alert},
		"own script": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://example.com/a.js?ver=1"), Alert},
		"own style": {said("Failed to load resource: net::ERR_CONNECTION_RESET", "error",
			"https://example.com/wp-content/a.css"), Alert},
		"foreign script": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://cdn.test/a.js"), NotSure},
		"counter's script": {said("Failed to load resource: net::ERR_NAME_NOT_RESOLVED", "error",
			"https://static.hotjar.com/a.js"), AllGood},
		"own picture": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://example.com/a.png"), NotSure},
		"favicon": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://example.com/favicon.ico"), AllGood},
		"own service": {said("Failed to load resource: the server responded with a status of 500 ()", "error",
			"https://example.com/wp-json/cart"), Alert},
		"own service, missing": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://example.com/wp-json/cart"), NotSure},
		"refused style": {said("Refused to apply style from 'https://example.com/a.css' because its MIME type ('text/html') is "+
			"not supported", "error", "https://example.com/"), Alert},
		"refused picture": {said("Refused to load the image 'https://example.com/a.png'", "error", "https://example.com/"), NotSure},
		"counter's origin": {said("Access to fetch at 'https://region1.google-analytics.com/g' has been blocked by CORS policy",
			"error", "https://example.com/"), AllGood},
		"reported":              {said("could not start the slider", "error", "https://example.com/a.js"), NotSure},
		"an address that lies":  {said("Uncaught Error: x", "error", "https://google-analytics.com.evil.test/a.js"), NotSure},
		"neither an address is": {said("Uncaught Error: x", "error", "::%"), Alert},
	} {
		v := JudgeConsole(address, []page.ConsoleEntry{said("fine", "log", ""), c.entry}, nil)
		if v.Category != c.want || v.Reason == "" || v.Description == "" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestTheWorstEntryIsTold(t *testing.T) {
	if v := JudgeConsole("https://example.com", nil, nil); v != nil {
		t.Errorf("of nothing: %+v", v)
	}
	boom := said("Uncaught Error: boom\nat x", "error", "https://example.com/wp-content/plugins/shop/a.js?ver=1")
	v := JudgeConsole("https://example.com", []page.ConsoleEntry{said("odd", "error", ""), boom, boom, said("fine", "log", "")},
		[]page.ConsoleEntry{said("gone", "error", "")})
	want := ConsoleVerdict{Alert,
		"New in the console: “Uncaught Error: boom at x” from example.com/wp-content/plugins/shop/a.js and 1 more like it.",
		"A script of the page stopped with an error, so a part of the page may not work."}
	if *v != want {
		t.Errorf("%+v", v)
	}
	v = JudgeConsole("https://example.com", nil, []page.ConsoleEntry{boom})
	if v.Category != AllGood || v.Description != "Nothing new in the console, 1 entry gone." {
		t.Errorf("%+v", v)
	}
	for _, hostile := range []string{"://", "://'", strings.Repeat("mixed content ://", 1000), "blocked by cors policy ://"} {
		JudgeConsole(hostile, []page.ConsoleEntry{said(hostile, "error", hostile)}, nil)
	}
}
