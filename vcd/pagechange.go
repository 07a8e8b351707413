package vcd

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// PageChangeKind is what of a page changed, beside its pixels.
type PageChangeKind string

// The kinds.
const (
	PageStatus    PageChangeKind = "status"    // HTTP status
	PageAddress   PageChangeKind = "address"   // the address that it leads to
	PageTitle     PageChangeKind = "title"     // its title
	PageRobots    PageChangeKind = "robots"    // what it asks of search engines
	PageCanonical PageChangeKind = "canonical" // the address that search engines are to know it by
	PageText      PageChangeKind = "text"      // what is to be read on it
)

// Severity is how grave a change of a page is.
type Severity string

// The severities.
const (
	SeverityNotice  Severity = "notice"  // worth knowing
	SeverityWarning Severity = "warning" // often a mistake
	SeverityAlarm   Severity = "alarm"   // the page is lost for visitors or search engines
)

// Limits of what is kept of a change.
const (
	maxPageTitle   = 300 // bytes
	maxPageAddress = 500
)

// PageChange is one thing about a page that changed, beside its pixels.
type PageChange struct {
	Kind     PageChangeKind  `json:"kind"`
	Before   string          `json:"before"` // empty for nothing; of a text too, see Words
	After    string          `json:"after"`
	Severity Severity        `json:"severity"`
	Sentence string          `json:"sentence"`
	Words    *WordDifference `json:"words,omitempty"` // of a text
}

// PageState is what of a page is compared beside its pixels.
type PageState struct {
	Status  int    // HTTP status, 0 when unknown
	Address string // that it led to
	Title   string
	Content *PageContent // nil when unknown: then what it tells is not compared
}

// ComparePages lists what changed from one visit of a page to the next.
func ComparePages(before, after PageState) []PageChange {
	changes := []PageChange{}
	add := func(c *PageChange) {
		if c != nil {
			changes = append(changes, *c)
		}
	}
	add(compareStatus(before.Status, after.Status))
	add(compareAddress(before.Address, after.Address))
	add(compareTitle(before.Title, after.Title))
	if before.Content != nil && after.Content != nil {
		add(compareRobots(before.Content.Robots, after.Content.Robots))
		add(compareCanonical(before, after))
		add(compareText(before.Content.Text, after.Content.Text))
	}
	return changes
}

// alarming tells whether one of the changes is an alarm.
func alarming(changes []PageChange) bool {
	return slices.ContainsFunc(changes, func(c PageChange) bool { return c.Severity == SeverityAlarm })
}

// PageAlarmWords tells the changes beside the pixels that the comparison alarms about; empty when it does not.
func (c *Comparison) PageAlarmWords() string {
	var sentences []string
	for _, change := range c.PageChanges {
		if c.PageAlarm && change.Severity == SeverityAlarm {
			sentences = append(sentences, change.Sentence)
		}
	}
	return strings.Join(sentences, " ")
}

func compareStatus(before, after int) *PageChange {
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
	return &PageChange{
		Kind: PageStatus, Before: strconv.Itoa(before), After: strconv.Itoa(after), Severity: severity,
		Sentence: "The page is answered with HTTP status " + statusWords(after) + " instead of " + statusWords(before) + ".",
	}
}

func statusWords(status int) string {
	if words := http.StatusText(status); words != "" {
		return strconv.Itoa(status) + " (" + words + ")"
	}
	return strconv.Itoa(status)
}

// compareAddress looks at where the page led. What changes in a query from visit to visit is no change.
func compareAddress(before, after string) *PageChange {
	was, wasErr := url.Parse(before)
	is, isErr := url.Parse(after)
	if wasErr != nil || isErr != nil || before == "" || after == "" {
		return nil
	}
	severity := SeverityNotice
	switch {
	case was.Host != is.Host, was.Scheme == "https" && is.Scheme == "http", slash(was.Path) != slash(is.Path):
		severity = SeverityWarning
	case was.Scheme == is.Scheme && was.Path == is.Path && patternOfText(was.RawQuery) == patternOfText(is.RawQuery):
		return nil
	}
	before, after = ellipsis(before, maxPageAddress), ellipsis(after, maxPageAddress)
	return &PageChange{
		Kind: PageAddress, Before: before, After: after, Severity: severity, Sentence: "The page leads to " + after + " instead of " + before + ".",
	}
}

func slash(path string) string { return strings.TrimSuffix(path, "/") }

func compareTitle(before, after string) *PageChange {
	before, after = ellipsis(collapseSpace(before), maxPageTitle), ellipsis(collapseSpace(after), maxPageTitle)
	if before == after {
		return nil
	}
	c := &PageChange{Kind: PageTitle, Before: before, After: after, Severity: SeverityNotice, Sentence: "The title is “" + after + "” instead of “" + before + "”."}
	switch {
	case before == "":
		c.Sentence = "The page has got a title: “" + after + "”."
	case after == "":
		c.Severity, c.Sentence = SeverityWarning, "The page has lost its title, which was “"+before+"”."
	}
	return c
}

// compareRobots looks at what is asked of search engines, see https://www.rfc-editor.org/rfc/rfc9309 and the robots meta tag of
// the HTML standard's registry: "none" stands for noindex and nofollow, and "all", "index" and "follow" for nothing.
func compareRobots(before, after string) *PageChange {
	was, is := directives(before), directives(after)
	if slices.Equal(was, is) {
		return nil
	}
	before, after = strings.Join(was, ", "), strings.Join(is, ", ")
	c := &PageChange{Kind: PageRobots, Before: before, After: after, Severity: SeverityNotice}
	gained := func(word string) bool { return slices.Contains(is, word) && !slices.Contains(was, word) }
	switch {
	case gained("noindex"):
		c.Severity, c.Sentence = SeverityAlarm, "The page asks search engines not to list it any more (robots: "+after+")."
	case slices.Contains(was, "noindex") && !slices.Contains(is, "noindex"):
		c.Sentence = "The page lets search engines list it again; before it asked them not to (robots: " + before + ")."
	case gained("nofollow"):
		c.Severity, c.Sentence = SeverityWarning, "The page asks search engines not to follow its links any more (robots: "+after+")."
	case after == "":
		c.Sentence = "The page asks nothing of search engines any more (robots: " + before + ")."
	case before == "":
		c.Sentence = "The page asks something of search engines (robots: " + after + ")."
	default:
		c.Sentence = "The page asks something else of search engines (robots: " + after + " instead of " + before + ")."
	}
	return c
}

func directives(robots string) []string {
	var words []string
	for word := range strings.SplitSeq(strings.ToLower(robots), ",") {
		switch word = collapseSpace(word); word {
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

// compareCanonical compares the addresses that are meant, however the page spells them.
func compareCanonical(before, after PageState) *PageChange {
	was, is := canonicalOf(before), canonicalOf(after)
	if was == is {
		return nil
	}
	c := &PageChange{Kind: PageCanonical, Before: was, After: is, Severity: SeverityWarning}
	switch {
	case was == "":
		c.Severity, c.Sentence = SeverityNotice, "The page tells search engines its canonical address: "+is+"."
	case is == "":
		c.Sentence = "The page tells search engines no canonical address any more; it was " + was + "."
	default:
		c.Sentence = "The page tells search engines the canonical address " + is + " instead of " + was + "."
	}
	return c
}

func canonicalOf(page PageState) string {
	if page.Content.Canonical == "" {
		return ""
	}
	base, err := url.Parse(page.Address)
	if err != nil {
		return ellipsis(page.Content.Canonical, maxPageAddress)
	}
	meant, err := base.Parse(page.Content.Canonical)
	if err != nil {
		return ellipsis(page.Content.Canonical, maxPageAddress)
	}
	return ellipsis(meant.String(), maxPageAddress)
}

// mostWords is from how many words on a page is missed when few of them are left.
const mostWords = 30

func compareText(before, after string) *PageChange {
	words := compareWords(before, after)
	if words.Added+words.Removed == 0 {
		return nil
	}
	c := &PageChange{Kind: PageText, Severity: SeverityNotice, Words: &words, Sentence: words.sentence()}
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
