package view

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"maps"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/model"
	"afterimage/vcd"
)

// Connection is a page of a list.
type Connection[T any] struct {
	Nodes      []T
	TotalCount int

	cursors []vcd.Cursor
	hasNext bool
	hasPrev bool
}

// Edge is an item of a list with its place in it.
type Edge[T any] struct {
	Cursor string
	Node   T
}

// NewConnection shows a page. The functions say how an item is shown and where its place in the list is.
func NewConnection[S, T any](list *vcd.List[S], show func(S) T, place func(S) vcd.Cursor) Connection[T] {
	c := Connection[T]{
		Nodes: make([]T, len(list.Items)), TotalCount: list.Total, cursors: make([]vcd.Cursor, len(list.Items)),
		hasNext: list.HasNextPage, hasPrev: list.HasPrevPage,
	}
	for i, item := range list.Items {
		c.Nodes[i], c.cursors[i] = show(item), place(item)
	}
	return c
}

// NameOfList names the list that a field shows, with its filter and order, in a few characters.
func NameOfList(field *graphql.FieldContext) string {
	arguments := maps.Clone(field.Args)
	for _, name := range []string{"first", "after", "last", "before", "page", "perPage"} {
		delete(arguments, name)
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(field.Object + "." + field.Field.Name)) // it never fails
	if text, err := json.Marshal(arguments); err == nil {
		_, _ = hash.Write(text)
	}
	return strconv.FormatUint(hash.Sum64(), 36)
}

// listAround names the list that the connection of this field shows.
func listAround(ctx context.Context) string { return NameOfList(graphql.GetFieldContext(ctx).Parent) }

// Edges are the items with their places.
func (c *Connection[T]) Edges(ctx context.Context) []*Edge[T] {
	list := listAround(ctx)
	edges := make([]*Edge[T], len(c.Nodes))
	for i, node := range c.Nodes {
		edges[i] = &Edge[T]{Cursor: c.cursors[i].In(list), Node: node}
	}
	return edges
}

// PageInfo is the position of the page in its list.
func (c *Connection[T]) PageInfo(ctx context.Context) *model.PageInfo {
	info := &model.PageInfo{HasNextPage: c.hasNext, HasPreviousPage: c.hasPrev}
	if n := len(c.cursors); n > 0 {
		list := listAround(ctx)
		start, end := c.cursors[0].In(list), c.cursors[n-1].In(list)
		info.StartCursor, info.EndCursor = &start, &end
	}
	return info
}

// The lists of the schema, under the names that the generated code needs.
type (
	// TokenConnection is a page of tokens.
	TokenConnection = Connection[*vcd.Token]
	// TokenEdge is a token in a list.
	TokenEdge = Edge[*vcd.Token]
	// UserConnection is a page of users.
	UserConnection = Connection[*vcd.User]
	// UserEdge is a user in a list.
	UserEdge = Edge[*vcd.User]
	// InvitationConnection is a page of invitations.
	InvitationConnection = Connection[*Invitation]
	// InvitationEdge is an invitation in a list.
	InvitationEdge = Edge[*Invitation]
	// AuditEntryConnection is a page of audit entries.
	AuditEntryConnection = Connection[*AuditEntry]
	// AuditEntryEdge is an audit entry in a list.
	AuditEntryEdge = Edge[*AuditEntry]
	// SubaccountConnection is a page of subaccounts.
	SubaccountConnection = Connection[*Subaccount]
	// SubaccountEdge is a subaccount in a list.
	SubaccountEdge = Edge[*Subaccount]
	// GroupConnection is a page of groups.
	GroupConnection = Connection[*Group]
	// GroupEdge is a group in a list.
	GroupEdge = Edge[*Group]
	// URLConnection is a page of URLs.
	URLConnection = Connection[*URL]
	// URLEdge is a URL in a list.
	URLEdge = Edge[*URL]
	// FlowConnection is a page of flows.
	FlowConnection = Connection[*Flow]
	// FlowEdge is a flow in a list.
	FlowEdge = Edge[*Flow]
	// FlowRunConnection is a page of runs of flows.
	FlowRunConnection = Connection[*FlowRun]
	// FlowRunEdge is a run of a flow in a list.
	FlowRunEdge = Edge[*FlowRun]
	// WebsiteConnection is a page of websites.
	WebsiteConnection = Connection[*Website]
	// WebsiteEdge is a website in a list.
	WebsiteEdge = Edge[*Website]
	// URLImportConnection is a page of imports of URLs.
	URLImportConnection = Connection[*URLImport]
	// URLImportEdge is an import of URLs in a list.
	URLImportEdge = Edge[*URLImport]
	// FeedbackRuleConnection is a page of feedback rules.
	FeedbackRuleConnection = Connection[*FeedbackRule]
	// FeedbackRuleEdge is a feedback rule in a list.
	FeedbackRuleEdge = Edge[*FeedbackRule]
	// WebhookConnection is a page of webhooks.
	WebhookConnection = Connection[*Webhook]
	// WebhookEdge is a webhook in a list.
	WebhookEdge = Edge[*Webhook]
	// DeliveryConnection is a page of deliveries.
	DeliveryConnection = Connection[*Delivery]
	// DeliveryEdge is a delivery in a list.
	DeliveryEdge = Edge[*Delivery]
	// MailConnection is a page of mails.
	MailConnection = Connection[*Mail]
	// MailEdge is a mail in a list.
	MailEdge = Edge[*Mail]
	// SelectionEdge is a group's URL in a list.
	SelectionEdge = Edge[*Selection]
	// BatchConnection is a page of batches.
	BatchConnection = Connection[*Batch]
	// BatchEdge is a batch in a list.
	BatchEdge = Edge[*Batch]
	// BatchChangeConnection is a page of changes of a batch.
	BatchChangeConnection = Connection[*BatchChange]
	// BatchChangeEdge is a change in a list.
	BatchChangeEdge = Edge[*BatchChange]
	// QueueEntryEdge is a queue entry in a list.
	QueueEntryEdge = Edge[*QueueEntry]
	// ScreenshotConnection is a page of screenshots.
	ScreenshotConnection = Connection[*Screenshot]
	// ScreenshotEdge is a screenshot in a list.
	ScreenshotEdge = Edge[*Screenshot]
	// ComparisonEdge is a comparison in a list.
	ComparisonEdge = Edge[*Comparison]
)
