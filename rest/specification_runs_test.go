package rest

// specifiedRuns are the sections of screenshots, queues and batches.
var specifiedRuns = []specRow{
	{"open 4 / Screenshot: take", `POST /screenshots/take`, `{"group_ids":["{group}"],"sc_type":"pre"}`, 200, `
		. : Taken
		amount_screenshots = 2
		groups = ["{group}"]
		batch_id -> newbatch`},
	{"Typical flow", `GET /queues?batch_id={newbatch}&status=open,processing`, ``, 200, `
		data : [Queue]
		links : Links
		meta : Meta of queues
		meta.total = 2
		meta.status_counts.open = 2
		meta.status_counts.by_type.pre.open = 2
		meta.status_counts_by_batch.{newbatch}.open = 2
		meta.status_counts_by_batch.{newbatch}.failed = 0
		meta.status_counts_by_batch.{newbatch}.by_type.pre = {"open":2,"processing":0,"done":0,"failed":0}
		meta.status_counts_by_batch.{newbatch}.by_type.compare.failed = 0`},
	{"open 4 / Queue: the comparison's entry exists at once", `POST /screenshots/take`,
		`{"group_ids":["{group}"],"sc_type":"post","source":"auto_update","batch_per_group":"1"}`, 200, `
		. : Taken by group
		batches.{group} : uuid
		batch_id -> postbatch`},
	{"open 4 / Queue: the comparison's entry exists at once", `GET /queues?batch_id={postbatch}&sc_type=comparison`, ``, 200, `
		meta.total = 2
		data.0.sc_type = "compare"
		data.0.status = "open"
		data.0.image_link = null`},
	{"open 4 / Screenshot: source", `POST /screenshots/take`, `{"group_ids":"{group}","sc_type":"pre","source":"monitoring"}`, 200, ``},
	{"open 4 / Screenshot: required", `POST /screenshots/take`, `{}`, 422, `
		errors.group_ids = ["The group ids field is required."]
		errors.sc_type = ["The sc type field is required."]`},
	{"open 4 / Screenshot: sc_type", `POST /screenshots/take`, `{"group_ids":["{group}"],"sc_type":"auto"}`, 422,
		`errors.sc_type = ["The selected sc type is invalid."]`},
	{"open 4 / Screenshot: source", `POST /screenshots/take`, `{"group_ids":["{group}"],"sc_type":"pre","source":"other"}`, 422,
		`errors.source`},
	{"open 4 / Screenshot: unknown group", `POST /screenshots/take`,
		`{"group_ids":["{group}","0190a1b2-ffff-7000-8000-00000000ffff"],"sc_type":"pre"}`, 422,
		`errors.group_ids.1`},
	{"open 4 / Screenshot: nothing selected", `POST /screenshots/take`, `{"group_ids":["{spare}"],"sc_type":"pre"}`, 422,
		`errors.group_ids`},
	{"open 4 / Screenshot: one of two", `POST /screenshots/take`, `{"group_ids":["{spare}","{group}"],"sc_type":"pre"}`, 200,
		`groups = ["{group}"]`},
	{"open 6 / Queues: nothing to compare with", `POST /groups/{spare2}/add-urls`, `{"urls":[{"id":"{url}"}]}`, 200, `count = 1`},
	{"open 6 / Queues: nothing to compare with", `POST /screenshots/take`, `{"group_ids":["{spare2}"],"sc_type":"post"}`, 200, `
		meta.unpaired = 2
		batch_id -> alonebatch`},
	{"open 6 / Queues: nothing to compare with", `GET /queues?batch_id={alonebatch}`, ``, 200, `
		meta : Meta of queues
		meta.status_counts_by_batch.{alonebatch}.failed = 0
		meta.status_counts_by_batch.{alonebatch}.by_type = {"pre":{"open":0,"processing":0,"done":0,"failed":0},` +
		`"post":{"open":2,"processing":0,"done":0,"failed":0},"auto":{"open":0,"processing":0,"done":0,"failed":0},` +
		`"compare":{"open":0,"processing":0,"done":0,"failed":2}}`},
	{"open 6 / Queues: a filter that leaves them out", `GET /queues?batch_id={alonebatch}&status=open`, ``, 200, `
		meta.status_counts_by_batch.{alonebatch}.by_type.compare.failed = 0`},
	{"open 6 / Queues: a filter that leaves them out", `GET /queues?batch_id={alonebatch}&sc_type=post`, ``, 200, `
		meta.status_counts_by_batch.{alonebatch}.by_type.compare.failed = 0`},
	{"open 6 / Queues: another account", `GET /queues?batch_id={alonebatch} as rich`, ``, 200, `meta.status_counts_by_batch = {}`},
	{"open 6 / Queues: nothing to compare with", `POST /groups/{spare2}/remove-urls`, `{"urls":["{url}"]}`, 200, `count = 1`},
	{"open 2 / 402", `POST /screenshots/take as poor`, `{"group_ids":["{group}"],"sc_type":"pre"}`, 402, `message`},

	{"open 4 / Screenshot", `GET /screenshots/{screenshot}`, ``, 200, `
		data : Screenshot
		data.domain = "owner.example.test"
		data.url = "owner.example.test/page"
		data.sc_type = "post"
		data.browser_console = [{"text":"after","type":"log","location":{"url":"https://example.test/a.js"}}]`},
	{"open 4 / Screenshot",
		`GET /screenshots?ids={screenshot}&batches={batch}&groups={group}&urls={url}&device=desktop,mobile&sc_type=post&page=1&per_page=5`,
		``, 200, `
		data : [Screenshot]
		links : Links
		meta : Meta
		meta.total = 1`},

	{"open 4 / Queue", `GET /queues/{queue}`, ``, 200, `
		data : Queue
		data.status = "done"
		data.sc_type = "compare"
		data.image_link : link`},
	{"open 4 / Queue: filters", `GET /queues?id={queue}&groups={group}&batches={batch}&status=done&sc_type=compare&page=1&per_page=5`, ``,
		200, `
		data : [Queue]
		meta.total = 1`},
	{"open 4 / Queue: filters", `GET /queues?batch={batch}&sc_type=post`, ``, 200, `
		data : [Queue]
		meta.total = 2`},
	{"open 4 / Queue: failed", `GET /queues?status=failed as failed`, ``, 200, `
		data : [Queue]
		data.0.error_msg : string`},
	{"Queue: what it waits for", `GET /queues?status=open as failed`, ``, 200, `
		data : [Queue]
		data.0.notice : string
		data.0.error_msg = null`},
	{"open 4 / Queue: empty", `GET /queues?status=failed`, ``, 200, `
		data = []
		meta : Meta of queues`},
	{"open 5 / Queue: total of any status", `GET /queues?batch={batch}&status=failed`, ``, 200, `
		meta.total = 0
		meta.total_unfiltered = 4`},
	{"open 4 / Queue: settings", `GET /queues?status=failed as failed`, ``, 200, `
		data.0.css = "a{}"
		data.0.js = "b()"`},

	{"Batch", `GET /batches/{batch}`, ``, 200, `
		data : Batch
		data.source = "manual"
		data.trigger_context = null
		data.ai_summary = null
		data.update_results = null
		data.finished_at : timestamp
		data.group_names = ["manual"]
		data.website_domains = ["owner.example.test"]
		data.comparisons_count = {"ok":0,"new":2,"false_positive":0,"to_fix":0,"above_threshold":2}
		data.queues_count = {"failed":0}
		data.browser_console_count = {"added":0,"removed":0,"mixed":0,"unchanged":0}`},
	{"Batch / browser_console_count", `GET /batches/{batch} as rich`, ``, 200, `
		data : Batch
		data.browser_console_count = {"added":0,"removed":0,"mixed":2,"unchanged":0}`},
	{"Batch / running", `GET /batches/{newbatch}`, ``, 200, `
		data : Batch
		data.finished_at = null`},
	{"Endpoints / Batches", `GET /batches?page=1&per_page=5`, ``, 200, `
		data : [Batch]
		links : Links
		meta : Meta`},
	{"Endpoints / Batches: above_threshold", `GET /batches?above_threshold=true`, ``, 200, `
		meta.total = 1
		data.0.id = "{batch}"`},
	{"Endpoints / Batches: from, to", `GET /batches?from=2026-03-01&to=2026-03-01&above_threshold=1`, ``, 200, `meta.total = 1`},
	{"Endpoints / Batches: from, to", `GET /batches?from=2026-03-02`, ``, 200, `meta.total = 0`},
	{"Endpoints / Batches: from, to", `GET /batches?from=yesterday`, ``, 422, `errors.from = ["The from field must be a valid date."]`},
	{"Endpoints / Batches: status", `GET /batches?status=new,to_fix`, ``, 200, `meta.total = 1`},
	{"Endpoints / Batches: status", `GET /batches?status=ok`, ``, 200, `meta.total = 0`},
	{"Endpoints / Batches: status", `GET /batches?status=other`, ``, 422, `errors.status`},
	{"Endpoints / Batches: queue_type", `GET /batches?queue_type=comparison`, ``, 200, `meta.total = 2`},
	{"Endpoints / Batches: group_ids", `GET /batches?group_ids={group}&source=auto_update`, ``, 200, `
		meta.total = 1
		data.0.id = "{postbatch}"`},
	{"Endpoints / Batches: urls", `GET /batches?urls={url}&websites={website}&above_threshold=1`, ``, 200, `meta.total = 1`},
	{"Endpoints / Batches: source", `GET /batches?source=monitoring,auto_update`, ``, 200, `meta.total = 2`},
	{"Endpoints / Batches: rename", `PUT /batches/{batch}`, `{"name":"Renamed"}`, 200, `
		. : Batch
		name = "Renamed"`},
	{"Endpoints / Batches: rename", `PATCH /batches/{batch}`, `{"name":"{255x}"}`, 200, `. : Batch`},
	{"Endpoints / Batches: rename", `PUT /batches/{batch}`, `{"name":"{256x}"}`, 422, `errors.name`},
	{"Endpoints / Batches: rename", `PUT /batches/{batch}`, `{}`, 422, `errors.name = ["The name field is required."]`},

	{"Update results / all fields", `PUT /batches/{batch}/update-results`, `{"timestamp":1772357400,"updates":{
		"core":{"attempted":true,"success":true,"from_version":"1","to_version":"2","error":"e","messages":["m"]},
		"plugins":[{"slug":"s","name":"n","from_version":"1","to_version":"2","success":false,"error":"e","messages":["m","n"]},` +
		`{"slug":"s","success":true}],
		"themes":[{"slug":"t","name":"n","from_version":"1","to_version":"2","success":"1","error":"e","messages":[]}]},
		"summary":{"total_attempted":3,"successful":2,"failed":1,"status":"completed_with_errors"}}`, 200, `
		data : Batch
		data.update_results.timestamp = 1772357400
		data.update_results.updates.core.messages = ["m"]
		data.update_results.updates.plugins.0.messages = ["m","n"]
		data.update_results.updates.plugins.1 = {"slug":"s","name":null,"from_version":null,"to_version":null,"success":true,` +
		`"error":null,"messages":[]}
		data.update_results.summary = {"total_attempted":3,"successful":2,"failed":1,"status":"completed_with_errors"}`},
	{"Update-results body rules / 1: core without its texts", `PUT /batches/{batch}/update-results`,
		`{"timestamp":1772357400,"updates":{"core":{"attempted":false}},` +
			summaryOf("failed") + `}`, 200, `
		data : Batch
		data.update_results.updates.core.from_version = null`},
	{"Update-results body rules / 4 and 5: an empty run replaces all", `PATCH /batches/{batch}/update-results`,
		`{"timestamp":1772357400,"updates":{"core":null,"plugins":[],"themes":[]},` + summaryOf("completed") + `}`, 200, `
		data : Batch
		data.update_results.updates = {"core":null,"plugins":[],"themes":[]}`},
	{"Update-results body rules / 5: a running batch", `PUT /batches/{newbatch}/update-results`, updates(``, `[]`), 200, `data : Batch`},
	{"Update results / required", `PUT /batches/{batch}/update-results`, `{}`, 422, `
		errors.timestamp = ["The timestamp field is required."]
		errors.updates = ["The updates field is required."]
		errors.summary = ["The summary field is required."]`},
	{"Update-results body rules / 3: required", `PUT /batches/{batch}/update-results`,
		`{"timestamp":1,"updates":{},"summary":{}}`, 422, ``},
	{"Update-results body rules / 3: required", `PUT /batches/{batch}/update-results`,
		`{"timestamp":1,"updates":{},"summary":{"status":"completed"}}`, 422, `
		errors.summary.total_attempted = ["The summary.total attempted field is required."]
		errors.summary.successful
		errors.summary.failed`},
	{"Update-results body rules / 3: at least 0", `PUT /batches/{batch}/update-results`,
		`{"timestamp":1,"updates":{},"summary":{"total_attempted":0,"successful":-1,"failed":0,"status":"completed"}}`, 422,
		`errors.summary.successful`},
	{"Update-results body rules / 3: status", `PUT /batches/{batch}/update-results`,
		`{"timestamp":1,"updates":{},"summary":{"total_attempted":0,"successful":0,"failed":0,"status":"done"}}`, 422,
		`errors.summary.status`},
	{"Update-results body rules / 1: version 50", `PUT /batches/{batch}/update-results`,
		updates(`"from_version":"{50x}","to_version":"{50x}"`, `[]`), 200, ``},
	{"Update-results body rules / 1: version 51", `PUT /batches/{batch}/update-results`, updates(`"from_version":"{51x}"`, `[]`), 422,
		`errors.updates.core.from_version = ["The updates.core.from version field must not be greater than 50 characters."]`},
	{"Update-results body rules / 1: version 51", `PUT /batches/{batch}/update-results`, updates(`"to_version":"{51x}"`, `[]`), 422,
		`errors.updates.core.to_version`},
	{"Update-results body rules / 1: error 500", `PUT /batches/{batch}/update-results`, updates(`"error":"{500x}"`, `[]`), 200, ``},
	{"Update-results body rules / 1: error 501", `PUT /batches/{batch}/update-results`, updates(`"error":"{501x}"`, `[]`), 422,
		`errors.updates.core.error`},
	{"Update-results body rules / 1: message 300", `PUT /batches/{batch}/update-results`, updates(`"messages":["{300x}"]`, `[]`), 200, ``},
	{"Update-results body rules / 1: message 301", `PUT /batches/{batch}/update-results`, updates(`"messages":["{301x}"]`, `[]`), 422,
		`errors.updates.core.messages.0`},
	{"open 5 / update results: 150 messages", `PUT /batches/{batch}/update-results`,
		updates(`"messages":`+many(150, `"a"`), `[]`), 200, ``},
	{"open 5 / update results: 300 plugins of 60 messages", `PUT /batches/{batch}/update-results`,
		updates(``, many(300, `{"slug":"a","success":true,"messages":`+many(60, `"a"`)+`}`)), 200, ``},
	{"Update-results body rules / 2: 300 items", `PUT /batches/{batch}/update-results`,
		updates(``, many(300, `{"slug":"a","success":true}`)), 200, ``},
	{"Update-results body rules / 2: 301 items", `PUT /batches/{batch}/update-results`,
		updates(``, many(301, `{"slug":"a","success":true}`)), 422, `
		errors.updates.plugins = ["The updates.plugins field must not have more than 300 items."]
		errors.updates.themes`},
	{"Update-results body rules / 2: slug required", `PUT /batches/{batch}/update-results`, updates(``, `[{"success":true}]`), 422,
		`errors.updates.plugins.0.slug`},
	{"Update-results body rules / 2: success required", `PUT /batches/{batch}/update-results`, updates(``, `[{"slug":"a"}]`), 422,
		`errors.updates.themes.0.success`},
	{"Update-results body rules / 2: slug, name 255", `PUT /batches/{batch}/update-results`,
		updates(``, `[{"slug":"{255x}","name":"{255x}","success":true}]`), 200, ``},
	{"Update-results body rules / 2: slug 256", `PUT /batches/{batch}/update-results`, updates(``, `[{"slug":"{256x}","success":true}]`),
		422, `errors.updates.plugins.0.slug`},
	{"Update-results body rules / 2: name 256", `PUT /batches/{batch}/update-results`,
		updates(``, `[{"slug":"a","name":"{256x}","success":true}]`), 422, `errors.updates.themes.0.name`},
	{"Update-results body rules / 2: the rest at its edge", `PUT /batches/{batch}/update-results`,
		updates(``, `[{"slug":"a","success":true,"from_version":"{50x}","to_version":"{50x}","error":"{500x}","messages":["{300x}"]}]`),
		200, ``},
	{"Update-results body rules / 2: the rest beyond", `PUT /batches/{batch}/update-results`,
		updates(``, `[{"slug":"a","success":true,"from_version":"{51x}","to_version":"{51x}","error":"{501x}","messages":["{301x}"]}]`),
		422, `
		errors.updates.plugins.0.from_version
		errors.updates.plugins.0.to_version
		errors.updates.plugins.0.error
		errors.updates.plugins.0.messages.0`},

	{"ours / gate: a running batch", `GET /batches/{newbatch}/gate`, ``, 200, `
		data : Gate
		data.decision = "not_yet"
		data.culprit = null
		data.reasons.0.kind = "running"`},
	{"ours / gate: what was updated", `PUT /batches/{batch}/update-results`,
		`{"timestamp":1,"updates":{"plugins":[{"slug":"cart","name":"Cart","success":true,"from_version":"1"}]},` +
			summaryOf("completed") + `}`, 200, ``},
	{"ours / gate: the culprit", `GET /batches/{batch}/gate`, ``, 200, `
		data : Gate
		data.decision = "ask"
		data.reasons.0.kind = "changed"
		data.culprit = {"kind":"plugin","slug":"cart","name":"Cart","from_version":"1","to_version":null}`},
	{"ours / gate: without the version before", `PUT /batches/{batch}/update-results`,
		`{"timestamp":1,"updates":{"plugins":[{"slug":"cart","success":true,"to_version":"2"}]},` + summaryOf("completed") + `}`, 200, ``},
	{"ours / gate: the culprit", `GET /batches/{batch}/gate`, ``, 200, `
		data : Gate
		data.culprit = {"kind":"plugin","slug":"cart","name":"cart","from_version":null,"to_version":"2"}`},
	{"ours / gate: another account", `GET /batches/{alonebatch}/gate as rich`, ``, 404, `message`},
}

// summaryOf is the summary of update results.
func summaryOf(status string) string {
	return `"summary":{"total_attempted":0,"successful":0,"failed":0,"status":"` + status + `"}`
}

// updates are update results with some fields of the core and the same list of plugins and themes.
func updates(core, packages string) string {
	return `{"timestamp":1772357400,"updates":{"core":{` + core + `},"plugins":` + packages + `,"themes":` + packages + `},` +
		summaryOf("completed") + `}`
}
