package verify

import (
	"image"
	"testing"

	"afterimage/internal/page"
	"afterimage/internal/verify/wording"
)

// TestFactsAreContent: a number, a date or a time that nothing calls a counter or a clock is content, in any language.
func TestFactsAreContent(t *testing.T) {
	for _, fact := range [][2]string{
		{"Open Monday to Friday 9:00–18:00", "Open Monday to Friday 10:00–14:00"}, {"9:00–18:00", "10:00–14:00"},
		{"Open today until 20:00", "Open today until 16:00"},
		{"Anmeldeschluss: 31.12.2026", "Anmeldeschluss: 31.01.2027"},
		{"Registration closes on 31 May 2026", "Registration closes on 3 May 2026"},
		{"The ferry leaves at 08:15", "The ferry leaves at 08:45"}, {"08:15", "08:45"}, {"Gate B12", "Gate C4"}, {"Room A3", "Room B7"},
		{"Mill Lane 12a", "Mill Lane 14c"}, {"Wash at 30 °C", "Wash at 90 °C"}, {"Sale −20 %", "Sale −70 %"}, {"−20 %", "−70 %"},
		{"Up to 10 users", "Up to 3 users"}, {"You pass with 50 points", "You pass with 80 points"},
		{"Server 10.0.4.17", "Server 10.0.4.71"},
		{"Release 2.14.3", "Release 2.15.0"}, {"v1.9.2", "v2.0.0"}, {"Take 2 tablets a day", "Take 4 tablets a day"},
		{"Guarantee: 24 months", "Guarantee: 12 months"}, {"Duration: 90 minutes", "Duration: 60 minutes"},
		{"From 12 years", "From 16 years"},
		{"2 hours", "3 hours"}, {"12 places left", "3 places left"}, {"Only 4 rooms left", "Only 40 rooms left"},
		{"12 June 2026", "19 June 2026"},
		{"Friday, 12 June 2026", "Saturday, 13 June 2026"}, {"Doors 19:30, concert 20:00", "Doors 18:30, concert 19:00"},
		{"IBAN DE02 1203 0000 0000 2020 51", "IBAN DE02 1203 0000 0000 2020 15"}, {"Version 3", "Version 4"},
		{"Chapter 3 of 9", "Chapter 3 of 12"},
		{"Members: 12 to 18 years", "Members: 16 to 18 years"}, {"Rated 5 stars", "Rated 2 stars"},
		{"Contains 12 g of sugar", "Contains 2 g of sugar"},
		{"Max. 120 persons", "Max. 12 persons"}, {"A 4.50 fee applies", "A 45.00 fee applies"}, {"Tax rate 19 %", "Tax rate 7 %"},

		{"Geöffnet von 9 bis 18 Uhr", "Geöffnet von 10 bis 14 Uhr"}, {"Heute geöffnet bis 20 Uhr", "Heute geöffnet bis 16 Uhr"},
		{"Abfahrt 08:15 Uhr", "Abfahrt 08:45 Uhr"}, {"Montag, 12. Oktober 2026", "Montag, 19. Oktober 2026"},
		{"Höchstens 10 Personen", "Höchstens 3 Personen"},
		{"Lieferzeit 3 Tage", "Lieferzeit 30 Tage"}, {"Zimmer 12a", "Zimmer 14c"}, {"Stufe 3 ab 50 Punkten", "Stufe 3 ab 80 Punkten"},
		{"Garantie 24 Monate", "Garantie 12 Monate"}, {"Bei 30 Grad waschen", "Bei 90 Grad waschen"}, {"Noch 12 Plätze", "Noch 2 Plätze"},
		{"Kündigungsfrist: 3 Monate", "Kündigungsfrist: 6 Monate"}, {"Eintritt ab 12 Jahren", "Eintritt ab 16 Jahren"},
		{"12 Mitglieder", "3 Mitglieder"},

		{"Ouvert de 9h00 à 18h00", "Ouvert de 10h00 à 14h00"}, {"Ouvert aujourd'hui jusqu'à 20h00", "Ouvert aujourd'hui jusqu'à 16h00"},
		{"Départ à 08h15", "Départ à 08h45"}, {"Jusqu'à 10 personnes", "Jusqu'à 3 personnes"},
		{"Durée : 90 minutes", "Durée : 60 minutes"},
		{"Garantie de 24 mois", "Garantie de 12 mois"}, {"À partir de 12 ans", "À partir de 16 ans"},
		{"Clôture le 31 décembre 2026", "Clôture le 3 décembre 2026"},
		{"Il reste 12 places", "Il reste 2 places"}, {"Salle A3", "Salle B7"}, {"Remise de 20 %", "Remise de 70 %"},

		{"Abierto de 9:00 a 18:00", "Abierto de 10:00 a 14:00"}, {"Hoy abierto hasta las 20:00", "Hoy abierto hasta las 16:00"},
		{"Salida a las 08:15", "Salida a las 08:45"}, {"Hasta 10 personas", "Hasta 3 personas"},
		{"Duración: 90 minutos", "Duración: 60 minutos"},
		{"Garantía de 24 meses", "Garantía de 12 meses"}, {"Desde 12 años", "Desde 16 años"},
		{"Cierre el 31 de diciembre de 2026", "Cierre el 3 de diciembre de 2026"},
		{"Quedan 12 plazas", "Quedan 2 plazas"}, {"Sala A3", "Sala B7"}, {"Descuento del 20 %", "Descuento del 70 %"},
	} {
		p := &Pair{Before: withElements(paragraph(100, fact[0])), After: withElements(paragraph(100, fact[1])),
			Regions: []Region{region(1, 100, 100, 500, 130)}}
		if v := verified(t, p).Verdicts[0]; v.Category == AllGood {
			t.Errorf("%q to %q is silent: %s", fact[0], fact[1], v.Reason)
		}
	}
}

// TestNamesExcuseNothing: whatever a part is called or its heading says, another text, another picture and an entry that is gone are
// changes.
func TestNamesExcuseNothing(t *testing.T) {
	box := image.Rect(100, 150, 500, 190)
	for _, h := range wording.Habits() {
		for _, word := range append(h.Words(), "hero-slider", "news-ticker", "live-rates", "captcha-help", "latest posts",
			"kundenstimmen", "wechselkurse", "termine", "mitglieder", "actualites", "tarifs", "avis-clients",
			"noticias", "tarifas", "miembros") {
			with := func(text string) Page {
				holder := section(100, word, word)
				holder[0].Selector = "#" + word
				return withElements(append(holder, page.Element{Box: page.BoxOf(box), Selector: "html > body > section > p", Tag: "p",
					Role: "paragraph", Text: text, Parent: 1})...)
			}
			for _, fact := range [][2]string{
				{"Summer sale: 20 percent off", "Closed: we are bankrupt"}, {"€ 120.00", "€ 12.00"},
				{"Free entry", "Cancelled, no refunds"},
			} {
				if v := judged(t, with(fact[0]), with(fact[1]), box); v.Category == AllGood {
					t.Errorf("%s: %q to %q is silent: %s", word, fact[0], fact[1], v.Reason)
				}
			}
			if v := judged(t, with("Free entry"), withElements(section(100, word, word)...), box); v.Category == AllGood {
				t.Errorf("%s: a text that is gone is silent: %s", word, v.Reason)
			}
		}
	}
}
