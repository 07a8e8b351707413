package capture

import (
	_ "embed" // for the scripts
	"regexp"
)

// Our own scripts run in an isolated world of every frame. The first one makes the object that the others extend.
var (
	//go:embed extent.js
	extentScript string
	//go:embed scrollers.js
	scrollersScript string
	//go:embed backdrop.js
	backdropScript string
	//go:embed under.js
	underScript string
	//go:embed drawn.js
	drawnScript string
	//go:embed drawings.js
	drawingsScript string
	//go:embed steps.js
	stepsScript string
	//go:embed extras.js
	extrasScript string
	//go:embed framed.js
	framedScript string
	//go:embed late.js
	lateScript string
	//go:embed gone.js
	goneScript string
	//go:embed pinned.js
	pinnedScript string
	//go:embed exchanged.js
	exchangedScript string
	//go:embed pictures.js
	picturesScript string
	//go:embed wheel.js
	wheelScript string
	//go:embed glyphs.js
	glyphsScript string
	//go:embed styled.js
	styledScript string
	//go:embed hide.js
	hideScript string
	//go:embed held.js
	heldScript string
	//go:embed scenes.js
	scenesScript string
	//go:embed strips.js
	stripsScript string
	//go:embed tickers.js
	tickersScript string
	//go:embed endless.js
	endlessScript string
	//go:embed busy.js
	busyScript string
	//go:embed left.js
	leftScript string

	//go:embed walk.js
	walkScript string
	//go:embed veil.js
	veilScript string

	// windowsScript belongs to the page's own world; TOKEN in it must be replaced.
	//go:embed windows.js
	windowsScript string

	// ownScript is what every page has.
	ownScript = spaceBefore.ReplaceAllString(pageScript+consentScript+extentScript+scrollersScript+backdropScript+drawnScript+
		drawingsScript+stepsScript+extrasScript+framedScript+lateScript+goneScript+pinnedScript+exchangedScript+underScript+wheelScript+
		picturesScript+glyphsScript+styledScript+hideScript+heldScript+scenesScript+stripsScript+tickersScript+
		endlessScript+busyScript+leftScript, "\n")

	// flowScript is what only pages of flows have besides.
	flowScript = spaceBefore.ReplaceAllString(walkScript+veilScript, "\n")
)

// spaceBefore is indentation, with a comment that takes the whole line: every document reads the scripts anew.
var spaceBefore = regexp.MustCompile(`(\n\s*(//.*)?)+`)

// copyMark is the attribute of elements that backdrop.js has made.
const copyMark = "data-afterimage-copy"
