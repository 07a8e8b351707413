package rest

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// The variables of an operation that ask for one page of a numbered list.
const (
	pageVariable    = "page"
	perPageVariable = "perPage"
)

// pageVariables are read leniently: what is missing, malformed or too small is the default, what is too large is the
// largest. A list is never refused for its paging.
var pageVariables = map[string]bounded{
	pageVariable:    {standard: 1, largest: 1_000_000}, // keeps the offset within what a database can skip
	perPageVariable: {standard: 15, largest: 100},
}

type bounded struct{ standard, largest int64 }

func (b bounded) read(raw any) int64 {
	value, ok := asNumber(raw)
	switch {
	case !ok || value < 1:
		return b.standard
	case value > float64(b.largest):
		return b.largest
	}
	return int64(value)
}

// page is one page of a numbered list, and the address that leads to its neighbours.
type page struct {
	path    string // scheme, host and path of the list
	filters string // the request's own parameters without the page, encoded
	number  int64  // from 1
	size    int64  // items on a full page
	count   int64  // items on this page
	total   int64  // items on all pages
}

func (p page) last() int64 { return max((p.total+p.size-1)/p.size, 1) }

// address leads to a page of the list, with the filters of the request.
func (p page) address(number int64) string {
	return p.path + "?" + p.filters + "page=" + strconv.FormatInt(number, 10)
}

// addressOrNull is the JSON form of an address, null for pages outside the list.
func (p page) addressOrNull(number int64, exists bool) string {
	if !exists {
		return "null"
	}
	return string(quoted(p.address(number)))
}

func (p page) previous() string { return p.addressOrNull(p.number-1, p.number > 1) }
func (p page) next() string     { return p.addressOrNull(p.number+1, p.number < p.last()) }

// appendLinks writes the object of the four neighbours.
func (p page) appendLinks(out []byte) []byte {
	return fmt.Appendf(out, `{"first":%s,"last":%s,"prev":%s,"next":%s}`,
		quoted(p.address(1)), quoted(p.address(p.last())), p.previous(), p.next())
}

// appendMeta writes the members of meta up to and with total; the caller adds its own and closes the object.
func (p page) appendMeta(out []byte) []byte {
	from, to := "null", "null"
	if p.count > 0 {
		first := (p.number-1)*p.size + 1
		from, to = strconv.FormatInt(first, 10), strconv.FormatInt(first+p.count-1, 10)
	}
	out = fmt.Appendf(out, `{"current_page":%d,"from":%s,"last_page":%d,"links":`, p.number, from, p.last())
	out = p.appendNumbers(out)
	return fmt.Appendf(out, `,"path":%s,"per_page":%d,"to":%s,"total":%d`, quoted(p.path), p.size, to, p.total)
}

// appendNumbers writes the list of numbered links between "Previous" and "Next".
func (p page) appendNumbers(out []byte) []byte {
	out = fmt.Appendf(out, `[{"url":%s,"label":"&laquo; Previous","active":false}`, p.previous())
	for _, number := range pageNumbers(p.number, p.last()) {
		if number == gap {
			out = append(out, `,{"url":null,"label":"...","active":false}`...)
			continue
		}
		out = fmt.Appendf(out, `,{"url":%s,"label":"%d","active":%t}`, quoted(p.address(number)), number, number == p.number)
	}
	return fmt.Appendf(out, `,{"url":%s,"label":"Next &raquo;","active":false}]`, p.next())
}

// gap stands for the pages that a long list leaves out.
const gap = 0

// The window of page links, as Laravel's paginator draws it: three pages on each side of the present one, two at each
// end of the list, and everything when the list is short.
const (
	eachSide  = 3
	shortList = 2*eachSide + 7 // the longest list that shows all its pages
	nearEnd   = eachSide + 4   // pages at an end that are shown without a gap
)

func pageNumbers(current, last int64) []int64 {
	switch {
	case last <= shortList:
		return pageRange(1, last)
	case current <= nearEnd:
		return join(pageRange(1, nearEnd+eachSide), pageRange(last-1, last))
	case current > last-nearEnd:
		return join(pageRange(1, 2), pageRange(last-nearEnd-eachSide+1, last))
	}
	return join(pageRange(1, 2), pageRange(current-eachSide, current+eachSide), pageRange(last-1, last))
}

func pageRange(first, last int64) []int64 {
	numbers := make([]int64, 0, last-first+1)
	for n := first; n <= last; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

// join puts a gap between runs of pages.
func join(runs ...[]int64) []int64 {
	var all []int64
	for i, run := range runs {
		if i > 0 {
			all = append(all, gap)
		}
		all = append(all, run...)
	}
	return all
}

// filters is a query string without its page, ready to be followed by another: empty, or ending in an ampersand.
func filters(rawQuery string) string {
	var kept strings.Builder
	for pair := range strings.SplitSeq(rawQuery, "&") {
		name, value, err := formPair(pair)
		if err != nil || name == "" || name == pageVariable {
			continue
		}
		kept.WriteString(url.QueryEscape(name) + "=" + url.QueryEscape(value) + "&")
	}
	return kept.String()
}
