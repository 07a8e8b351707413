package zoo

// scriptPages move by scripts.
var scriptPages = []Page{
	{Name: "raf-endless", Shows: "a box moved frame by frame forever", Kind: Steady, Has: []Sentinel{has(content, 170_000),
		exactly(mover, 100*100)}},
	{Name: "interval-endless", Shows: "a box moved by an interval forever", Kind: Steady, Has: []Sentinel{has(content, 170_000),
		exactly(mover, 100*100)}},
	{Name: "web-animations", Shows: "animations made by script, one finite and one endless", Kind: Steady,
		Has: []Sentinel{has(content, 170_000), has(mover, 12_000)}, Gone: gone(loader)},
	{Name: "counter", Shows: "a number that counts up", Kind: Steady, Has: []Sentinel{has(content, 190_000)}, Gone: gone(loader)},
	{Name: "typewriter", Shows: "letters that come one by one", Kind: Steady, Has: []Sentinel{has(content, 60_000), has(last, 70_000)}},
	{Name: "carousel", Shows: "a carousel that advances by itself", Kind: Steady, Has: []Sentinel{exactly(content, 1440*100)}},
	{Name: "timer-chain", Shows: "rows added by timers that set each other", Kind: Steady, Has: []Sentinel{exactly(content, 1440*40*12),
		has(last, 70_000)}},
	{Name: "custom-element", Shows: "an element defined by a late module", Kind: Steady, Has: []Sentinel{has(content, 210_000)},
		Gone: gone(loader)},
}

// loadingPages are not there yet when they have loaded.
var loadingPages = []Page{
	{Name: "loader-busy", Shows: "a loader marked as busy, then the content", Kind: Steady, Has: []Sentinel{has(content, 570_000)},
		Gone: gone(loader)},
	{Name: "loader-silent", Shows: "a loader that says nothing, then the content", Kind: Steady, Has: []Sentinel{has(content, 570_000)},
		Gone: gone(loader)},
	{Name: "fetch-late", Shows: "content fetched late", Kind: Steady, Has: []Sentinel{has(content, 280_000)}, Gone: gone(loader)},
	{Name: "fetch-chain", Shows: "four fetches with pauses between them", Kind: Steady, Has: []Sentinel{has(content, 4*280_000),
		has(last, 70_000)}, Gone: gone(loader)},
	{Name: "skeleton", Shows: "shining placeholders, then the content", Kind: Steady, Has: []Sentinel{has(content, 280_000)},
		Gone: gone(loader)},
	{Name: "stream", Shows: "a framed document that arrives in parts", Kind: Steady, Has: []Sentinel{exactly(content, 1440*150),
		exactly(second, 1440*150), exactly(third, 1440*150)}},
	{Name: "toast", Shows: "a message that comes and goes", Kind: Steady, Has: []Sentinel{has(content, 430_000)}, Gone: gone(loader)},
	{Name: "push", Shows: "content by server-sent events on a connection that stays", Kind: Steady,
		Has: []Sentinel{exactly(content, 1440*120), exactly(second, 1440*120)}},
	{Name: "long-poll", Shows: "a request that is never answered", Kind: Steady, Has: []Sentinel{has(content, 170_000)},
		Gone: gone(loader)},
}
