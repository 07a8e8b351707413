package vcd

import (
	"context"
	"strings"
	"time"
)

// Limits of triggers.
const (
	maxTriggeredURLs   = 50
	maxPendingPages    = 1000
	maxTriggeredTitle  = 255
	maxTriggeredEditor = 100
)

// DefaultTriggerWindow is how long a save waits for others before its group runs.
const DefaultTriggerWindow = 3 * time.Minute

// maxTriggerWait is the longest that extensions put a run off, counted from its first save.
const maxTriggerWait = time.Hour

// ReasonTriggerNotEnabled tells programs that a group does not run when its pages are saved.
const ReasonTriggerNotEnabled = "trigger_not_enabled"

// TriggerType is what makes a monitoring group run besides its schedule.
type TriggerType string

// The trigger types.
const (
	TriggerPostSave TriggerType = "post_save"      // a page of the site was saved
	TriggerManual   TriggerType = "manual_trigger" // somebody asked for it to run now
)

// TriggerScope is how much of a group runs.
type TriggerScope string

// The trigger scopes.
const (
	TriggerScopeURL TriggerScope = "url" // some pages
	TriggerScopeAll TriggerScope = "all" // the whole group
)

// TriggeredPage is a page for which a trigger fired. The JSON is how it is stored.
type TriggeredPage struct {
	URLID       ID        `json:"url_id"`
	Address     string    `json:"address"` // by which it was found, without a trailing slash
	URL         string    `json:"url"`     // as it was reported
	TriggeredAt time.Time `json:"triggered_at"`
	Title       *string   `json:"title,omitempty"`
	PostID      *int      `json:"post_id,omitempty"`
	Editor      *string   `json:"editor,omitempty"`
}

// TriggerContext is what started a monitoring run. The JSON is how it is stored.
type TriggerContext struct {
	Type             TriggerType     `json:"type"`
	FirstTriggeredAt time.Time       `json:"first_triggered_at"`
	Pages            []TriggeredPage `json:"pages"`            // none when the whole group runs
	Scope            *TriggerScope   `json:"scope,omitempty"`  // of a manual trigger
	Editor           *string         `json:"editor,omitempty"` // of a manual trigger
}

// PendingTrigger is a run that waits for further saves. A group has at most one of each type.
type PendingTrigger struct {
	ID, Account, GroupID ID
	Type                 TriggerType
	FirstTriggeredAt     time.Time
	DueAt                time.Time
	Pages                []TriggeredPage
}

// merge takes pages in. One that is there already is reported anew; what is not said again about it is kept. False when
// there would be too many.
func (p *PendingTrigger) merge(pages []TriggeredPage) bool {
	places := make(map[ID]int, len(p.Pages))
	for i, page := range p.Pages {
		places[page.URLID] = i
	}
	for _, page := range pages {
		i, known := places[page.URLID]
		if !known {
			places[page.URLID] = len(p.Pages)
			p.Pages = append(p.Pages, page)
			continue
		}
		page.Title = firstOf(page.Title, p.Pages[i].Title)
		page.PostID = firstOf(page.PostID, p.Pages[i].PostID)
		page.Editor = firstOf(page.Editor, p.Pages[i].Editor)
		p.Pages[i] = page
	}
	return len(p.Pages) <= maxPendingPages
}

func firstOf[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// context is what the run is told of.
func (p *PendingTrigger) context() *TriggerContext {
	return &TriggerContext{Type: p.Type, FirstTriggeredAt: p.FirstTriggeredAt, Pages: p.Pages}
}

// TriggerStore keeps runs that wait for further saves.
type TriggerStore interface {
	// LockPendingTrigger reads the group's waiting run and holds off those who start it until the transaction ends; nil when
	// there is none. The group must be locked, or another may appear meanwhile.
	LockPendingTrigger(ctx context.Context, group ID, t TriggerType) (*PendingTrigger, error)
	// PendingTriggers reads the waiting runs of several groups.
	PendingTriggers(ctx context.Context, groups []ID) (map[ID]*PendingTrigger, error)
	InsertPendingTrigger(ctx context.Context, p *PendingTrigger) error
	UpdatePendingTrigger(ctx context.Context, p *PendingTrigger) error // due, pages
	DeletePendingTrigger(ctx context.Context, p *PendingTrigger) error
	// ExtendPendingTriggers lets waiting runs that have a page with one of the addresses wait until at least until, but no
	// longer than limit after their first save, and returns them. With group only that group's.
	ExtendPendingTriggers(ctx context.Context, group *ID, addresses []string, until time.Time, limit time.Duration) ([]*PendingTrigger, error)
}

// DueTriggerStore is asked across accounts by those who start runs.
type DueTriggerStore interface {
	// TakeDueTrigger runs do in a transaction bound to the account of the waiting run that has been due longest at now and
	// that nobody else holds, with that row and its group locked. When do fails the run is put off for a while, so that others get their
	// turn. False when none is due.
	TakeDueTrigger(ctx context.Context, now time.Time, do func(ctx context.Context, p *PendingTrigger, tx Tx) error) (bool, error)
}

// TriggeredURL is a page as a site reports it.
type TriggeredURL struct {
	URL    string
	Title  *string
	PostID *int
}

// reported are pages that were reported, by the address that they are looked for by.
type reported struct {
	addresses []string // each once
	pages     map[string]TriggeredPage
	full      map[string]string // the whole address, which may end with a slash
}

// parseReported checks reported pages; of one that is there twice the last counts.
func parseReported(v *validation, urls []TriggeredURL, editor *string, now time.Time) reported {
	r := reported{pages: map[string]TriggeredPage{}, full: map[string]string{}}
	v.check(len(urls) <= maxTriggeredURLs, "urls", "max", "The {field} field must not have more than 50 items.")
	v.optionalText("editor", editor, maxTriggeredEditor)
	if len(v.problems()) > 0 {
		return r
	}
	for i, u := range urls {
		_, full := parseAddress(v, indexed("urls", i, "url"), u.URL)
		v.optionalText(indexed("urls", i, "title"), u.Title, maxTriggeredTitle)
		if u.PostID != nil {
			v.notNegative(indexed("urls", i, "postId"), *u.PostID)
		}
		address := strings.TrimSuffix(full, "/")
		if _, twice := r.pages[address]; !twice {
			r.addresses = append(r.addresses, address)
		}
		r.full[address] = full
		r.pages[address] = TriggeredPage{
			Address: address, URL: strings.TrimSpace(u.URL), TriggeredAt: now, Title: u.Title, PostID: u.PostID, Editor: editor,
		}
	}
	return r
}

// within keeps those pages that the group captures. Where it has an address with and without a trailing slash the one that
// was reported is meant.
func (r reported) within(ctx context.Context, tx Tx, group ID) ([]TriggeredPage, error) {
	if len(r.addresses) == 0 {
		return nil, nil
	}
	list, err := tx.Selections(ctx, SelectionFilter{GroupID: group, Addresses: &r.addresses}, Page{Size: 2 * len(r.addresses)})
	if err != nil {
		return nil, err
	}
	found := make(map[string]ID, len(list.Items))
	for _, sel := range list.Items {
		address := strings.TrimSuffix(sel.URL.Address, "/")
		if _, other := found[address]; len(sel.Devices()) > 0 && (!other || sel.URL.Address == r.full[address]) {
			found[address] = sel.URLID
		}
	}
	pages := []TriggeredPage{}
	for _, address := range r.addresses {
		if id, ok := found[address]; ok {
			page := r.pages[address]
			page.URLID = id
			pages = append(pages, page)
		}
	}
	return pages, nil
}
