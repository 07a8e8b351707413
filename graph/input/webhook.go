package input

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
	"afterimage/vcd/outbound"
)

// Webhook is what a client sends to register or to change a webhook. What must be given to register one has two places,
// like the name of Group.
type Webhook struct {
	NewURL     string
	NewEvent   vcd.EventKind
	URL        graphql.Omittable[*string]
	Event      graphql.Omittable[*vcd.EventKind]
	Events     graphql.Omittable[[]vcd.EventKind]
	GroupIDs   graphql.Omittable[[]string]
	WebsiteIDs graphql.Omittable[[]string]
	ExpiresAt  graphql.Omittable[*time.Time]
	Enabled    graphql.Omittable[*bool]
}

// Create is the change that makes the webhook.
func (in *Webhook) Create() outbound.WebhookChange {
	change := in.Change()
	change.URL, change.Event = vcd.Some(in.NewURL), vcd.Some(in.NewEvent)
	return change
}

// Change is the change of a webhook.
func (in *Webhook) Change() outbound.WebhookChange {
	return outbound.WebhookChange{
		URL: optional(in.URL), Event: optional(in.Event), Events: optionalList(in.Events, same[vcd.EventKind]),
		GroupIDs: optionalList(in.GroupIDs, knownID), WebsiteIDs: optionalList(in.WebsiteIDs, knownID),
		ExpiresAt: optional(in.ExpiresAt), Enabled: optional(in.Enabled),
	}
}

// knownID is empty for what is no id, which nothing has.
func knownID(raw string) vcd.ID {
	id, _ := vcd.ParseID(raw)
	return id
}
