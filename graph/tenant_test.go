package graph_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// things are one of everything that an account has, by the name of its query.
func (w *world) things() map[string]string {
	w.t.Helper()
	group, urls := w.group("mine", "mine.example.test")
	w.work(w.take("PRE", group), "before", 0)
	w.work(w.take("POST", group), "after", 2)
	a := w.must(`{ batches(first: 1) { nodes { id } } queueEntries(first: 1) { nodes { id } } screenshots(first: 1) { nodes { id } }
		comparisons(first: 1) { nodes { id } } }`, nil)
	ids := map[string]string{"group": group, "url": urls[0]}
	for query, list := range map[string]string{
		"batch": "batches", "queueEntry": "queueEntries", "screenshot": "screenshots", "comparison": "comparisons",
	} {
		ids[query] = a.text(w.t, list, "nodes", 0, "id")
	}
	ids["aiFeedbackRule"] = w.must(`mutation ($id: ID!) { createAiFeedbackRule(input: {comparisonId: $id, regionId: 1, scope: URL}) {
		aiFeedbackRule { id } } }`, vars{"id": ids["comparison"]}).text(w.t, "createAiFeedbackRule", "aiFeedbackRule", "id")
	return ids
}

func TestAnotherAccountSeesNothing(t *testing.T) {
	w := newWorld(t)
	mine := w.things()
	_, token, _ := w.open("eve@example.com")
	eve := w.as(token)
	for query, id := range mine {
		one := fmt.Sprintf("query ($id: ID!) { %s(id: $id) { id } }", query)
		node := `query ($id: ID!) { node(id: $id) { id __typename } }`
		if a := w.must(one, vars{"id": id}); a.at(t, query, "id") != id {
			t.Errorf("%s: the owner got %s", query, a.body)
		}
		for name, a := range map[string]*answer{
			"another's": eve.post(one, vars{"id": id}),
			"unknown":   w.post(one, vars{"id": "0190a1b2-0000-7000-8000-000000000001"}),
			"malformed": w.post(one, vars{"id": "x"}),

			"another's node": eve.post(node, vars{"id": id}),
			"unknown node":   w.post(node, vars{"id": "0190a1b2-0000-7000-8000-000000000001"}),
			"malformed node": w.post(node, vars{"id": "x"}),
		} {
			if a.code() != "NOT_FOUND" || a.Errors[0].Extensions.Resource == "" || a.Errors[0].Extensions.ID == "" ||
				!strings.HasPrefix(a.Errors[0].Message, "No query results for model ["+a.Errors[0].Extensions.Resource+"] ") {
				t.Errorf("%s %s: %s", name, query, a.body)
			}
		}
		if a := w.must(node, vars{"id": strings.ToUpper(id)}); a.at(t, "node", "id") != id {
			t.Errorf("node of %s: %s", query, a.body)
		}
	}
	a := eve.must(`{ groups { totalCount } urls { totalCount } batches { totalCount } queueEntries { totalCount }
		screenshots { totalCount } aiFeedbackRules { totalCount } comparisons { totalCount aboveThresholdCount }
			events { nodes { number } } }`, nil)
	for list, value := range a.Data {
		if got := fmt.Sprint(value); got != "map[totalCount:0]" && got != "map[aboveThresholdCount:0 totalCount:0]" &&
			got != "map[nodes:[]]" {
			t.Errorf("%s: %v", list, value)
		}
	}
	for name, mutation := range map[string]string{
		"update":  `mutation ($id: ID!) { updateGroup(id: $id, input: {name: "x"}) { group { id } } }`,
		"delete":  `mutation ($id: ID!) { deleteGroup(id: $id) { deletedGroupId } }`,
		"select":  `mutation ($id: ID!) { selectAllUrls(groupId: $id, device: MOBILE, enabled: true) { selectedUrlsCount } }`,
		"edit":    `mutation ($id: ID!) { editUrlsOfGroup(groupId: $id, edit: {mobile: true}) { matchedCount } }`,
		"add":     `mutation ($id: ID!) { addUrlsToGroup(groupId: $id, urls: [{id: $id}]) { count } }`,
		"confirm": `mutation ($id: ID!) { deleteUrl(id: $id) { deletedUrlId } }`,
	} {
		if a := eve.post(mutation, vars{"id": mine["group"]}); a.code() != "NOT_FOUND" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	c := eve.connect()
	c.subscribe("1", `subscription ($id: ID!) { batchProgress(id: $id) { number } }`, vars{"id": mine["batch"]})
	if a := c.payload(c.next()); a.code() != "NOT_FOUND" {
		t.Errorf("following another's batch: %s", a.body)
	}
}

// TestFollowingAnothersThingLooksLikeFollowingNothing asks every subscription that takes an id for another's thing and for
// one that nothing is, over the same WebSocket: the messages are the same but for the id.
func TestFollowingAnothersThingLooksLikeFollowingNothing(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("mine", "mine.example.test")
	things := []string{w.take("PRE", group), group}
	_, token, _ := w.open("eve@example.com")
	c := w.as(token).connect()
	const unknown = "0190a1b2-0000-7000-8000-000000000001"
	var asked int
	for _, field := range w.graph.Schema().Subscription.Fields {
		for _, argument := range field.Arguments {
			if argument.Type.Name() != "ID" {
				continue
			}
			asked++
			follow, variable := "subscription ($id: ID!) { %s(%s: $id) { __typename } }", func(id string) any { return id }
			if argument.Type.Elem != nil {
				follow = strings.ReplaceAll(follow, "($id: ID!)", "($id: [ID!])")
				variable = func(id string) any { return []string{id} }
			}
			follow = fmt.Sprintf(follow, field.Name, argument.Name)
			for _, thing := range things {
				var heard [2][]wire
				for i, id := range []string{thing, unknown} {
					c.subscribe("1", follow, vars{"id": variable(id)})
					for len(heard[i]) == 0 || heard[i][len(heard[i])-1].Type == "next" {
						m := c.next()
						m.Payload = bytes.ReplaceAll(m.Payload, []byte(id), []byte("(id)"))
						heard[i] = append(heard[i], m)
					}
				}
				refused := string(heard[0][0].Payload)
				missing := strings.Contains(refused, "NOT_FOUND") || strings.Contains(refused, `"exists"`)
				if diff := cmp.Diff(heard[1], heard[0]); diff != "" || !missing {
					t.Errorf("%s (-unknown +another's):\n%s\n%s", field.Name, diff, refused)
				}
			}
		}
	}
	if asked == 0 {
		t.Error("no subscription takes an id")
	}
}

func TestDeletedThingsStayReadableInTheirHistory(t *testing.T) {
	w := newWorld(t)
	mine := w.things()
	w.must(`mutation ($g: ID!, $u: ID!) { deleteGroup(id: $g) { deletedGroupId } deleteUrl(id: $u) { deletedUrlId } }`,
		vars{"g": mine["group"], "u": mine["url"]})
	a := w.must(`query ($id: ID!) { comparison(id: $id) { groupName address group { id name urlsCount } url { id address } before { id } }
		urls { totalCount } groups { totalCount } }`, vars{"id": mine["comparison"]})
	want(t, "group", a.at(t, "comparison", "group", "name"), "mine")
	want(t, "URL", a.at(t, "comparison", "url", "address"), "mine.example.test")
	want(t, "URLs", a.at(t, "urls", "totalCount"), 0)
	if a := w.post(`query ($id: ID!) { group(id: $id) { id } }`, vars{"id": mine["group"]}); a.code() != "NOT_FOUND" {
		t.Errorf("a deleted group: %s", a.body)
	}
}
