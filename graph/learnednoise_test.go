package graph_test

import (
	"strings"
	"testing"
)

func TestLearnedNoiseIsShownAndCorrected(t *testing.T) {
	w := newWorld(t)
	url := w.things()["url"]
	const fields = `{ urlId device visitsCount updatedAt parts { selector tag role changes { property changedCount } visitsCount forms
		valuesCount isVarying mark lastChangedAt } export }`
	const query = `query ($u: ID!) { learnedNoise(urlId: $u, device: MOBILE) ` + fields + ` }`
	const correct = `mutation ($u: ID!, $s: String, $c: LearnedCorrection!) {
		correctLearnedNoise(input: {urlId: $u, device: MOBILE, selector: $s, correction: $c}) { learnedNoise ` + fields + ` } }`
	nothing := "map[device:MOBILE export:{\"visits\":null,\"parts\":null} parts:[] updatedAt:<nil> urlId:" + url + " visitsCount:0]"
	want(t, "nothing known", w.must(query, vars{"u": url}).at(t, "learnedNoise"), nothing)
	part := func(isVarying, mark string) string {
		return "[map[changes:[] forms:[] isVarying:" + isVarying + " lastChangedAt:<nil> mark:" + mark +
			" role: selector:#news tag: valuesCount:0 visitsCount:0]]"
	}
	for _, c := range []struct{ correction, parts string }{
		{"CONTENT", part("false", "CONTENT")}, {"VARYING", part("true", "VARYING")}, {"UNMARK", part("false", "<nil>")}, {"FORGET", "[]"},
	} {
		a := w.must(correct, vars{"u": url, "s": "#news", "c": c.correction})
		want(t, c.correction, a.at(t, "correctLearnedNoise", "learnedNoise", "parts"), c.parts)
	}
	w.must(correct, vars{"u": url, "s": "#news", "c": "CONTENT"})
	if a := w.must(query, vars{"u": url}); !strings.Contains(a.text(t, "learnedNoise", "export"), `"selector":"#news"`) {
		t.Errorf("%s", a.body)
	}
	want(t, "all forgotten", w.must(correct, vars{"u": url, "c": "FORGET"}).at(t, "correctLearnedNoise", "learnedNoise"), nothing)

	for name, c := range map[string]struct {
		in   vars
		code string
	}{
		"a mark of everything": {vars{"u": url, "c": "CONTENT"}, "INVALID"},
		"an empty selector":    {vars{"u": url, "s": " ", "c": "FORGET"}, "INVALID"},
		"a long selector":      {vars{"u": url, "s": strings.Repeat("a", 401), "c": "FORGET"}, "INVALID"},
		"an unknown page":      {vars{"u": "none", "s": "#news", "c": "FORGET"}, "NOT_FOUND"},
	} {
		if a := w.post(correct, c.in); a.code() != c.code {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}
