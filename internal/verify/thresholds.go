package verify

// The thresholds of the rules, each with its reason. They were set on the development pages of package labelled and checked on
// the held-out ones; docs/verification-benchmark.md has the figures.

// Geometry, in pixels.
const (
	// slack is how far a box may be off without having moved: boxes are rounded to whole pixels.
	slack = 1
	// edge is what margins may add to the height of something that came or went: a margin is no part of a box.
	edge = 48
	// nudge is how far a text that changes by itself may push aside what is beside it: one figure more, at most two.
	nudge = 16
	// between is how far apart changed pixels of one cluster may lie with nothing of it between them: the gap between words.
	between = 12
	// noiseReach is how far beyond what was seen moving something may move: what moves is seen at a few moments only.
	noiseReach = 24
	// thinBand is how many rows may come or go by the rounding of a layout: each edge of a part is rounded once.
	thinBand = 2
	// proportionSide is the shortest side of a picture whose proportions mean anything: rounding spoils those of shorter ones.
	proportionSide = 8
	// overlapSide is how far texts reach over each other that do so by more than their borders and line spacing.
	overlapSide = 8
	// screenHeight is how high something is that leaves little to see of a screen: two thirds of the desktop's 900.
	screenHeight = 600
)

// Areas, in pixels.
const (
	// largeArea is alarming when it turns blank or goes: about a paragraph, or a picture of 140 × 140.
	largeArea = 20_000
	// smallPicture is the smallest picture that somebody would miss; below it are icons.
	smallPicture = 2000
	// badgeArea is the largest badge: 50 × 50.
	badgeArea = 2500
	// speckPixels are so few that nobody sees them when their structure stays.
	speckPixels = 12
	// smallPlace is what a few letters take: there a mean tells little, and the structure more.
	smallPlace = 200
	// noisyText is how many pixels of a text that changed are too many to be put down to what moves beside it.
	noisyText = 2000
)

// Shares, and numbers of things.
const (
	// enough of a cluster is covered by findings that explain it; the rest is what lies between words and lines.
	enough = 0.4
	// maxShare of the page is the most that a part covers which changes by itself: a name given to more is the page's.
	maxShare = 0.4
	// distortion is the factor between proportions that the eye notices; rounding and new padding stay below.
	distortion = 1.25
	// overlapPart: texts overlap when a quarter of the smaller one does. Less happens by line spacing.
	overlapPart = 4
	// screenTenths of the width are a screenful: scroll bars and margins take the rest.
	screenTenths = 9
	// emptiedTo: something is emptied when less than a quarter of it is left. A list that got shorter keeps more.
	emptiedTo = 4
	// lostTextPart and someText: most of a page's text is gone when less than a quarter is left of at least 400 bytes. Pages with
	// less text change all of it in the normal course of things.
	lostTextPart, someText = 4, 400
	// restlessPart of at least restlessTexts texts change their column or width only when the layout as a whole is another one.
	restlessPart, restlessTexts = 0.6, 12
	// severalPictures that give way to the same one do not so by chance.
	severalPictures = 2
	// coveredSeveral texts are more than a badge or a label covers.
	coveredSeveral = 3
	// shortestList in which exchanged entries can be told from other ones.
	shortestList = 3
	// barLevels and nudgeLevels are how far up the common ancestor of a number and of what changes with it may be: a bar is often
	// wrapped, a neighbour is not.
	barLevels, nudgeLevels = 3, 1
	// maxUp is how far up the tree a habit is looked for: components are seldom nested deeper.
	maxUp = 6
)

// Lengths of texts, in bytes.
const (
	// minDuplicate is how long a text is that does not stand on a page twice by chance; menus and buttons are shorter.
	minDuplicate = 60
	// minSubstance is how much something has to hold before it can be emptied; a picture counts as much.
	minSubstance = 30
	// maxNumbered bounds a text that is compared without its numbers: longer ones are more than a calendar or a table of hours.
	maxNumbered = 600
)

// Differences of colour and structure, each 0 to 1.
const (
	// redrawnDelta and redrawnSSIM are the most and the least that glyphs differ when they are drawn at a fraction of a pixel beside.
	redrawnDelta, redrawnSSIM = 0.45, 0.4
	// smallPlaceDelta and smallPlaceSSIM are stricter, for places too small to compare their means.
	smallPlaceDelta, smallPlaceSSIM = 0.3, 0.8
	// speckSSIM is the least at which the structure of a handful of pixels stays.
	speckSSIM = 0.8
	// reencodedDelta is the most that colours differ between two encodings of one picture.
	reencodedDelta = 0.25
	// reencodedFew: where less than a fiftieth of a picture's pixels differ, no surfaces need to be compared.
	reencodedFew = 50
	// alikeMean, alikeDeviation and alikeEdges are how far the surfaces of two pictures of the same thing may be apart.
	alikeMean, alikeDeviation, alikeEdges = 0.03, 0.05, 0.1
)

// Contrasts, by the measure of the Web Content Accessibility Guidelines, which ask for 4.5.
const (
	// unreadable is the contrast below which a text cannot be read.
	unreadable = 1.35
	// readable is the contrast that it must have had before: a text that was pale already was meant so.
	readable = 2 * unreadable
)

// Bounds of the work, which no page comes near that was not made for it.
const (
	maxFindings = 8        // kept of a region
	maxInside   = 200      // elements within another that are looked at
	maxWords    = 2000     // bytes of the text of a whole subtree
	maxNewText  = 16 << 10 // bytes of new text in which errors are looked for: a page that failed has little
)
