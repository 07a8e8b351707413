package console

import (
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/internal/verify"
)

func said(text, kind, address string) page.ConsoleEntry {
	return page.ConsoleEntry{Text: text, Type: kind, URL: address}
}

func TestNewEntriesOfTheConsoleAreJudged(t *testing.T) {
	const address = "https://www.example.com/shop"
	for name, c := range map[string]struct {
		entry page.ConsoleEntry
		want  verify.Category
	}{
		"log":               {said("ready", "log", ""), verify.AllGood},
		"deprecation":       {said("Synchronous XMLHttpRequest is deprecated", "warning", "https://example.com/a.js"), verify.AllGood},
		"migration":         {said("JQMIGRATE: jQuery.fn.load() is deprecated", "warning", "https://example.com/a.js"), verify.AllGood},
		"uncaught":          {said("Uncaught TypeError: a is not a function", "error", "https://example.com/a.js"), verify.Alert},
		"uncaught, inline":  {said("Uncaught ReferenceError: jQuery is not defined", "error", ""), verify.Alert},
		"uncaught, own CDN": {said("Uncaught Error: x", "error", "https://cdn.example.com/a.js"), verify.Alert},
		"uncaught, foreign": {said("Uncaught Error: x", "error", "https://widget.test/a.js"), verify.NotSure},
		"uncaught, counter": {said("Uncaught Error: x", "error", "https://www.google-analytics.com/a.js"), verify.AllGood},
		"promise":           {said("Uncaught (in promise) TypeError: Failed to fetch", "error", "https://example.com/a.js"), verify.Alert},
		"aborted": {said("Uncaught (in promise) AbortError: The play() request was interrupted", "error",
			"https://example.com/a.js"), verify.AllGood},
		"observer": {said("Uncaught ResizeObserver loop completed with undelivered notifications.", "error", ""), verify.AllGood},
		"chunk":    {said("ChunkLoadError: Loading chunk 7 failed.", "error", "https://example.com/a.js"), verify.Alert},
		"own script": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://example.com/a.js?ver=1"), verify.Alert},
		"own style": {said("Failed to load resource: net::ERR_CONNECTION_RESET", "error",
			"https://example.com/wp-content/a.css"), verify.Alert},
		"foreign script": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://cdn.test/a.js"), verify.NotSure},
		"counter's script": {said("Failed to load resource: net::ERR_NAME_NOT_RESOLVED", "error",
			"https://static.hotjar.com/a.js"), verify.AllGood},
		"own picture": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://example.com/a.png"), verify.NotSure},
		"favicon": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://example.com/favicon.ico"), verify.AllGood},
		"own service": {said("Failed to load resource: the server responded with a status of 500 ()", "error",
			"https://example.com/wp-json/cart"), verify.Alert},
		"own service, missing": {said("Failed to load resource: the server responded with a status of 404 ()", "error",
			"https://example.com/wp-json/cart"), verify.NotSure},
		"refused style": {said("Refused to apply style from 'https://example.com/a.css' because its MIME type ('text/html') is "+
			"not supported", "error", "https://example.com/"), verify.Alert},
		"refused picture": {said("Refused to load the image 'https://example.com/a.png'", "error", "https://example.com/"), verify.NotSure},
		"counter's origin": {said("Access to fetch at 'https://region1.google-analytics.com/g' has been blocked by CORS policy",
			"error", "https://example.com/"), verify.AllGood},
		"reported":              {said("could not start the slider", "error", "https://example.com/a.js"), verify.NotSure},
		"an address that lies":  {said("Uncaught Error: x", "error", "https://google-analytics.com.evil.test/a.js"), verify.NotSure},
		"neither an address is": {said("Uncaught Error: x", "error", "::%"), verify.Alert},
	} {
		v := Judge(address, []page.ConsoleEntry{said("fine", "log", ""), c.entry}, nil)
		if v.Category != c.want || v.Reason == "" || v.Description == "" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestTheWorstEntryIsTold(t *testing.T) {
	if v := Judge("https://example.com", nil, nil); v != nil {
		t.Errorf("of nothing: %+v", v)
	}
	boom := said("Uncaught Error: boom\nat x", "error", "https://example.com/wp-content/plugins/shop/a.js?ver=1")
	v := Judge("https://example.com", []page.ConsoleEntry{said("odd", "error", ""), boom, boom, said("fine", "log", "")},
		[]page.ConsoleEntry{said("gone", "error", "")})
	want := Verdict{verify.Alert,
		"New in the console: “Uncaught Error: boom at x” from example.com/wp-content/plugins/shop/a.js and 1 more like it.",
		"A script of the page stopped with an error, so a part of the page may not work."}
	if *v != want {
		t.Errorf("%+v", v)
	}
	v = Judge("https://example.com", nil, []page.ConsoleEntry{boom})
	if v.Category != verify.AllGood || v.Description != "1 console entry gone." {
		t.Errorf("%+v", v)
	}
	for _, hostile := range []string{"://", "://'", strings.Repeat("mixed content ://", 1000), "blocked by cors policy ://"} {
		Judge(hostile, []page.ConsoleEntry{said(hostile, "error", hostile)}, nil)
	}
}

func TestConsole(t *testing.T) {
	for _, test := range []struct {
		added []page.ConsoleEntry
		want  verify.Category
	}{
		{[]page.ConsoleEntry{{Text: "hello", Type: "log"}, {Text: "old", Type: "warning"}}, verify.AllGood},
		{[]page.ConsoleEntry{{Text: "quota", Type: "error"}}, verify.NotSure},
		{[]page.ConsoleEntry{{Text: "quota", Type: "error"}, {Text: "Uncaught TypeError: x is undefined", Type: "error"}}, verify.Alert},
	} {
		if v := Judge("https://example.test", test.added, nil); v == nil || v.Category != test.want || v.Description == "" ||
			v.Reason == "" {
			t.Errorf("%+v: %+v", test.added, v)
		}
	}
	if v := Judge("https://example.test", nil, nil); v != nil {
		t.Errorf("%+v", v)
	}
}
