package capture

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

const (
	maxAssets = 300 // kept per page
	maxData   = 100
)

// assetKinds are the resource types that make up a page; all others are its content.
var assetKinds = map[proto.NetworkResourceType]string{
	proto.NetworkResourceTypeScript: "script", proto.NetworkResourceTypeStylesheet: "style",
}

// arrived records an asset of the page itself. Assets of frames usually belong to other sites.
func (o *observer) arrived(e proto.NetworkResponseReceived) {
	if e.Type == proto.NetworkResourceTypeFetch || e.Type == proto.NetworkResourceTypeXHR {
		o.dataArrived(e)
	}
	kind := assetKinds[e.Type]
	if kind == "" || e.FrameID != o.tab.Frame() || e.Response.Status >= 400 || len(o.assets) == maxAssets ||
		strings.HasPrefix(e.Response.URL, "data:") {
		return
	}
	o.assets[page.Asset{Kind: kind, URL: shorten(e.Response.URL)}] = true
}

// dataArrived records from where a script of the page itself has read something, if that is not the page's own host.
func (o *observer) dataArrived(e proto.NetworkResponseReceived) {
	u, err := url.Parse(e.Response.URL)
	own, ownErr := url.Parse(o.doc.url)
	if err != nil || ownErr != nil || u.Host == own.Host || !isWeb(e.Response.URL) || e.FrameID != o.tab.Frame() ||
		e.Response.Status >= 400 || len(o.data) == maxData {
		return
	}
	o.data[shorten(placeOf(e.Response.URL))] = true
}

// sortedAssets returns the assets in an order that is the same at each visit, whatever loaded first.
func (o *observer) sortedAssets() []page.Asset {
	return slices.SortedFunc(maps.Keys(o.assets), func(a, b page.Asset) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Kind, b.Kind))
	})
}
