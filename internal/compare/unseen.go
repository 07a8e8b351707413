package compare

import (
	"afterimage/capture"
	"afterimage/internal/page"
)

// unseen says what of a page its pictures do not show, as a clause; "" for nothing.
func unseen(before, after *capture.Shot) string {
	return page.WhatNoneShows(before.Manifest.Missing, after.Manifest.Missing)
}
