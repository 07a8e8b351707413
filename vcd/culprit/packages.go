package culprit

import (
	"net/url"
	"slices"
	"strings"

	"afterimage/vcd"
)

// PackageKind is what of a site was updated.
type PackageKind string

// The kinds.
const (
	PackageCore   PackageKind = "core"
	PackagePlugin PackageKind = "plugin"
	PackageTheme  PackageKind = "theme"
)

// updatedPackage is one thing that was updated, with what its parts of a page are known by.
type updatedPackage struct {
	kind     PackageKind
	slug     string // in lower case; "core" of the core
	name     string
	outcome  vcd.UpdateOutcome
	success  bool
	prefixes []string            // of the classes and ids of its elements, the surest first
	read     map[string][]string // the segments of addresses that were looked at, of all packages together
}

// packagesOf lists what was updated, or should have been.
func packagesOf(r *vcd.UpdateResults) []updatedPackage {
	var all []updatedPackage
	if core := r.Updates.Core; core != nil && core.Attempted {
		all = append(all, updatedPackage{kind: PackageCore, slug: "core", name: "WordPress", outcome: core.UpdateOutcome,
			success: core.Success, prefixes: []string{"wp-block"}})
	}
	add := func(kind PackageKind, list []vcd.PackageUpdate) {
		for _, p := range list {
			u := updatedPackage{kind: kind, slug: slugOf(p.Slug), name: p.Slug, outcome: p.UpdateOutcome, success: p.Success}
			if p.Name != nil && *p.Name != "" {
				u.name = *p.Name
			}
			u.prefixes = prefixesOf(u.slug)
			all = append(all, u)
		}
	}
	add(PackagePlugin, r.Updates.Plugins)
	add(PackageTheme, r.Updates.Themes)
	read := make(map[string][]string)
	for i := range all {
		all[i].read = read
	}
	return all
}

// slugOf is the folder of a plugin: some name it together with its main file.
func slugOf(slug string) string {
	folder, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(slug)), "/")
	return strings.TrimSuffix(folder, ".php")
}

// knownPrefixes are those that widely used plugins and themes give their classes instead of their slug.
var knownPrefixes = map[string][]string{
	"advanced-ads": {"advads"}, "all-in-one-event-calendar": {"ai1ec"}, "astra": {"ast"}, "bbpress": {"bbp"},
	"beaver-builder-lite-version": {"fl"},
	"bb-plugin":                   {"fl"}, "borlabs-cookie": {"borlabs", "brlbs"}, "complianz-gdpr": {"cmplz"}, "contact-form-7": {"wpcf7"},
	"cookie-law-info": {"cky", "cli"},
	"cookie-notice":   {"cn"}, "divi": {"et_pb", "et"}, "divi-builder": {"et_pb", "et"}, "easy-digital-downloads": {"edd"},
	"elementor-pro":                       {"elementor"},
	"essential-addons-for-elementor-lite": {"eael"}, "fluentform": {"ff", "fluentform"}, "formidable": {"frm"}, "generatepress": {"gp"},
	"gravityforms": {"gform", "gfield"}, "gutenberg": {"wp-block"}, "instagram-feed": {"sbi"}, "js_composer": {"vc", "wpb"},
	"kadence-blocks": {"kb", "kt"},
	"learnpress":     {"lp"}, "mailpoet": {"mailpoet"}, "megamenu": {"mega-menu"}, "ml-slider": {"metaslider"}, "nextgen-gallery": {"ngg"},
	"ninja-forms": {"nf"},
	"polylang":    {"pll"}, "popup-maker": {"pum"}, "revslider": {"rev_slider", "rs-", "sr7"}, "sfwd-lms": {"learndash", "ld"},
	"sitepress-multilingual-cms": {"wpml"},
	"smart-slider-3":             {"n2"}, "stackable-ultimate-gutenberg-blocks": {"stk"}, "tablepress": {"tablepress"},
	"the-events-calendar":           {"tribe"},
	"ultimate-addons-for-gutenberg": {"uagb"}, "woocommerce": {"wc", "woocommerce"}, "wordpress-seo": {"yoast"}, "wp-rocket": {"rocket"},
	"wpforms-lite": {"wpforms"},
}

// prefixesOf are the slug, known prefixes, and the slug without the words that many share.
func prefixesOf(slug string) []string {
	prefixes := append([]string{slug}, knownPrefixes[slug]...)
	short := slug
	for _, word := range []string{"-for-elementor", "-for-woocommerce", "-for-wordpress", "-lite", "-pro", "-free", "-premium", "-plugin",
		"-theme", "-child"} {
		short = strings.TrimSuffix(short, word)
	}
	if short = strings.TrimPrefix(short, "wp-"); len(short) >= 4 && !slices.Contains(prefixes, short) {
		prefixes = append(prefixes, short)
	}
	return prefixes
}

// mark is the prefix by which a class or an id (with its #) is one of the package's; empty when it is none.
func (p *updatedPackage) mark(word string) string {
	word = strings.TrimPrefix(word, "#")
	for _, prefix := range p.prefixes {
		rest, found := strings.CutPrefix(word, prefix)
		if found && prefix != "" && (rest == "" || strings.ContainsAny(rest[:1], "-_") || strings.HasSuffix(prefix, "-")) {
			return prefix
		}
	}
	return ""
}

// serves tells whether an address is of a file of the package, by where the system keeps those.
func (p *updatedPackage) serves(address string) bool {
	segments, known := p.read[address]
	if !known {
		segments = segmentsOf(address)
		p.read[address] = segments
	}
	for i, segment := range segments {
		switch p.kind {
		case PackageCore:
			if segment == "wp-includes" || segment == "wp-admin" {
				return true
			}
		case PackagePlugin:
			if i > 0 && (segments[i-1] == "plugins" || segments[i-1] == "mu-plugins") && segment == p.slug {
				return true
			}
		case PackageTheme:
			if i > 0 && segments[i-1] == "themes" && segment == p.slug {
				return true
			}
		}
	}
	return false
}

func segmentsOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return strings.Split(strings.ToLower(u.Path), "/")
}

// renews tells whether an address changed from the version before the update to the one after it.
func (p *updatedPackage) renews(c vcd.AssetChange) bool {
	from, to := p.outcome.FromVersion, p.outcome.ToVersion
	return from != nil && to != nil && *from != "" && *to != "" && names(c.Before, *from) && names(c.After, *to)
}

// names tells whether an address has a version in it, not as a part of a longer one.
func names(address, version string) bool {
	at := 0
	for {
		i := strings.Index(address[at:], version)
		if i < 0 {
			return false
		}
		i += at
		if !digitBefore(address, i) && !digitBehind(address, i+len(version)) {
			return true
		}
		at = i + 1
	}
}

// digitBefore tells whether a number goes on from before a place; the dot of an ending is none of a number's.
func digitBefore(text string, i int) bool {
	if i > 1 && text[i-1] == '.' {
		i--
	}
	return i > 0 && isFigure(text[i-1])
}

func digitBehind(text string, i int) bool {
	if i+1 < len(text) && text[i] == '.' {
		i++
	}
	return i < len(text) && isFigure(text[i])
}

func isFigure(c byte) bool { return c >= '0' && c <= '9' }
