package compare

import (
	"fmt"
	"net/http"
	"net/url"
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

// detour says why what the sides answered with is not the page on both; "" for nothing: a side led somewhere else, or a wall stands
// before the page.
func (r *run) detour(p *Pair, before, after *page.Visit) string {
	o := r.options
	sides := []arrival{{o.Before, o.Before.Address(p.asked), before}, {o.After, o.After.Address(p.asked), after}}
	if o.Flow != nil { // it goes where it wants to
		sides[0].asked, sides[1].asked = before.FinalURL, after.FinalURL
		return walled(sides)
	}
	for _, s := range sides {
		if problem := s.signIn(); problem != "" {
			return problem
		}
	}
	led := sides
	if o.Stored != nil {
		led = sides[1:] // where what is stored ended was accepted
	}
	for _, s := range led {
		if s.left() && !s.stayed(before, o.Stored != nil) {
			return fmt.Sprintf("%s leads to another host, %s. Give the address of the intended page.",
				s.asked, page.Ellipsis(s.visit.FinalURL, maxShownAddress))
		}
	}
	if len(sides) == 2 && sides[0].asked != sides[1].asked && before.FinalURL == after.FinalURL && before.FinalURL != "" {
		return fmt.Sprintf("Both sides lead to %s: it would be compared with itself.", page.Ellipsis(before.FinalURL, maxShownAddress))
	}
	if o.Stored == nil && o.Before.host != o.After.host {
		if problem := framed(after, sides[1].asked, o.Before); problem != "" {
			return problem
		}
	}
	return walled(sides)
}

// arrival is where the request for a page of one side ended.
type arrival struct {
	site  Site
	asked string
	visit *page.Visit
}

// signIn says that the side led to where visitors sign in; "" if it did not.
func (a *arrival) signIn() string {
	if page.IsSignIn(a.asked) || !page.IsSignIn(a.visit.FinalURL) {
		return ""
	}
	return fmt.Sprintf("%s leads to %s, where visitors sign in. Give access with --cookie, --header or --basic-auth.",
		a.asked, page.Ellipsis(a.visit.FinalURL, maxShownAddress))
}

// left reports whether the side ended on another host, but for a www before its name.
func (a *arrival) left() bool {
	final, err := url.Parse(a.visit.FinalURL)
	if err != nil || final.Host == "" {
		return false
	}
	port := final.Port()
	if port == "" {
		port = usualPorts[final.Scheme]
	}
	plain, secure := usualPorts["http"], usualPorts["https"]
	if port == plain && a.site.port == secure || port == secure && a.site.port == plain {
		port = a.site.port // the same site with or without encryption
	}
	bare := func(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }
	return bare(final.Hostname()) != bare(a.site.hostname()) || port != a.site.port
}

// stayed reports whether a side that left its host ended where a stored visit had ended, too.
func (a *arrival) stayed(stored *page.Visit, isStored bool) bool {
	return isStored && stored.FinalURL == a.visit.FinalURL
}

// walled says that a wall hides the page from us, or that both sides show one and no page; "" for neither. A side that shows a
// message instead of the page of the other is a change.
func walled(sides []arrival) string {
	walls := make([]*page.Wall, len(sides))
	for i, s := range sides {
		walls[i] = s.visit.Wall(s.asked)
		if walls[i] != nil && walls[i].Hides() {
			return shown(s.asked, walls[i])
		}
	}
	if len(walls) == 2 && walls[0] != nil && walls[1] != nil {
		return strings.TrimSpace(fmt.Sprintf("Both sides show %s instead of the page. %s", walls[1].What(), walls[1].Remedy()))
	}
	return ""
}

func shown(asked string, wall *page.Wall) string {
	return strings.TrimSpace(fmt.Sprintf("%s shows %s instead of the page. %s", asked, wall.What(), wall.Remedy()))
}

const maxShownAddress = 120 // bytes
