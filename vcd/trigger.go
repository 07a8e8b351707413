package vcd

import (
	"time"
)

// Limits of triggers.
const (
	maxPendingPages = 1000
)

// DefaultTriggerWindow is how long a save waits for further saves before its group runs.
const DefaultTriggerWindow = 3 * time.Minute

// TriggerType is what makes a monitoring group run apart from its schedule.
type TriggerType string

// The trigger types.
const (
	TriggerPostSave TriggerType = "post_save"      // a page of the site was saved
	TriggerManual   TriggerType = "manual_trigger" // somebody requested a run
)

// TriggerScope is how much of a group runs.
type TriggerScope string

// The trigger scopes.
const (
	TriggerScopeURL TriggerScope = "url" // some pages
	TriggerScopeAll TriggerScope = "all" // the whole group
)

// TriggeredPage is a page for which a trigger fired, in its stored JSON form.
type TriggeredPage struct {
	URLID       ID        `json:"url_id"`
	Address     string    `json:"address"` // the address by which it was found, without a trailing slash
	URL         string    `json:"url"`     // the URL as reported
	TriggeredAt time.Time `json:"triggered_at"`
	Title       *string   `json:"title,omitempty"`
	PostID      *int      `json:"post_id,omitempty"`
	Editor      *string   `json:"editor,omitempty"`
}

// TriggerContext is what started a monitoring run, in its stored JSON form.
type TriggerContext struct {
	Type             TriggerType     `json:"type"`
	FirstTriggeredAt time.Time       `json:"first_triggered_at"`
	Pages            []TriggeredPage `json:"pages"`            // empty when the whole group runs
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

// Merge adds pages. A page that is already present is updated; fields that the new report omits are kept. It returns false
// when there would be too many pages.
func (p *PendingTrigger) Merge(pages []TriggeredPage) bool {
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

// Context is the trigger context of the run.
func (p *PendingTrigger) Context() *TriggerContext {
	return &TriggerContext{Type: p.Type, FirstTriggeredAt: p.FirstTriggeredAt, Pages: p.Pages}
}

// RunsOn reports whether a trigger of this type makes the group run.
func (g *Group) RunsOn(t TriggerType) bool {
	if !g.Monitoring || !g.Enabled {
		return false
	}
	for _, has := range g.Triggers {
		if has.Type == string(t) {
			return true
		}
	}
	return t == TriggerManual
}
