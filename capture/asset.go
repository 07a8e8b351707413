package capture

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

const maxAssets = 300 // kept of one page

// assetKinds are the resources of which a page is made; all others are what it shows.
var assetKinds = map[proto.NetworkResourceType]string{
	proto.NetworkResourceTypeScript: "script", proto.NetworkResourceTypeStylesheet: "style",
}

// arrived notes an asset of the page itself; those of frames are the affair of other sites as a rule.
func (o *observer) arrived(e proto.NetworkResponseReceived) {
	kind := assetKinds[e.Type]
	if kind == "" || e.FrameID != o.tab.Frame() || e.Response.Status >= 400 || len(o.assets) == maxAssets ||
		strings.HasPrefix(e.Response.URL, "data:") {
		return
	}
	o.assets[page.Asset{Kind: kind, URL: shorten(e.Response.URL)}] = true
}

// sortedAssets are the same at each visit, whatever came first.
func (o *observer) sortedAssets() []page.Asset {
	return slices.SortedFunc(maps.Keys(o.assets), func(a, b page.Asset) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Kind, b.Kind))
	})
}
