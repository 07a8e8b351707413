package pageset_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/pageset"
)

// pages are URLs at these addresses, each a minute newer than the one before.
func pages(addresses ...string) []*vcd.URL {
	var urls []*vcd.URL
	for i, address := range addresses {
		urls = append(urls, &vcd.URL{ID: vcd.ID(fmt.Sprintf("%d %s", i, address)), Address: "example.com" + address,
			CreatedAt: time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)})
	}
	return urls
}

func told(found []pageset.Suggestion) string {
	var b strings.Builder
	for _, s := range found {
		fmt.Fprintf(&b, "%s %s +%d\n", s.Reason, strings.TrimPrefix(s.URL.Address, "example.com"), s.Others)
	}
	return b.String()
}

func TestChoose(t *testing.T) {
	shop := pages("/blog/2026/first", "/blog/2026/second", "/blog/2026/third", "/about", "/imprint", "", "/de", "/contact", "/shop",
		"/checkout", "/cart", "/my-account", "/my-account/orders", "/product/fern", "/product/moss-of-the-north", "/product-category/trees")
	typed := pages("/a", "/b", "/c", "/d")
	for i, kind := range []string{"post", "post", "page", "page"} {
		typed[i].Type = &kind
	}
	broken := pages("", "/gone", "/here")
	missing := 404
	broken[1].StatusCode = &missing
	for name, test := range map[string]struct {
		urls  []*vcd.URL
		count int
		want  string
	}{
		"nothing":         {nil, 10, ""},
		"none are wanted": {shop, 0, ""},
		"a shop": {shop, 13, "front  +0\nfront /de +0\ncheckout /checkout +0\ncart /cart +0\nshop /shop +0\naccount /my-account +0\n" +
			"contact /contact +0\nproduct /product/fern +1\ncategory /product-category/trees +0\nnewest /blog/2026/third +1\n" +
			"kind /blog/2026/first +1\nkind /about +1\nkind /my-account/orders +0\n"},
		"types":       {typed, 3, "newest /d +0\nkind /c +0\nkind /a +1\n"},
		"not there":   {broken, 10, "front  +0\nkind /here +0\n"},
		"no language": {pages("/tv", "/pt-br", "/zz"), 10, "front /pt-br +0\nnewest /zz +0\nkind /tv +0\n"},
		"queries":     {pages("/?p=1", "/?p=2"), 10, "newest /?p=2 +0\nkind /?p=1 +0\n"},
	} {
		if got := told(pageset.Choose(test.urls, test.count)); got != test.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// TestChoiceIsStable: thousands of sets of addresses, each in two orders.
func TestChoiceIsStable(t *testing.T) {
	names := []string{
		"", "/shop", "/cart", "/de", "/blog/x", "/blog/x/y", "/?p=3", "/product/a", "/product/b", "//", "/%2f", "/en-us/kasse",
	}
	for seed := range uint64(2000) {
		chance := rand.New(rand.NewPCG(seed, 1))
		var addresses []string
		for range chance.IntN(30) {
			addresses = append(addresses, names[chance.IntN(len(names))]+strings.Repeat("/z", chance.IntN(3)))
		}
		slices.Sort(addresses)
		urls, count := pages(slices.Compact(addresses)...), chance.IntN(20)
		first := pageset.Choose(urls, count)
		if len(first) != min(count, len(urls)) {
			t.Fatalf("seed %d: %d of %d pages, %d wanted", seed, len(first), len(urls), count)
		}
		chance.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
		if again := pageset.Choose(urls, count); told(again) != told(first) {
			t.Fatalf("seed %d:\n%s\n%s", seed, told(first), told(again))
		}
	}
}

// TestWhatMustBeFineIsSuggested: the pages that must be fine after an update have a purpose, in whatever language.
func TestWhatMustBeFineIsSuggested(t *testing.T) {
	for _, part := range vcd.DefaultGateRules().MustBeFine {
		found := pageset.Choose(pages("/a", "/b", "/"+part), 1)
		if len(found) != 1 || found[0].URL.Address != "example.com/"+part {
			t.Errorf("%s: %s", part, told(found))
		}
	}
}
