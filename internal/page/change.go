package page

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// ChangeKind is the property of a page that changed, besides its pixels.
type ChangeKind string

// The kinds.
const (
	ChangedStatus    ChangeKind = "status"    // HTTP status
	ChangedAddress   ChangeKind = "address"   // the address that the page leads to
	ChangedTitle     ChangeKind = "title"     // the page's title
	ChangedRobots    ChangeKind = "robots"    // the directives for search engines
	ChangedCanonical ChangeKind = "canonical" // the canonical address for search engines
	ChangedText      ChangeKind = "text"      // the visible text
	ChangedLanguage  ChangeKind = "language"  // the language that the document says it is in
	ChangedTheme     ChangeKind = "theme"     // the theme of the content management system
	// ChangedAppearance is how elements look, if that changed by so little that no pixel counts.
	ChangedAppearance ChangeKind = "appearance"
	// ChangedOutOfSight is what elements hold beyond the part of them that pictures show, as far as it can be read.
	ChangedOutOfSight ChangeKind = "out_of_sight"
)

// Severity is how severe a change of a page is.
type Severity string

// The severities.
const (
	SeverityNotice  Severity = "notice"  // worth knowing
	SeverityWarning Severity = "warning" // often a mistake
	SeverityAlarm   Severity = "alarm"   // the page is lost to visitors or search engines
)

// Limits of what is stored of a change.
const (
	maxPageTitle   = 300 // bytes
	maxPageAddress = 500
)

// Change is one change of a page besides its pixels.
type Change struct {
	Kind     ChangeKind      `json:"kind"`
	Before   string          `json:"before"` // empty for nothing and for a text, see Words
	After    string          `json:"after"`
	Severity Severity        `json:"severity"`
	Sentence string          `json:"sentence"`
	Words    *WordDifference `json:"words,omitempty"` // for a text
}

// Compare lists the changes from one visit of a page to the next.
func Compare(before, after *Visit) []Change {
	changes := []Change{}
	add := func(c *Change) {
		if c != nil {
			changes = append(changes, *c)
		}
	}
	add(compareStatus(before.Status, after.Status))
	add(compareAddress(before.FinalURL, after.FinalURL))
	add(compareTitle(before.Title, after.Title))
	add(compareOutOfSight(before, after))
	if before.Content != nil && after.Content != nil {
		add(compareRobots(before.Content.Robots, after.Content.Robots))
		add(compareCanonical(before, after))
		add(compareText(before.Content.Text, after.Content.Text))
		add(compareLanguage(before.Content.Language, after.Content.Language))
		add(compareTheme(before, after))
	}
	return changes
}

// Alarming reports whether one of the changes is an alarm.
func Alarming(changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return c.Severity == SeverityAlarm })
}

func compareStatus(before, after int) *Change {
	if before == 0 || after == 0 || before == after {
		return nil
	}
	severity := SeverityNotice
	switch {
	case after >= 400 && before < 400:
		severity = SeverityAlarm
	case after >= 400:
		severity = SeverityWarning
	}
	return &Change{
		Kind: ChangedStatus, Before: strconv.Itoa(before), After: strconv.Itoa(after), Severity: severity,
		Sentence: "The page answers with HTTP status " + statusWords(after) + " instead of " + statusWords(before) + ".",
	}
}

func statusWords(status int) string {
	if words := http.StatusText(status); words != "" {
		return strconv.Itoa(status) + " (" + words + ")"
	}
	return strconv.Itoa(status)
}

// compareAddress compares the addresses that the page led to. It ignores query values that vary between visits.
func compareAddress(before, after string) *Change {
	was, wasErr := url.Parse(before)
	is, isErr := url.Parse(after)
	if wasErr != nil || isErr != nil || before == "" || after == "" {
		return nil
	}
	severity := SeverityNotice
	switch {
	case was.Host != is.Host, was.Scheme == "https" && is.Scheme == "http", slash(was.Path) != slash(is.Path),
		routeOf(was) != routeOf(is):
		severity = SeverityWarning
	case was.Scheme == is.Scheme && was.Path == is.Path && patternOfText(was.RawQuery) == patternOfText(is.RawQuery):
		return nil
	}
	before, after = Ellipsis(before, maxPageAddress), Ellipsis(after, maxPageAddress)
	return &Change{
		Kind: ChangedAddress, Before: before, After: after, Severity: severity,
		Sentence: "The page leads to " + after + " instead of " + before + ".",
	}
}

// routeOf is the route in an address; "" for none.
func routeOf(u *url.URL) string {
	if !IsRoute(u.Fragment) {
		return ""
	}
	return slash(u.Fragment)
}

func slash(path string) string { return strings.TrimSuffix(path, "/") }

func compareTitle(before, after string) *Change {
	before, after = Ellipsis(CollapseSpace(before), maxPageTitle), Ellipsis(CollapseSpace(after), maxPageTitle)
	if before == after {
		return nil
	}
	c := &Change{
		Kind: ChangedTitle, Before: before, After: after, Severity: SeverityNotice,
		Sentence: "The title is “" + after + "” instead of “" + before + "”.",
	}
	switch {
	case before == "":
		c.Sentence = "The page now has a title: “" + after + "”."
	case after == "":
		c.Severity, c.Sentence = SeverityWarning, "The page has lost its title, which was “"+before+"”."
	}
	return c
}

// compareRobots compares the directives for search engines, see https://www.rfc-editor.org/rfc/rfc9309 and the robots
// meta tag in the HTML standard's registry: "none" means noindex and nofollow, and "all", "index" and "follow" mean no
// restriction.
func compareRobots(before, after string) *Change {
	was, is := directives(before), directives(after)
	if slices.Equal(was, is) {
		return nil
	}
	before, after = strings.Join(was, ", "), strings.Join(is, ", ")
	c := &Change{Kind: ChangedRobots, Before: before, After: after, Severity: SeverityNotice}
	gained := func(word string) bool { return slices.Contains(is, word) && !slices.Contains(was, word) }
	switch {
	case gained("noindex"):
		c.Severity, c.Sentence = SeverityAlarm, "The page now asks search engines not to index it (robots: "+after+")."
	case slices.Contains(was, "noindex") && !slices.Contains(is, "noindex"):
		c.Sentence = "The page allows search engines to index it again; it did not before (robots: " + before + ")."
	case gained("nofollow"):
		c.Severity, c.Sentence = SeverityWarning, "The page now asks search engines not to follow its links (robots: "+after+")."
	case after == "":
		c.Sentence = "The page no longer has robots directives (before: " + before + ")."
	case before == "":
		c.Sentence = "The page now has robots directives (" + after + ")."
	default:
		c.Sentence = "The robots directives of the page changed (robots: " + after + " instead of " + before + ")."
	}
	return c
}

func directives(robots string) []string {
	var words []string
	for word := range strings.SplitSeq(strings.ToLower(robots), ",") {
		switch word = CollapseSpace(word); word {
		case "", "all", "index", "follow":
		case "none":
			words = append(words, "noindex", "nofollow")
		default:
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// compareCanonical compares the resolved addresses, however the page spells them.
func compareCanonical(before, after *Visit) *Change {
	was, is := canonicalOf(before), canonicalOf(after)
	if was == is {
		return nil
	}
	c := &Change{Kind: ChangedCanonical, Before: was, After: is, Severity: SeverityWarning}
	switch {
	case was == "":
		c.Severity, c.Sentence = SeverityNotice, "The page now has a canonical URL: "+is+"."
	case is == "":
		c.Sentence = "The page no longer has a canonical URL; it was " + was + "."
	default:
		c.Sentence = "The canonical URL of the page is " + is + " instead of " + was + "."
	}
	return c
}

func canonicalOf(v *Visit) string {
	if v.Content.Canonical == "" {
		return ""
	}
	base, err := url.Parse(v.FinalURL)
	if err != nil {
		return Ellipsis(v.Content.Canonical, maxPageAddress)
	}
	meant, err := base.Parse(v.Content.Canonical)
	if err != nil {
		return Ellipsis(v.Content.Canonical, maxPageAddress)
	}
	return Ellipsis(meant.String(), maxPageAddress)
}

// mostWords is the minimum number of words of a page whose loss is reported when few of them are left.
const mostWords = 30

func compareText(before, after string) *Change {
	words := compareWords(before, after)
	if words.Added+words.Removed == 0 {
		return nil
	}
	c := &Change{Kind: ChangedText, Severity: SeverityNotice, Words: &words, Sentence: words.sentence()}
	if n := len(strings.Fields(before)); n >= mostWords && words.Removed-words.Added > n*4/5 {
		c.Severity = SeverityWarning
		c.Sentence = "Most of the page's text is gone: " + strings.ToLower(c.Sentence[:1]) + c.Sentence[1:]
	}
	return c
}

func (d *WordDifference) sentence() string {
	switch {
	case d.Removed == 0:
		return counted(d.Added, "word was", "words were") + " added to the page's text."
	case d.Added == 0:
		return counted(d.Removed, "word was", "words were") + " removed from the page's text."
	}
	return counted(d.Added, "word was", "words were") + " added to the page's text and " + strconv.Itoa(d.Removed) + " removed."
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
