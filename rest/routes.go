package rest

// The verbs of the route table. PUT and PATCH are the same everywhere.
const (
	get    = "GET"
	post   = "POST"
	change = "PUT PATCH"
	remove = "DELETE"
)

// routes is the whole interface: verbs, path below /api/v2, stored operation, and the form of the answer.
//
// In a path {id:Group} fills the operation's variable id and says what is missing when nothing has that id. An operation
// calls the object that it answers with "data"; a list has "nodes" and "total" in it. See answer.go for the forms.
var routes = []route{
	{get, "/account", "ReadAccount", ownerFields(wrapped)},
	{change, "/account", "UpdateAccount", ownerFields(wrapped)},
	{get, "/account/stats", "ReadAccountStats", wrapped},
	{post, "/account/reactivate", "ReactivateAccount", wrapped},

	{get, "/subaccounts", "ListSubaccounts", list},
	{post, "/subaccounts", "CreateSubaccount", combined},
	{get, "/subaccounts/{id:Subaccount}", "ReadSubaccount", wrapped},
	{change, "/subaccounts/{id:Subaccount}", "UpdateSubaccount", wrapped},
	{remove, "/subaccounts/{id:Subaccount}", "DeleteSubaccount", message("Subaccount deleted")},

	{get, "/groups", "ListGroups", list},
	{post, "/groups", "CreateGroup", wrapped},
	{get, "/groups/{id:Group}", "ReadGroup", wrapped},
	{change, "/groups/{id:Group}", "UpdateGroup", wrapped},
	{remove, "/groups/{id:Group}", "DeleteGroup", message("{id} deleted")},
	{post, "/groups/{id:Group}/add-urls", "AddUrlsToGroup", payload},
	{post + " " + change, "/groups/{id:Group}/remove-urls", "RemoveUrlsFromGroup", payload},
	{get, "/groups/{id:Group}/urls", "ListGroupUrls", list},
	{change, "/groups/{id:Group}/urls", "ChangeUrlsInGroup", message("{count} URLs in Group {id} changed")},
	{change, "/groups/{id:Group}/urls/select-all", "SelectAllUrls", payload},
	{change, "/groups/{id:Group}/urls/{urlId:Url}", "UpdateUrlInGroup", wrapped},

	{get, "/urls", "ListUrls", list},
	{post, "/urls", "CreateUrl", wrapped},
	{post, "/urls/add-from-sitemap", "AddUrlsFromSitemap", message("Sitemap parsing started.")},
	{get, "/urls/{id:Url}", "ReadUrl", wrapped},
	{change, "/urls/{id:Url}", "UpdateUrl", wrapped},
	{remove, "/urls/{id:Url}", "DeleteUrl", message("URL deleted")},

	{get, "/websites", "ListWebsites", list},
	{post, "/websites", "CreateWebsite", wrapped},
	{get, "/websites/{id:Website}", "ReadWebsite", wrapped},
	{get, "/websites/{id:Website}/suggested-pages", "SuggestPages", wrapped},
	{change, "/websites/{id:Website}", "UpdateWebsite", wrapped},
	{remove, "/websites/{id:Website}", "DeleteWebsite", wrapped},

	{get, "/flows", "ListFlows", list},
	{post, "/flows", "CreateFlow", wrapped},
	{get, "/flows/{id:Flow}", "ReadFlow", wrapped},
	{change, "/flows/{id:Flow}", "UpdateFlow", wrapped},
	{remove, "/flows/{id:Flow}", "DeleteFlow", message("Flow deleted")},
	{get, "/flows/{id:Flow}/runs", "ListFlowRuns", list},
	{get, "/flow-runs/{id:FlowRun}", "ReadFlowRun", wrapped},

	{post, "/sync-urls", "SyncUrls", created(wrapped)},
	{post, "/start-sync", "StartSync", wrapped},
	{get, "/imports", "ListImports", list},
	{get, "/imports/{id:UrlImport}", "ReadImport", wrapped},

	{get, "/webhooks", "ListWebhooks", list},
	{post, "/webhooks", "CreateWebhook", wrapped},
	{get, "/webhooks/{id:Webhook}", "ReadWebhook", wrapped},
	{change, "/webhooks/{id:Webhook}", "UpdateWebhook", wrapped},
	{remove, "/webhooks/{id:Webhook}", "DeleteWebhook", message("{id} deleted")},
	{post, "/webhooks/rotate-secret", "RotateWebhookSecret", wrapped},
	{post, "/webhooks/{id:Webhook}/ping", "PingWebhook", wrapped},
	{get, "/webhook-deliveries", "ListWebhookDeliveries", list},
	{get, "/webhook-deliveries/{id:WebhookDelivery}", "ReadWebhookDelivery", wrapped},
	{post, "/webhook-deliveries/{id:WebhookDelivery}/redeliver", "Redeliver", wrapped},

	{get, "/ai-feedback-rules", "ListAiFeedbackRules", list},
	{post, "/ai-feedback-rules", "CreateAiFeedbackRule", wrapped},
	{get, "/ai-feedback-rules/{id:AiFeedbackRule}", "ReadAiFeedbackRule", wrapped},
	{change, "/ai-feedback-rules/{id:AiFeedbackRule}", "UpdateAiFeedbackRule", wrapped},
	{remove, "/ai-feedback-rules/{id:AiFeedbackRule}", "DeleteAiFeedbackRule", noContent},

	{get, "/screenshots", "ListScreenshots", list},
	{post, "/screenshots/take", "TakeScreenshots", inMeta(payload, "unpaired")},
	{get, "/screenshots/{id:Screenshot}", "ReadScreenshot", wrapped},

	{post, "/monitoring/trigger", "TriggerMonitoring", wrapped},
	{post, "/monitoring/trigger/extend", "ExtendMonitoringTrigger", wrapped},

	{get, "/queues", "ListQueues", list},
	{get, "/queues/{id:Queue}", "ReadQueue", wrapped},

	{get, "/batches", "ListBatches", list},
	{get, "/batches/{id:Batch}", "ReadBatch", wrapped},
	{get, "/batches/{id:Batch}/gate", "ReadBatchGate", wrapped},
	{change, "/batches/{id:Batch}", "RenameBatch", bare},
	{change, "/batches/{id:Batch}/update-results", "StoreUpdateResults", wrapped},

	{get, "/comparisons", "ListComparisons", list},
	{get, "/comparisons/{id:Comparison}", "ReadComparison", wrapped},
	{change, "/comparisons/{id:Comparison}", "SetComparisonStatus", bare},
}
