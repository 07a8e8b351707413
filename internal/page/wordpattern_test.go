package page

import "testing"

func TestWordsEndInAnyAlphabet(t *testing.T) {
	months := CompileWords(`\b(mar|ma(r|é)|lunedì|środa|août|хв)\b`)
	for text, want := range map[string]bool{
		"Mar": true, "3 mar.": true, "lunedì": true, "LUNEDÌ, 3": true, "«środa»": true, "Środa 3": true, "août 3": true, "(maé)": true,
		"5 хв": true, "maré": false, "émar": false, "lunedìs": false, "środę": false, "хвиля": false, "mär": false, "mark": false,
		"": false,
	} {
		if got := months.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	was, is := months.ReplaceAllString("Été, lunedì 3", "#"), months.ReplaceAllString("été, środa 3", "#")
	if was == "" || was != is {
		t.Errorf("%q is not %q", was, is)
	}
	if plain := "Plain words, 3 of them"; months.ReplaceAllString(plain, "#") != plain {
		t.Error("a text without a match changed")
	}
}
