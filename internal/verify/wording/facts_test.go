package wording

import "testing"

// TestOtherWordsAreOtherTexts: what is cheap to see is never seen wrongly: texts with other words are not equal but for dates and
// numbers.
func TestOtherWordsAreOtherTexts(t *testing.T) {
	texts := []string{
		"Updated 3 minutes ago", "Updated just now", "Updated an hour ago", "1 comment", "14 comments", "Posted yesterday",
		"Posted 2 days ago", "Monday, 3 March 2025", "3. März 2025", "vor 3 Stunden", "il y a 5 minutes", "Il y a une heure", "5h", "2d",
		"Build 9a01bd77", "Registration is now open", "Registration is closed", "Our services", "less than a minute", "about 2 hours",
		"Oggi, lunedì, 27 febbraio", "Oggi, martedì, 28 febbraio", "środa, 3 maja", "9:41 a.m.", "17:05 CET", "今日は3回", "昨日は5回", "",
	}
	different := 0
	for _, a := range texts {
		for _, b := range texts {
			if OtherWords(a, b) {
				different++
				if singular(Template(a)) == singular(Template(b)) {
					t.Errorf("%q and %q have other words, and are equal without dates and numbers", a, b)
				}
			}
		}
	}
	if different < len(texts)*len(texts)/4 {
		t.Errorf("only %d of %d pairs are seen to have other words", different, len(texts)*len(texts))
	}
}

// TestWordsOfTimeEndInAnyAlphabet: days and months are found whichever letter they end in, and not within longer words.
func TestWordsOfTimeEndInAnyAlphabet(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"lunedì", "venerdì"}: true, {"środa, 7 maja", "czwartek, 8 maja"}: true, {"Sábado 3", "miércoles 4"}: true,
		{"août", "février"}: true,
		{"maré", "juné"}:    false, {"la marée", "la mayée"}: false, {"Hierén", "Ayerén"}: false,
	} {
		if got := OnlyVolatile(pair[0], pair[1]); got != want {
			t.Errorf("%q: %v", pair, got)
		}
	}
	if TellsAge("hiéroglyphes") || !TellsAge("publié hier") {
		t.Error("“hier” is a word of its own only")
	}
}
