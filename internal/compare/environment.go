package compare

import (
	"regexp"
	"slices"
	"strings"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/vcd"
)

// Environments are marked: by a ribbon "Staging", a toolbar of the host, a title with "[preview]" before it, a request to search
// engines to stay away. Such a mark is on every page of one side and on none of the other, it names an environment, and it lies
// across the page or stays on the screen. All of that is asked for, because a page may well offer a preview of something.

// environments are words for an environment that is not production, as whole words of a text.
var environments = regexp.MustCompile(`(?i)\b(staging|stage environment|pre-?production|preprod|preview|deploy preview|review app|` +
	`(test|development|dev|demo|qa|uat)[ -]?(environment|system|server|site|instance|umgebung)|sandbox|uat|not production|` +
	`testumgebung|entwicklungsumgebung|vorschau)\b`)

// toolbars are parts of the ids, classes and tags of what hosts and frameworks add to pages that are not production.
var toolbars = []string{
	"vercel-live", "netlify-", "nextjs-portal", "__next-build-watcher", "env-banner", "env-ribbon", "environment-banner",
	"environment-ribbon", "environment-indicator", "staging-banner", "staging-ribbon", "preview-banner", "preview-bar", "deploy-preview",
	"sf-toolbar", "phpdebugbar", "djdebug",
}

// titleMark is how titles name an environment before or after the actual title.
var titleMark = func() *regexp.Regexp {
	const name = `\s*(staging|stage|preprod|preview|test|dev|demo|qa|uat|sandbox|local)\s*`
	const bracketed, dash = `[\[(]` + name + `[\])]`, `\s*[:|–—-]?\s*`
	return regexp.MustCompile(`(?i)^\s*` + bracketed + dash + `|^` + name + `[:|–—-]\s*|` + dash + bracketed + `\s*$`)
}()

// maxBanner is the height in pixels up to which something across the page is a banner rather than a part of it.
const maxBanner = 200

// describe notes what the search for marks asks about an element that only one side has.
func (f *Finding) describe(found *verify.Finding, in *verify.Page) {
	e := found.Element
	if e == nil || found.Change != verify.Appeared && found.Change != verify.Vanished {
		return
	}
	f.wide = e.Box.Height <= maxBanner && (e.Fixed || 10*e.Box.Width >= 9*in.Width)
	var texts []string
	for i := e.Number; i < len(in.Elements); i++ {
		inside := &in.Elements[i]
		if i > e.Number && inside.Parent < e.Number {
			break
		}
		texts = append(texts, inside.Text)
		f.names += " " + inside.Tag + " " + inside.Classes + " " + inside.Selector
	}
	f.spoken = strings.Join(texts, " ")
}

// isMark reports whether a finding looks like the mark of an environment.
func (f *Finding) isMark(after Site) bool {
	if f.Kind == robotsKind {
		return true
	}
	named := environments.MatchString(f.spoken) || strings.Contains(strings.ToLower(f.spoken), after.host)
	named = named || slices.ContainsFunc(toolbars, func(part string) bool { return strings.Contains(strings.ToLower(f.names), part) })
	return f.wide && named
}

const (
	markSentence   = "Every page on one side has it and none on the other: it identifies the environment."
	robotsSentence = "Every page on one side asks search engines not to index it, as previews usually do."
	pushedSentence = "A banner that identifies the environment moved or resized it."
	titleSentence  = "The titles differ only in the name of the environment."
)

// setApartMarks tells marks of the environment from changes: those that every page shows that was compared on the device.
func setApartMarks(pairs []Pair, after Site) {
	shown := make(map[capture.Device]int)
	marks := make(map[capture.Device]map[string]int)
	for i := range pairs {
		p := &pairs[i]
		if !p.compared {
			continue
		}
		shown[p.Device]++
		for name := range p.marks(after) {
			if marks[p.Device] == nil {
				marks[p.Device] = make(map[string]int)
			}
			marks[p.Device][name]++
		}
	}
	for i := range pairs {
		p := &pairs[i]
		for name, findings := range p.marks(after) {
			if marks[p.Device][name] < shown[p.Device] {
				continue
			}
			for _, f := range findings {
				f.Host = markSentence
				if f.Kind == robotsKind {
					f.Host = robotsSentence
				}
				p.setApartPushed(f)
			}
		}
	}
}

// setApartPushed sets apart what a mark has moved down or made larger: by just its height.
func (p *Pair) setApartPushed(mark *Finding) {
	box := mark.BoxAfter
	if box == nil {
		box = mark.BoxBefore
	}
	if box == nil {
		return
	}
	for i := range p.Findings {
		f := &p.Findings[i]
		if f.Host != "" || f.Before == nil || f.After == nil {
			continue
		}
		was, is := f.Before.Box, f.After.Box
		moved := f.Kind == "moved" && is.X == was.X && distance(is.Y, was.Y) == box.Height
		grown := f.Kind == "resized" && is.Width == was.Width && distance(is.Height, was.Height) == box.Height
		if moved || grown {
			f.Host = pushedSentence
		}
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

// marks are the findings of a page that may be marks, by the place that they would have on every page.
func (p *Pair) marks(after Site) map[string][]*Finding {
	found := make(map[string][]*Finding)
	for i := range p.Findings {
		f := &p.Findings[i]
		if f.Host == "" && f.isMark(after) {
			name := string(f.Kind) + " " + f.Selector()
			found[name] = append(found[name], f)
		}
	}
	return found
}

// sameTitle reports whether two titles differ in the name of an environment only.
func sameTitle(before, after string) bool {
	bare := func(title string) string { return page.CollapseSpace(titleMark.ReplaceAllString(title, "")) }
	return bare(before) == bare(after) && bare(before) != ""
}

// robotsKind is the kind of a change of the directives for search engines.
const robotsKind = vcd.ChangeKind(page.ChangedRobots)
