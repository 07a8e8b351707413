package vcd

import (
	"afterimage/internal/page"
)

// Incomplete reports whether the screenshot is known not to show all of its page.
func (shot *Screenshot) Incomplete() bool { return shot.Complete != nil && !*shot.Complete }

// missing is what the screenshot does not show of its page, as far as it is known.
func (shot *Screenshot) missing() []page.Missing {
	m, err := shot.ReadManifest()
	if !shot.Incomplete() || err != nil || m == nil {
		return nil
	}
	return m.Missing
}

// UnseenIn says in a clause what of their page two screenshots do not show; "" for nothing.
func UnseenIn(before, after *Screenshot) string {
	return page.WhatNoneShows(before.missing(), after.missing())
}
