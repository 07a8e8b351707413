package rest

// specifiedGroups are the sections of groups and of the URLs inside them.
var specifiedGroups = []specRow{
	{"Group / defaults", `POST /groups`, `{"name":"New"}`, 200, `
		data : Group
		data.name = "New"
		data.monitoring = false
		data.enabled = true
		data.hour_of_day = 0
		data.interval_in_h = 24
		data.schedule_type = "interval"
		data.schedule_days = null
		data.quiet_hours_start = null
		data.quiet_hours_end = null
		data.triggers = []
		data.alert_emails = "owner@example.com"
		data.css = null
		data.js = null
		data.cms = ""
		data.urls_count = 0
		data.selected_urls_count = 0
		data.basic_auth_user = null
		data.has_basic_auth = false
		data.proxy_type = "none"
		data.proxy_country = "auto"
		data.screenshot_region = "auto"
		data.screenshot_delay = null
		data.basic_auth_password absent
		data.id -> new`},
	{"Group / every field", `PUT /groups/{new}`, `{"name":"All","monitoring":true,"enabled":true,"hour_of_day":5,"interval_in_h":0.25,
		"schedule_type":"monthly","schedule_days":[1,30,"last"],"quiet_hours_start":22,"quiet_hours_end":6,
		"triggers":[{"type":"post_save","scope":"url"}],"alert_emails":["a@example.com","b@example.com"],"css":"a{}","js":"b()",` +
		`"cms":"wordpress",
		"threshold":0.5,"measure":"aligned","basic_auth_user":"u","basic_auth_password":"p","proxy_type":"static","proxy_country":"de",
		"screenshot_region":"us","screenshot_delay":7,"default_desktop":false,"default_mobile":false,"hide_consent":false,` +
		`"confirm_changes":false,"alarm_page_changes":true,"gate_rules":{"alert":"ask","not_sure":"ignore","script_errors":"roll_back",` +
		`"failed_resources":"ignore","missing_pages":"ask","must_be_fine":["Checkout","https://example.com/landing/*"]}}`, 200, `
		data : Group
		data.gate_rules = {"alert":"ask","not_sure":"ignore","script_errors":"roll_back","failed_resources":"ignore",` +
		`"missing_pages":"ask","must_be_fine":["checkout","example.com/landing/*"]}
		data.name = "All"
		data.monitoring = true
		data.hour_of_day = 5
		data.interval_in_h = 0.25
		data.schedule_type = "monthly"
		data.schedule_days = [1,30,"last"]
		data.quiet_hours_start = 22
		data.quiet_hours_end = 6
		data.triggers = [{"type":"post_save","scope":"url"}]
		data.alert_emails = "a@example.com,b@example.com"
		data.css = "a{}"
		data.js = "b()"
		data.cms = "wordpress"
		data.threshold = 0.5
		data.basic_auth_user = "u"
		data.has_basic_auth = true
		data.basic_auth_password absent
		data.proxy_type = "static"
		data.screenshot_region = "us"
		data.screenshot_delay = 7
		data.default_desktop = false
		data.default_mobile = false`},
	{"Endpoints / Groups: every field", `POST /groups`, `{"name":"All","monitoring":true,"enabled":true,"hour_of_day":5,"interval_in_h":0.5,
		"schedule_type":"weekly","schedule_days":[1,7],"quiet_hours_start":0,"quiet_hours_end":23,
		"triggers":[{"type":"post_save","scope":"url"}],"alert_emails":"a@example.com,b@example.com","css":"a{}","js":"b()",` +
		`"cms":"wordpress",
		"threshold":100,"measure":"plain","basic_auth_user":"u","basic_auth_password":"p","proxy_type":"residential","proxy_country":"de",
		"screenshot_region":"eu","screenshot_delay":60,"default_desktop":true,"default_mobile":true,"hide_consent":true,` +
		`"confirm_changes":true,"alarm_page_changes":false,"gate_rules":{"alert":"ask","not_sure":"ask","script_errors":"by_extent",` +
		`"failed_resources":"by_extent","missing_pages":"ignore","must_be_fine":[]}}`, 200, `
		data : Group
		data.gate_rules = {"alert":"ask","not_sure":"ask","script_errors":"by_extent","failed_resources":"by_extent",` +
		`"missing_pages":"ignore","must_be_fine":[]}
		data.schedule_days = [1,7]
		data.interval_in_h = 0.5
		data.alert_emails = "a@example.com,b@example.com"`},
	{"Endpoints / Groups: omitted", `PATCH /groups/{new}`, `{"name":"Renamed"}`, 200, `
		data.name = "Renamed"
		data.threshold = 0.5
		data.css = "a{}"
		data.has_basic_auth = true`},
	{"Group / basic_auth_password: cleared", `PUT /groups/{new}`, `{"basic_auth_password":""}`, 200, `data.has_basic_auth = false`},
	{"Group / triggers: scope", `PUT /groups/{new}`, `{"triggers":[{"type":"post_save"}]}`, 200,
		`data.triggers = [{"type":"post_save","scope":"url"}]`},
	{"Group / nullable fields", `PUT /groups/{new}`, `{"css":null,"js":null,"cms":null,"basic_auth_user":null,"proxy_country":null,
		"quiet_hours_start":null,"quiet_hours_end":null,"screenshot_delay":null,"schedule_type":"interval","schedule_days":null,` +
		`"sign_in_flow_id":null}`, 200, `
		data : Group
		data.css = null
		data.quiet_hours_start = null
		data.schedule_days = null`},

	{"Group / name", `POST /groups`, `{}`, 422, `errors.name = ["The name field is required."]`},
	{"Group / name", `POST /groups`, `{"name":"{255x}"}`, 200, ``},
	{"Group / name", `POST /groups`, `{"name":"{256x}"}`, 422, `errors.name = ["The name field must not be greater than 255 characters."]`},
	{"Group / sign_in_flow_id", `PUT /groups/{new}`, `{"sign_in_flow_id":"nonsense"}`, 422, `errors.sign_in_flow_id`},
	{"Group / hour_of_day", `PUT /groups/{new}`, `{"hour_of_day":0}`, 200, `data.hour_of_day = 0`},
	{"Group / hour_of_day", `PUT /groups/{new}`, `{"hour_of_day":23}`, 200, `data.hour_of_day = 23`},
	{"Group / hour_of_day", `PUT /groups/{new}`, `{"hour_of_day":24}`, 422, `errors.hour_of_day`},
	{"Group / hour_of_day", `PUT /groups/{new}`, `{"hour_of_day":-1}`, 422, `errors.hour_of_day`},
	{"Group / interval_in_h", `PUT /groups/{new}`, `{"interval_in_h":0.25}`, 200, `data.interval_in_h = 0.25`},
	{"Group / interval_in_h", `PUT /groups/{new}`, `{"interval_in_h":"0.5"}`, 200, `data.interval_in_h = 0.5`},
	{"Group / interval_in_h", `PUT /groups/{new}`, `{"interval_in_h":3}`, 200, `data.interval_in_h = 3`},
	{"Group / interval_in_h", `PUT /groups/{new}`, `{"interval_in_h":6}`, 200, `data.interval_in_h = 6`},
	{"Group / interval_in_h", `PUT /groups/{new}`, `{"interval_in_h":12}`, 200, `data.interval_in_h = 12`},
	{"Group / interval_in_h", `PUT /groups/{new}`, `{"interval_in_h":24}`, 200, `data.interval_in_h = 24`},
	{"Group / interval_in_h", `PUT /groups/{new}`, `{"interval_in_h":1}`, 422,
		`errors.interval_in_h = ["The selected interval in h is invalid."]`},
	{"Group / interval_in_h", `PUT /groups/{new}`, `{"interval_in_h":48}`, 422, `errors.interval_in_h`},
	{"Group / schedule_type", `PUT /groups/{new}`, `{"schedule_type":"off"}`, 200, `data.schedule_type = "off"`},
	{"Group / schedule_type", `PUT /groups/{new}`, `{"schedule_type":"daily"}`, 422,
		`errors.schedule_type = ["The selected schedule type is invalid."]`},
	{"Group / schedule_days: weekly", `PUT /groups/{new}`, `{"schedule_type":"weekly","schedule_days":[1,7]}`, 200,
		`data.schedule_days = [1,7]`},
	{"Group / schedule_days: weekly", `PUT /groups/{new}`, `{"schedule_type":"weekly","schedule_days":[0]}`, 422, `errors.schedule_days.0`},
	{"Group / schedule_days: weekly", `PUT /groups/{new}`, `{"schedule_type":"weekly","schedule_days":[8]}`, 422, `errors.schedule_days.0`},
	{"Group / schedule_days: weekly", `PUT /groups/{new}`, `{"schedule_type":"weekly","schedule_days":["last"]}`, 422,
		`errors.schedule_days.0`},
	{"Group / schedule_days: monthly", `PUT /groups/{new}`, `{"schedule_type":"monthly","schedule_days":[1,"30","last"]}`, 200,
		`data.schedule_days = [1,30,"last"]`},
	{"Group / schedule_days: monthly", `PUT /groups/{new}`, `{"schedule_type":"monthly","schedule_days":[31]}`, 422,
		`errors.schedule_days.0`},
	{"Group / quiet_hours_start", `PUT /groups/{new}`, `{"quiet_hours_start":-1}`, 422,
		`errors.quiet_hours_start = ["The quiet hours start field must be between 0 and 23."]`},
	{"Group / quiet_hours_start", `PUT /groups/{new}`, `{"quiet_hours_start":0}`, 200, `data.quiet_hours_start = 0`},
	{"Group / quiet_hours_start", `PUT /groups/{new}`, `{"quiet_hours_start":23}`, 200, `data.quiet_hours_start = 23`},
	{"Group / quiet_hours_start", `PUT /groups/{new}`, `{"quiet_hours_start":24}`, 422, `errors.quiet_hours_start`},
	{"Group / quiet_hours_end", `PUT /groups/{new}`, `{"quiet_hours_end":-1}`, 422, `errors.quiet_hours_end`},
	{"Group / quiet_hours_end", `PUT /groups/{new}`, `{"quiet_hours_end":0}`, 200, `data.quiet_hours_end = 0`},
	{"Group / quiet_hours_end", `PUT /groups/{new}`, `{"quiet_hours_end":23}`, 200, `data.quiet_hours_end = 23`},
	{"Group / quiet_hours_end", `PUT /groups/{new}`, `{"quiet_hours_end":24}`, 422, `errors.quiet_hours_end`},
	{"Group / quiet_hours", `PUT /groups/{new}`, `{"quiet_hours_end":1.5}`, 422,
		`errors.quiet_hours_end = ["The quiet hours end field must be an integer."]`},
	{"Group / constraints: screenshot_delay", `PUT /groups/{new}`, `{"screenshot_delay":6}`, 422,
		`errors.screenshot_delay = ["The screenshot delay field must be between 7 and 60."]`},
	{"Group / constraints: screenshot_delay", `PUT /groups/{new}`, `{"screenshot_delay":7}`, 200, `data.screenshot_delay = 7`},
	{"Group / constraints: screenshot_delay", `PUT /groups/{new}`, `{"screenshot_delay":60}`, 200, `data.screenshot_delay = 60`},
	{"Group / constraints: screenshot_delay", `PUT /groups/{new}`, `{"screenshot_delay":61}`, 422, `errors.screenshot_delay`},
	{"Group / constraints: triggers", `PUT /groups/{new}`, `{"triggers":[{"type":"post_delete"}]}`, 422, `errors.triggers.0.type`},
	{"Group / constraints: triggers", `PUT /groups/{new}`, `{"triggers":[{"type":"post_save","scope":"all"}]}`, 422,
		`errors.triggers.0.scope`},
	{"Group / alert_emails", `PUT /groups/{new}`, `{"alert_emails":["nobody"]}`, 422, `errors.alert_emails.0`},
	{"Group / cms", `PUT /groups/{new}`, `{"cms":"other"}`, 422, `errors.cms = ["The selected cms is invalid."]`},
	{"Group / threshold", `PUT /groups/{new}`, `{"threshold":0}`, 200, `data.threshold = 0`},
	{"Group / threshold", `PUT /groups/{new}`, `{"threshold":100}`, 200, `data.threshold = 100`},
	{"Group / threshold", `PUT /groups/{new}`, `{"threshold":100.1}`, 422, `errors.threshold`},
	{"Group / threshold", `PUT /groups/{new}`, `{"threshold":-0.1}`, 422, `errors.threshold`},
	{"Group / proxy_type", `PUT /groups/{new}`, `{"proxy_type":"none"}`, 200, `data.proxy_type = "none"`},
	{"Group / proxy_type", `PUT /groups/{new}`, `{"proxy_type":"residential"}`, 200, `data.proxy_type = "residential"`},
	{"Group / proxy_type", `PUT /groups/{new}`, `{"proxy_type":"other"}`, 422, `errors.proxy_type`},
	{"Group / proxy_country", `PUT /groups/{new}`, `{"proxy_country":"deu"}`, 422, `errors.proxy_country`},
	{"Group / proxy_country", `PUT /groups/{new}`, `{"proxy_country":"d"}`, 422, `errors.proxy_country`},
	{"Group / screenshot_region", `PUT /groups/{new}`, `{"screenshot_region":"eu"}`, 200, `data.screenshot_region = "eu"`},
	{"Group / screenshot_region", `PUT /groups/{new}`, `{"screenshot_region":"auto"}`, 200, `data.screenshot_region = "auto"`},
	{"Group / screenshot_region", `PUT /groups/{new}`, `{"screenshot_region":"asia"}`, 422, `errors.screenshot_region`},
	{"Group / screenshot_region: mirrored", `PUT /groups/{group}`, `{"screenshot_region":"us"}`, 200, ``},
	{"Group / screenshot_region: mirrored", `GET /groups/{monitoring}`, ``, 200, `data.screenshot_region = "us"`},

	{"Endpoints / Groups", `GET /groups/{new}`, ``, 200, `data : Group`},
	{"Endpoints / Groups: ids", `GET /groups?ids[]={group}&ids[]={monitoring}`, ``, 200, `
		data : [Group]
		meta.total = 2`},
	{"Endpoints / Groups: monitoring", `GET /groups?ids={group},{monitoring}&monitoring=true&page=1&per_page=1`, ``, 200, `
		data.0.id = "{monitoring}"
		meta.total = 1`},
	{"Endpoints / Groups: monitoring", `GET /groups?ids[0]={group}&ids[1]={monitoring}&monitoring=0`, ``, 200, `
		data.0.id = "{group}"
		meta.total = 1`},
	{"Resources / newest first", `GET /groups?ids={group},{new}`, ``, 200, `data.0.id = "{new}"`},

	{"URL settings inside a Group", `POST /groups/{new}/add-urls`, `{"urls":[{"id":"{url}"}]}`, 200, `count = 1`},
	{"URL settings inside a Group: on by default", `GET /groups/{new}/urls?page=1&per_page=15`, ``, 200, `
		data : [URL inside a group]
		links : Links
		meta : Meta of URLs inside a group
		data.0.id = "{url}"
		data.0.desktop = true
		data.0.mobile = true
		data.0.css = null
		data.0.threshold = null
		data.0.group = "{new}"
		meta.selected_urls_count = 1
		meta.selected_checks_count = 2`},
	{"open 4 / add-urls: already there", `POST /groups/{new}/add-urls`,
		`{"urls":[{"id":"{url}","desktop":false,"mobile":1,"css":"a{}","js":"b()","threshold":5}]}`, 200, `count = 0`},
	{"open 4 / URL inside a group", `GET /groups/{new}/urls?url=owner.example.test/page/`, ``, 200, `
		data : [URL inside a group]
		data.0.desktop = false
		data.0.mobile = true
		data.0.css = "a{}"
		data.0.js = "b()"
		data.0.threshold = 5
		meta.selected_checks_count = 1`},
	{"Group / constraints: add-urls", `POST /groups/{new}/add-urls`, `{"urls":[{"id":"7"}]}`, 422,
		`errors.urls.0.id = ["The urls.0.id field must be a valid UUID."]`},
	{"Group / constraints: add-urls", `POST /groups/{new}/add-urls`, `{}`, 422, `errors.urls = ["The urls field is required."]`},
	{"Group / constraints: add-urls", `POST /groups/{new}/add-urls`, `{"urls":[{"desktop":true}]}`, 422, `errors.urls.0.id`},
	{"Endpoints / Groups: filters of URLs", `GET /groups/{new}/urls?url_ids={url}&search=page`, ``, 200, `meta.total = 1`},
	{"Endpoints / Groups: filters of URLs", `GET /groups/{group}/urls?type=types&category=pages as rich`, ``, 200, `
		data : [URL inside a group]
		meta.total = 1
		data.0.type = "types"
		data.0.category = "pages"`},
	{"Endpoints / Groups: filters of URLs", `GET /groups/{group}/urls?search=page as rich`, ``, 200, `data : [URL inside a group]`},
	{"Endpoints / Groups: filters of URLs", `GET /groups/{new}/urls?type=nothing`, ``, 200, `
		meta : Meta of URLs inside a group
		meta.total = 0
		meta.selected_urls_count = 1`},
	{"Endpoints / Groups: filters of URLs", `GET /groups/{new}/urls?category=nothing`, ``, 200, `meta.total = 0`},
	{"open 4 / URL inside a group: sorted", `GET /groups/{new}/urls?sorted=selected`, ``, 200, `meta.total = 1`},
	{"open 4 / URL inside a group", `PUT /groups/{new}/urls/{url}`, `{"desktop":1,"mobile":"0","css":"c{}","js":"d()","threshold":0}`, 200,
		`
		data : URL inside a group
		meta.selected_urls_count = 1
		data.threshold = 0`},
	{"open 4 / URL inside a group", `PATCH /groups/{new}/urls/{url}`, `{"css":null,"js":null,"threshold":null}`, 200, `data.css = null`},
	{"open 4 / URL inside a group: threshold", `PUT /groups/{new}/urls/{url}`, `{"threshold":101}`, 422, `errors.threshold`},
	{"open 4 / URLs inside a group", `PUT /groups/{new}/urls`,
		`{"urls":[{"id":"{url}","desktop":true,"mobile":true,"css":"a","js":"b","threshold":1},{"id":"{url}","mobile":false}]}`, 200,
		`message = "1 URLs in Group {new} changed"`},
	{"open 4 / URLs inside a group: later fields win", `GET /groups/{new}/urls`, ``, 200, `
		data.0.desktop = true
		data.0.mobile = false
		data.0.css = "a"`},
	{"open 4 / URLs inside a group", `PATCH /groups/{new}/urls`, `{"urls":[{"id":"{url}","mobile":true}]}`, 200, `message`},
	{"open 4 / select-all", `PUT /groups/{new}/urls/select-all`, `{"device":"mobile","enabled":false}`, 200, `
		selected_urls_count = 1
		selected_checks_count = 1`},
	{"open 4 / select-all", `PATCH /groups/{new}/urls/select-all`, `{"device":"desktop","enabled":"0"}`, 200, `
		selected_urls_count = 0
		selected_checks_count = 0`},
	{"open 4 / select-all", `PUT /groups/{new}/urls/select-all`, `{"device":"tablet","enabled":true}`, 422,
		`errors.device = ["The selected device is invalid."]`},
	{"Endpoints / Groups: remove-urls", `POST /groups/{new}/remove-urls`, `{"urls":["{url}"]}`, 200, `count = 1`},
	{"open 4 / remove-urls", `PUT /groups/{new}/remove-urls`, `{"urls":["{url}"]}`, 200, `count = 0`},
	{"open 4 / remove-urls", `PATCH /groups/{new}/remove-urls`, `{"urls":["{url}"]}`, 200, `count = 0`},
	{"open 4 / remove-urls", `POST /groups/{new}/remove-urls`, `{"urls":["x"]}`, 422, `errors.urls.0`},
	{"Endpoints / Groups: delete", `DELETE /groups/{new}`, ``, 200, `message = "{new} deleted"`},
	{"Endpoints / Groups: delete", `GET /groups/{new}`, ``, 404, `message = "No query results for model [Group] {new}"`},
}
