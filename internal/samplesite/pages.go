package samplesite

// Page is one public page of the site.
type Page struct {
	Path  string // absolute path with a trailing slash
	Title string // what the navigation calls it
	// Change says in words what the release "after" changes on the page. It is
	// empty for a page that stays the same to the pixel.
	Change string

	template string
}

var pages = []Page{
	{"/", "Home", "a notice is inserted above everything else", "home"},
	{"/plants/", "Plants", "", "plants"},
	{"/places/", "Places", "the picture of the Palm House is broken", "places"},
	{"/calendar/", "In flower", "the foxglove's row of the table moves one month earlier", "calendar"},
	{"/walks/", "Walks", "the green of the season becomes plum", "walks"},
	{"/visit/", "Visit", "the opening hours and the price change", "visit"},
	{"/seeds/", "Seeds", "", "seeds"},
	{"/groups/", "Groups", "", "groups"},
}

// Pages lists the public pages in the order of the navigation. Each answers
// 200 in both releases.
func Pages() []Page { return append([]Page(nil), pages...) }

// The page for volunteers asks for HTTP basic authentication. It is not among
// [Pages] and does not change.
const (
	ProtectedPath     = "/volunteers/"
	ProtectedUser     = "volunteer"
	ProtectedPassword = "compost"
)

var (
	protectedPage = Page{Path: ProtectedPath, Title: "Volunteers", template: "volunteers"}
	missingPage   = Page{Title: "Nothing grows here", template: "missing"}
)
