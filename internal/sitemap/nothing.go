package sitemap

import (
	"fmt"
	"slices"
	"strings"
)

// maxForeign is how many other hosts are told.
const maxForeign = 3

// noteHost remembers another host that the site names, if it is one of the first.
func (w *walk) noteHost(host string) {
	if host != w.host && host != "" && len(w.foreign) < maxForeign && !slices.Contains(w.foreign, host) {
		w.foreign = append(w.foreign, host)
	}
}

// explainNothing says why a site that could be read has no URLs, and what to do about it. Whoever asked would otherwise be told
// only that it failed.
func (w *walk) explainNothing(domain string) {
	if w.result.URLs > 0 || w.result.Foreign == 0 && len(w.result.Problems) > 0 {
		return
	}
	domain = shown(domain)
	switch count := w.result.Foreign; {
	case len(w.foreign) > 0:
		hosts := make([]string, len(w.foreign))
		for i, host := range w.foreign {
			hosts[i] = shown(host)
		}
		w.problem("The site %s lists only %s on other hosts (%s). Import the site under the host name of its pages.", domain,
			urls(count), strings.Join(hosts, ", "))
	case count > 0 && w.path != "/":
		w.problem("The site lists %s, but none below %s. Import it without the path.", urls(count), domain)
	case count > 0:
		w.problem("The sitemap of %s lists no complete page addresses: each must look like https://%s/.",
			domain, w.host)
	default:
		w.problem("The sitemap of %s lists no pages.", domain)
	}
}

// urls counts URLs in words.
func urls(n int) string {
	if n == 1 {
		return "1 URL"
	}
	return fmt.Sprintf("%d URLs", n)
}
