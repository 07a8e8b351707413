package vcd

import "context"

// NodeKind is what an id names.
type NodeKind string

// The kinds of things that have an id of their own.
const (
	NodeSubaccount   NodeKind = "subaccount"
	NodeGroup        NodeKind = "group"
	NodeURL          NodeKind = "url"
	NodeWebsite      NodeKind = "website"
	NodeFeedbackRule NodeKind = "ai_feedback_rule"
	NodeWebhook      NodeKind = "webhook"
	NodeDelivery     NodeKind = "delivery"
	NodeURLImport    NodeKind = "url_import"
	NodeMail         NodeKind = "mail"
	NodeBatch        NodeKind = "batch"
	NodeQueueEntry   NodeKind = "queue_entry"
	NodeScreenshot   NodeKind = "screenshot"
	NodeComparison   NodeKind = "comparison"
)

// NodeStore tells ids apart.
type NodeStore interface {
	// NodeKinds tells what the ids name; those that name nothing (any more) are left out.
	NodeKinds(ctx context.Context, ids []ID) (map[ID]NodeKind, error)
}
