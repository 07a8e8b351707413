package rest

// specifiedTriggers is the section of the monitoring trigger, and of what a triggered run looks like.
var specifiedTriggers = []specRow{
	{"open 4 / Monitoring trigger", `POST /groups/{monitoring}/add-urls`, `{"urls":[{"id":"{url}"}]}`, 200, `count = 1`},
	{"open 4 / Monitoring trigger: others are ignored", `POST /monitoring/trigger`, `{"group_id":"{monitoring}","type":"post_save",` +
		`"editor":"Ada",
		"urls":[{"url":"https://owner.example.test/page","title":"T","post_id":"7"},{"url":"owner.example.test/none"}]}`, 200,
		`data = {"accepted":1}`},
	{"open 4 / Monitoring trigger: extend", `POST /monitoring/trigger/extend`,
		`{"group_id":"{monitoring}","urls":[{"url":"owner.example.test/page","title":"T","post_id":7}]}`, 200, `data = {"extended":1}`},
	{"open 4 / Monitoring trigger: extend", `POST /monitoring/trigger/extend`, `{"urls":[{"url":"owner.example.test/none"}]}`, 200,
		`data = {"extended":0}`},
	{"open 4 / Monitoring trigger: manual", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"manual_trigger","scope":"all"}`, 200, `
		data.accepted = 1
		data.batch_id : uuid`},
	{"open 4 / Monitoring trigger: manual", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"manual_trigger","scope":"url","urls":[{"url":"owner.example.test/page"}],"editor":"Ada"}`,
		200, `
		data.accepted = 1
		data.batch_id : uuid`},
	{"open 4 / Monitoring trigger: not enabled", `POST /monitoring/trigger`,
		`{"group_id":"{group}","type":"post_save","urls":[{"url":"owner.example.test/page"}]}`, 422, `
		message
		reason = "trigger_not_enabled"`},
	{"open 4 / Monitoring trigger: required", `POST /monitoring/trigger`, `{}`, 422, `
		errors.group_id = ["The group id field is required."]
		errors.type = ["The type field is required."]`},
	{"open 4 / Monitoring trigger: urls 1", `POST /monitoring/trigger`, `{"group_id":"{monitoring}","type":"post_save","urls":[]}`,
		422, `errors.urls`},
	{"open 4 / Monitoring trigger: urls 50", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"post_save","urls":` + many(50, `{"url":"owner.example.test/page"}`) + `}`, 200,
		`data = {"accepted":1}`},
	{"open 4 / Monitoring trigger: urls 51", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"post_save","urls":` + many(51, `{"url":"owner.example.test/page"}`) + `}`, 422, `errors.urls`},
	{"open 4 / Monitoring trigger: title 255", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"post_save","urls":[{"url":"owner.example.test/page","title":"{255x}"}]}`, 200, ``},
	{"open 4 / Monitoring trigger: title 256", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"post_save","urls":[{"url":"owner.example.test/page","title":"{256x}"}]}`, 422,
		`errors.urls.0.title`},
	{"open 4 / Monitoring trigger: editor 100", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"post_save","urls":[{"url":"owner.example.test/page"}],"editor":"{100x}"}`, 200, ``},
	{"open 4 / Monitoring trigger: editor 101", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"post_save","urls":[{"url":"owner.example.test/page"}],"editor":"{101x}"}`, 422,
		`errors.editor`},
	{"open 4 / Monitoring trigger: type", `POST /monitoring/trigger`,
		`{"group_id":"{monitoring}","type":"post_delete","urls":[{"url":"owner.example.test/page"}]}`, 422,
		`errors.type = ["The selected type is invalid."]`},

	{"Batch / trigger_context: manual_trigger", `GET /batches?source=monitoring&per_page=2`, ``, 200, `
		data : [Batch]
		data.0.trigger_context.type = "manual_trigger"
		data.0.trigger_context.scope = "url"
		data.0.trigger_context.editor = "Ada"
		data.0.trigger_context.pages.0.url = "owner.example.test/page"
		data.1.trigger_context.scope = "all"
		data.1.trigger_context.pages = []
		data.1.trigger_context.editor absent`},
	{"Batch / trigger_context: post_save", `GET /batches?source=monitoring as triggered`, ``, 200, `
		data : [Batch]
		data.0.trigger_context.type = "post_save"
		data.0.trigger_context.pages.0.title = "T"
		data.0.trigger_context.pages.0.post_id = 7
		data.0.trigger_context.pages.0.editor = "Ada"
		data.0.trigger_context.scope absent`},
	{"Comparison / batch_trigger_type", `GET /comparisons?source=monitoring as triggered`, ``, 200, `
		data : [Comparison]
		data.0.batch_source = "monitoring"
		data.0.monitoring = true
		data.0.batch_trigger_type = "post_save"`},
	{"open 4 / Screenshot: of monitoring", `GET /screenshots?sc_type=auto as triggered`, ``, 200, `
		data : [Screenshot]
		data.0.sc_type = "auto"`},
	{"open 4 / Queue: of monitoring", `GET /queues?sc_type=auto&status=done as triggered`, ``, 200, `
		data : [Queue]
		data.0.monitoring = true`},
}
