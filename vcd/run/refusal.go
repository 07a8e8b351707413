package run

import (
	"fmt"
	"net/http"
	"time"
)

// Reasons of refused pages, those of the capture engine.
const (
	reasonRateLimited = "rate_limited"
	reasonHTTPStatus  = "http_status"
)

func refusalReason(status int) string {
	if status == http.StatusTooManyRequests {
		return reasonRateLimited
	}
	return reasonHTTPStatus
}

// refusalNames say what a site means by a status.
var refusalNames = map[int]string{
	http.StatusTooManyRequests:    "429 (too many requests)",
	http.StatusServiceUnavailable: "503 (maintenance)",
}

// refuser is who refuses requests, in sentences.
type refuser string

const (
	onePage   refuser = "page" // others of its site are served
	wholeSite refuser = "site"
)

// refusedSentence says why a page was given up.
func refusedSentence(who refuser, status int, since, now time.Time) string {
	remedy := fmt.Sprintf("Start the run again once the %s is back.", who)
	if status == http.StatusTooManyRequests {
		remedy = "Capture fewer pages of the site at once, or exempt our visits from its limit."
	}
	return fmt.Sprintf("The %s answered %s from %s to %s, so the page was given up. %s", who, refusalNames[status], minuteOf(since),
		minuteOf(now), remedy)
}

// minuteOf formats a time for sentences about minutes.
func minuteOf(t time.Time) string { return t.UTC().Format("15:04 UTC") }

// clockTime formats a time for notices.
func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }
