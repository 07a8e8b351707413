package zoo

// imagePages have pictures that come late or move.
var imagePages = []Page{
	{Name: "image-late", Shows: "an image that comes late and moves what is below", Kind: Steady, Has: []Sentinel{exactly(content, 600*300),
		has(last, 140_000)}},
	{Name: "image-lazy", Shows: "lazy images far down the page", Kind: Steady, Has: []Sentinel{has(content, 170_000),
		exactly(second, 4*300*200), has(last, 140_000)}, Gone: gone(loader)},
	{Name: "image-lazy-script", Shows: "images that a script loads when they come into view", Kind: Steady,
		Has: []Sentinel{exactly(second, 3*300*200), has(last, 140_000)}, Gone: gone(loader)},
	{Name: "image-srcset", Shows: "srcset, sizes and picture", Kind: Steady, Has: []Sentinel{exactly(content, 400*150),
		exactly(second, 400*150), exactly(third, 400*150)}, Gone: gone(loader)},
	{Name: "image-background", Shows: "late backgrounds, one of a class set late, one of a pseudo-element", Kind: Steady,
		Has: []Sentinel{has(content, 280_000), has(second, 280_000), has(third, 280_000)}, Gone: gone(loader)},
	{Name: "image-fallback", Shows: "an image that fails and is replaced", Kind: Steady, Has: []Sentinel{exactly(content, 400*200)}},
	{Name: "image-large", Shows: "an image of 12 megapixels, decoded aside", Kind: Steady, Has: []Sentinel{exactly(content, 1000*600)}},
	{Name: "gif-endless", Shows: "GIFs without an end, as image and as background", Kind: Steady,
		Has: []Sentinel{exactly(content, 2*300*100), has(mover, 2*600)}},
	{Name: "gif-once", Shows: "GIFs that play once, one of them late", Kind: Steady, Has: []Sentinel{exactly(content, 2*300*100),
		has(mover, 2*600)}},
	{Name: "smil", Shows: "SVG animated by SMIL", Kind: Steady, Has: []Sentinel{has(content, 60_000), has(mover, 6_000)}},
	{Name: "svg-image-smil", Shows: "SVG pictures animated by SMIL", Kind: Steady, Has: []Sentinel{has(content, 2*59_000),
		has(mover, 2*6_000)}},
	{Name: "svg-image-css", Shows: "an SVG picture and an SVG object animated by CSS", Kind: Steady, Has: []Sentinel{has(mover, 2*6_000)}},
}

// mediaPages have videos, and canvases drawn by scripts and workers.
var mediaPages = []Page{
	{Name: "video-loop", Shows: "a video that plays for ever", Kind: Steady, Has: []Sentinel{has(content, 170_000)}, Gone: gone(loader)},
	{Name: "video-late", Shows: "videos that come late, one of them playing", Kind: Steady, Has: []Sentinel{has(content, 170_000)},
		Gone: gone(loader)},
	{Name: "video-poster", Shows: "a video at rest with a late poster", Kind: Steady, Has: []Sentinel{exactly(content, 640*360)},
		Gone: gone(loader)},
	{Name: "canvas-endless", Shows: "a canvas drawn by the time, for ever", Kind: Steady, Has: []Sentinel{has(content, 170_000),
		has(mover, 6_000)}},
	{Name: "canvas-chart", Shows: "a chart that grows for a second", Kind: Steady, Has: []Sentinel{exactly(content, 80*1090)},
		Gone: gone(loader)},
	{Name: "canvas-responsive", Shows: "a canvas whose surroundings depend on the window's size", Kind: Steady,
		Has: []Sentinel{has(content, 170_000), exactly(third, 400*200)}},
	{Name: "worker-chart", Shows: "a canvas that a worker draws part by part", Kind: Steady, Has: []Sentinel{exactly(content, 60*200),
		exactly(third, 9*60*200)}},
	{Name: "worker-endless", Shows: "a canvas that a worker draws for ever", Kind: Steady, Has: []Sentinel{has(content, 170_000),
		has(mover, 6_000)}},
	{Name: "worker-answer", Shows: "content that a worker has to think about", Kind: Steady, Has: []Sentinel{has(content, 170_000)},
		Gone: gone(loader)},
}
