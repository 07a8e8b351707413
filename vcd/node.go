package vcd

// NodeKind is the kind of thing that an id identifies.
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
