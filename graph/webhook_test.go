package graph_test

import "testing"

func TestAWebhookFromEndToEnd(t *testing.T) {
	w := newWorld(t)
	a := w.must(`mutation { createWebhook(input: {url: "https://hooks.example.test/x", event: COMPARISON_STATUS_NEW, expiresAt:
		"2027-01-01T00:00:00Z"}) {
		webhook { id url event expiresAt disabledAt disabledReason } } }`, nil)
	want(t, "address", a.at(t, "createWebhook", "webhook", "url"), "https://hooks.example.test/x")
	want(t, "event", a.at(t, "createWebhook", "webhook", "event"), "COMPARISON_STATUS_NEW")
	id := a.text(t, "createWebhook", "webhook", "id")
	a = w.must(`mutation ($id: ID!) { updateWebhook(id: $id, input: {enabled: false, expiresAt: null}) { webhook { disabledReason `+
		`expiresAt } } }`, vars{"id": id})
	want(t, "reason", a.at(t, "updateWebhook", "webhook", "disabledReason"), "owner")
	want(t, "no end", a.at(t, "updateWebhook", "webhook", "expiresAt"), nil)
	a = w.must(`query ($id: ID!) { node(id: $id) { ... on Webhook { url } } webhook(id: $id) { event }
		webhooks(filter: {events: [BATCH_FINISHED]}) { totalCount } events(first: 10) { nodes { kind subject { id } } } }`, vars{"id": id})
	want(t, "others", a.at(t, "webhooks", "totalCount"), 0)
	want(t, "events", a.at(t, "events", "nodes", 0, "kind"), "WEBHOOK_CREATED")
	want(t, "of the webhook", a.at(t, "events", "nodes", 0, "subject", "id"), id)
	_, token, _ := w.open("eve@example.com")
	eve := w.as(token)
	for name, operation := range map[string]string{
		"read":   `query ($id: ID!) { webhook(id: $id) { id } }`,
		"change": `mutation ($id: ID!) { updateWebhook(id: $id, input: {enabled: true}) { webhook { id } } }`,
		"delete": `mutation ($id: ID!) { deleteWebhook(id: $id) { deletedWebhookId } }`,
	} {
		if a := eve.post(operation, vars{"id": id}); a.code() != "NOT_FOUND" {
			t.Errorf("%s by another: %s", name, a.body)
		}
	}
	want(t, "deleted", w.must(`mutation ($id: ID!) { deleteWebhook(id: $id) { deletedWebhookId } }`, vars{"id": id}).
		at(t, "deleteWebhook", "deletedWebhookId"), id)
}
