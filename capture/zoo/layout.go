package zoo

// scrollPages do something when they are scrolled.
var scrollPages = []Page{
	{Name: "reveal", Shows: "sections that appear when they come into view", Kind: Steady, Has: []Sentinel{exactly(content, 4*1360*600)}},
	{Name: "infinite-scroll", Shows: "a list that grows four times when its end is seen", Kind: Steady,
		Has: []Sentinel{exactly(content, 10*1440*480), has(last, 70_000)}, Gone: gone(loader)},
	{Name: "parallax", Shows: "a picture moved by the scroll position", Kind: Steady, Has: []Sentinel{exactly(content, 400*300),
		has(last, 140_000)}},
	{Name: "sticky-header", Shows: "a sticky header that shrinks when scrolled", Kind: Steady, Has: []Sentinel{exactly(second, 1440*120),
		has(last, 140_000)}, Gone: gone(loader)},
	{Name: "fixed-bars", Shows: "fixed bars and a button that appears when scrolled", Kind: Steady,
		Has: []Sentinel{exactly(second, 2*1440*60), has(last, 140_000)}, Gone: gone(loader)},
	{Name: "smooth-scroll", Shows: "a page that scrolls itself smoothly", Kind: Steady, Has: []Sentinel{exactly(content, 4*1440*700),
		has(last, 140_000)}},
	{Name: "snap-carousel", Shows: "a scrolled carousel that advances itself", Kind: Steady, Has: []Sentinel{exactly(content, 1440*100)}},
}

// layoutPages are measured by the screen, by fonts, or stand above the rest.
var layoutPages = []Page{
	{Name: "hero", Shows: "boxes as high as the screen", Kind: Steady, Has: []Sentinel{exactly(content, 1440*900),
		exactly(second, 1440*450), has(last, 140_000)}},
	{Name: "hero-script", Shows: "a box that a script keeps as high as the screen", Kind: Steady,
		Has: []Sentinel{exactly(content, 1440*900), has(last, 140_000)}},
	{Name: "content-visibility", Shows: "sections that are laid out when they come near", Kind: Steady,
		Has: []Sentinel{exactly(content, 6*1440*430), has(last, 140_000)}},
	{Name: "container-query", Shows: "a container that grows late", Kind: Steady, Has: []Sentinel{exactly(content, 600*150)},
		Gone: gone(loader)},
	{Name: "masonry", Shows: "a wall of late images placed by a resize observer", Kind: Steady, Has: []Sentinel{exactly(content, 200*500),
		exactly(second, 200*500), exactly(third, 200*350)}},
	{Name: "font-swap", Shows: "a web font that replaces the fallback font late", Kind: Steady, Has: []Sentinel{has(content, 50_000),
		has(last, 140_000)}},
	{Name: "font-block", Shows: "text without a font at first", Kind: Steady, Has: []Sentinel{has(content, 35_000)}},
	{Name: "font-script", Shows: "a font that a script loads", Kind: Steady, Has: []Sentinel{has(content, 35_000)}, Gone: gone(loader)},
	{Name: "dialog", Shows: "a dialog that opens late", Kind: Steady, Has: []Sentinel{has(content, 1_100_000), has(second, 95_000)}},
	{Name: "popover", Shows: "a popover that fades in late", Kind: Steady, Has: []Sentinel{has(content, 1_900_000),
		exactly(second, 400*150)}},
}

// framePages have documents and trees of their own in them.
var framePages = []Page{
	{Name: "frame-same", Shows: "a frame of the same site that moves", Kind: Steady, Has: []Sentinel{exactly(content, 600*120),
		has(mover, 8_000), has(second, 170_000)}, Gone: gone(loader)},
	{Name: "frame-cross", Shows: "a frame of another site that moves", Kind: Steady, Has: []Sentinel{exactly(content, 600*120),
		has(mover, 8_000), has(second, 170_000)}, Gone: gone(loader)},
	{Name: "frame-late", Shows: "a frame of another site added late", Kind: Steady, Has: []Sentinel{exactly(content, 600*350)},
		Gone: gone(loader)},
	{Name: "frame-lazy", Shows: "a lazy frame far down the page", Kind: Steady, Has: []Sentinel{exactly(content, 600*350)},
		Gone: gone(loader)},
	{Name: "shadow-open", Shows: "motion in an open shadow root", Kind: Steady, Has: []Sentinel{has(content, 210_000), has(mover, 8_000)},
		Gone: gone(loader)},
	{Name: "shadow-closed", Shows: "motion and a lazy image in a closed shadow root", Kind: Steady, Has: []Sentinel{has(content, 210_000),
		has(mover, 8_000), exactly(second, 200*100)}, Gone: gone(loader)},
	{Name: "shadow-nested", Shows: "motion in a closed shadow root in an open one, both declared", Kind: Steady,
		Has: []Sentinel{exactly(content, 1440*150), has(mover, 19_000)}},
}
