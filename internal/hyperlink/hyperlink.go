// Package hyperlink lists the links of an HTML document.
package hyperlink

import (
	"io"
	"iter"
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"afterimage/internal/page"
)

// All lists where the links of a document lead, in its order, without fragments that only name a place. The document was loaded from
// base; its own base element goes before that. Links that are no addresses are left out. The document is read as far as it is asked for.
func All(base *url.URL, document io.Reader) iter.Seq[*url.URL] {
	return func(yield func(*url.URL) bool) {
		base := base
		for tokens := html.NewTokenizer(document); ; {
			switch tokens.Next() {
			case html.ErrorToken:
				return
			case html.StartTagToken, html.SelfClosingTagToken:
				token := tokens.Token()
				target, ok := targetOf(base, &token)
				if !ok {
					continue
				}
				switch token.Data {
				case "base":
					base = target
				case "a", "area":
					if !page.IsRoute(target.Fragment) {
						target.Fragment, target.RawFragment = "", ""
					}
					if !yield(target) {
						return
					}
				}
			}
		}
	}
}

func targetOf(base *url.URL, token *html.Token) (*url.URL, bool) {
	for _, a := range token.Attr {
		if a.Key == "href" && a.Val != "" {
			target, err := base.Parse(strings.TrimSpace(a.Val))
			return target, err == nil
		}
	}
	return nil, false
}
