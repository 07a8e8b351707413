// Package pageset chooses the pages of a site that show most of what can break: few enough to be checked at each update.
package pageset

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"afterimage/vcd"
)

// Reason is why a page is worth checking.
type Reason string

// The reasons, the most important first.
const (
	Front    Reason = "front" // the page that the site's address leads to, also that of a language
	Checkout Reason = "checkout"
	Cart     Reason = "cart"
	Shop     Reason = "shop"
	Account  Reason = "account"
	Contact  Reason = "contact"
	Product  Reason = "product"
	Category Reason = "category" // a list of products or posts
	Newest   Reason = "newest"   // of the kind with most pages
	Kind     Reason = "kind"     // one of several pages that are made alike
	Another  Reason = "another"  // a further one of such pages
)

var order = []Reason{Front, Checkout, Cart, Shop, Account, Contact, Product, Category, Newest, Kind, Another}

// purposes are the parts of paths by which a page of a purpose is known. A list of products is told from a product by its place: the
// page of a product is below such a part.
var purposes = map[string]Reason{
	"checkout": Checkout, "kasse": Checkout, "commande": Checkout, "caisse": Checkout,
	"cart": Cart, "basket": Cart, "warenkorb": Cart, "panier": Cart, "carrito": Cart,
	"shop": Shop, "store": Shop, "boutique": Shop, "tienda": Shop,
	"account": Account, "my-account": Account, "login": Account, "konto": Account, "mein-konto": Account, "mon-compte": Account,
	"contact": Contact, "contact-us": Contact, "kontakt": Contact, "contacto": Contact,
}

var below = map[string]Reason{
	"product": Product, "products": Product, "produkt": Product, "produkte": Product, "produit": Product,
	"category": Category, "product-category": Category, "kategorie": Category, "collections": Category, "tag": Category,
}

// Suggestion is a page that is worth checking.
type Suggestion struct {
	URL    *vcd.URL
	Reason Reason
	Others int // pages of the same kind that are not suggested
}

// Choose returns at most count pages, the most important first. Pages that last answered with an error and uploaded ones are left out.
// The same pages give the same choice, in whatever order they come.
func Choose(urls []*vcd.URL, count int) []Suggestion {
	c := chooser{kinds: map[string][]*vcd.URL{}, left: map[string]int{}, chosen: map[vcd.ID]bool{}}
	for _, u := range urls {
		if u.Uploaded() || u.Checkpoint() || u.StatusCode != nil && *u.StatusCode >= 400 {
			continue
		}
		c.add(u)
	}
	c.byPurpose()
	c.byKind()
	found := c.found[:min(len(c.found), max(count, 0))]
	for _, s := range found {
		c.left[kindOf(s.URL)]--
	}
	for i := range found {
		found[i].Others = c.left[kindOf(found[i].URL)]
	}
	return found
}

type chooser struct {
	kinds  map[string][]*vcd.URL
	left   map[string]int // pages of a kind that are not suggested
	chosen map[vcd.ID]bool
	found  []Suggestion
}

func (c *chooser) add(u *vcd.URL) {
	kind := kindOf(u)
	c.kinds[kind] = append(c.kinds[kind], u)
	c.left[kind]++
}

func (c *chooser) take(u *vcd.URL, why Reason) {
	if u != nil && !c.chosen[u.ID] {
		c.chosen[u.ID] = true
		c.found = append(c.found, Suggestion{URL: u, Reason: why})
	}
}

// byPurpose takes the front pages, and of each other purpose the page with the shortest address.
func (c *chooser) byPurpose() {
	best := map[Reason]*vcd.URL{}
	var fronts []*vcd.URL
	for _, urls := range c.kinds {
		for _, u := range urls {
			switch why := purposeOf(u); {
			case why == Front:
				fronts = append(fronts, u)
			case why != "" && (best[why] == nil || shorter(u, best[why]) < 0):
				best[why] = u
			}
		}
	}
	slices.SortFunc(fronts, shorter)
	for _, u := range fronts {
		c.take(u, Front)
	}
	for _, why := range order {
		c.take(best[why], why)
	}
}

// byKind takes the newest page of the largest kind, then one page of every kind, the largest first, and then a further one of each as
// long as there are any.
func (c *chooser) byKind() {
	names := make([]string, 0, len(c.kinds))
	for name, urls := range c.kinds {
		slices.SortFunc(urls, shorter)
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(c.kinds[b]), len(c.kinds[a])), strings.Compare(a, b))
	})
	if largest := slices.IndexFunc(names, func(name string) bool { return !strings.HasPrefix(name, "purpose ") }); largest >= 0 {
		if urls := c.kinds[names[largest]]; len(urls) > 1 {
			c.take(slices.MaxFunc(urls, older), Newest)
		}
	}
	for round, more := 0, true; more; round++ {
		more = false
		why := Another
		if round == 0 {
			why = Kind
		}
		for _, name := range names {
			if urls := c.kinds[name]; round < len(urls) {
				c.take(urls[round], why)
				more = true
			}
		}
	}
}

// shorter orders pages by the length of their addresses: what is short is linked from many pages.
func shorter(a, b *vcd.URL) int {
	return cmp.Or(cmp.Compare(len(a.Address), len(b.Address)), strings.Compare(a.Address, b.Address))
}

func older(a, b *vcd.URL) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.Address, b.Address))
}

// parts are the parts of the path of a page, in lower case.
func parts(u *vcd.URL) []string {
	address, _, _ := strings.Cut(u.Address, "?")
	address, _, _ = strings.Cut(address, "#")
	_, path, _ := strings.Cut(address, "/")
	return strings.FieldsFunc(strings.ToLower(path), func(c rune) bool { return c == '/' })
}

// kindOf names the pages that are most likely made by the same template: those of a type, as the site itself tells, or those below
// the same part of the path, equally deep. What has a purpose of its own is a kind of its own.
func kindOf(u *vcd.URL) string {
	if why := purposeOf(u); why != "" && why != Product && why != Category {
		return "purpose " + string(why)
	}
	if u.Type != nil {
		kind := "type " + *u.Type
		if u.Category != nil {
			kind += " " + *u.Category
		}
		return kind
	}
	path := parts(u)
	if len(path) < 2 {
		return "top"
	}
	return "path " + path[0] + strings.Repeat("/*", len(path)-1)
}

// purposeOf is what a page is for, as far as its address tells; "" for anything else.
func purposeOf(u *vcd.URL) Reason {
	path := parts(u)
	if len(path) > 0 && isLanguage(path[0]) {
		path = path[1:]
	}
	switch len(path) {
	case 0:
		if strings.ContainsAny(u.Address, "?#") {
			return ""
		}
		return Front
	case 1:
		return purposes[path[0]]
	}
	if why := below[path[len(path)-2]]; why != "" {
		return why
	}
	return purposes[path[len(path)-1]]
}

// isLanguage reports whether a part of a path is a language, such as de or pt-br.
func isLanguage(part string) bool {
	if len(part) != 2 && len(part) != len("pt-br") {
		return false
	}
	_, err := language.Parse(part)
	return err == nil
}
