package rest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// restRows is the REST half of the authorization matrix, in the order of the route table. See probe for what <group> and
// {group} stand for.
var restRows = []struct {
	request string // method and path
	body    string
	who     permission
	absent  string
}{
	{`GET /account`, ``, anybody, ``},
	{`PUT /account`, `{"name_first":"A"}`, anybody, ``},
	{`GET /account/stats`, ``, anybody, ``},
	{`POST /account/reactivate`, ``, fullAccounts, ``},

	{`GET /subaccounts`, ``, fullAccounts, ``},
	{`POST /subaccounts`, `{"name_first":"A","name_last":"B","email":"{unique}@example.com","limit_checks":1}`, fullAccounts, ``},
	{`GET /subaccounts/<subaccount>`, ``, accountAbove, `not found`},
	{`PUT /subaccounts/<subaccount>`, `{"name_first":"A"}`, accountAbove, `not found`},

	{`GET /groups`, ``, anybody, ``},
	{`GET /groups?ids=<group>`, ``, itsOwner, `ok`},
	{`GET /groups?ids[]=<group>&ids[]={spare}`, ``, itsOwner, `ok`},
	{`POST /groups`, `{"name":"a"}`, anybody, ``},
	{`GET /groups/<group>`, ``, itsOwner, `not found`},
	{`PUT /groups/<group>`, `{"name":"b"}`, itsOwner, `not found`},
	{`PUT /groups/{flowgroup}`, `{"sign_in_flow_id":"<flow>"}`, itsOwner, `invalid`},
	{`PUT /groups/{flowgroup}`, `{"sign_in_flow_id":null}`, anybody, ``}, // or the flow could not be deleted
	{`GET /groups/<group>/urls`, ``, itsOwner, `not found`},
	{`GET /groups/{group}/urls?url_ids=<url>`, ``, itsOwner, `ok`},
	{`POST /groups/<spare>/add-urls`, `{"urls":[{"id":"{url}"}]}`, itsOwner, `not found`},
	{`POST /groups/{spare}/add-urls`, `{"urls":[{"id":"<url>"}]}`, itsOwner, `invalid`},
	{`POST /groups/{spare}/add-urls`, `{"urls":[{"id":"{url}"},{"id":"<url>"}]}`, itsOwner, `invalid`},
	{`PUT /groups/<group>/urls`, `{"urls":[{"id":"{url}"}]}`, itsOwner, `not found`},
	{`PUT /groups/{group}/urls`, `{"urls":[{"id":"{url}"},{"id":"<url>"}]}`, itsOwner, `invalid`},
	{`PUT /groups/<group>/urls/select-all`, `{"device":"desktop","enabled":true}`, itsOwner, `not found`},
	{`PUT /groups/<group>/urls/{url}`, `{"desktop":true}`, itsOwner, `not found`},
	{`PUT /groups/{group}/urls/<url>`, `{"desktop":true}`, itsOwner, `not found`},

	{`GET /urls`, ``, anybody, ``},
	{`GET /urls?groups=<group>`, ``, itsOwner, `ok`},
	{`GET /urls?website=<website>`, ``, itsOwner, `ok`},
	{`POST /urls`, `{"url":"example.test"}`, anybody, ``},
	{`GET /urls/<url>`, ``, itsOwner, `not found`},
	{`PUT /urls/<url>`, `{"html_title":"a"}`, itsOwner, `not found`},

	{`GET /websites`, ``, anybody, ``},
	{`GET /websites?ids=<website>`, ``, itsOwner, `ok`},
	{`POST /websites`, `{"domain":"{unique}.test","manual_detection_group_id":"<spare>","auto_detection_group_id":"{spare2}"}`,
		itsOwner, `invalid`},
	{`POST /websites`, `{"domain":"{unique}.test","manual_detection_group_id":"{spare3}","auto_detection_group_id":"<spare4>"}`,
		itsOwner, `invalid`},
	{`GET /websites/<website>`, ``, itsOwner, `not found`},
	{`GET /websites/<website>/suggested-pages`, ``, itsOwner, `not found`},
	{`PUT /websites/<website>`, `{"allowances":{"a":true}}`, itsOwner, `not found`},
	{`PUT /websites/{website}`, `{"manual_detection_group_id":"<group>"}`, itsOwner, `invalid`},
	{`PUT /websites/{website}`, `{"auto_detection_group_id":"<monitoring>"}`, itsOwner, `invalid`},

	{`GET /flows`, ``, anybody, ``},
	{`GET /flows?website_id=<flowsite>`, ``, itsOwner, `ok`},
	{`POST /flows`, `{"website_id":"<flowsite>","name":"{unique}","url":"flow.example.test","steps":[{"type":"checkpoint","label":"End"}]}`,
		itsOwner, `invalid`},
	{`POST /flows`, `{"website_id":"{flowsite}","name":"a","url":"flow.example.test","steps":[{"id":"<step>","type":"wait_for_load"}]}`,
		ofNoEffect, `invalid`},
	{`PUT /flows/{flow}`, `{"steps":[{"id":"<step>","type":"checkpoint","label":"Signed in"}]}`, ofNoEffect, `ok`},
	{`GET /flows/<flow>`, ``, itsOwner, `not found`},
	{`PUT /flows/<flow>`, `{"enabled_manual":1}`, itsOwner, `not found`},
	{`GET /flows/<flow>/runs`, ``, itsOwner, `not found`},
	{`GET /flow-runs/<flowrun>`, ``, itsOwner, `not found`},

	{`POST /urls/add-from-sitemap`, `{"domain":"example.test"}`, anybody, ``},
	{`POST /start-sync`, `{"collection_uuid":"<collection>"}`, itsOwner, `invalid`},
	// Another's collection does not stand in the way of one with the same id.
	{`POST /sync-urls`, `{"domain":"{domain}","collection_uuid":"<collection2>","urls":{"a%%b":[{"url":"{domain}/a"}]}}`, itsOwner, `ok`},

	{`GET /webhooks`, ``, anybody, ``},
	{`POST /webhooks`, `{"url":"https://hooks.example.test","event":"batch_finished"}`, anybody, ``},
	{`POST /webhooks`, `{"url":"https://hooks.example.test","event":"batch_finished","group_ids":["<group>"],"website_ids":["<website>"]}`,
		itsOwner, `invalid`},
	{`PUT /webhooks/{webhook}`, `{"group_ids":["<group>"],"website_ids":["<website>"]}`, itsOwner, `invalid`},
	{`GET /webhooks/<webhook>`, ``, itsOwner, `not found`},
	{`PUT /webhooks/<webhook>`, `{"event":"queue_status_done"}`, itsOwner, `not found`},

	{`POST /webhooks/<webhook>/ping`, ``, itsOwner, `not found`},
	{`POST /webhooks/rotate-secret`, `{"grace_hours":1}`, anybody, ``},
	{`GET /webhook-deliveries`, ``, anybody, ``},
	{`GET /webhook-deliveries?webhook=<webhook>`, ``, itsOwner, `ok`},
	{`GET /webhook-deliveries/<delivery>`, ``, itsOwner, `not found`},
	{`POST /webhook-deliveries/<delivery>/redeliver`, ``, itsOwner, `not found`},

	{`GET /imports`, ``, anybody, ``},
	{`GET /imports/<import>`, ``, itsOwner, `not found`},
	{`GET /imports/<collection>`, ``, itsOwner, `not found`},

	{`GET /ai-feedback-rules`, ``, anybody, ``},
	{`GET /ai-feedback-rules/<rule>`, ``, itsOwner, `not found`},
	{`GET /ai-feedback-rules?website_id=<website>`, ``, itsOwner, `ok`},
	{`POST /ai-feedback-rules`, `{"comparison_id":"<comparison>","region_id":1,"scope":"group_or_website"}`, itsOwner, `invalid`},
	{`PUT /ai-feedback-rules/<rule>`, `{"is_active":false,"scope":"url"}`, itsOwner, `not found`},

	{`GET /screenshots`, ``, anybody, ``},
	{`GET /screenshots?ids=<screenshot>`, ``, itsOwner, `ok`},
	{`GET /screenshots?batches=<batch>`, ``, itsOwner, `ok`},
	{`GET /screenshots?groups=<group>`, ``, itsOwner, `ok`},
	{`GET /screenshots?urls=<url>`, ``, itsOwner, `ok`},
	{`POST /screenshots/take`, `{"sc_type":"pre","group_ids":["<group>"]}`, itsOwnerAwake, `invalid`},
	{`POST /screenshots/take`, `{"sc_type":"pre","group_ids":["{group}","<group>"]}`, itsOwnerAwake, `invalid`},
	{`GET /screenshots/<screenshot>`, ``, itsOwner, `not found`},

	{`POST /monitoring/trigger`, `{"group_id":"<monitoring>","type":"post_save","urls":[{"url":"example.test"}]}`,
		itsOwnerAwake, `invalid`},
	{`POST /monitoring/trigger`, `{"group_id":"<monitoring>","type":"manual_trigger","scope":"all"}`, itsOwnerAwake, `invalid`},
	{`POST /monitoring/trigger/extend`, `{"group_id":"<monitoring>","urls":[{"url":"example.test"}]}`, itsOwner, `invalid`},

	{`POST /monitoring/trigger`, `{"group_id":"<monitoring>","type":"post_save","urls":[{"url":"{domain}/page"}]}`,
		itsOwnerAwake, `invalid`},
	{`POST /monitoring/trigger/extend`, `{"group_id":"<monitoring>","urls":[{"url":"{domain}/page"}]}`, itsOwner, `invalid`},

	{`GET /queues`, ``, anybody, ``},
	{`GET /queues?id=<queue>`, ``, itsOwner, `ok`},
	{`GET /queues?batch_id=<batch>`, ``, itsOwner, `ok`},
	{`GET /queues?batches=<batch>`, ``, itsOwner, `ok`},
	{`GET /queues?groups=<group>`, ``, itsOwner, `ok`},
	{`GET /queues/<queue>`, ``, itsOwner, `not found`},

	{`GET /batches`, ``, anybody, ``},
	{`GET /batches?group_ids=<group>`, ``, itsOwner, `ok`},
	{`GET /batches?urls=<url>`, ``, itsOwner, `ok`},
	{`GET /batches?websites=<website>`, ``, itsOwner, `ok`},
	{`GET /batches/<batch>`, ``, itsOwner, `not found`},
	{`GET /batches/<batch>/gate`, ``, itsOwner, `not found`},
	{`PUT /batches/<batch>`, `{"name":"a"}`, itsOwner, `not found`},
	{`PUT /batches/<batch>/update-results`,
		`{"timestamp":1,"updates":{},"summary":{"total_attempted":0,"successful":0,"failed":0,"status":"completed"}}`,
		itsOwner, `not found`},

	{`GET /comparisons`, ``, anybody, ``},
	{`GET /comparisons?groups=<group>`, ``, itsOwner, `ok`},
	{`GET /comparisons?batch_id=<batch>`, ``, itsOwner, `ok`},
	{`GET /comparisons?batches={batch},<batch>`, ``, itsOwner, `ok`},
	{`GET /comparisons?urls=<url>`, ``, itsOwner, `ok`},
	{`GET /comparisons?websites=<website>`, ``, itsOwner, `ok`},
	{`GET /comparisons?token=<link>`, ``, itsOwner, `ok`},
	{`GET /comparisons/<comparison>`, ``, itsOwner, `not found`},
	{`GET /comparisons/<link>`, ``, itsOwner, `not found`},
	{`PUT /comparisons/<comparison>`, `{"status":"ok"}`, itsOwner, `not found`},

	// What takes things away comes last.
	{`POST /groups/{group}/remove-urls`, `{"urls":["<url>"]}`, itsOwner, `ok`},
	{`POST /groups/<group>/remove-urls`, `{"urls":["{url}"]}`, itsOwner, `not found`},
	{`DELETE /ai-feedback-rules/<rule>`, ``, itsOwner, `not found`},
	{`DELETE /webhooks/<webhook>`, ``, itsOwner, `not found`},
	{`DELETE /flows/<flow>`, ``, itsOwner, `not found`},
	{`DELETE /websites/<website>`, ``, itsOwner, `not found`},
	{`DELETE /urls/<url>`, ``, itsOwner, `not found`},
	{`DELETE /groups/<group>`, ``, itsOwner, `not found`},
	{`DELETE /subaccounts/<subaccount>`, ``, emptiesFirst, `not found`},
}

func restProbes() []probe {
	var probes []probe
	for _, row := range restRows {
		method, path, _ := strings.Cut(row.request, " ")
		probes = append(probes, probe{
			name: row.request, detail: row.body, who: row.who, absent: row.absent, outcome: restOutcome,
			method: method, target: BasePath + path, body: row.body, accept: "application/json",
		})
	}
	return probes
}

func TestAuthorizationOfREST(t *testing.T) {
	c := newCast(t)
	c.try(t, restProbes())
}

// TestEveryRouteHasAnAuthorizationRow goes through the route table: each method, and each place of each operation that
// takes an id or a token, must be asked about by a row.
func TestEveryRouteHasAnAuthorizationRow(t *testing.T) {
	schema := loadSchema(t)
	operations, tree := loadRoutes(t, schema)
	asked := map[string]bool{}
	for _, p := range restProbes() {
		filled := p.fill(func(string) string { return idB }, func(string) string { return idA })
		operation, variables := bindProbe(t, tree, filled)
		asked[operation] = true
		for _, place := range placesOf(variables, "", idA) {
			asked[operation+" "+place] = true
		}
	}
	for _, r := range routes {
		if !asked[r.operation] {
			t.Errorf("%s %s: no row of the authorization matrix asks %s", r.methods, r.pattern, r.operation)
			continue
		}
		for _, p := range operations[r.operation].parameters {
			for _, place := range idPlaces(schema, p.variable, p.typ, nil) {
				if !asked[r.operation+" "+place] {
					t.Errorf("%s %s: no row of the authorization matrix has an id in question at %s", r.methods, r.pattern, place)
				}
			}
		}
	}
}

// loadRoutes loads the stored operations and the tree of all routes.
func loadRoutes(t *testing.T, schema *ast.Schema) (map[string]*operation, *node) {
	t.Helper()
	operations, err := loadOperations(schema, os.DirFS("operations"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := newTree(routes, operations)
	if err != nil {
		t.Fatal(err)
	}
	return operations, tree
}

// bindProbe reads a request as the server does and returns the operation that it asks for with its variables.
func bindProbe(t *testing.T, tree *node, p probe) (string, map[string]any) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), p.method, p.target, strings.NewReader(p.body))
	maps.Copy(r.Header, p.header)
	r.Header.Set("Content-Type", contentTypeOf(p.body))
	found, parts := tree.find(requestSegments(r.URL))
	if found == nil || found.endpoints[p.method] == nil {
		t.Fatalf("%s: there is no such route", p)
	}
	target := found.endpoints[p.method]
	path, failed := target.bindPath(parts)
	if failed != nil {
		t.Fatalf("%s: %v", p, failed)
	}
	query, failed := readQuery(r)
	if failed != nil {
		t.Fatalf("%s: %v", p, failed)
	}
	in := request{path: path, query: query, header: r.Header}
	if p.method != http.MethodGet && p.method != http.MethodDelete {
		if in.body, failed = readBody(httptest.NewRecorder(), r, defaultMaxBody); failed != nil {
			t.Fatalf("%s: %v", p, failed)
		}
	}
	bound, failed := target.operation.bind(in)
	if failed != nil {
		t.Fatalf("%s: %v", p, failed)
	}
	return target.operation.name, bound.variables
}

// idPlaces are the places below a name of a type where an id or a token is expected: urls.id.
func idPlaces(schema *ast.Schema, name string, typ *ast.Type, above []string) []string {
	definition := schema.Types[typ.Name()]
	last := name[strings.LastIndex(name, ".")+1:]
	switch {
	case definition.Name == "ID", definition.Name == "String" && (last == "id" || last == "token"):
		return []string{name}
	case definition.Kind != ast.InputObject || slices.Contains(above, definition.Name):
		return nil
	}
	var places []string
	for _, field := range definition.Fields {
		places = append(places, idPlaces(schema, name+"."+field.Name, field.Type, append(above, definition.Name))...)
	}
	return places
}

// placesOf are the places below a name that hold a value, in the same spelling.
func placesOf(value any, name, wanted string) []string {
	var places []string
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			places = append(places, placesOf(inner, strings.TrimPrefix(name+"."+key, "."), wanted)...)
		}
	case []any:
		for _, inner := range value {
			places = append(places, placesOf(inner, name, wanted)...)
		}
	case string:
		if value == wanted {
			places = append(places, name)
		}
	}
	return places
}
