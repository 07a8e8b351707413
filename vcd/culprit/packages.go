package culprit

import (
	"net/url"
	"slices"
	"strings"

	"afterimage/vcd"
)

// PackageKind is the kind of component that was updated.
type PackageKind string

// The kinds.
const (
	PackageCore   PackageKind = "core"
	PackagePlugin PackageKind = "plugin"
	PackageTheme  PackageKind = "theme"
)

// updatedPackage is one updated component, with what identifies its parts of a page.
type updatedPackage struct {
	kind     PackageKind
	slug     string // in lower case; "core" of the core
	name     string
	outcome  vcd.UpdateOutcome
	success  bool
	prefixes []string            // of the classes and ids of its elements, most reliable first
	read     map[string][]string // cache of address segments, shared by all packages
}

// packagesOf lists the components that were updated or failed to update.
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

// slugOf is the folder of a plugin; some report it together with the main file.
func slugOf(slug string) string {
	folder, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(slug)), "/")
	return strings.TrimSuffix(folder, ".php")
}

// knownPrefixes are the class prefixes that widely used plugins and themes use instead of their slug.
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

// prefixesOf returns the slug, known prefixes, and the slug without commonly shared words.
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

// mark returns the prefix by which a class or an id (with its #) belongs to the package; empty when it does not.
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

// serves reports whether an address belongs to a file of the package, judged by where the system keeps those.
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

// renews reports whether an address changed from the version before the update to the one after it.
func (p *updatedPackage) renews(c vcd.AssetChange) bool {
	from, to := p.outcome.FromVersion, p.outcome.ToVersion
	return from != nil && to != nil && *from != "" && *to != "" && names(c.Before, *from) && names(c.After, *to)
}

// names reports whether an address contains a version that is not part of a longer one.
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

// digitBefore reports whether a number continues before position i; the dot of a file extension is not part of a number.
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
