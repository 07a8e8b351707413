package rest

// specifiedURLs is the section of URLs.
var specifiedURLs = []specRow{
	{"open 4 / URL", `POST /urls`, `{"url":"https://New.example.test:443/a","html_title":"T"}`, 200, `
		data : URL
		data.url = "new.example.test/a"
		data.html_title = "T"
		data.last_crawled_at = null
		data.type = null
		data.category = null
		data.website = null
		data.groups = []
		data.status_code = null
		data.error_count = 0
		data.id -> newurl`},
	{"open 4 / URL: get or create", `POST /urls`, `{"url":"http://new.example.test/a"}`, 200, `data.id = "{newurl}"`},
	{"open 4 / URL: port", `POST /urls`, `{"url":"new.example.test:8080/a?b=c"}`, 200, `data.url = "new.example.test:8080/a?b=c"`},
	{"open 4 / URL: required", `POST /urls`, `{}`, 422, `errors.url = ["The url field is required."]`},
	{"open 4 / URL: no address", `POST /urls`, `{"url":"ftp://new.example.test"}`, 422, `errors.url`},
	{"open 4 / URL: length", `POST /urls`, `{"url":"new.example.test/{2031x}"}`, 200, ``},
	{"open 4 / URL: length", `POST /urls`, `{"url":"new.example.test/{2031x}y"}`, 422,
		`errors.url = ["The url field must not be greater than 2048 characters."]`},
	{"open 4 / URL: title", `POST /urls`, `{"url":"new.example.test/b","html_title":"{255x}"}`, 200, ``},
	{"open 4 / URL: title", `POST /urls`, `{"url":"new.example.test/c","html_title":"{256x}"}`, 422, `errors.html_title`},
	{"open 4 / URL: captured", `GET /urls/{url}`, ``, 200, `
		data : URL
		data.html_title = "A title"
		data.status_code = 200
		data.website = "{website}"`},
	{"open 4 / URL: filters", `GET /urls?groups={group}&search=page&page=1&per_page=5`, ``, 200, `
		data : [URL]
		links : Links
		meta : Meta
		meta.total = 1
		data.0.id = "{url}"`},
	{"open 4 / URL: type, category", `GET /urls?search=collected as rich`, ``, 200, `
		data : [URL]
		data.0.type = "types"
		data.0.category = "pages"`},
	{"open 4 / URL: filters", `GET /urls?website={website}`, ``, 200, `data.0.id = "{url}"`},
	{"open 4 / URL", `PUT /urls/{newurl}`, `{"url":"new.example.test/d","html_title":"U"}`, 200, `
		data : URL
		data.id = "{newurl}"
		data.url = "new.example.test/d"
		data.html_title = "U"`},
	{"open 4 / URL", `PATCH /urls/{newurl}`, `{"html_title":"V"}`, 200, `
		data.url = "new.example.test/d"
		data.html_title = "V"`},
	{"open 4 / URL", `DELETE /urls/{newurl}`, ``, 200, `message = "URL deleted"`},
	{"open 4 / URL", `GET /urls/{newurl}`, ``, 404, `message = "No query results for model [Url] {newurl}"`},
	{"open 4 / sitemap", `POST /urls/add-from-sitemap`, `{"domain":"owner.example.test"}`, 200, `message = "Sitemap parsing started."`},
	{"open 4 / sitemap", `POST /urls/add-from-sitemap`, `{}`, 422, `errors.domain = ["The domain field is required."]`},
}

// knownAllowances are those that every website has.
const knownAllowances = `"monitoring_checks_view":true,"monitoring_checks_settings":true,"monitoring_checks_urls":true,` +
	`"manual_checks_view":true,"manual_checks_settings":true,"manual_checks_urls":true,"manual_checks_start":true,` +
	`"change_detections_view":true,"ai_rules_view":true,"dashboard_view":true,"settings_view":true,` +
	`"settings_account_settings":true,"logs_view":true,"wizard_start":true,"upgrade_account":false,"only_frontpage":false`

// specifiedWebsites are the sections of websites and of their synchronisation.
var specifiedWebsites = []specRow{
	{"open 4 / Website", `POST /websites`,
		`{"domain":"https://Site.example.test:8080/blog","manual_detection_group_id":"{spare}","auto_detection_group_id":"{spare2}",
		"sync_url_types":[{"url_type_slug":"types","url_type_name":"Types","post_type_slug":"pages","post_type_name":"Pages"}],
		"auto_update_settings":{"auto_update_checks_enabled":"1","auto_update_checks_from":"22:00","auto_update_checks_to":"06:30",
		"auto_update_checks_monday":true,"auto_update_checks_tuesday":0,"auto_update_checks_wednesday":"true",` +
			`"auto_update_checks_thursday":"0",
		"auto_update_checks_friday":1,"auto_update_checks_saturday":false,"auto_update_checks_sunday":false,
		"auto_update_checks_emails":"a@example.com,b@example.com"},"allowances":{"can_add":"1","can_remove":false}}`, 200, `
		data : Website
		data.managed_by = null
		data.allowances = {"can_add":true,"can_remove":false,` + knownAllowances + `}
		data.domain = "site.example.test:8080/blog"
		data.manual_detection_group = "{spare}"
		data.auto_detection_group = "{spare2}"
		data.sync_url_types = [{"url_type_slug":"types","url_type_name":"Types","post_type_slug":"pages","post_type_name":"Pages"}]
		data.auto_update_settings.auto_update_checks_enabled = true
		data.auto_update_settings.auto_update_checks_from = "22:00"
		data.auto_update_settings.auto_update_checks_to = "06:30"
		data.auto_update_settings.auto_update_checks_monday = true
		data.auto_update_settings.auto_update_checks_tuesday = false
		data.auto_update_settings.auto_update_checks_emails = "a@example.com,b@example.com"
		data.id -> newsite`},
	{"open 4 / Website: one per domain", `POST /websites`,
		`{"domain":"site.example.test:8080/blog","manual_detection_group_id":"{spare3}","auto_detection_group_id":"{spare4}"}`, 422,
		`errors.domain`},
	{"open 6 / Website: managed", `POST /websites`, `{"domain":"site.example.test:8080/blog","managed_by":"mainwp",` +
		`"manual_detection_group_id":"{spare3}","auto_detection_group_id":"{spare4}"}`, 200, `
		data : Website
		data.managed_by = "mainwp"
		data.allowances = {` + knownAllowances + `}
		data.id -> managedsite`},
	{"open 6 / Website: managed", `POST /websites`, `{"domain":"m.test","managed_by":"{101x}",` +
		`"manual_detection_group_id":"{spare3}","auto_detection_group_id":"{spare4}"}`, 422, `errors.managed_by`},
	{"open 6 / Website: managed", `GET /websites?domain=site.example.test:8080/blog`, ``, 200, `meta.total = 2`},
	{"open 6 / Website: managed", `GET /websites?managed_by=mainwp`, ``, 200, `
		data : [Website]
		data.0.id = "{managedsite}"
		meta.total = 1`},
	{"open 6 / Website: managed", `GET /websites?managed_by=other`, ``, 200, `meta.total = 0`},
	{"open 6 / Website: managed", `GET /websites?managed_by=mainwp as rich`, ``, 200, `meta.total = 0`},
	{"open 6 / Website: plug-in", `GET /websites?domain=site.example.test:8080/blog with x-wcd-plugin: 1`, ``, 200, `
		data.0.id = "{newsite}"
		meta.total = 1`},
	{"open 6 / Website: plug-in", `GET /websites?managed_by=mainwp with x-wcd-plugin: 1`, ``, 200, `meta.total = 0`},
	{"open 6 / Website: plug-in", `GET /websites?ids={managedsite} with x-wcd-plugin: 1`, ``, 200, `meta.total = 0`},
	{"open 6 / Website: plug-in", `GET /websites/{newsite} with x-wcd-plugin: 1`, ``, 200, `data : Website`},
	{"open 6 / Website: plug-in", `GET /websites/{managedsite} with x-wcd-plugin: 1`, ``, 404, `
		message = "No query results for model [Website] {managedsite}"`},
	{"open 6 / Website: plug-in", `PUT /websites/{managedsite} with x-wcd-plugin: 1`, `{"allowances":{}}`, 404, `message`},
	{"open 6 / Website: plug-in", `DELETE /websites/{managedsite} with x-wcd-plugin: 1`, ``, 404, `message`},
	{"open 6 / Website: the header alone says so", `GET /websites/{managedsite}?unmanaged=1`, ``, 200, `data.managed_by = "mainwp"`},
	{"open 6 / Website: never changed", `PUT /websites/{managedsite}`, `{"managed_by":"other","allowances":{"only_frontpage":1}}`, 200, `
		data.managed_by = "mainwp"
		data.allowances.only_frontpage = true
		data.allowances.logs_view = true`},
	{"open 6 / Website: never empty", `PUT /websites/{managedsite}`, `{"allowances":null}`, 200, `
		data.allowances = {` + knownAllowances + `}`},
	{"open 6 / Website: managed", `GET /websites/{managedsite} as rich`, ``, 404, `message`},
	{"open 6 / Website: managed", `DELETE /websites/{managedsite}`, ``, 200, `data : Website`},
	{"open 4 / Website: required", `POST /websites`, `{}`, 422, `
		errors.domain = ["The domain field is required."]
		errors.manual_detection_group_id = ["The manual detection group id field is required."]
		errors.auto_detection_group_id = ["The auto detection group id field is required."]`},
	{"open 4 / Website: ids", `POST /websites`, `{"domain":"a.test","manual_detection_group_id":"x","auto_detection_group_id":"{spare4}"}`,
		422,
		`errors.manual_detection_group_id = ["The manual detection group id field must be a valid UUID."]`},
	{"ours / suggested pages", `GET /websites/{website}/suggested-pages?count=5`, ``, 200, `data : [SuggestedPage]`},
	{"ours / suggested pages: count", `GET /websites/{website}/suggested-pages?count=101`, ``, 422, `
		errors.count = ["The count field must be between 1 and 100."]`},
	{"open 4 / Website: never set", `GET /websites/{website}`, ``, 200, `
		data : Website
		data.auto_update_settings = null`},
	{"open 4 / Website: filters", `GET /websites?domain=site.example.test:8080/blog&page=1&per_page=5`, ``, 200, `
		data : [Website]
		links : Links
		meta : Meta
		data.0.id = "{newsite}"
		meta.total = 1`},
	{"open 4 / Website: filters", `GET /websites?ids={newsite}`, ``, 200, `meta.total = 1`},
	{"open 4 / Website", `PUT /websites/{newsite}`, `{"domain":"other.example.test","manual_detection_group_id":"{spare3}",` +
		`"auto_detection_group_id":"{spare4}",
		"sync_url_types":[{"url_type_slug":"a","url_type_name":"b","post_type_slug":"c","post_type_name":"d"}],` +
		`"allowances":{"can_add":true},
		"auto_update_settings":{"auto_update_checks_enabled":false,"auto_update_checks_from":"00:00","auto_update_checks_to":"23:59",
		"auto_update_checks_monday":0,"auto_update_checks_tuesday":1,"auto_update_checks_wednesday":0,"auto_update_checks_thursday":1,
		"auto_update_checks_friday":0,"auto_update_checks_saturday":1,"auto_update_checks_sunday":1,` +
		`"auto_update_checks_emails":["c@example.com"]}}`, 200, `
		data : Website
		data.domain = "other.example.test"
		data.manual_detection_group = "{spare3}"
		data.auto_update_settings.auto_update_checks_emails = "c@example.com"`},
	{"open 4 / Website: times", `PATCH /websites/{newsite}`, `{"auto_update_settings":{"auto_update_checks_from":"24:00"}}`, 422,
		`errors.auto_update_settings.auto_update_checks_from`},
	{"open 4 / Website", `PATCH /websites/{newsite}`, `{"allowances":{"can_add":0}}`, 200, `data : Website`},
	{"open 4 / Website: its group is deleted", `DELETE /groups/{spare3}`, ``, 200, `message`},
	{"open 4 / Website: its group is deleted", `DELETE /groups/{spare4}`, ``, 200, `message`},
	{"open 4 / Website", `DELETE /websites/{newsite}`, ``, 200, `
		data : Website
		data.manual_detection_group = null`},
	{"open 4 / Website", `GET /websites/{newsite}`, ``, 404, `message`},

	{"open 4 / Sync", `POST /sync-urls`, `{"domain":"owner.example.test","collection_uuid":"0190a1b2-aaaa-7000-8000-000000000001",
		"urls":{"types%%pages":[{"url":"owner.example.test/page","html_title":"Page"},{"url":"owner.example.test/old","html_title":"Old",` +
		`"new_url":"owner.example.test/new"}]}}`,
		201, `data`},
	{"open 4 / Sync: no website", `POST /sync-urls`, `{"domain":"elsewhere.example.test",` +
		`"collection_uuid":"0190a1b2-aaaa-7000-8000-000000000002",
		"urls":{"types%%pages":[{"url":"elsewhere.example.test/page"}]}}`, 422, `errors.domain`},
	{"open 4 / Sync: required", `POST /sync-urls`, `{}`, 422, `
		errors.domain = ["The domain field is required."]
		errors.urls = ["The urls field is required."]`},
	{"open 4 / Sync", `POST /start-sync`,
		`{"collection_uuid":"0190a1b2-aaaa-7000-8000-000000000001","delete_missing_urls":"1","domain":"owner.example.test"}`, 200, `data`},
	{"open 5 / imports", `GET /imports?page=1&per_page=1`, ``, 200, `
		data : [Import]
		data.0.kind = "sync"`},
	{"open 5 / imports", `GET /imports/0190a1b2-aaaa-7000-8000-000000000001`, ``, 200, `
		data : Import
		data.state = "started"
		data.finished_at = null`},
	{"open 5 / imports", `GET /imports as rich`, ``, 200, `data : [Import]`},
	{"open 6 / Sync: nothing gathered", `POST /start-sync`, `{"domain":"owner.example.test"}`, 422, `
		errors.collection_uuid = ["No URLs were uploaded without a collection uuid."]`},
	{"open 6 / Sync: headers", `POST /sync-urls with x-wcd-domain: owner.example.test`, `{"urls":{"types%%Page":[` +
		`{"url":"owner.example.test/?p=3"},{"url":"owner.example.test/gathered"}]}}`, 201, `
		data.collection_uuid -> gathered
		data.domain = "owner.example.test"
		data.managed_by = null
		data.urls_count = 2`},
	{"open 6 / Sync: gathered", `POST /sync-urls with x-wcd-domain: owner.example.test, x-wcd-plugin: 1, x-wcd-managed-by: other`,
		`{"urls":{"types%%Page":[{"url":"owner.example.test/?p=4"}]}}`, 201, `
		data.collection_uuid = "{gathered}"
		data.urls_count = 3`},
	{"open 6 / Sync: the field before the header", `POST /sync-urls with x-wcd-domain: owner.example.test`,
		`{"domain":"elsewhere.example.test","urls":{"types%%Page":[{"url":"owner.example.test/x"}]}}`, 422, `errors.domain`},
	{"open 6 / Sync: no such manager", `POST /sync-urls with x-wcd-managed-by: mainwp`, `{"domain":"owner.example.test",` +
		`"urls":{"types%%Page":[{"url":"owner.example.test/x"}]}}`, 422, `
		errors.domain = ["There is no website with this domain."]`},
	{"open 6 / Sync: managed", `POST /websites`, `{"domain":"owner.example.test","managed_by":"mainwp",` +
		`"manual_detection_group_id":"{spare}","auto_detection_group_id":"{spare2}"}`, 200, `data.id -> fleetsite`},
	{"open 6 / Sync: managed", `POST /sync-urls with x-wcd-domain: owner.example.test, x-wcd-managed-by: mainwp`,
		`{"urls":{"types%%Page":[{"url":"owner.example.test/fleet"}]}}`, 201, `
		data.managed_by = "mainwp"
		data.urls_count = 1
		data.collection_uuid -> fleet`},
	{"open 6 / Sync: managed", `POST /sync-urls`, `{"domain":"owner.example.test","managed_by":"mainwp",` +
		`"urls":{"types%%Page":[{"url":"owner.example.test/fleet2"}]}}`, 201, `data.collection_uuid = "{fleet}"`},
	{"open 6 / Sync: another account", `POST /start-sync as rich`, `{}`, 422, `errors.collection_uuid`},
	{"open 6 / Sync: started", `POST /start-sync with x-wcd-domain: owner.example.test`, `{"delete_missing_urls":0}`, 200, `
		data.collection_uuid = "{gathered}"
		data.state = "started"`},
	{"open 6 / Sync: started", `POST /start-sync with x-wcd-managed-by: mainwp`, ``, 200, `data.collection_uuid = "{fleet}"`},
	{"open 6 / Sync: imports", `GET /imports/{fleet}`, ``, 200, `
		data : Import
		data.managed_by = "mainwp"`},
	{"open 6 / Sync: started", `POST /start-sync`, `{"managed_by":"mainwp"}`, 422, `errors.collection_uuid`},
	{"open 6 / Sync: managed", `DELETE /websites/{fleetsite}`, ``, 200, `data : Website`},
	{"open 4 / Sync: unknown", `POST /start-sync`, `{"collection_uuid":"0190a1b2-aaaa-7000-8000-000000000009","delete_missing_urls":false}`,
		422,
		`errors.collection_uuid`},
}
