package verify

import (
	"strings"
	"testing"
)

func TestNewEntriesOfTheConsoleAreJudged(t *testing.T) {
	const page = "https://www.example.com/shop"
	for name, c := range map[string]struct {
		entry ConsoleEntry
		want  Category
	}{
		"log":                   {ConsoleEntry{"ready", "log", ""}, AllGood},
		"deprecation":           {ConsoleEntry{"Synchronous XMLHttpRequest is deprecated", "warning", "https://example.com/a.js"}, AllGood},
		"migration":             {ConsoleEntry{"JQMIGRATE: jQuery.fn.load() is deprecated", "warning", "https://example.com/a.js"}, AllGood},
		"uncaught":              {ConsoleEntry{"Uncaught TypeError: a is not a function", "error", "https://example.com/a.js"}, Alert},
		"uncaught, inline":      {ConsoleEntry{"Uncaught ReferenceError: jQuery is not defined", "error", ""}, Alert},
		"uncaught, own CDN":     {ConsoleEntry{"Uncaught Error: x", "error", "https://cdn.example.com/a.js"}, Alert},
		"uncaught, foreign":     {ConsoleEntry{"Uncaught Error: x", "error", "https://widget.test/a.js"}, NotSure},
		"uncaught, counter":     {ConsoleEntry{"Uncaught Error: x", "error", "https://www.google-analytics.com/a.js"}, AllGood},
		"promise":               {ConsoleEntry{"Uncaught (in promise) TypeError: Failed to fetch", "error", "https://example.com/a.js"}, Alert},
		"aborted":               {ConsoleEntry{"Uncaught (in promise) AbortError: The play() request was interrupted", "error", "https://example.com/a.js"}, AllGood},
		"observer":              {ConsoleEntry{"Uncaught ResizeObserver loop completed with undelivered notifications.", "error", ""}, AllGood},
		"chunk":                 {ConsoleEntry{"ChunkLoadError: Loading chunk 7 failed.", "error", "https://example.com/a.js"}, Alert},
		"own script":            {ConsoleEntry{"Failed to load resource: the server responded with a status of 404 ()", "error", "https://example.com/a.js?ver=1"}, Alert},
		"own style":             {ConsoleEntry{"Failed to load resource: net::ERR_CONNECTION_RESET", "error", "https://example.com/wp-content/a.css"}, Alert},
		"foreign script":        {ConsoleEntry{"Failed to load resource: the server responded with a status of 404 ()", "error", "https://cdn.test/a.js"}, NotSure},
		"counter's script":      {ConsoleEntry{"Failed to load resource: net::ERR_NAME_NOT_RESOLVED", "error", "https://static.hotjar.com/a.js"}, AllGood},
		"own picture":           {ConsoleEntry{"Failed to load resource: the server responded with a status of 404 ()", "error", "https://example.com/a.png"}, NotSure},
		"favicon":               {ConsoleEntry{"Failed to load resource: the server responded with a status of 404 ()", "error", "https://example.com/favicon.ico"}, AllGood},
		"own service":           {ConsoleEntry{"Failed to load resource: the server responded with a status of 500 ()", "error", "https://example.com/wp-json/cart"}, Alert},
		"own service, missing":  {ConsoleEntry{"Failed to load resource: the server responded with a status of 404 ()", "error", "https://example.com/wp-json/cart"}, NotSure},
		"refused style":         {ConsoleEntry{"Refused to apply style from 'https://example.com/a.css' because its MIME type ('text/html') is not supported", "error", "https://example.com/"}, Alert},
		"refused picture":       {ConsoleEntry{"Refused to load the image 'https://example.com/a.png'", "error", "https://example.com/"}, NotSure},
		"counter's origin":      {ConsoleEntry{"Access to fetch at 'https://region1.google-analytics.com/g' has been blocked by CORS policy", "error", "https://example.com/"}, AllGood},
		"reported":              {ConsoleEntry{"could not start the slider", "error", "https://example.com/a.js"}, NotSure},
		"an address that lies":  {ConsoleEntry{"Uncaught Error: x", "error", "https://google-analytics.com.evil.test/a.js"}, NotSure},
		"neither an address is": {ConsoleEntry{"Uncaught Error: x", "error", "::%"}, Alert},
	} {
		v := JudgeConsole(page, []ConsoleEntry{{"fine", "log", ""}, c.entry}, nil)
		if v.Category != c.want || v.Reason == "" || v.Description == "" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestTheWorstEntryIsTold(t *testing.T) {
	if v := JudgeConsole("https://example.com", nil, nil); v != nil {
		t.Errorf("of nothing: %+v", v)
	}
	boom := ConsoleEntry{"Uncaught Error: boom\nat x", "error", "https://example.com/wp-content/plugins/shop/a.js?ver=1"}
	v := JudgeConsole("https://example.com", []ConsoleEntry{{"odd", "error", ""}, boom, boom, {"fine", "log", ""}}, []ConsoleEntry{{"gone", "error", ""}})
	want := ConsoleVerdict{Alert, "New in the console: “Uncaught Error: boom at x” from example.com/wp-content/plugins/shop/a.js and 1 more like it.",
		"A script of the page stopped with an error, so a part of the page may not work."}
	if *v != want {
		t.Errorf("%+v", v)
	}
	v = JudgeConsole("https://example.com", nil, []ConsoleEntry{boom})
	if v.Category != AllGood || v.Description != "Nothing new in the console, 1 entry gone." {
		t.Errorf("%+v", v)
	}
	for _, hostile := range []string{"://", "://'", strings.Repeat("mixed content ://", 1000), "blocked by cors policy ://"} {
		JudgeConsole(hostile, []ConsoleEntry{{hostile, "error", hostile}}, nil)
	}
}
