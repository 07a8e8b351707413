// Package console judges what is new in the console of a page, and what is gone from it.
package console

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/internal/verify/wording"
)

// Verdict is the verdict on a change of the console.
type Verdict struct {
	Category    verify.Category
	Description string // one line
	Reason      string // one sentence
}

// Judge judges the added and removed console entries of the page at this address. It returns nil when nothing
// changed.
//
// Alarming are new uncaught errors, and scripts and styles of the site itself that failed to load: part of the page
// does not work. Harmless are failures of services for analytics and advertisements, warnings, deprecations and all
// removed entries. All other errors are undecided.
func Judge(address string, added, removed []page.ConsoleEntry) *Verdict {
	if len(added)+len(removed) == 0 {
		return nil
	}
	worst, rest := verdictOf(verify.AllGood, "None of the new console entries is an error."), 0
	var told page.ConsoleEntry
	site := hostOf(address)
	for _, e := range added {
		switch v := judgeEntry(site, e); {
		case v.Category.WorseThan(worst.Category):
			worst, told, rest = v, e, 0
		case v.Category != verify.AllGood && v.Category == worst.Category:
			rest++
		}
	}
	worst.Description = counted(len(added), len(removed))
	if worst.Category != verify.AllGood {
		worst.Description = "New in the console: " + wording.Quote(told.Text) + from(told.URL)
		if rest > 0 {
			worst.Description += fmt.Sprintf(" and %d more like it", rest)
		}
		worst.Description += "."
	}
	return &worst
}

func verdictOf(c verify.Category, reason string) Verdict {
	return Verdict{Category: c, Reason: reason}
}

func from(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return " from " + wording.OneLine(u.Host+u.Path, wording.MaxQuoted)
}

// counted says how many entries are new and gone; at least one is.
func counted(added, removed int) string {
	entries := func(n int) string {
		if n == 1 {
			return "entry"
		}
		return "entries"
	}
	switch {
	case removed == 0:
		return fmt.Sprintf("%d new console %s.", added, entries(added))
	case added == 0:
		return fmt.Sprintf("%d console %s gone.", removed, entries(removed))
	}
	return fmt.Sprintf("%d new console %s, %d gone.", added, entries(added), removed)
}

func judgeEntry(site string, e page.ConsoleEntry) Verdict {
	text := strings.ToLower(e.Text)
	host := hostOf(e.URL)
	foreign := host != "" && !page.SameSite(site, host)
	switch {
	case !strings.EqualFold(e.Type, "error"):
		return verdictOf(verify.AllGood, "It is not an error.")
	case isNoise(host) || isNoiseAddress(text):
		return verdictOf(verify.AllGood, "It comes from an analytics or advertising service.")
	case containsAny(text, harmlessErrors):
		return verdictOf(verify.AllGood, "Browsers report this although nothing is broken.")
	case strings.HasPrefix(text, "failed to load resource"):
		return judgeLoad(text, e.URL, foreign)
	case containsAny(text, refusals):
		return judgeRefusal(text, foreign)
	case strings.HasPrefix(text, "uncaught") || containsAny(text, chunkErrors):
		if foreign {
			return verdictOf(verify.NotSure, "A third-party script stopped with an error; its effect on the page is unknown.")
		}
		return verdictOf(verify.Alert, "A script of the page stopped with an error, so a part of the page may not work.")
	}
	return verdictOf(verify.NotSure, "A script reports an error; its effect on the page is unknown.")
}

// judgeLoad judges a resource that failed to load by its kind, derived from its name.
func judgeLoad(text, address string, foreign bool) Verdict {
	kind := extension(address)
	code := slices.Contains([]string{".js", ".mjs", ".css"}, kind)
	switch {
	case strings.HasSuffix(strings.ToLower(pathOf(address)), "favicon.ico"), containsAny(text, abortedLoads):
		return verdictOf(verify.AllGood, "Visitors would not notice it.")
	case code && !foreign:
		return verdictOf(verify.Alert, "A script or style of the site failed to load.")
	case code:
		return verdictOf(verify.NotSure, "A third-party script or style failed to load; its effect on the page is unknown.")
	case !foreign && kind == "" && containsAny(text, serverErrors):
		return verdictOf(verify.Alert, "The server failed to answer a request of the page.")
	}
	return verdictOf(verify.NotSure, "A resource of the page failed to load.")
}

func judgeRefusal(text string, foreign bool) Verdict {
	if !foreign && containsAny(text, []string{"script", "style"}) {
		return verdictOf(verify.Alert, "The browser blocked a script or style of the page.")
	}
	return verdictOf(verify.NotSure, "The browser blocked a resource of the page.")
}

// Errors in the wording of browsers, in lower case.
var (
	harmlessErrors = []string{
		"resizeobserver loop", "play() request was interrupted", "play() failed because the user didn't interact", "aborterror",
		"non-error promise rejection captured", "third-party cookie", "was preloaded using link preload but not used",
	}
	refusals = []string{
		"refused to execute", "refused to apply", "refused to load", "mixed content", "blocked by cors policy", "integrity attribute",
	}
	abortedLoads = []string{"err_blocked_by_client", "err_aborted"}
	chunkErrors  = []string{"chunkloaderror", "loading chunk", "loading css chunk", "failed to fetch dynamically imported module"}
	serverErrors = []string{"status of 500", "status of 502", "status of 503", "status of 504"}
)

// measuring are hosts of services whose failures visitors do not see.
var measuring = []string{
	"google-analytics.com", "googletagmanager.com", "googlesyndication.com", "googleadservices.com", "doubleclick.net",
	"adservice.google.com", "connect.facebook.net", "facebook.com", "hotjar.com", "clarity.ms", "bat.bing.com", "px.ads.linkedin.com",
	"snap.licdn.com", "analytics.tiktok.com", "static.ads-twitter.com", "criteo.com", "criteo.net", "taboola.com", "outbrain.com",
	"adnxs.com", "amazon-adsystem.com", "quantserve.com", "scorecardresearch.com", "matomo.cloud", "plausible.io", "segment.io",
	"mixpanel.com", "sentry.io", "newrelic.com", "nr-data.net", "cloudflareinsights.com", "consentmanager.net",
}

func isNoise(host string) bool {
	return slices.ContainsFunc(measuring, func(known string) bool { return host == known || strings.HasSuffix(host, "."+known) })
}

// isNoiseAddress checks the first address in a text about a request, as in messages about origins.
func isNoiseAddress(text string) bool {
	_, rest, found := strings.Cut(text, "://")
	if !found || !containsAny(text, refusals) {
		return false
	}
	if end := strings.IndexAny(rest, "/:'\"? "); end >= 0 {
		rest = rest[:end]
	}
	return isNoise(rest)
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimPrefix(u.Hostname(), "www."))
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Path
}

func extension(address string) string { return strings.ToLower(path.Ext(pathOf(address))) }
