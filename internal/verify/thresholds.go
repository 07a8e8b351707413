package verify

// The thresholds of the rules, each with its reason. They were tuned on the development pages of package labelled and
// checked on the held-out ones; docs/measurements/verification-benchmark.md has the results.

// Geometry, in pixels.
const (
	// slack is how far a box may be off without having moved: boxes are rounded to whole pixels.
	slack = 1
	// edge is what margins may add to the height of something that was inserted or deleted: a margin is not part of a
	// box.
	edge = 48
	// nudge is how far a text that varies on its own may displace its neighbours: one more digit, at most two.
	nudge = 16
	// between is the largest gap between changed pixels of one cluster with no other part of it in between: the space
	// between words.
	between = 12
	// borderWidth is the width of a border that moves with the edge of its box.
	borderWidth = 8
	// shadowReach is how far shadows and outlines reach beyond the box of their element.
	shadowReach = 24
	// noiseReach is how far something may move beyond the place where it was seen moving: movement is sampled at a few
	// moments only.
	noiseReach = 24
	// blankGap is how many blank rows are more than the space between parts: a hole in the page.
	blankGap = 240
	// thinBand is how many rows layout rounding may add or remove: each edge of a part is rounded once.
	thinBand = 2
	// proportionSide is the shortest side of a picture whose proportions are meaningful: rounding distorts smaller
	// ones.
	proportionSide = 8
	// overlapSide is the minimum overlap of texts that is more than their borders and line spacing.
	overlapSide = 8
	// markHeight is the height of the largest marks of a pager: tabs.
	markHeight = 60
	// screenHeight is the height of something that leaves little of a screen visible: two thirds of the desktop's 900.
	screenHeight = 600
)

// Areas, in pixels.
const (
	// largeArea is the area that is alarming when it turns blank or vanishes: about a paragraph, or a picture of 140 ×
	// 140.
	largeArea = 20_000
	// smallPicture is the smallest picture that somebody would miss; smaller ones are icons.
	smallPicture = 2000
	// speckPixels is a number of pixels so small that nobody sees them if their structure stays.
	speckPixels = 12
	// smallPlace is the area of a few letters: there the mean says little, and the structure more.
	smallPlace = 200
	// noisyText is the number of pixels of a changed text that is too large to be explained by movement next to it.
	noisyText = 2000
)

// Shares, and numbers of things.
const (
	// enough is the share of a cluster that findings must cover to explain it; the rest is the space between words and
	// lines.
	enough = 0.4
	// distortion is the factor between proportions that is visible; rounding and new padding stay below it.
	distortion = 1.25
	// overlapPart: texts overlap when a quarter of the smaller one does. Line spacing causes less.
	overlapPart = 4
	// screenTenths: so many tenths of the width count as a full screen; scroll bars and margins take the rest.
	screenTenths = 9
	// emptiedTo: something is emptied when less than a quarter of it is left. A list that became shorter keeps more.
	emptiedTo = 4
	// lostTextPart and someText: most of a page's text is lost when less than a quarter is left of at least 400 bytes.
	// Pages with less text routinely change all of it.
	lostTextPart, someText = 4, 400
	// restlessPart of at least restlessTexts texts change their column or width only when the layout as a whole has
	// changed.
	restlessPart, restlessTexts = 0.6, 12
	// severalPictures is the number of pictures that are not replaced by the same one by chance.
	severalPictures = 2
	// smallOverlay: an overlay is small when it takes at most a third of two thirds of a screen.
	smallOverlay = 3
	// cornerOverlay: a small box at the edge of the screen takes at most a sixth of two thirds of a screen.
	cornerOverlay = 6
	// fewestMarks is the shortest pager; two elements may exchange their looks for other reasons.
	fewestMarks = 3
	// slideLevels is how far above a slide its pager may stand.
	slideLevels = 3
	// formLengths is the factor between the lengths of texts of the same kind.
	formLengths = 4
	// drawnLike is the factor between the amounts of edges and contrast of two drawings of the same kind.
	drawnLike = 2
	// coveredSeveral is a number of texts that is more than a badge or a label covers.
	coveredSeveral = 3
	// shortestList is the shortest list in which exchanged entries can be distinguished from others.
	shortestList = 3
	// barLevels and nudgeLevels limit how far up the common ancestor of a number and of what changes with it may be: a
	// bar is often wrapped, a neighbour is not.
	barLevels, nudgeLevels = 3, 1
	// cardLevels is how far above a number the card that it belongs to may be.
	cardLevels = 2
)

// Lengths of texts, in bytes.
const (
	// minDuplicate is the length of a text that does not appear on a page twice by chance; menus and buttons are
	// shorter.
	minDuplicate = 60
	// minSubstance is the minimum content of something that can be emptied; a picture counts as much.
	minSubstance = 30
)

// Differences of colour and structure, each 0 to 1.
const (
	// redrawnDelta and redrawnSSIM limit the difference of glyphs that are redrawn with an offset of a fraction of a
	// pixel.
	redrawnDelta, redrawnSSIM = 0.45, 0.4
	// smallPlaceDelta and smallPlaceSSIM are stricter, for places too small to compare their means.
	smallPlaceDelta, smallPlaceSSIM = 0.3, 0.8
	// speckSSIM is the minimum similarity at which the structure of a handful of pixels counts as unchanged.
	speckSSIM = 0.8
	// reencodedDelta is the largest colour difference between two encodings of one picture.
	reencodedDelta = 0.25
	// reencodedFew: where less than a fiftieth of a picture's pixels differ, no surfaces need to be compared.
	reencodedFew = 50
	// drawnEven is how much more even the surface of a drawing of the same kind may be.
	drawnEven = 0.25
	// alikeMean, alikeDeviation and alikeEdges limit how far the surfaces of two pictures of the same thing may differ.
	alikeMean, alikeDeviation, alikeEdges = 0.03, 0.05, 0.1
)

// Contrasts as defined by the Web Content Accessibility Guidelines, which require 4.5.
const (
	// unreadable is the contrast below which a text cannot be read.
	unreadable = 1.35
	// readable is the minimum contrast before the change: text that was already pale is pale by intention.
	readable = 2 * unreadable
)

// MaxListed is the number of findings that a result lists.
const MaxListed = 200

// Limits of the work, which only crafted pages reach.
const (
	maxFindings = 8        // kept per region
	maxPatches  = 256      // patches of pixels outside of all findings that are looked at, each among all elements
	maxNewText  = 16 << 10 // bytes of new text in which errors are searched for: a failed page has little
)
