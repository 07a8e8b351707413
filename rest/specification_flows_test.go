package rest

// specifiedFlows are the sections of flows and of what became of them.
var specifiedFlows = []specRow{
	{"open 6 / Flows", `POST /flows as flowing`,
		`{"website_id":"{flowsite}","name":"Order","url":"https://flow.flowing.example.test/shop","devices":["mobile"],
		"steps":[{"type":"navigate","value":"/plants"},{"type":"click","selector":"text=Fern","label":"The fern","changes":true},
		{"type":"fill","selector":"label=Card","value":"4000 1234","sensitive":true},{"type":"wait_for_load"},
		{"type":"assert","selector":"#basket","assertion":{"kind":"text","operator":"contains","expected":"1 item"}},
		{"type":"checkpoint","label":"Basket"}],"enabled_manual":"0","enabled_monitoring":"1"}`, 200, `
		data : Flow with steps
		data.id -> newflow
		data.steps.0.id -> newstep
		data.steps.2.id -> secretstep
		data.steps.5.id -> checkpointstep
		data.steps.0.value = "/plants"
		data.steps.1.selector = "text=Fern"
		data.steps.1.changes = true
		data.steps.2.value = null
		data.steps.2.sensitive = true
		data.steps.2.value_set = true
		data.steps.3.type = "wait_for_load"
		data.steps.4.assertion = {"kind":"text","operator":"contains","expected":"1 item"}
		data.steps_count = 6
		data.checkpoints_count = 1
		data.asserts_count = 1
		data.enabled_manual = false
		data.enabled_monitoring = true
		data.last_run = null`},
	{"open 6 / Flows: as a file", `POST /flows as flowing`,
		`{"website_id":"{flowsite}","definition":"name: Sign in\nstart: https://flow.flowing.example.test/\n` +
			`steps:\n  - fill: {label: Password}\n    secret: password\n  - checkpoint: Signed in\n",
		"secrets":[{"name":"password","value":"correct horse"}]}`, 200, `
		data.name = "Sign in"
		data.steps.0.sensitive = true
		data.steps.0.value = null`},
	{"open 6 / Flows: partly", `PUT /flows/{newflow} as flowing`, `enabled_manual=1&name=Order+again`, 200, `
		data.enabled_manual = true
		data.enabled_monitoring = true
		data.name = "Order again"
		data.steps_count = 6`},
	{"open 6 / Flows: a secret is kept", `PATCH /flows/{newflow} as flowing`,
		`{"url":"flow.flowing.example.test","devices":["desktop"],"steps":[` +
			`{"id":"{newstep}","type":"navigate","value":"/trees","label":"Trees","changes":true},` +
			`{"id":"{secretstep}","type":"fill","selector":"label=Number","value":null,"sensitive":true},
		{"type":"assert","selector":"#n","assertion":{"kind":"count","operator":"at_least","expected":"1"}},
		{"id":"{checkpointstep}","type":"checkpoint","label":"All"}],"enabled_monitoring":false}`, 200, `
		data : Flow with steps
		data.url = "https://flow.flowing.example.test"
		data.steps.0.id = "{newstep}"
		data.steps.0.value = "/trees"
		data.steps.0.changes = true
		data.steps.1.id = "{secretstep}"
		data.steps.1.value_set = true
		data.steps.1.selector = "label=Number"
		data.steps.3.id = "{checkpointstep}"`},
	{"open 6 / Flows: as a file", `PUT /flows/{newflow} as flowing`,
		`{"definition":"name: All\nstart: https://flow.flowing.example.test/\nsteps:\n` +
			`  - fill: {label: Password}\n    secret: password\n  - checkpoint: All\n",
		"secrets":[{"name":"password","value":"battery staple"}]}`, 200, `
		data.steps.1.id = "{checkpointstep}"
		data.steps_count = 2`},
	{"open 6 / Flows: a step that there is not is a new one", `POST /flows as flowing`, `{"website_id":"{flowsite}","name":"Copy",` +
		`"url":"flow.flowing.example.test","steps":[{"id":"{newstep}","type":"checkpoint","label":"End"}]}`, 200, `data.steps.0.id`},
	{"open 6 / Flows: bad", `PUT /flows/{newflow} as flowing`, `{"steps":[{"type":"dance"}]}`, 422, `errors`},
	{"open 6 / Flows: bad", `PUT /flows/{newflow} as flowing`, `{"steps":[]}`, 422, `errors.steps`},
	{"open 6 / Flows: bad", `POST /flows as flowing`,
		`{"website_id":"{flowrun}","name":"a","url":"a.test","steps":[{"type":"checkpoint","label":"b"}]}`, 422,
		`errors.website_id`},
	{"open 6 / Flows", `GET /flows?website_id={flowsite}&per_page=10&page=1 as flowing`, ``, 200, `
		data : [Flow]
		links : Links
		meta : Meta
		meta.total = 4`},
	{"open 6 / Flows", `GET /flows as flown`, ``, 200, `
		data : [Flow]
		data.0.last_run.status = "done"`},
	{"open 6 / Flows", `GET /flows?website_id={flowrun} as flowing`, ``, 200, `meta.total = 0`},
	{"open 6 / Flows", `GET /flows/{flow} as flowing`, ``, 200, `
		data : Flow with steps
		data.last_run.status = "processing"
		data.last_run.finished_at = null`},
	{"open 6 / Flows", `GET /flows/{flow} as rich`, ``, 404, `message = "No query results for model [Flow] {flow}"`},
	{"open 6 / Flow runs", `GET /flows/{flow}/runs?per_page=10&page=1 as flowing`, ``, 200, `
		data : [FlowRun]
		meta.total = 5
		data.0.status = "processing"
		data.1.status = "failed"
		data.2.status = "failed"
		data.3.status = "done"
		data.3.sc_type = "post"
		data.3.has_comparisons = true
		data.4.has_comparisons = false`},
	{"open 6 / Flow runs", `GET /flows/{flow}/runs?device=mobile as flowing`, ``, 200, `meta.total = 0`},
	{"open 6 / Flow runs: compared", `GET /flow-runs/{comparedrun} as flowing`, ``, 200, `
		data : Flow run with steps
		data.flow.name = "Checkout"
		data.steps.0.value = null
		data.steps.0.value_set = true
		data.steps.1.assertion.passed = true
		data.steps.1.assertion.actual = "Welcome back"
		data.steps.2.checkpoint.screenshot.link
		data.steps.2.checkpoint.comparison.token
		data.steps.2.checkpoint.baseline = false
		data.steps.2.checkpoint.queue_status = "done"
		data.steps.2.checkpoint.comparison.id -> flowcomparison`},
	{"open 6 / Flow runs: compared", `GET /comparisons/{flowcomparison} as flowing`, ``, 200, `
		data : Comparison
		data.flow_name = "Checkout"
		data.flow_checkpoint_label = "Signed in"`},
	{"open 6 / Flow runs: before", `GET /flow-runs/{flowrun} as flowing`, ``, 200, `
		data.steps.2.checkpoint.comparison = null
		data.steps.2.checkpoint.baseline = true`},
	{"open 6 / Flow runs: a step failed", `GET /flow-runs/{failedrun} as flowing`, ``, 200, `
		data : Flow run with steps
		data.status = "failed"
		data.picture_link
		data.steps.1.status = "failed"
		data.steps.1.assertion.passed = false
		data.steps.1.error = "The text is “Sorry”, expected one that contains “Welcome”."
		data.steps.2.status = "skipped"
		data.steps.2.checkpoint.screenshot = null
		data.steps.2.checkpoint.queue_status = "failed"
		data.steps.2.checkpoint.error_msg`},
	{"open 6 / Flow runs: not begun", `GET /flow-runs/{lostrun} as flowing`, ``, 200, `
		data : Flow run with steps
		data.error_msg = "No such host."
		data.steps.0.status = null`},
	{"open 6 / Flow runs: going on", `GET /flow-runs/{openrun} as flowing`, ``, 200, `
		data : Flow run with steps
		data.status = "processing"
		data.finished_at = null`},
	{"open 6 / Flow runs", `GET /flow-runs/{flowrun} as rich`, ``, 404, `message`},
	{"open 6 / Flows", `DELETE /flows/{newflow} as flowing`, ``, 200, `message = "Flow deleted"`},
	{"open 6 / Flows", `GET /flows/{newflow} as flowing`, ``, 404, `message`},
}
