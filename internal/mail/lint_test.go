package mail_test

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"afterimage/internal/mail"
)

// clipped is the size at which Gmail cuts a mail off.
const clipped = 102 << 10

// mailTags are the elements that all common mail programs show alike. Those that would load, run or style something from
// afar are not among them, nor is a style sheet: some programs drop it.
var mailTags = map[string]bool{
	"html": true, "head": true, "meta": true, "title": true, "body": true, "table": true, "tbody": true, "tr": true, "td": true,
	"span": true, "b": true, "br": true, "a": true, "img": true,
}

// unsafe are styles that Outlook or Gmail ignore, or that load something.
var unsafe = regexp.MustCompile(`position|float|flex|grid|url\(|!important|margin-(left|right):\s*auto|transparent|var\(|calc\(`)

func TestMailsAreWrittenForMailPrograms(t *testing.T) {
	made := letters(t)
	for name, d := range crowded() {
		letter, err := d.Letter()
		if err != nil {
			t.Fatal(err)
		}
		made[name] = letter
	}
	for name, letter := range made {
		if n := len(letter.HTML); n >= clipped {
			t.Errorf("%s: %d bytes of HTML are cut off", name, n)
		}
		doc, err := html.Parse(strings.NewReader(letter.HTML))
		if err != nil {
			t.Fatal(err)
		}
		lint := linter{t: t, letter: name}
		lint.visit(doc, look{})
	}
}

// crowded are mails with more to tell than fits, in the longest words there may be.
func crowded() map[string]interface{ Letter() (mail.Letter, error) } {
	long := strings.Repeat(`"<&'é`, 200)
	change := mail.Change{Title: long, Address: long, Device: "desktop", Percent: 1, Words: long,
		Review: "https://afterimage.example.com/c/" + strings.Repeat("a", 40)}
	failure := mail.Failure{Address: long, Device: "mobile", Why: long}
	five := mail.DigestGroup{Name: long, Checked: 1000, Failed: 7, More: 100, Changes: []mail.Change{change, change, change, change,
		change}, Failures: []mail.Failure{failure, failure, failure}}
	report := mail.UpdateReport{Website: long, At: finished, Status: "failed", Attempts: 601, Broken: 601, Changes: five.Changes,
		Failures: five.Failures, Failed: 3}
	for range 601 {
		report.Updates = append(report.Updates, mail.Update{Kind: "Plugin", Name: long, From: long, To: long, Error: long})
	}
	groups := func(n int) (list []mail.DigestGroup) {
		for range n {
			list = append(list, five)
		}
		return list
	}
	return map[string]interface{ Letter() (mail.Letter, error) }{
		"a thousand groups": mail.Digest{Batch: long, Finished: finished, Groups: groups(1000)},
		"ten groups":        mail.Digest{Batch: long, Finished: finished, Groups: groups(10)},
		"600 updates":       report,
	}
}

// Whatever is left out is counted.
func TestALongDigestCountsWhatItDoesNotTell(t *testing.T) {
	for name, changes := range map[string]int{"a thousand groups": 105_000, "ten groups": 1050} {
		letter, err := crowded()[name].Letter()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(letter.Subject, strconv.Itoa(changes)+" changes") {
			t.Errorf("%s: %.60s", name, letter.Subject)
		}
		told := strings.Count(letter.Text, "changed, threshold")
		counts := regexp.MustCompile(`(?m)^(?:\.\.\. and )?(\d+) (?:more )?changes?\.|groups? with (\d+) changes?`)
		for _, counted := range counts.FindAllStringSubmatch(letter.Text, -1) {
			n, err := strconv.Atoi(counted[1] + counted[2])
			if err != nil {
				t.Fatal(err)
			}
			told += n
		}
		if told != changes {
			t.Errorf("%s: %d changes are told or counted, want %d", name, told, changes)
		}
		if strings.Contains(letter.Text, "Nothing changed") {
			t.Errorf("%s: says that nothing changed", name)
		}
	}
}

// look is in which colours a text is shown. Programs with a dark mode turn colours by pairs: a text whose background is
// left to the program becomes dark on dark.
type look struct{ text, ground *color.RGBA }

type linter struct {
	t      *testing.T
	letter string
}

func (l *linter) complain(format string, args ...any) {
	l.t.Helper()
	l.t.Errorf("%s: %s", l.letter, fmt.Sprintf(format, args...))
}

func (l *linter) visit(n *html.Node, at look) {
	switch n.Type {
	case html.ElementNode:
		at = l.element(n, at)
	case html.TextNode:
		if strings.TrimSpace(n.Data) != "" && n.Parent.Data != "title" {
			l.text(n.Data, at)
		}
	case html.CommentNode:
		l.complain("a comment: %.40s", n.Data)
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		l.visit(child, at)
	}
}

func (l *linter) element(n *html.Node, at look) look {
	attributes := make(map[string]string)
	for _, a := range n.Attr {
		attributes[a.Key] = a.Val
		if a.Key == "class" || a.Key == "id" || strings.HasPrefix(a.Key, "on") {
			l.complain("<%s %s>", n.Data, a.Key)
		}
	}
	style := attributes["style"]
	if !mailTags[n.Data] || unsafe.MatchString(style) {
		l.complain("<%s style=%q>", n.Data, style)
	}
	switch n.Data {
	case "img":
		l.picture(attributes)
	case "a":
		if !strings.HasPrefix(attributes["href"], "https://") {
			l.complain("a link to %q", attributes["href"])
		}
	}
	if c := property(style, "color"); c != nil {
		at.text = c
	}
	if c := property(style, "background-color"); c != nil {
		at.ground = c
		if attributes["bgcolor"] == "" {
			l.complain("<%s> has its background only as a style", n.Data)
		}
	}
	return at
}

func (l *linter) picture(attributes map[string]string) {
	if !strings.HasPrefix(attributes["src"], "cid:") || attributes["alt"] == "" || attributes["width"] == "" || attributes["height"] == "" {
		l.complain("a picture with %v", attributes)
	}
}

// text wants 4.5 : 1 between a text and what it stands on (WCAG 2.2, 1.4.3).
func (l *linter) text(words string, at look) {
	if at.text == nil || at.ground == nil {
		l.complain("the colours of %.40q are left to the mail program", words)
		return
	}
	a, b := luminance(at.text), luminance(at.ground)
	if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
		l.complain("%.40q has a contrast of %.2f : 1", words, ratio)
	}
}

// luminance is that of WCAG 2.2, from 0 to 1.
func luminance(c *color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// property reads a colour out of an inline style.
func property(style, name string) *color.RGBA {
	for declaration := range strings.SplitSeq(style, ";") {
		key, value, _ := strings.Cut(declaration, ":")
		rgb, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(value), "#"), 16, 24)
		if strings.TrimSpace(key) == name && err == nil {
			return &color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
		}
	}
	return nil
}
