package rest

// specifiedTransport is what holds for all endpoints.
var specifiedTransport = []specRow{
	{"Authentication / 1", `GET /account as nobody`, ``, 401, `message = "Unauthenticated."`},
	{"open 2 / 404", `GET /nothing`, ``, 404, `message = "The route /api/v2/nothing could not be found."`},
	{"open 2 / 404", `GET /groups/0190a1b2-ffff-7000-8000-00000000ffff`, ``, 404,
		`message = "No query results for model [Group] 0190a1b2-ffff-7000-8000-00000000ffff"`},
	{"open 2 / 405", `PATCH /groups`, ``, 405, `message`},
	{"open 2 / 400", `POST /groups`, `{"name":`, 400, `message`},
	{"open 2 / 403", `GET /account as cancelled`, ``, 403, `message = "This action is unauthorized."`},
	{"open 2 / 403", `GET /subaccounts as subaccount`, ``, 403, `message = "This action is unauthorized."`},
	{"open 2 / 422", `POST /groups`, `{"name":"a","screenshot_delay":6,"hour_of_day":24}`, 422, `
		message = "The hour of day field must be between 0 and 23. (and 1 more errors)"
		errors.screenshot_delay = ["The screenshot delay field must be between 7 and 60."]
		errors.hour_of_day = ["The hour of day field must be between 0 and 23."]`},
	{"open 1 / booleans", `POST /groups`, `{"name":"a","monitoring":"1","enabled":0,"default_desktop":"false","hour_of_day":"7"}`, 200, `
		data.monitoring = true
		data.enabled = false
		data.default_desktop = false
		data.hour_of_day = 7`},
	{"open 1 / booleans", `POST /groups`, `{"name":"a","monitoring":"yes"}`, 422,
		`errors.monitoring = ["The monitoring field must be true or false."]`},
	{"open 1 / empty string", `POST /groups`, `{"name":"a","css":"","screenshot_delay":""}`, 200, `
		data.css = null
		data.screenshot_delay = null`},
	{"open 1 / unknown fields", `POST /groups`, `{"name":"a","no_such_field":1}`, 200, `data.name = "a"`},
	{"open 1 / forms", `POST /groups`,
		`name=Form&monitoring=1&triggers[0][type]=post_save&alert_emails[]=a@example.com&alert_emails[]=b@example.com`, 200, `
		data.monitoring = true
		data.triggers = [{"type":"post_save","scope":"url"}]
		data.alert_emails = "a@example.com,b@example.com"
		data.id -> formgroup`},
	{"open 1 / forms", `POST /groups/{formgroup}/add-urls`, `urls[0][id]={url}&urls[0][mobile]=0`, 200, `count = 1`},
	{"open 1 / forms", `POST /screenshots/take`, `group_ids[0]={formgroup}&sc_type=pre`, 200, `amount_screenshots = 1`},
	{"open 1 / forms", `DELETE /groups/{formgroup}`, ``, 200, `message`},
	{"open 1 / filters", `GET /groups?ids=not-an-id&no_such_filter=1`, ``, 200, `
		data = []
		meta.from = null
		meta.to = null
		meta.total = 0
		meta.last_page = 1`},
	{"open 3 / envelope", `GET /groups?per_page=2`, ``, 200, `
		. has in order data links meta
		links has in order first last prev next
		meta has in order current_page from last_page links path per_page to total
		data : [Group]
		links : Links
		meta : Meta
		meta.current_page = 1
		meta.per_page = 2
		meta.from = 1
		meta.to = 2
		meta.path = "https://afterimage.test/api/v2/groups"
		meta.links.0 = {"url":null,"label":"&laquo; Previous","active":false}
		meta.links.1 = {"url":"https://afterimage.test/api/v2/groups?per_page=2&page=1","label":"1","active":true}
		links.prev = null
		links.next = "https://afterimage.test/api/v2/groups?per_page=2&page=2"`},
	{"open 3 / envelope", `GET /groups?per_page=2&page=2`, ``, 200, `
		links : Links
		meta : Meta
		meta.from = 3
		links.prev = "https://afterimage.test/api/v2/groups?per_page=2&page=1"`},
	{"open 3 / per_page", `GET /groups`, ``, 200, `meta.per_page = 15`},
	{"open 3 / per_page", `GET /groups?per_page=100`, ``, 200, `meta.per_page = 100`},
	{"open 3 / per_page", `GET /groups?per_page=101`, ``, 200, `meta.per_page = 100`},
	{"open 3 / per_page", `GET /groups?per_page=0`, ``, 200, `meta.per_page = 15`},
	{"open 3 / page beyond last", `GET /groups?page=1000`, ``, 200, `
		data = []
		meta : Meta
		links : Links
		meta.from = null
		meta.to = null
		meta.current_page = 1000`},
}

// specifiedAccounts are the sections of accounts, subaccounts and webhooks.
var specifiedAccounts = []specRow{
	{"Account", `GET /account`, ``, 200, `
		data : Account
		data.is_subaccount = false
		data.status = "active"`},
	{"open 6 / Account", `GET /account`, ``, 200, `
		data.magic_login_secret = ""
		data.plan_features.interaction_flows = true`},
	{"Account", `GET /account as rich`, ``, 200, `
		data : Account
		data.plan_features.ai_verification = true
		data.plan_features.browser_console = true`},
	{"Authentication / 4", `GET /account as subaccount`, ``, 200, `
		data : Subaccount's account
		data.is_subaccount = true
		data.can_create_subaccounts = false`},
	{"Authentication / 4", `GET /account as below`, ``, 200, `
		data : Subaccount's account
		data.plan_label = "Gold"`},
	{"Account / paused", `GET /account as paused`, ``, 200, `data.status = "paused"`},
	{"Endpoints / Account", `PUT /account`, `{"name_first":"A","name_last":"B","company":"C"}`, 200, `
		data : Account
		data.name_first = "A"
		data.name_last = "B"
		data.company = "C"`},
	{"Endpoints / Account: omitted", `PATCH /account`, `{"name_first":"D"}`, 200, `
		data.name_first = "D"
		data.name_last = "B"
		data.company = "C"`},
	{"Endpoints / Account: timezone", `PUT /account`, `{"timezone":"Europe/Paris"}`, 200, `data.timezone = "Europe/Paris"`},
	{"Endpoints / Account: timezone", `PUT /account`, `{"timezone":"Nowhere/Else"}`, 422, `errors.timezone`},
	{"Endpoints / Account: probes", `PATCH /account`, `{"noise_probes":false}`, 200, `data : Account`},
	{"Endpoints / Account: alarms", `PATCH /account`, `{"alarm_unseen":false}`, 200, `data : Account`},
	{"Endpoints / Account: limits", `PUT /account`, `{"name_first":"{255x}"}`, 200, ``},
	{"Endpoints / Account: limits", `PUT /account`, `{"name_first":"{256x}"}`, 422,
		`errors.name_first = ["The name first field must not be greater than 255 characters."]`},
	{"Account stats", `GET /account/stats`, ``, 200, `
		data : Account stats
		data.monitoring.trigger_websites = 1`},
	{"Account stats", `GET /account/stats as paused`, ``, 200, `
		data : Account stats
		data.monitoring.next_run_at = null`},
	{"Endpoints / Account: reactivate", `POST /account/reactivate as paused`, ``, 200, `
		data : Reactivated
		data.status = "active"`},
	{"States / reactivate: not the owner", `POST /account/reactivate as subaccount`, ``, 403, `message = "This action is unauthorized."`},
	{"States / reactivate: cancelled", `POST /account/reactivate as cancelled`, ``, 403, `message`},

	{"open 4 / Subaccount", `POST /subaccounts`, `{"name_first":"A","name_last":"B","email":"c@example.com","limit_checks":10}`, 200, `
		data : New subaccount
		data.checks_limit = 10
		data.checks_left = 10
		data.is_subaccount = true
		data.id -> newaccount`},
	{"open 4 / Subaccount: required", `POST /subaccounts`, `{}`, 422, `
		errors.name_first = ["The name first field is required."]
		errors.name_last = ["The name last field is required."]
		errors.email = ["The email field is required."]
		errors.limit_checks = ["The limit checks field is required."]`},
	{"open 4 / Subaccount: email", `POST /subaccounts`, `{"name_first":"A","name_last":"B","email":"c","limit_checks":10}`, 422,
		`errors.email`},
	{"open 4 / Subaccount: email", `POST /subaccounts`, `{"name_first":"A","name_last":"B","email":"c@example.com","limit_checks":10}`, 422,
		`errors.email`},
	{"open 4 / Subaccount: limit", `POST /subaccounts`, `{"name_first":"A","name_last":"B","email":"d@example.com","limit_checks":0}`, 200,
		``},
	{"open 4 / Subaccount: limit", `POST /subaccounts`, `{"name_first":"A","name_last":"B","email":"e@example.com","limit_checks":-1}`, 422,
		`errors.limit_checks`},
	{"open 4 / Subaccount", `GET /subaccounts?search=c@example&per_page=5&page=1`, ``, 200, `
		data : [Subaccount]
		data.0.id = "{newaccount}"
		data.0.api_token absent
		meta.total = 1`},
	{"open 4 / Subaccount", `GET /subaccounts/{newaccount}`, ``, 200, `data : Subaccount`},
	{"open 4 / Subaccount", `PUT /subaccounts/{newaccount}`, `{"name_first":"X","name_last":"Y","email":"f@example.com","limit_checks":5}`,
		200, `
		data : Subaccount
		data.email = "f@example.com"
		data.checks_limit = 5`},
	{"open 4 / Subaccount", `PATCH /subaccounts/{newaccount}`, `{"limit_checks":"6"}`, 200, `data.checks_limit = 6`},
	{"open 4 / Subaccount", `DELETE /subaccounts/{newaccount}`, ``, 200, `message = "Subaccount deleted"`},
	{"open 4 / Subaccount", `GET /subaccounts/{newaccount}`, ``, 404, `message`},
	{"open 4 / Subaccount: owns groups", `POST /groups as subaccount`, `{"name":"a"}`, 200, ``},
	{"open 4 / Subaccount: owns groups", `DELETE /subaccounts/{subaccount}`, ``, 409, `message`},

	{"open 4 / Webhook", `POST /webhooks`, `{"url":"https://hooks.example.test/a","event":"batch_finished"}`, 200, `
		data : Webhook
		data.expires_at = null`},
	{"Events", `POST /webhooks`,
		`{"url":"https://hooks.example.test/a","event":"comparison_status_new","expires_at":"2026-12-01 10:00:00"}`, 200, `
		data : Webhook
		data.expires_at = "2026-12-01 10:00:00"
		data.id -> newhook`},
	{"Events", `POST /webhooks`, `{"url":"https://hooks.example.test/a","event":"queue_status_done"}`, 200, ``},
	{"Events", `POST /webhooks`, `{"url":"https://hooks.example.test/a","event":"queue_status_failed","enabled":true}`, 200, ``},
	{"open 5 / Events", `POST /webhooks`, `{"url":"https://hooks.example.test/a","event":"comparison_silenced"}`, 200, `data : Webhook`},
	{"Events / no other", `POST /webhooks`, `{"url":"https://hooks.example.test/a","event":"queue_status_open"}`, 422,
		`errors.event = ["The selected event is invalid."]`},
	{"open 6 / Webhooks", `POST /webhooks`,
		`{"url":"https://hooks.example.test/wp-cron.php","event":"wordpress_single_call","expires_at":"2026-12-01 10:00:00"}`, 200, `
		data : Webhook
		data.event = "wordpress_single_call"
		data.expires_at = "2026-12-01 10:00:00"
		data.id -> callhook`},
	{"open 6 / Webhooks", `DELETE /webhooks/{callhook}`, ``, 200, `message = "{callhook} deleted"`},
	{"open 6 / Webhooks: required", `POST /webhooks`, `{"url":"https://hooks.example.test/a","event":"wordpress_cron"}`, 422,
		`errors.expires_at = ["The expires at field is required with the event wordpress_cron."]`},
	{"open 6 / Webhooks: two hours", `POST /webhooks`,
		`{"url":"https://hooks.example.test/a","event":"wordpress_cron","expires_at":"2026-12-04 10:00:00"}`, 422,
		`errors.expires_at = ["The expires at field must be at most 2 hours ahead with the event wordpress_cron."]`},
	{"open 6 / Webhooks: the past", `POST /webhooks`,
		`{"url":"https://hooks.example.test/a","event":"wordpress_cron","expires_at":"2001-01-01 10:00:00"}`, 422,
		`errors.expires_at = ["The expires at field must be a date in the future."]`},
	{"one event is shown", `POST /webhooks`, `{"url":"https://hooks.example.test/a","event":"run_missed",` +
		`"events":["checks_low","run_missed"],"group_ids":["{group}"],"website_ids":["{website}"]}`, 200, `
		data : Webhook
		data.event = "run_missed"
		data.id -> severalhook`},
	{"one event is shown", `PUT /webhooks/{severalhook}`,
		`{"events":["comparison_reviewed","checks_low"],"group_ids":[],"website_ids":[]}`, 200, `
		data : Webhook
		data.event = "comparison_reviewed"`},
	{"open 4 / Webhook: required", `POST /webhooks`, `{}`, 422, `
		errors.url = ["The url field is required."]
		errors.event = ["The event field is required."]`},
	{"open 4 / Webhook: date", `POST /webhooks`, `{"url":"https://hooks.example.test/a","event":"batch_finished","expires_at":"soon"}`, 422,
		`errors.expires_at = ["The expires at field must be a valid date."]`},
	{"open 4 / Webhook", `GET /webhooks?event=comparison_status_new&page=1&per_page=5`, ``, 200, `
		data : [Webhook]
		meta : Meta
		meta.total = 1
		data.0.id = "{newhook}"`},
	{"open 4 / Webhook", `GET /webhooks/{newhook}`, ``, 200, `data : Webhook`},
	{"open 4 / Webhook", `PUT /webhooks/{newhook}`,
		`{"url":"https://hooks.example.test/b","event":"batch_finished","expires_at":null,"enabled":1}`, 200, `
		data : Webhook
		data.event = "batch_finished"
		data.expires_at = null`},
	{"open 4 / Webhook", `PATCH /webhooks/{newhook}`, `{"event":"queue_status_done"}`, 200, `data.event = "queue_status_done"`},
	{"open 5 / Webhook: ping", `POST /webhooks/{newhook}/ping`, ``, 200, `
		data : Delivery
		data.event = "ping"
		data.event_number = null
		data.id -> ping`},
	{"open 5 / Webhook: deliveries", `GET /webhook-deliveries?webhook={newhook}&state=pending&event=ping&page=1&per_page=5`, ``, 200, `
		data : [Delivery]
		meta.total = 1`},
	{"open 5 / Webhook: deliveries", `GET /webhook-deliveries/{ping}`, ``, 200, `data.id = "{ping}"`},
	{"open 5 / Webhook: redeliver", `POST /webhook-deliveries/{ping}/redeliver`, ``, 200, `data : Delivery`},
	{"open 5 / Webhook: rotate", `POST /webhooks/rotate-secret`, `{"grace_hours":2}`, 200, `
		data.webhook_secret : token
		meta.previous_secret_until : timestamp`},
	{"open 5 / Webhook: absolute", `POST /webhooks`, `{"url":"hooks.example.test/a","event":"batch_finished"}`, 422, `errors.url`},
	{"open 4 / Webhook", `DELETE /webhooks/{newhook}`, ``, 200, `message = "{newhook} deleted"`},
}
