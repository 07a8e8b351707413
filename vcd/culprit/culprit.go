// Package culprit determines which updates of a site most likely caused the changes on its pages, from what is known of an
// updated package and the evidence on each page.
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
	leastScore  = 0.15 // below it, no update is accused
	// MaxTracedPages is how many comparisons are examined for traces, changed ones first.
	MaxTracedPages = 500 // of one batch
)

// Culprit is an update that may have caused the changes.
type Culprit struct {
	Kind        PackageKind
	Slug, Name  string
	FromVersion *string
	ToVersion   *string
	Success     bool
	Score       float64 // confidence, 0 to 1
	Comparisons int     // that show evidence
	Sentence    string
	Evidence    []Evidence // strongest first
}

// Kind is a kind of evidence against an update.
type Kind string

// The kinds.
const (
	Console Kind = "console" // an error in one of its scripts, or one of its files failed to load
	Region  Kind = "region"  // a changed region contains one of its elements
	Asset   Kind = "asset"   // one of its scripts or styles is loaded in another version
	Failure Kind = "failure" // the update itself failed
	Alone   Kind = "alone"   // nothing else was updated
)

// Evidence is one reason to suspect an update, as one comparison shows it.
type Evidence struct {
	Kind         Kind
	ComparisonID *vcd.ID // nil when it is about the update itself
	Comparisons  int     // that show it
	Sentence     string
}

// noticed reports whether the page has a noticeable change.
func noticed(p *vcd.TracedPage) bool {
	return p.Changed || slices.ContainsFunc(p.Console, func(e vcd.DifferentEntry) bool {
		return e.Rule == nil &&
			e.Type == page.ConsoleError
	})
}

// Rank returns the updates that most likely caused the changes of the pages, most likely first. Evidence against an update is
// combined like independent probabilities: a sign of strength w leaves a doubt of 1-w, and the doubts are multiplied. The
// strength of a sign depends on its kind and on the fraction of changed pages that show it; a new version of a file counts
// less if unchanged pages load it too.
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

// sign is evidence against a package on one page.
type sign struct {
	kind     Kind
	strength float64
	sentence string
}

// signsOn returns the strongest sign of each kind on a page.
func (p *updatedPackage) signsOn(page *vcd.TracedPage, all []updatedPackage) []sign {
	var signs []sign
	for _, s := range []sign{p.consoleSign(page), p.regionSign(page), p.assetSign(page, all)} {
		if s.strength > 0 {
			signs = append(signs, s)
		}
	}
	return signs
}

// The strengths of signs, by how directly they point to the cause.
const (
	strengthError   = 0.85 // its script stopped with an error
	strengthReport  = 0.6  // its script reports an error
	strengthLoad    = 0.8  // one of its files failed to load
	strengthSource  = 0.6  // a changed region shows a picture of it
	strengthElement = 0.55 // a changed region is one of its elements
	strengthPrefix  = 0.35 // likewise, by a prefix short enough for others to share
	strengthVersion = 0.4  // one of its files is loaded in the version it was updated to
	strengthAsset   = 0.3  // one of its files is loaded from another address
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

// servedIn returns the first address in a text, such as a stack trace, that belongs to a file of the package.
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

// renewedByOther reports whether a file's version is that of another update: WordPress appends its own version to plugin and
// theme files that declare none, and those files have not changed.
func (p *updatedPackage) renewedByOther(c vcd.AssetChange, all []updatedPackage) bool {
	return !p.renews(c) && slices.ContainsFunc(all, func(o updatedPackage) bool { return o.kind == PackageCore && o.renews(c) })
}

func assetWords(c vcd.AssetChange) string {
	switch {
	case c.Before == "":
		return fileOf(c.After) + " is new"
	case c.After == "":
		return fileOf(c.Before) + " is no longer loaded"
	}
	return fileOf(c.After) + " is loaded from another address"
}

// fileOf is the path of an address, starting at the folder of plugins or themes.
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
