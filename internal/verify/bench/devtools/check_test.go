package devtools

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestStatementsAreCheckedOnThePages: what holds of both pages holds, what one of them contradicts is false.
func TestStatementsAreCheckedOnThePages(t *testing.T) {
	const was = `<!doctype html><body style="margin:0"><h1 id="h">Opening hours</h1>
		<p id="p" aria-label="Times" style="padding:4px">9 to 8</p>
		<b id="gone">Closed</b><i id="box" style="display:block;width:40px;height:40px;background:#fff">x</i></body>`
	is := strings.NewReplacer("9 to 8", "10 to 6", "padding:4px", "padding:9px", `<b id="gone">Closed</b>`, `<u id="new">Open</u>`,
		"background:#fff", "margin-left:30px;color:#fff;background:#fff").Replace(was)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(map[string]string{"/was": was, "/is": is}[r.URL.Path]))
	}))
	defer server.Close()
	browser, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	}()
	var states [2]*Page
	for i, path := range []string{"/was", "/is"} {
		if states[i], err = browser.Open(t.Context(), server.URL+path, Screen{Width: 600, Height: 400}); err != nil {
			t.Fatal(err)
		}
	}
	pair := NewPair(states[0], states[1])
	told := func(was, is string) Statement {
		return Statement{"text_changed", "#p", nil, was, is, "Paragraph: “" + was + "” → “" + is + "”."}
	}
	for says, c := range map[string]struct {
		s    Statement
		want Verdict
	}{
		"a text":                     {told("9 to 8", "10 to 6"), Holds},
		"another text":               {told("9 to 8", "11 to 6"), False},
		"the text that it had":       {told("10 to 6", "9 to 8"), False},
		"a padding":                  {Statement{"style_changed", "#p", nil, "", "", "Paragraph: padding 4px → 9px."}, Holds},
		"a label that is read aloud": {Statement{"style_changed", "#p", nil, "", "", "Paragraph “Times”: padding 4px → 9px."}, Holds},
		"a text size that stayed":    {Statement{"style_changed", "html", nil, "", "", "Text is larger everywhere: 16px → 18px."}, False},
		"a padding that it has not":  {Statement{"style_changed", "#p", nil, "", "", "Paragraph: padding 4px → 12px."}, False},
		"a colour that stayed":       {Statement{"style_changed", "#h", nil, "", "", "Heading: text colour #000000 → #ff0000."}, False},
		"what came":                  {Statement{"appeared", "#new", nil, "", "Open", "Element “Open” is new."}, Holds},
		"what was there":             {Statement{"appeared", "#h", nil, "", "Opening hours", "Heading “Opening hours” is new."}, False},
		"what went":                  {Statement{"vanished", "#gone", nil, "Closed", "", "Element “Closed” is gone."}, Holds},
		"what neither page says":     {Statement{"vanished", "#gone", nil, "Sold", "", "Element “Sold out” is gone."}, False},
		"what moved":                 {Statement{"moved", "#box", nil, "", "", "Element “x” moved 30 px to the right."}, Holds},
		"what moved less":            {Statement{"moved", "#box", nil, "", "", "Element “x” moved 90 px to the right."}, False},
		"what is blank":              {Statement{"blank", "#box", nil, "", "", "Element “x” is now blank."}, Holds},
		"what is not":                {Statement{"blank", "#p", nil, "", "", "Paragraph is now blank."}, False},
		"what has another size":      {Statement{"resized", "#h", nil, "", "", "Heading changed its size."}, False},
		"an order that stayed":       {Statement{"reordered", "#h", nil, "", "", "Heading now comes last."}, False},
		"pixels that nothing claims": {Statement{"unexplained", "#h", nil, "", "", "Unexplained: 9 px differ."}, NoClaim},
	} {
		if got, why := pair.Check(t.Context(), &c.s); got != c.want {
			t.Errorf("%s: %s (%s), want %s", says, got, why, c.want)
		}
	}
	if facts := pair.Facts(); len(facts) < 4 {
		t.Errorf("the pages differ in %+v", facts)
	}
}
