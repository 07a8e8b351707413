package compare

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// comparable reports whether both sides answered with the page that was asked for. If not, it says in the pair what they
// answered with: comparing the pictures would tell nothing more.
func (r *run) comparable(p *Pair, before, after *page.Visit) bool {
	was, is := before.Status >= http.StatusBadRequest, after.Status >= http.StatusBadRequest
	switch {
	case was && is:
		p.Problem = fmt.Sprintf("Both sides answer with an error (HTTP status %d and %d). Check the path.", before.Status, after.Status)
	case is:
		p.Tell(kindMissing, vcd.CategoryAlert,
			fmt.Sprintf("The page is missing: HTTP status %d instead of %d.", after.Status, before.Status),
			"The other side answers with the page.", fmt.Sprint(after.Status))
	case was:
		p.Tell(kindNew, vcd.CategoryNotSure, fmt.Sprintf("The page is new: the other side answers with HTTP status %d.", before.Status),
			"There is nothing to compare it with.", fmt.Sprint(before.Status))
	default:
		p.Problem = r.detour(p, before, after)
		return p.Problem == ""
	}
	return false
}

// Kinds of pages that only one side has.
const (
	kindMissing vcd.ChangeKind = "missing_page"
	kindNew     vcd.ChangeKind = "new_page"
)

// signIn are paths to which sites send those who have not signed in.
var signIn = regexp.MustCompile(`(?i)/(login|log-in|signin|sign-in|sso|auth|oauth2?|saml|wp-login\.php|anmelden)(/|$|\?)`)

// detour says that a side led somewhere else to sign in; "" if neither did.
func (r *run) detour(p *Pair, before, after *page.Visit) string {
	for _, s := range []struct {
		site  Site
		visit *page.Visit
	}{{r.options.Before, before}, {r.options.After, after}} {
		asked := s.site.Address(p.asked)
		if !signIn.MatchString(pathOf(asked)) && signIn.MatchString(pathOf(s.visit.FinalURL)) {
			return fmt.Sprintf("%s leads to %s, where visitors sign in. Give access with --cookie, --header or --basic-auth.",
				asked, page.Ellipsis(s.visit.FinalURL, maxShownAddress))
		}
	}
	return ""
}

const maxShownAddress = 120 // bytes

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/") + "/"
}
