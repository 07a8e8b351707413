package capture

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

const maxAssets = 300 // kept per page

// assetKinds are the resource types that make up a page; all others are its content.
var assetKinds = map[proto.NetworkResourceType]string{
	proto.NetworkResourceTypeScript: "script", proto.NetworkResourceTypeStylesheet: "style",
}

// arrived records an asset of the page itself. Assets of frames usually belong to other sites.
func (o *observer) arrived(e proto.NetworkResponseReceived) {
	kind := assetKinds[e.Type]
	if kind == "" || e.FrameID != o.tab.Frame() || e.Response.Status >= 400 || len(o.assets) == maxAssets ||
		strings.HasPrefix(e.Response.URL, "data:") {
		return
	}
	o.assets[page.Asset{Kind: kind, URL: shorten(e.Response.URL)}] = true
}

// sortedAssets returns the assets in an order that is the same at each visit, whatever loaded first.
func (o *observer) sortedAssets() []page.Asset {
	return slices.SortedFunc(maps.Keys(o.assets), func(a, b page.Asset) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Kind, b.Kind))
	})
}
