package inventory_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// walk reads a whole list page by page.
func walk[T any](
	t *rapid.T, list func(vcd.Page) (*vcd.List[T], error), first vcd.Page, next func(vcd.Page, *vcd.List[T]) (vcd.Page, bool),
) [][]T {
	var pages [][]T
	for page, more := first, true; more; {
		l, err := list(page)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Items) > page.Size {
			t.Fatalf("%d items on a page of %d", len(l.Items), page.Size)
		}
		pages = append(pages, l.Items)
		if len(pages) > 100 {
			t.Fatal("the list does not end")
		}
		page, more = next(page, l)
	}
	return pages
}

// TestPagingInEveryDirectionSeesTheSameItems creates URLs, many of which have the same creation time.
func TestPagingInEveryDirectionSeesTheSameItems(t *testing.T) {
	w := newWorld(t)
	var want []vcd.ID
	for i := range 23 {
		u, err := w.Service.Inventory.CreateURL(t.Context(), w.Actor, inventory.URLChange{URL: vcd.Some(fmt.Sprintf("page.test/%d", i))})
		must(t, err)
		want = append(want, u.ID)
		if i%4 == 0 {
			w.Clock.Advance(time.Minute)
		}
	}
	slices.Reverse(want)
	cursor := func(u *vcd.URL) *vcd.Cursor { return &vcd.Cursor{CreatedAt: u.CreatedAt, ID: u.ID} }
	list := func(p vcd.Page) (*vcd.List[*vcd.URL], error) {
		return w.Service.Inventory.URLs(t.Context(), w.Actor, vcd.URLFilter{}, p)
	}
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(1, 30).Draw(rt, "size")
		forward := walk(rt, list, vcd.Page{Size: size}, func(p vcd.Page, l *vcd.List[*vcd.URL]) (vcd.Page, bool) {
			if l.HasPrevPage != (p.After != nil) {
				rt.Fatalf("previous page: %t", l.HasPrevPage)
			}
			p.After = cursor(l.Items[len(l.Items)-1])
			return p, l.HasNextPage
		})
		backward := walk(rt, list, vcd.Page{Size: size, Backward: true}, func(p vcd.Page, l *vcd.List[*vcd.URL]) (vcd.Page, bool) {
			if l.HasNextPage != (p.Before != nil) {
				rt.Fatalf("next page: %t", l.HasNextPage)
			}
			p.Before = cursor(l.Items[0])
			return p, l.HasPrevPage
		})
		numbered := walk(rt, list, vcd.Page{Size: size, Number: 1, Total: true}, func(p vcd.Page, l *vcd.List[*vcd.URL]) (vcd.Page, bool) {
			if l.Total != len(want) || l.HasPrevPage != (p.Number > 1) {
				rt.Fatalf("total %d, previous page %t", l.Total, l.HasPrevPage)
			}
			p.Number++
			return p, l.HasNextPage
		})
		slices.Reverse(backward)
		for name, pages := range map[string][][]*vcd.URL{"forward": forward, "backward": backward, "numbered": numbered} {
			var got []vcd.ID
			for _, u := range slices.Concat(pages...) {
				got = append(got, u.ID)
			}
			if !slices.Equal(got, want) {
				rt.Fatalf("%s by %d: %d items %v, want %v", name, size, len(got), got, want)
			}
		}
		from, to := rapid.IntRange(0, 10).Draw(rt, "from"), rapid.IntRange(12, 22).Draw(rt, "to")
		all, err := list(vcd.Page{Size: 100})
		must(t, err)
		inner, err := list(vcd.Page{Size: 100, After: cursor(all.Items[from]), Before: cursor(all.Items[to])})
		must(t, err)
		if len(inner.Items) != to-from-1 || inner.Items[0].ID != want[from+1] || !inner.HasNextPage || !inner.HasPrevPage {
			rt.Fatalf("between %d and %d are %d items", from, to, len(inner.Items))
		}
	})
	beyond, err := list(vcd.Page{Size: 15, Number: 9, Total: true})
	must(t, err)
	if len(beyond.Items) != 0 || beyond.Total != 23 || beyond.HasNextPage {
		t.Errorf("beyond the end: %+v", beyond)
	}
}
