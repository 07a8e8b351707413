// Package culprit tells which of the updates of a site most likely caused what changed on its pages: what is known of an updated
// package, what a page shows of it, and how such signs add up.
package culprit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// Limits of culprits.
const (
	maxCulprits = 10
	leastScore  = 0.15 // below it nobody is accused
	// Comparisons whose traces are looked at, those that changed first.
	MaxTracedPages = 500 // of one batch
)

// Culprit is an update that may have caused what changed.
type Culprit struct {
	Kind        PackageKind
	Slug, Name  string
	FromVersion *string
	ToVersion   *string
	Success     bool
	Score       float64 // 0 to 1: how sure
	Comparisons int     // that have evidence of it
	Sentence    string
	Evidence    []Evidence // the strongest first
}

// Kind is what speaks for an update being the cause.
type Kind string

// The kinds.
const (
	Console Kind = "console" // an error of one of its scripts, or a file of it that did not arrive
	Region  Kind = "region"  // a changed region with one of its elements
	Asset   Kind = "asset"   // a script or style of it that is loaded in another version
	Failure Kind = "failure" // the update itself failed
	Alone   Kind = "alone"   // nothing else was updated
)

// Evidence is one thing that speaks for an update being the cause, as one comparison shows it.
type Evidence struct {
	Kind         Kind
	ComparisonID *vcd.ID // nil when it is about the update itself
	Comparisons  int     // that show it
	Sentence     string
}

// noticed tells whether anybody could have noticed a change.
func noticed(p *vcd.TracedPage) bool {
	return p.Changed || slices.ContainsFunc(p.Console, func(e vcd.DifferentEntry) bool {
		return e.Rule == nil &&
			e.Type == page.ConsoleError
	})
}

// Rank tells which updates most likely caused the changes of the pages, the likeliest first. What speaks for an update
// adds up like independent chances: a sign of strength w leaves a doubt of 1-w, and the doubts are multiplied. How strong a sign
// is depends on its kind and on how many of the pages that changed show it; a new version of a file counts less when pages
// that did not change load it too.
func Rank(results *vcd.UpdateResults, pages []*vcd.TracedPage) []*Culprit {
	changed := 0
	for _, p := range pages {
		if noticed(p) {
			changed++
		}
	}
	culprits := []*Culprit{}
	if changed == 0 {
		return culprits
	}
	packages := packagesOf(results)
	for i := range packages {
		c := accuse(&packages[i], packages, pages, changed)
		if c.Score >= leastScore {
			culprits = append(culprits, c)
		}
	}
	slices.SortStableFunc(culprits, func(a, b *Culprit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Comparisons, a.Comparisons), cmp.Compare(a.Slug, b.Slug))
	})
	return culprits[:min(len(culprits), maxCulprits)]
}

// sign is something that speaks against a package on one page.
type sign struct {
	kind     Kind
	strength float64
	sentence string
}

// signOf tells the strongest sign of each kind that a page shows.
func (p *updatedPackage) signsOn(page *vcd.TracedPage, all []updatedPackage) []sign {
	var signs []sign
	for _, s := range []sign{p.consoleSign(page), p.regionSign(page), p.assetSign(page, all)} {
		if s.strength > 0 {
			signs = append(signs, s)
		}
	}
	return signs
}

// The strengths of signs, from what they say about the cause.
const (
	strengthError   = 0.85 // its script stopped with an error
	strengthReport  = 0.6  // its script reports an error
	strengthLoad    = 0.8  // a file of it did not arrive
	strengthSource  = 0.6  // a changed region shows a picture of it
	strengthElement = 0.55 // a changed region is one of its elements
	strengthPrefix  = 0.35 // likewise, by a prefix so short that others may have it too
	strengthVersion = 0.4  // a file of it is loaded in the version that it was updated to
	strengthAsset   = 0.3  // a file of it is loaded from elsewhere
	strengthFailure = 0.25 // its update failed
	strengthAlone   = 0.3  // nothing else was updated
	shortPrefix     = 3    // characters
)

func (p *updatedPackage) consoleSign(traced *vcd.TracedPage) sign {
	best := sign{kind: Console}
	for _, e := range traced.Console {
		if e.Rule != nil || e.Type != page.ConsoleError {
			continue
		}
		address := e.URL
		if !p.serves(address) {
			if address = p.servedIn(e.Text); address == "" {
				continue
			}
		}
		s := sign{Console, strengthReport, fmt.Sprintf("%s reports an error: %s", fileOf(address), quoted(e.Text))}
		switch {
		case strings.HasPrefix(e.Text, page.FailedLoadPrefix):
			s.strength, s.sentence = strengthLoad, fmt.Sprintf("%s failed to load: %s", fileOf(address),
				quoted(strings.TrimPrefix(e.Text, page.FailedLoadPrefix)))
		case strings.HasPrefix(e.Text, "Uncaught"):
			s.strength, s.sentence = strengthError, fmt.Sprintf("%s stopped with an error: %s", fileOf(address), quoted(e.Text))
		}
		if s.strength > best.strength {
			best = s
		}
	}
	return best
}

// servedIn is the first address in a text that is of a file of the package, as stack traces have them.
func (p *updatedPackage) servedIn(text string) string {
	for _, address := range page.WebAddresses(text, 20) {
		if p.serves(address) {
			return address
		}
	}
	return ""
}

func (p *updatedPackage) regionSign(page *vcd.TracedPage) sign {
	best := sign{kind: Region}
	if page.Traces == nil || !page.Changed {
		return best
	}
	for _, r := range page.Traces.Regions {
		for _, source := range r.Sources {
			if p.serves(source) && strengthSource > best.strength {
				best = sign{Region, strengthSource, fmt.Sprintf("region %d shows %s", r.Region, fileOf(source))}
			}
		}
		for _, word := range r.Marks {
			prefix := p.mark(word)
			strength := strengthElement
			if len(prefix) <= shortPrefix || p.kind == PackageCore {
				strength = strengthPrefix
			}
			if prefix != "" && strength > best.strength {
				best = sign{Region, strength, fmt.Sprintf("region %d is in an element with the %s", r.Region, markWords(word))}
			}
		}
	}
	return best
}

func markWords(mark string) string {
	if id, is := strings.CutPrefix(mark, "#"); is {
		return "id " + id
	}
	return "class " + mark
}

func (p *updatedPackage) assetSign(page *vcd.TracedPage, all []updatedPackage) sign {
	best := sign{kind: Asset}
	if page.Traces == nil {
		return best
	}
	for _, c := range page.Traces.Assets {
		if !p.serves(c.After) && !p.serves(c.Before) || p.renewedByOther(c, all) {
			continue
		}
		s := sign{Asset, strengthAsset, assetWords(c)}
		if p.renews(c) {
			s.strength = strengthVersion
			s.sentence = fmt.Sprintf("%s went from version %s to %s", fileOf(c.After), *p.outcome.FromVersion, *p.outcome.ToVersion)
		}
		if s.strength > best.strength {
			best = s
		}
	}
	return best
}

// renewedByOther tells that a file has got the version of another update: WordPress puts its own version to the files of plugins
// and themes that name none, and those files have not changed.
func (p *updatedPackage) renewedByOther(c vcd.AssetChange, all []updatedPackage) bool {
	return !p.renews(c) && slices.ContainsFunc(all, func(o updatedPackage) bool { return o.kind == PackageCore && o.renews(c) })
}

func assetWords(c vcd.AssetChange) string {
	switch {
	case c.Before == "":
		return fileOf(c.After) + " is new"
	case c.After == "":
		return fileOf(c.Before) + " is not loaded any more"
	}
	return fileOf(c.After) + " is loaded from another address"
}

// fileOf is the path of an address from where plugins and themes lie.
func fileOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	for _, folder := range []string{"/plugins/", "/mu-plugins/", "/themes/", "/wp-includes/", "/wp-admin/"} {
		if i := strings.Index(path, folder); i >= 0 {
			return page.Ellipsis(path[i+1:], maxMark)
		}
	}
	return page.Ellipsis(path, maxMark)
}

const maxQuotedText = 160 // bytes

func quoted(text string) string {
	return "“" + page.Ellipsis(page.CollapseSpace(text), maxQuotedText) + "”"
}
