package zoo

// stylePages move by style sheets alone; the first does not move at all.
var stylePages = []Page{
	{Name: "plain", Shows: "nothing that moves or comes late", Kind: Steady, Has: []Sentinel{exactly(content, 300*200),
		has(last, 140_000)}},
	{Name: "css-entrance", Shows: "boxes that fade in one after the other", Kind: Steady, Has: []Sentinel{has(content, 500_000)},
		Gone: gone(loader)},
	{Name: "css-endless", Shows: "a square that turns and a dot that pulses forever", Kind: Steady, Has: []Sentinel{has(content, 170_000),
		has(mover, 20_000)}},
	{Name: "css-transition", Shows: "a transition after the load", Kind: Steady, Has: []Sentinel{has(content, 430_000)},
		Gone: gone(loader)},
	{Name: "css-ticker", Shows: "a strip that runs forever", Kind: Steady, Has: []Sentinel{has(content, 170_000), has(mover, 40_000)}},
	{Name: "css-pseudo", Shows: "pseudo-elements that step and blink", Kind: Steady, Has: []Sentinel{has(content, 160_000),
		has(mover, 9_000)}},
	{Name: "css-property", Shows: "an animated custom property", Kind: Steady, Has: []Sentinel{has(content, 170_000)}},
	{Name: "css-scroll-driven", Shows: "scroll-driven animations: a progress bar, sections that enter", Kind: Steady,
		Has: []Sentinel{has(content, 2_000_000), has(last, 140_000)}},
	{Name: "view-transition", Shows: "a view transition after the load", Kind: Steady, Has: []Sentinel{exactly(content, 1440*120)},
		Gone: gone(loader)},
	{Name: "marquee", Shows: "two marquees", Kind: Steady, Has: []Sentinel{has(content, 170_000)}},
	{Name: "caret", Shows: "a focused field with a caret that blinks", Kind: Steady, Has: []Sentinel{has(content, 170_000)},
		Gone: gone(loader)},
}
