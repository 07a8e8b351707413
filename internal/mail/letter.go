package mail

import (
	"embed"
	"fmt"
	html "html/template"
	"strings"
	text "text/template"
	"unicode"
	"unicode/utf8"
)

// Letter is a mail without its addresses.
type Letter struct {
	Subject  string
	HTML     string
	Text     string
	Pictures []Picture // those that the HTML names by their ID
}

// Picture is an inline image of a mail.
type Picture struct {
	ID   string // unique in its letter; the HTML shows it as cid:ID
	Type string // "image/png" or "image/jpeg"
	Data []byte
	// Size in which it is shown, in CSS pixels.
	Width, Height int
}

//go:embed templates
var sources embed.FS

// Both forms of a mail get the same data. Each kind defines "body" for the layout, so it has a set of templates of its own.
type form struct {
	html *html.Template
	text *text.Template
}

func newForm(kind string) form {
	words := map[string]any{"percent": percent, "count": count, "cut": cutText, "button": newButton, "picture": newShown}
	return form{
		html: html.Must(html.New("layout.html").Funcs(words).ParseFS(sources, "templates/layout.html", "templates/"+kind+".html")),
		text: text.Must(text.New("layout.txt").Funcs(words).ParseFS(sources, "templates/layout.txt", "templates/"+kind+".txt")),
	}
}

// compose fills a form. The layout shows the subject as its heading.
func (f form) compose(subject string, data any, pictures ...Picture) (Letter, error) {
	subject = cutText(maxSubject, subject)
	frame := struct {
		Subject string
		Body    any
	}{subject, data}
	var page, plain strings.Builder
	if err := f.html.Execute(&page, frame); err != nil {
		return Letter{}, fmt.Errorf("compose the HTML of a mail: %w", err)
	}
	if err := f.text.Execute(&plain, frame); err != nil {
		return Letter{}, fmt.Errorf("compose the text of a mail: %w", err)
	}
	return Letter{Subject: subject, HTML: page.String(), Text: strings.TrimLeft(plain.String(), "\n"), Pictures: pictures}, nil
}

// maxHTML is the size in bytes up to which mail programs show a whole mail; some cut larger ones off.
const maxHTML = 100_000

// detail is how much of a long mail is told one by one.
type detail struct{ groups, changes, updates int } // changes in each group

var details = []detail{{40, 5, 60}, {40, 2, 30}, {20, 1, 15}, {10, 1, 8}, {5, 0, 3}}

// fit composes a letter in the most detail with which it is not cut off.
func (f form) fit(subject string, at func(detail) (data any, pictures []Picture)) (Letter, error) {
	for _, level := range details[:len(details)-1] {
		data, pictures := at(level)
		l, err := f.compose(subject, data, pictures...)
		if err != nil || len(l.HTML) <= maxHTML {
			return l, err
		}
	}
	data, pictures := at(details[len(details)-1])
	return f.compose(subject, data, pictures...)
}

// button is a link that stands out.
type button struct{ Link, Words string }

func newButton(link, words string) button { return button{link, words} }

// shown is a picture with its name and the words for those who do not see it.
type shown struct {
	*Picture
	Name, Alt string
}

func newShown(p *Picture, name, alt string) shown { return shown{p, name, alt} }

// Outer is the width with its border and the gap to the next one.
func (s shown) Outer() int { return s.Width + 8 }

// maxSubject is the length in characters at which a subject is cut.
const maxSubject = 150

// cutText makes one line of a text of at most n characters.
func cutText(n int, s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:n-1]), " ") + "…"
}

// percent writes a difference as people read it: what is not nothing never reads as 0.
func percent(p float64) string {
	switch {
	case p == 0:
		return "0 %"
	case p > 0 && p < 0.01:
		return "< 0.01 %"
	case p < 10:
		return fmt.Sprintf("%.2f %%", p)
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
