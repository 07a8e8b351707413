package gate

import (
	"slices"
	"strings"
)

// Rules say what is done for what is found.
type Rules struct {
	Alert   Decision // a page that is lost, blank or to be fixed, or a verdict of vcd.CategoryAlert
	NotSure Decision // a verdict of vcd.CategoryNotSure, or none
	Error   Decision // a script error that nobody caught and that was not there before; also ByExtent
	Part    Decision // a script or style sheet that does not load, and mixed content; also ByExtent
	Missing Decision // a page that the site no longer serves
	// MustBeFine are parts of paths, such as "checkout": what would make somebody look rolls back on these pages.
	MustBeFine []string
}

// ByExtent rolls back for what the site itself lost on most of its pages, and asks otherwise. It is a rule, never a verdict.
const ByExtent Decision = "by_extent"

// Default are the rules where nobody set others.
func Default() Rules {
	return Rules{Alert: RollBack, NotSure: Ask, Error: ByExtent, Part: ByExtent, Missing: RollBack, MustBeFine: []string{
		"shop", "cart", "basket", "checkout", "account", "my-account", "contact", "contact-us",
		"warenkorb", "kasse", "konto", "mein-konto", "kontakt",
	}}
}

// strict reports whether a page must be fine: whether one of its folders, or the page itself, is called so.
func (r *Rules) strict(address string) bool {
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		address = address[:end]
	}
	_, path, _ := strings.Cut(address, "/")
	return slices.ContainsFunc(strings.Split(strings.ToLower(path), "/"), func(part string) bool {
		return slices.Contains(r.MustBeFine, part)
	})
}
