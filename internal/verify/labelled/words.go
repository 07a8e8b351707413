package labelled

import (
	"math/rand/v2"
	"strings"
)

var nouns = strings.Fields("garden window river market bridge lantern harbour forest kettle meadow orchard ribbon saddle timber valley " +
	"willow anchor basket candle ferry granite hammock island jacket ladder marble needle oyster pebble quarry")

var verbs = strings.Fields("opens holds carries follows gathers covers leaves warms builds keeps shows crosses brings rests joins meets")

var adjectives = strings.Fields("quiet bright early narrow golden gentle sturdy open wooden distant fresh simple round patient clear")

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// sentence has the given number of clauses.
func sentence(r *rand.Rand, clauses int) string {
	parts := make([]string, clauses)
	for i := range parts {
		parts[i] = "the " + pick(r, adjectives) + " " + pick(r, nouns) + " " + pick(r, verbs) + " the " + pick(r, nouns)
	}
	text := strings.Join(parts, " and ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func paragraph(r *rand.Rand, sentences int) string {
	parts := make([]string, sentences)
	for i := range parts {
		parts[i] = sentence(r, 1+r.IntN(2))
	}
	return strings.Join(parts, " ")
}

func heading(r *rand.Rand) string {
	a, n := pick(r, adjectives), pick(r, nouns)
	return strings.ToUpper(a[:1]) + a[1:] + " " + n + " and " + pick(r, nouns)
}

func person(r *rand.Rand) string {
	first := strings.Fields("Ada Ben Cleo Dario Emil Fay Gus Hana Ida Jon Kaya Leo Mona Nils Oda Pia")
	return pick(r, first) + " " + string(rune('A'+r.IntN(26))) + "."
}
