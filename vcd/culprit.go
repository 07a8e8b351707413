package vcd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"afterimage/internal/page"
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
	Evidence    []CulpritEvidence // the strongest first
}

// EvidenceKind is what speaks for an update being the cause.
type EvidenceKind string

// The kinds.
const (
	EvidenceConsole EvidenceKind = "console" // an error of one of its scripts, or a file of it that did not arrive
	EvidenceRegion  EvidenceKind = "region"  // a changed region with one of its elements
	EvidenceAsset   EvidenceKind = "asset"   // a script or style of it that is loaded in another version
	EvidenceFailure EvidenceKind = "failure" // the update itself failed
	EvidenceAlone   EvidenceKind = "alone"   // nothing else was updated
)

// CulpritEvidence is one thing that speaks for an update being the cause, as one comparison shows it.
type CulpritEvidence struct {
	Kind         EvidenceKind
	ComparisonID *ID // nil when it is about the update itself
	Comparisons  int // that show it
	Sentence     string
}

// TracedPage is a comparison with what tells where its changes come from.
type TracedPage struct {
	ComparisonID ID
	BatchID      ID
	Address      string
	Device       Device
	Changed      bool // above its threshold, or an alarm beside the pixels
	Traces       *Traces
	Console      []DifferentEntry // that were added
}

// noticed tells whether anybody could have noticed a change.
func noticed(p *TracedPage) bool {
	return p.Changed || slices.ContainsFunc(p.Console, func(e DifferentEntry) bool { return e.Rule == nil && e.Type == page.ConsoleError })
}

// RankCulprits tells which updates most likely caused the changes of the pages, the likeliest first. What speaks for an update
// adds up like independent chances: a sign of strength w leaves a doubt of 1-w, and the doubts are multiplied. How strong a sign
// is depends on its kind and on how many of the pages that changed show it; a new version of a file counts less when pages
// that did not change load it too.
func RankCulprits(results *UpdateResults, pages []*TracedPage) []*Culprit {
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
	kind     EvidenceKind
	strength float64
	sentence string
}

// signOf tells the strongest sign of each kind that a page shows.
func (p *updatedPackage) signsOn(page *TracedPage, all []updatedPackage) []sign {
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

func (p *updatedPackage) consoleSign(traced *TracedPage) sign {
	best := sign{kind: EvidenceConsole}
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
		s := sign{EvidenceConsole, strengthReport, fmt.Sprintf("%s reports an error: %s", fileOf(address), quoted(e.Text))}
		switch {
		case strings.HasPrefix(e.Text, page.FailedLoadPrefix):
			s.strength, s.sentence = strengthLoad, fmt.Sprintf("%s failed to load: %s", fileOf(address), quoted(strings.TrimPrefix(e.Text, page.FailedLoadPrefix)))
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

func (p *updatedPackage) regionSign(page *TracedPage) sign {
	best := sign{kind: EvidenceRegion}
	if page.Traces == nil || !page.Changed {
		return best
	}
	for _, r := range page.Traces.Regions {
		for _, source := range r.Sources {
			if p.serves(source) && strengthSource > best.strength {
				best = sign{EvidenceRegion, strengthSource, fmt.Sprintf("region %d shows %s", r.Region, fileOf(source))}
			}
		}
		for _, word := range r.Marks {
			prefix := p.mark(word)
			strength := strengthElement
			if len(prefix) <= shortPrefix || p.kind == PackageCore {
				strength = strengthPrefix
			}
			if prefix != "" && strength > best.strength {
				best = sign{EvidenceRegion, strength, fmt.Sprintf("region %d is in an element with the %s", r.Region, markWords(word))}
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

func (p *updatedPackage) assetSign(page *TracedPage, all []updatedPackage) sign {
	best := sign{kind: EvidenceAsset}
	if page.Traces == nil {
		return best
	}
	for _, c := range page.Traces.Assets {
		if !p.serves(c.After) && !p.serves(c.Before) || p.renewedByOther(c, all) {
			continue
		}
		s := sign{EvidenceAsset, strengthAsset, assetWords(c)}
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
func (p *updatedPackage) renewedByOther(c AssetChange, all []updatedPackage) bool {
	return !p.renews(c) && slices.ContainsFunc(all, func(o updatedPackage) bool { return o.kind == PackageCore && o.renews(c) })
}

func assetWords(c AssetChange) string {
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
