package dom

import "testing"

// card is a card with a year, a title, a text and a button.
func card(classes, text, button string) node {
	return node{tag: "div", classes: classes, in: []node{{tag: "small", text: "Since 1911"}, {tag: "h4", text: "A sample card"},
		{tag: "p", text: text}, {tag: "a", text: button}}}
}

// TestWhatIsAlikeKeepsItsOrder: which of several cards that say the same is which cannot be seen, whatever else changed of them. Cards that
// differ in something are told apart by it.
func TestWhatIsAlikeKeepsItsOrder(t *testing.T) {
	list := func(in ...node) node { return node{tag: "main", in: in} }
	for name, c := range map[string]struct {
		before, after node
		want          []int // by card: its partner, counted from 0
	}{
		"one edited, and the buttons of all": {
			list(card("col", "It says so", "Read More"), card("col", "It says so", "Read More"), card("col", "It says so", "Read More")),
			list(card("col", "It says so", "read more"), card("col", "Now it says more", "read more"),
				card("col", "It says so", "read more")),
			[]int{0, 1, 2}},
		"of several classes": {
			list(card("col", "It says so", "Read More"), card("col mid", "It says so", "Read More"),
				card("col last", "It says so", "Read More")),
			list(card("col", "It says so", "read more"), card("col mid", "Now it says more", "read more"),
				card("col last", "It says so", "read more")),
			[]int{0, 1, 2}},
		"other ones that say the same now": {
			list(card("col", "Oats and rye, in sacks of ten", "Ask us"), card("col", "Peas and beans, by the pound", "Ask us")),
			list(card("col", "Sold out", "Ask us"), card("col", "Sold out", "Ask us")), []int{0, 1}},
		"two that changed places": {
			list(card("col", "Oats and rye, in sacks of ten", "Ask us"), card("col", "Peas and beans, by the pound", "Buy it")),
			list(card("col", "Peas and beans, by the pound", "Buy it"), card("col", "Oats and rye, in sacks of ten", "Ask us")),
			[]int{1, 0}},
		"two of other classes that changed places": {
			list(card("col", "It says so", "Ask us"), card("col large", "It says so", "Ask us")),
			list(card("col large", "It says so", "Ask us"), card("col", "It says so", "Ask us")), []int{1, 0}},
	} {
		m := matched(t, c.before, c.after)
		for i, want := range c.want {
			if got := m.ToAfter[1+5*i]; got != 1+5*want {
				t.Errorf("%s: card %d is paired with element %d, want %d", name, i, got, 1+5*want)
			}
		}
	}
}
