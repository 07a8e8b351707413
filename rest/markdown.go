package rest

import (
	"html/template"
	"regexp"
	"strings"
)

var codeSpan = regexp.MustCompile("`([^`]+)`")

// inline is a text with its `code` marked up.
func inline(text string) template.HTML {
	escaped := template.HTMLEscapeString(text)
	return template.HTML(codeSpan.ReplaceAllString(escaped, "<code>$1</code>")) //nolint:gosec // escaped
}

// markdown is the little of Markdown that our own descriptions use: paragraphs, headings, lists and code.
func markdown(text string) template.HTML {
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lead, items, hasList := strings.Cut(block, "\n- ")
		if strings.HasPrefix(block, "- ") {
			lead, items, hasList = "", strings.TrimPrefix(block, "- "), true
		}
		heading, isHeading := strings.CutPrefix(lead, "## ")
		switch {
		case isHeading:
			out.WriteString("<h3>" + string(inline(heading)) + "</h3>")
		case lead != "":
			out.WriteString("<p>" + string(inline(lead)) + "</p>")
		}
		if hasList {
			out.WriteString("<ul>")
			for item := range strings.SplitSeq(items, "\n- ") {
				out.WriteString("<li>" + string(inline(item)) + "</li>")
			}
			out.WriteString("</ul>")
		}
	}
	return template.HTML(out.String()) //nolint:gosec // every part is escaped by inline
}
