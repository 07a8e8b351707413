package capture

import _ "embed" // for the scripts

// Our hand in the page: scripts in an isolated world of every frame. The first one makes the object that the others extend.
var (
	//go:embed extent.js
	extentScript string
	//go:embed scrollers.js
	scrollersScript string
	//go:embed backdrop.js
	backdropScript string
	//go:embed steps.js
	stepsScript string
	//go:embed glyphs.js
	glyphsScript string
	//go:embed hide.js
	hideScript string
	//go:embed left.js
	leftScript string

	handScript = pageScript + consentScript + extentScript + scrollersScript + backdropScript +
		stepsScript + glyphsScript + hideScript + leftScript
)

// copyMark is the attribute of elements that backdrop.js has made.
const copyMark = "data-afterimage-copy"
