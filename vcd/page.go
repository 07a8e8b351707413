package vcd

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// Page sizes.
const (
	DefaultPageSize = 15
	MaxPageSize     = 100
	maxPageNumber   = 1_000_000 // keeps the offset within what a database can skip
)

// Page selects part of a list. Lists are ordered newest first. Either Number is set (REST's numbered pages, from 1), or After
// or Before holds a cursor of the list (keyset paging).
type Page struct {
	Size     int
	Number   int
	After    *Cursor
	Before   *Cursor
	Backward bool // take the last Size items before Before instead of the first after After
	Total    bool // count the whole list too
}

// Cursor is the position of an item in a list ordered by creation, newest first.
type Cursor struct {
	CreatedAt time.Time
	ID        ID
}

// In encodes the cursor in the opaque form given to clients. It is a cursor of the given list only: list names the list, its
// filter and its order.
func (c Cursor) In(list string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.CreatedAt.UnixMicro(), 36) + "." + string(c.ID) + "." + list))
}

// ParseCursor decodes the output of In and reports whether s is a cursor of the list.
func ParseCursor(s, list string) (Cursor, bool) {
	if len(s) > 128 {
		return Cursor{}, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return Cursor{}, false
	}
	position, of, ok := cutLast(string(raw), ".")
	if !ok || of != list {
		return Cursor{}, false
	}
	micros, id, ok := strings.Cut(position, ".")
	at, err := strconv.ParseInt(micros, 36, 64)
	parsed, isID := ParseID(id)
	if !ok || err != nil || !isID || !ValidTime(time.UnixMicro(at)) {
		return Cursor{}, false
	}
	return Cursor{CreatedAt: time.UnixMicro(at).UTC(), ID: parsed}, true
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// Sort is the order of a list: by creation, newest first, unless it says otherwise. By is a name that the list knows; with one,
// the list has numbered pages only.
type Sort struct {
	By        string
	Ascending bool
}

// PageArgs are the list arguments as clients send them: Relay's four or the numbered two.
type PageArgs struct {
	First, Last   *int
	After, Before *string
	Number, Size  *int
	Total         bool
	Most          int    // largest page; 0 for MaxPageSize
	List          string // names the list, its filter and its order: cursors of others are refused
}

// Page validates the arguments and clamps sizes above the maximum, which clients rely on.
func (a PageArgs) Page() (Page, error) {
	p := Page{Size: DefaultPageSize, Total: a.Total}
	v := &Validation{}
	size := func(name string, n *int) {
		if n == nil {
			return
		}
		v.Check(*n >= 1, name, "min", "The {field} field must be at least 1.")
		p.Size = min(*n, cmp.Or(a.Most, MaxPageSize))
	}
	size("perPage", a.Size)
	size("first", a.First)
	size("last", a.Last)
	v.Check(a.First == nil || a.Last == nil, "last", "prohibited", "The {field} field cannot be combined with first.")
	v.Check(a.Size == nil || a.First == nil && a.Last == nil, "perPage", "prohibited",
		"The {field} field cannot be combined with first or last.")
	if a.Number != nil {
		v.Check(*a.Number >= 1, "page", "min", "The {field} field must be at least 1.")
		v.Check(a.After == nil && a.Before == nil, "page", "prohibited", "The {field} field cannot be combined with a cursor.")
		p.Number = min(*a.Number, maxPageNumber)
	}
	p.Backward = a.Last != nil
	p.After = v.cursor("after", a.After, a.List)
	p.Before = v.cursor("before", a.Before, a.List)
	return p, v.Err()
}

// List is one page of items with what is needed to request its neighbours.
type List[T any] struct {
	Items                    []T
	HasNextPage, HasPrevPage bool
	Total                    int // size of the whole list, if Page.Total is set
}
