package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The fields of each resource, in the words of the specification (section "Resources and their fields") and of the page
// that decides what it leaves open (section 4).
const (
	accountFields = "id name_first name_last email webhook_secret is_subaccount account_level can_manage_subaccounts " +
		"can_create_subaccounts plan_label invitation_accepted plan_features checks_done checks_left checks_limit timezone " +
		"status renewal_at plan plan_name company magic_login_secret"
	subaccountFields = "id name_first name_last email checks_done checks_left checks_limit timezone is_subaccount"
	groupFields      = "id name monitoring enabled hour_of_day interval_in_h schedule_type schedule_days quiet_hours_start " +
		"quiet_hours_end triggers alert_emails css js cms threshold urls_count selected_urls_count basic_auth_user " +
		"has_basic_auth proxy_type proxy_country screenshot_region screenshot_delay default_desktop default_mobile " +
		"selected_checks_count estimated_monthly_checks gate_rules"
	groupURLFields = "id html_title url type category last_crawled_at desktop mobile css js threshold group"
	urlFields      = "id html_title url last_crawled_at type category website groups status_code error_count"
	websiteFields  = "id domain managed_by manual_detection_group auto_detection_group sync_url_types auto_update_settings allowances"
	webhookFields  = "id event url expires_at disabled_at last_status"
	deliveryFields = "id webhook event event_number state problem attempt_count next_attempt_at attempts created_at updated_at"
	importFields   = "id kind domain managed_by state delete_missing_urls urls_count added_count renamed_count removed_count problems " +
		"created_at updated_at finished_at"
	ruleFields = "id type scope description region_context console_entry console_source is_active last_matched_at match_count " +
		"url_id group_id group_name website_id website_name created_at updated_at"
	syncFields  = "collection_uuid domain managed_by state urls_count delete_missing_urls"
	batchFields = "id name source trigger_context group_names website_domains sc_version finished_at ai_summary " +
		"update_results comparisons_count queues_count failed_flows browser_console_count"
	comparisonFields = "id screenshot_1 screenshot_2 screenshot_1_created_at screenshot_1_updated_at " +
		"screenshot_2_created_at screenshot_2_updated_at screenshot_1_link screenshot_2_link html_title " +
		"flow_name flow_checkpoint_label device monitoring " +
		"group group_name queue link batch batch_name batch_source batch_trigger_type difference_percent threshold status " +
		"public_link token url url_id cms browser_console_added browser_console_removed browser_console_change ai_regions " +
		"ai_verification_status ai_verification_result unseen created_at"
	screenshotFields = "id queue domain url link device sc_type monitoring browser_console complete created_at updated_at"
	queueFields      = "id url batch group device status error_msg notice sc_type confirmation css js monitoring url_link " +
		"html_title image_link created_at updated_at"
	flowFields      = "id website_id name url steps_count checkpoints_count asserts_count enabled_manual enabled_monitoring last_run"
	wholeFlowFields = flowFields + " devices steps"
	flowRunFields   = "id sc_type device status error_msg created_at finished_at batch has_comparisons"
	metaFields      = "current_page from last_page links path per_page to total"
)

const (
	root   = ""
	inOne  = "data"
	items  = "data[]"
	all    = "data[], without pages"
	noBody = "nothing"
)

func newSampleServer(t testing.TB) (http.Handler, *sampleExecutor) {
	t.Helper()
	executor := &sampleExecutor{schema: loadSchema(t)}
	handler, err := New(Config{
		PublicURL: "http://example.com", Executor: executor,
		Authenticate: func(ctx context.Context, _ string) (context.Context, error) { return ctx, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return handler, executor
}

func TestEveryRouteAnswersItsShape(t *testing.T) {
	handler, executor := newSampleServer(t)
	text, err := Document(executor.schema)
	document := loadDocument(t, text, err)
	answered := map[string]bool{}
	g, u := "/groups/"+idA, "/urls/"+idA
	for _, c := range []struct {
		method, path, body string
		at, fields         string // where in the answer which fields stand
		meta               string // fields of meta, beside those of every list
	}{
		{"GET", "/account", ``, inOne, accountFields, ``},
		{"PUT", "/account", `{"name_first":"A"}`, inOne, accountFields, ``},
		{"GET", "/account/stats", ``, inOne, `estimated_monthly_checks monitoring manual auto_update`, ``},
		{"POST", "/account/reactivate", ``, inOne, `id name_first name_last email status renewal_at`, ``},
		{"GET", "/subaccounts", ``, items, subaccountFields, ``},
		{"POST", "/subaccounts", `{"name_first":"A","name_last":"B","email":"a@example.com","limit_checks":10}`, inOne,
			subaccountFields + ` api_token`, ``},
		{"GET", "/subaccounts/" + idA, ``, inOne, subaccountFields, ``},
		{"PUT", "/subaccounts/" + idA, `{"limit_checks":"5"}`, inOne, subaccountFields, ``},
		{"DELETE", "/subaccounts/" + idA, ``, root, `message`, ``},
		{"GET", "/groups", ``, items, groupFields, ``},
		{"POST", "/groups", `{"name":"a"}`, inOne, groupFields, ``},
		{"GET", g, ``, inOne, groupFields, ``},
		{"PUT", g, `{}`, inOne, groupFields, ``},
		{"PATCH", g, `{}`, inOne, groupFields, ``},
		{"DELETE", g, ``, root, `message`, ``},
		{"POST", g + "/add-urls", `{"urls":[{"id":"` + idB + `"}]}`, root, `count`, ``},
		{"POST", g + "/remove-urls", `{"urls":["` + idB + `"]}`, root, `count`, ``},
		{"PUT", g + "/remove-urls", `{"urls":["` + idB + `"]}`, root, `count`, ``},
		{"PATCH", g + "/remove-urls", `{"urls":["` + idB + `"]}`, root, `count`, ``},
		{"GET", g + "/urls", ``, items, groupURLFields, `selected_urls_count selected_checks_count`},
		{"PUT", g + "/urls", `{"urls":[{"id":"` + idB + `"}]}`, root, `message`, ``},
		{"PUT", g + "/urls/select-all", `{"device":"mobile","enabled":1}`, root, `selected_urls_count selected_checks_count`, ``},
		{"PUT", g + "/urls/" + idB, `{"desktop":"0"}`, inOne, groupURLFields, ``},
		{"GET", "/urls", ``, items, urlFields, ``},
		{"POST", "/urls", `{"url":"example.com"}`, inOne, urlFields, ``},
		{"GET", u, ``, inOne, urlFields, ``},
		{"PUT", u, `{"html_title":"a"}`, inOne, urlFields, ``},
		{"DELETE", u, ``, root, `message`, ``},
		{"GET", "/websites", ``, items, websiteFields, ``},
		{"POST", "/websites", `{"domain":"example.com","manual_detection_group_id":"` + idA + `","auto_detection_group_id":"` + idB + `"}`,
			inOne, websiteFields, ``},
		{"GET", "/websites/" + idA, ``, inOne, websiteFields, ``},
		{"GET", "/websites/" + idA + "/suggested-pages", ``, all, `url reason others`, ``},
		{"PUT", "/websites/" + idA, `{"auto_update_settings":{"auto_update_checks_monday":1},"allowances":{"a_b":"1"}}`, inOne,
			websiteFields, ``},
		{"DELETE", "/websites/" + idA, ``, inOne, websiteFields, ``},
		{"GET", "/flows", ``, items, flowFields, ``},
		{"POST", "/flows", `{"website_id":"` + idA + `","name":"a","url":"example.com","steps":[{"type":"checkpoint","label":"b"}]}`, inOne,
			wholeFlowFields, ``},
		{"GET", "/flows/" + idA, ``, inOne, wholeFlowFields, ``},
		{"PUT", "/flows/" + idA, `{"enabled_manual":"0"}`, inOne, wholeFlowFields, ``},
		{"DELETE", "/flows/" + idA, ``, root, `message`, ``},
		{"GET", "/flows/" + idA + "/runs", ``, items, flowRunFields, ``},
		{"GET", "/flow-runs/" + idA, ``, inOne, flowRunFields + ` flow steps picture_link`, ``},
		{"POST", "/urls/add-from-sitemap", `{"domain":"example.com"}`, root, `message`, ``},
		{"POST", "/sync-urls", `{"domain":"example.com","collection_uuid":"` + idA + `","urls":{"types%%pages":[{"url":"example.com/a"}]}}`,
			inOne, syncFields, ``},
		{"POST", "/start-sync", `{"collection_uuid":"` + idA + `","delete_missing_urls":"1"}`, inOne, syncFields, ``},
		{"GET", "/webhooks", ``, items, webhookFields, ``},
		{"POST", "/webhooks", `{"url":"https://example.com/hook","event":"batch_finished"}`, inOne, webhookFields, ``},
		{"GET", "/webhooks/" + idA, ``, inOne, webhookFields, ``},
		{"PUT", "/webhooks/" + idA, `{"expires_at":null}`, inOne, webhookFields, ``},
		{"POST", "/webhooks/" + idA + "/ping", ``, inOne, deliveryFields, ``},
		{"POST", "/webhooks/rotate-secret", `{"grace_hours":"1"}`, inOne, `webhook_secret`, ``},
		{"DELETE", "/webhooks/" + idA, ``, root, `message`, ``},
		{"GET", "/webhook-deliveries", ``, items, deliveryFields, ``},
		{"GET", "/webhook-deliveries/" + idA, ``, inOne, deliveryFields, ``},
		{"POST", "/webhook-deliveries/" + idA + "/redeliver", ``, inOne, deliveryFields, ``},
		{"GET", "/imports", ``, items, importFields, ``},
		{"GET", "/imports/" + idA, ``, inOne, importFields, ``},
		{"GET", "/ai-feedback-rules/" + idA, ``, inOne, ruleFields, ``},
		{"GET", "/ai-feedback-rules", ``, items, ruleFields, ``},
		{"POST", "/ai-feedback-rules", `{"comparison_id":"` + idA + `","region_id":"3","scope":"group_or_website"}`, inOne, ruleFields, ``},
		{"POST", "/ai-feedback-rules", `{"type":"console","comparison_id":"` + idA +
			`","console_entry":"a","console_source":"b","scope":"url"}`,
			inOne, ruleFields, ``},
		{"PUT", "/ai-feedback-rules/" + idA, `{"is_active":"0","scope":"url"}`, inOne, ruleFields, ``},
		{"PATCH", "/ai-feedback-rules/" + idA, `{"is_active":true}`, inOne, ruleFields, ``},
		{"DELETE", "/ai-feedback-rules/" + idA, ``, noBody, ``, ``},
		{"GET", "/screenshots", ``, items, screenshotFields, ``},
		{"GET", "/screenshots/" + idA, ``, inOne, screenshotFields, ``},
		{"POST", "/screenshots/take", `{"group_ids":["` + idA + `"],"sc_type":"pre"}`, root,
			`batch batch_id amount_screenshots groups meta`, ``},
		{"POST", "/screenshots/take", `{"group_ids":["` + idA + `"],"sc_type":"post","batch_per_group":"1"}`, root,
			`batch batch_id amount_screenshots groups batches meta`, ``},
		{"POST", "/monitoring/trigger", `{"group_id":"` + idA +
			`","type":"post_save","urls":[{"url":"example.com/a","title":"A","post_id":"7"}],"editor":"Ada"}`,
			inOne, `accepted batch_id`, ``},
		{"POST", "/monitoring/trigger", `{"group_id":"` + idA + `","type":"manual_trigger","scope":"all"}`, inOne, `accepted batch_id`, ``},
		{"POST", "/monitoring/trigger/extend", `{"urls":[{"url":"example.com/a"}]}`, inOne, `extended`, ``},
		{"GET", "/queues", ``, items, queueFields, `status_counts status_counts_by_batch total_unfiltered`},
		{"GET", "/queues/" + idA, ``, inOne, queueFields, ``},
		{"GET", "/batches", ``, items, batchFields, ``},
		{"GET", "/batches/" + idA, ``, inOne, batchFields, ``},
		{"GET", "/batches/" + idA + "/gate", ``, inOne, `decision reasons culprit comparisons`, ``},
		{"PUT", "/batches/" + idA, `{"name":"a"}`, root, batchFields, ``},
		{"PATCH", "/batches/" + idA, `{"name":"a"}`, root, batchFields, ``},
		{"PUT", "/batches/" + idA + "/update-results", `{"timestamp":1,"updates":{},"summary":{"total_attempted":0,"successful":0,` +
			`"failed":0,"status":"completed"}}`, inOne, batchFields, ``},
		{"GET", "/comparisons", ``, items, comparisonFields, `above_threshold_count`},
		{"GET", "/comparisons/" + idA, ``, inOne, comparisonFields, ``},
		{"GET", "/comparisons/some-token", ``, inOne, comparisonFields, ``},
		{"PUT", "/comparisons/" + idA, `{"status":"ok"}`, root, comparisonFields, ``},
	} {
		f := &fixture{t: t, handler: handler, document: document}
		w := f.json(c.method, BasePath+c.path, c.body)
		want := http.StatusOK
		if c.path == "/sync-urls" {
			want = http.StatusCreated
		}
		if c.at == noBody {
			want = http.StatusNoContent
		}
		if w.Code != want {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
			continue
		}
		answered[executor.operation] = true
		if c.at == noBody {
			if w.Body.Len() > 0 {
				t.Errorf("%s %s: a body %s", c.method, c.path, w.Body)
			}
			continue
		}
		var answer map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s %s: %v in %s", c.method, c.path, err, w.Body)
		}
		if diff := cmp.Diff(sortedFields(c.fields), keys(place(answer, c.at))); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.method, c.path, diff)
		}
		if c.at == items {
			if diff := cmp.Diff(sortedFields(metaFields+" "+c.meta), keys(answer["meta"])); diff != "" {
				t.Errorf("%s %s: meta (-want +got):\n%s", c.method, c.path, diff)
			}
		}
	}
	for _, r := range routes {
		if !answered[r.operation] {
			t.Errorf("%s %s has no row here", r.methods, r.pattern)
		}
	}
}

func sortedFields(fields string) []string {
	list := strings.Fields(fields)
	slices.Sort(list)
	return list
}

func keys(value any) []string {
	var list []string
	object, _ := value.(map[string]any)
	for key := range object {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

func place(answer map[string]any, at string) any {
	switch at {
	case root:
		return answer
	case inOne:
		return answer["data"]
	}
	list, _ := answer["data"].([]any)
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func TestMessages(t *testing.T) {
	handler, _ := newSampleServer(t)
	f := &fixture{t: t, handler: handler}
	expect(t, f.json("DELETE", "/api/v2/groups/"+idA, ""), 200, `{"message":"`+idA+` deleted"}`)
	expect(t, f.json("DELETE", "/api/v2/subaccounts/"+idA, ""), 200, `{"message":"Subaccount deleted"}`)
	expect(t, f.json("DELETE", "/api/v2/urls/"+idA, ""), 200, `{"message":"URL deleted"}`)
	expect(t, f.form("PUT", "/api/v2/groups/"+idA+"/urls", "urls[0][id]="+idB), 200, `{"message":"1 URLs in Group `+idA+` changed"}`)
	expect(t, f.get("/api/v2/comparisons/%00"), 404, "{\"message\":\"No query results for model [Comparison] \\u0000\"}")
	expect(t, f.json("PUT", "/api/v2/comparisons/some-token", `{"status":"ok"}`), 404,
		`{"message":"No query results for model [Comparison] some-token"}`)
	expect(t, f.json("PUT", "/api/v2/groups/"+idA+"/urls/7", `{}`), 404, `{"message":"No query results for model [Url] 7"}`)
}

func TestFiltersReachTheirVariables(t *testing.T) {
	handler, executor := newSampleServer(t)
	f := &fixture{t: t, handler: handler}
	paging := map[string]any{"page": int64(1), "perPage": int64(15)}
	for target, want := range map[string]map[string]any{
		"/queues?batch_id=" + idA + "&status=open,processing":  {"batches": []any{idA}, "status": []any{"OPEN", "PROCESSING"}},
		"/queues?batch=" + idA + "&sc_type=comparison":         {"batches": []any{idA}, "types": []any{"COMPARE"}},
		"/queues?id=" + idA + "&groups[]=" + idB:               {"ids": []any{idA}, "groups": []any{idB}},
		"/batches?queue_type=comparison,pre&above_threshold=1": {"queueType": []any{"COMPARE", "PRE"}, "aboveThreshold": true},
		"/batches?group_ids=" + idA + "&source=auto_update":    {"groups": []any{idA}, "source": []any{"AUTO_UPDATE"}},
		"/comparisons?batch_id=x&status=false_positive":        {"batches": []any{noID}, "status": []any{"FALSE_POSITIVE"}},
		"/comparisons?orderBy=difference_percent&orderDirection=asc": {
			"orderBy": "DIFFERENCE_PERCENT", "orderDirection": "ASC"},
		"/comparisons?from=2026-01-01&to=2026-01-31&token=abc": {"from": "2026-01-01", "to": "2026-01-31", "token": "abc"},
		"/ai-feedback-rules?scope=website,url&is_active=0":     {"scopes": []any{"WEBSITE", "URL"}, "isActive": false},
		"/ai-feedback-rules?website_id=" + idB:                 {"websites": []any{idB}},
		"/groups?monitoring=0&ids[0]=" + idA:                   {"monitoring": false, "ids": []any{idA}},
		"/urls?groups=" + idA + "&search=shop&website=" + idB:  {"groups": []any{idA}, "search": "shop", "websites": []any{idB}},
		"/groups/" + idA + "/urls?sorted=selected&url=example.com/a": {
			"id": idA, "orderBy": "SELECTED", "url": "example.com/a"},
	} {
		if w := f.get(BasePath + target); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
			continue
		}
		for name, value := range paging {
			want[name] = value
		}
		if diff := cmp.Diff(want, executor.variables); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target, diff)
		}
	}
}

func TestAnswersWithSecretsAreNotTransformed(t *testing.T) {
	handler, _ := newSampleServer(t)
	f := &fixture{t: t, handler: handler}
	for path, want := range map[string]string{"/account": "no-store, no-transform", "/groups": "no-store"} {
		if got := f.get(BasePath + path).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control %q, want %q", path, got, want)
		}
	}
}

func TestSubaccountsLackTheOwnersFields(t *testing.T) {
	account := `{"data":{"id":"1","is_subaccount":%s,"plan":null,"plan_name":null,"company":null,"magic_login_secret":null,` +
		`"status":"active"}}`
	for flag, want := range map[string]string{
		"true":  `{"data":{"id":"1","is_subaccount":true,"status":"active"}}`,
		"false": strings.Replace(account, "%s", "false", 1),
	} {
		got, err := ownerFields(wrapped).answer(outcome{data: []byte(strings.Replace(account, "%s", flag, 1))})
		if err != nil || string(got.body) != want {
			t.Errorf("is_subaccount %s: %s (%v)\nwant %s", flag, got.body, err, want)
		}
	}
}
