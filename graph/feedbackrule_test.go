package graph_test

import "testing"

func TestAFeedbackRuleFromEndToEnd(t *testing.T) {
	w := newWorld(t)
	mine := w.things()
	a := w.must(`mutation ($id: ID!) { createAiFeedbackRule(input: {comparisonId: $id, regionId: 1, scope: GROUP_OR_WEBSITE})
		{ aiFeedbackRule {
		id type scope description isActive matchCount lastMatchedAt consoleEntry websiteId website { id } regionContext {
		bbox { x y w h } pageUrl fingerprint element { selector } } url { address } group { name } comparison { id } } } }`,
		vars{"id": mine["comparison"]})
	const rule = "aiFeedbackRule"
	made := a.at(t, "createAiFeedbackRule", rule)
	id := a.text(t, "createAiFeedbackRule", rule, "id")
	want(t, "rule", made, "map[comparison:map[id:"+mine["comparison"]+"] consoleEntry:<nil> "+
		"description:Region 1 of mine.example.test: 4 × 6 pixels at 2, 3 group:map[name:mine] id:"+id+" isActive:true "+
		"lastMatchedAt:<nil> matchCount:0 "+
		"regionContext:map[bbox:map[h:6 w:4 x:2 y:3] element:<nil> fingerprint: pageUrl:mine.example.test] scope:GROUP type:VISUAL "+
		"url:map[address:mine.example.test] website:<nil> websiteId:<nil>]")
	a = w.must(`mutation ($id: ID!) { updateAiFeedbackRule(id: $id, input: {isActive: false, scope: URL}) { aiFeedbackRule { isActive `+
		`scope } } }`, vars{"id": id})
	want(t, "changed", a.at(t, "updateAiFeedbackRule", rule), "map[isActive:false scope:URL]")
	w.must(`mutation ($id: ID!) { createAiFeedbackRule(input: {type: CONSOLE, comparisonId: $id, consoleEntry: "e", consoleSource: "",
		scope: URL}) {
		aiFeedbackRule { id } } }`, vars{"id": mine["comparison"]})
	a = w.must(`query ($id: ID!) { node(id: $id) { ... on AiFeedbackRule { scope } } aiFeedbackRule(id: $id) { groupName }
		aiFeedbackRules(filter: {types: [CONSOLE]}) { totalCount nodes { consoleEntry consoleSource regionContext { pageUrl } } } }`,
		vars{"id": id})
	want(t, "node", a.at(t, "node", "scope"), "URL")
	want(t, "of the console", a.at(t, "aiFeedbackRules"),
		"map[nodes:[map[consoleEntry:e consoleSource:<nil> regionContext:<nil>]] totalCount:1]")
	_, token, _ := w.open("eve@example.com")
	eve := w.as(token)
	for name, operation := range map[string]string{
		"change": `mutation ($id: ID!) { updateAiFeedbackRule(id: $id, input: {isActive: true}) { aiFeedbackRule { id } } }`,
		"delete": `mutation ($id: ID!) { deleteAiFeedbackRule(id: $id) { deletedAiFeedbackRuleId } }`,
	} {
		if a := eve.post(operation, vars{"id": id}); a.code() != "NOT_FOUND" {
			t.Errorf("%s by another: %s", name, a.body)
		}
	}
	const create = `mutation ($id: ID!, $n: Int) { createAiFeedbackRule(input: {comparisonId: $id, regionId: $n, scope: URL}) { ` +
		`aiFeedbackRule { id } } }`
	for _, test := range []struct {
		who   *site
		n     any
		field string
	}{{eve, 1, "comparisonId"}, {w.site, 2, "regionId"}, {w.site, nil, "regionId"}} {
		if a := test.who.post(create, vars{"id": mine["comparison"], "n": test.n}); a.code() != "INVALID" ||
			a.Errors[0].Extensions.Fields[0].Path != test.field {
			t.Errorf("region %v: %s", test.n, a.body)
		}
	}
	want(t, "deleted", w.must(`mutation ($id: ID!) { deleteAiFeedbackRule(id: $id) { deletedAiFeedbackRuleId } }`, vars{"id": id}).
		at(t, "deleteAiFeedbackRule", "deletedAiFeedbackRuleId"), id)
}
