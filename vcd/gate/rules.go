package gate

import (
	"slices"
	"strings"

	"afterimage/vcd"
)

// Rules define which decision follows from which kind of finding.
type Rules struct {
	Alert   Decision // a page that is lost, blank or to be fixed, or a verdict of vcd.CategoryAlert
	NotSure Decision // a verdict of vcd.CategoryNotSure, or none
	Error   Decision // a uncaught script error and that was not there before; also ByExtent
	Part    Decision // a script or style sheet that does not load, and mixed content; also ByExtent
	Missing Decision // a page that the site no longer serves
	// MustBeFine are pages as in vcd.GateRules: what would make somebody look rolls back on these.
	MustBeFine []string
}

// ByExtent rolls back for what the site itself lost on most of its pages, and asks otherwise. It is a rule, never a verdict.
const ByExtent Decision = "by_extent"

// RulesOf are the rules that a group has.
func RulesOf(r vcd.GateRules) Rules {
	return Rules{Alert: decisionOf(r.Alert), NotSure: decisionOf(r.NotSure), Error: decisionOf(r.ScriptErrors),
		Part: decisionOf(r.FailedResources), Missing: decisionOf(r.MissingPages), MustBeFine: r.MustBeFine}
}

func decisionOf(rule vcd.GateRule) Decision {
	if rule == vcd.GateIgnore {
		return Keep
	}
	return Decision(rule)
}

// Default are the rules where nobody set others.
func Default() Rules { return RulesOf(vcd.DefaultGateRules()) }

// strict reports whether a page must be fine.
func (r *Rules) strict(address string) bool {
	address = strings.ToLower(address)
	return slices.ContainsFunc(r.MustBeFine, func(page string) bool { return names(page, address) })
}

// names reports whether a page that must be fine is at an address: by a part of its path, by the path or by all of it. Queries and
// fragments count only where they are named.
func names(page, address string) bool {
	if !strings.ContainsAny(page, "?#") {
		if end := strings.IndexAny(address, "?#"); end >= 0 {
			address = address[:end]
		}
	}
	_, path, _ := strings.Cut(address, "/")
	switch {
	case !strings.Contains(page, "/"):
		return slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return fits(page, part) })
	case strings.HasPrefix(page, "/"):
		address = "/" + path
	}
	return fits(page, address) || fits(strings.TrimRight(page, "/"), strings.TrimRight(address, "/"))
}

// fits reports whether a text is of the form of a pattern, in which a star stands for any characters.
func fits(pattern, text string) bool {
	first, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, first)
	if !ok {
		return false
	}
	parts := strings.Split(rest, "*")
	for _, part := range parts[:len(parts)-1] {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return strings.HasSuffix(text, parts[len(parts)-1])
}
