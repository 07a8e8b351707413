package rest

// specifiedRules is the section of AI feedback rules.
var specifiedRules = []specRow{
	{"AI Feedback Rule", `POST /ai-feedback-rules`, `{"comparison_id":"{comparison}","region_id":1,"scope":"url"}`, 200, `
		data : AI Feedback Rule
		data.scope = "url"
		data.is_active = true
		data.match_count = 0
		data.last_matched_at = null
		data.region_context.bbox = {"x":2,"y":3,"w":4,"h":6}
		data.url_id = "{url}"
		data.id -> newrule`},
	{"Endpoints / AI Feedback Rules: scope", `POST /ai-feedback-rules`,
		`{"type":"visual","comparison_id":"{comparison}","region_id":"1","scope":"group_or_website"}`, 200, `
		data.scope = "website"
		data.website_id = "{website}"`},
	{"open 4 / AI rules: console", `POST /ai-feedback-rules as rich`,
		`{"type":"console","comparison_id":"{comparison}","console_entry":"after","console_source":"https://example.test/a.js",` +
			`"scope":"url"}`, 200, `
		data : AI Feedback Rule
		data.type = "console"
		data.region_context = {"page_url":"rich.example.test/page"}
		data.console_entry = "after"
		data.id -> consolerule`},
	{"open 5 / one rule", `GET /ai-feedback-rules/{consolerule} as rich`, ``, 200, `
		data : AI Feedback Rule
		data.id = "{consolerule}"`},
	{"open 5 / one rule", `GET /ai-feedback-rules/{newrule}`, ``, 200, `data.region_context.page_url = "owner.example.test/page"`},
	{"Endpoints / AI Feedback Rules: required", `POST /ai-feedback-rules`, `{}`, 422, `
		errors.comparison_id = ["The comparison id field is required."]
		errors.scope = ["The scope field is required."]`},
	{"Endpoints / AI Feedback Rules: region_id", `POST /ai-feedback-rules`, `{"comparison_id":"{comparison}","scope":"url"}`, 422,
		`errors.region_id = ["The region id field is required."]`},
	{"Endpoints / AI Feedback Rules: region_id", `POST /ai-feedback-rules`, `{"comparison_id":"{comparison}","region_id":2,"scope":"url"}`,
		422, `errors.region_id`},
	{"Endpoints / AI Feedback Rules: type", `POST /ai-feedback-rules`,
		`{"type":"audible","comparison_id":"{comparison}","region_id":1,"scope":"url"}`, 422,
		`errors.type = ["The selected type is invalid."]`},
	{"Endpoints / AI Feedback Rules: scope", `POST /ai-feedback-rules`,
		`{"comparison_id":"{comparison}","region_id":1,"scope":"website"}`, 422,
		`errors.scope = ["The selected scope is invalid."]`},
	{"Endpoints / AI Feedback Rules: comparison_id", `POST /ai-feedback-rules`, `{"comparison_id":"1","region_id":1,"scope":"url"}`, 422,
		`errors.comparison_id = ["The comparison id field must be a valid UUID."]`},
	{"Endpoints / AI Feedback Rules: console_entry", `POST /ai-feedback-rules as rich`,
		`{"type":"console","comparison_id":"{comparison}","scope":"url"}`, 422,
		`errors.console_entry = ["The console entry field is required."]`},
	{"Limits / AI rule console_entry 501", `POST /ai-feedback-rules as rich`,
		`{"type":"console","comparison_id":"{comparison}","console_entry":"{501x}","scope":"url"}`, 422,
		`errors.console_entry = ["The console entry field must not be greater than 500 characters."]`},
	{"Limits / AI rule console_entry 500", `POST /ai-feedback-rules as rich`,
		`{"type":"console","comparison_id":"{comparison}","console_entry":"{500x}","scope":"url"}`, 200, `data.type = "console"`},
	{"Endpoints / AI Feedback Rules", `GET /ai-feedback-rules?scope=url&is_active=true&website_id={website}&page=1&per_page=5`, ``, 200, `
		data : [AI Feedback Rule]
		links : Links
		meta : Meta
		data.0.id = "{newrule}"`},
	{"Endpoints / AI Feedback Rules", `GET /ai-feedback-rules?is_active=0`, ``, 200, `meta.total = 0`},
	{"Endpoints / AI Feedback Rules", `PUT /ai-feedback-rules/{newrule}`, `{"is_active":false,"scope":"group_or_website"}`, 200, `
		data : AI Feedback Rule
		data.is_active = false
		data.scope = "website"`},
	{"Endpoints / AI Feedback Rules", `PATCH /ai-feedback-rules/{newrule}`, `{"scope":"url"}`, 200, `
		data.is_active = false
		data.scope = "url"`},
	{"AI Feedback Rule / without a website", `DELETE /websites/{website} as failed`, ``, 200, `data`},
	{"AI Feedback Rule / without a website", `GET /ai-feedback-rules as failed`, ``, 200, `
		data : [AI Feedback Rule]
		data.0.website_id = null`},
	{"open 1 / a rule DELETE answers 204", `DELETE /ai-feedback-rules/{newrule}`, ``, 204, ``},
	{"open 1 / a rule DELETE answers 204", `DELETE /ai-feedback-rules/{newrule}`, ``, 404, `message`},
}

// specifiedReviews is the section of comparisons.
var specifiedReviews = []specRow{
	{"Comparison", `GET /comparisons/{comparison}`, ``, 200, `
		data : Comparison
		data.status = "new"
		data.difference_percent = 2
		data.url = "owner.example.test/page"
		data.url_id = "{url}"
		data.group = "{group}"
		data.batch = "{batch}"
		data.queue = "{queue}"
		data.screenshot_2 = "{screenshot}"
		data.public_link = "https://afterimage.test/c/{link}"
		data.batch_trigger_type = null
		data.cms = ""
		data.browser_console_added = null
		data.browser_console_removed = null
		data.browser_console_change = null
		data.ai_regions = null
		data.ai_verification_status = null
		data.ai_verification_result = null`},
	{"Comparison / browser console", `GET /comparisons/{comparison} as rich`, ``, 200, `
		data : Comparison
		data.browser_console_change = "mixed"
		data.browser_console_added = [{"text":"after","source":"https://example.test/a.js","severity":"log"}]
		data.browser_console_removed = [{"text":"before","source":"https://example.test/a.js","severity":"log"}]`},
	{"open 4 / Comparisons: by token", `GET /comparisons/{link}`, ``, 200, `data.id = "{comparison}"`},
	{"Endpoints / Comparisons", `GET /comparisons?batch_id={batch}&page=1&per_page=1`, ``, 200, `
		data : [Comparison]
		links : Links
		meta : Meta of comparisons
		meta has in order current_page from last_page links path per_page to total above_threshold_count
		meta.total = 2
		meta.above_threshold_count = 2`},
	{"Endpoints / Comparisons: filters",
		`GET /comparisons?above_threshold=1&from=2026-03-01&to=2026-03-01&status=new&groups={group}&batches={batch}&token={link}&` +
			`urls={url}&websites={website}&source=manual`,
		``, 200, `meta.total = 1`},
	{"Endpoints / Comparisons: above_threshold", `GET /comparisons?above_threshold=false`, ``, 200, `meta.total = 2`},
	{"open 5 / above_threshold: no filter", `GET /comparisons?above_threshold=0`, ``, 200, `meta.total = 2`},
	{"Endpoints / Comparisons: from", `GET /comparisons?from=2026-03-02`, ``, 200, `
		meta : Meta of comparisons
		meta.total = 0
		meta.above_threshold_count = 0`},
	{"Endpoints / Comparisons: to", `GET /comparisons?to=2026-02-28`, ``, 200, `meta.total = 0`},
	{"Endpoints / Comparisons: status", `GET /comparisons?status=ok,false_positive,to_fix`, ``, 200, `meta.total = 0`},
	{"Endpoints / Comparisons: token", `GET /comparisons?token=other`, ``, 200, `meta.total = 0`},
	{"Endpoints / Comparisons: source", `GET /comparisons?source=monitoring`, ``, 200, `meta.total = 0`},
	{"open 4 / Comparisons: order", `GET /comparisons?orderBy=difference_percent&orderDirection=asc`, ``, 200, `meta.total = 2`},
	{"open 4 / Comparisons: order", `GET /comparisons?orderBy=created_at&orderDirection=desc`, ``, 200, `meta.total = 2`},
	{"States / Comparison", `PUT /comparisons/{comparison}`, `{"status":"ok"}`, 200, `
		. : Comparison
		status = "ok"`},
	{"States / Comparison", `PATCH /comparisons/{comparison}`, `{"status":"to_fix"}`, 200, `status = "to_fix"`},
	{"States / Comparison: from any state", `PUT /comparisons/{comparison}`, `{"status":"false_positive"}`, 200,
		`status = "false_positive"`},
	{"States / Comparison: not new", `PUT /comparisons/{comparison}`, `{"status":"new"}`, 422,
		`errors.status = ["The selected status is invalid."]`},
	{"States / Comparison", `PUT /comparisons/{comparison}`, `{}`, 422, `errors.status = ["The status field is required."]`},
	{"Batch / comparisons_count", `GET /batches/{batch}`, ``, 200,
		`data.comparisons_count = {"ok":0,"new":1,"false_positive":1,"to_fix":0,"above_threshold":2}`},
	{"Comparison / cms", `GET /comparisons?above_threshold=0 as failed`, ``, 200, `
		data : [Comparison]
		data.0.difference_percent = 0
		data.0.cms = "wordpress"`},
}
