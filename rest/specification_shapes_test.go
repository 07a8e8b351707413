package rest

const webhookEvents = "batch_finished|comparison_status_new|comparison_silenced|comparison_reviewed|queue_status_done|" +
	"queue_status_failed|run_missed|checks_low|wordpress_single_call|wordpress_cron|batch_decided|flow_failed"

// shapes are the resources as the specification has them (section "Resources and their fields"), and as the page that
// decides what it leaves open has the others (section 4, "open" below): each field with its shape, see walker.fits.
var shapes = map[string]string{
	"Account": `
		id uuid
		name_first string
		name_last string
		email string
		webhook_secret token
		is_subaccount boolean
		account_level integer
		can_manage_subaccounts boolean
		can_create_subaccounts boolean
		plan_label string?
		invitation_accepted boolean
		plan_features PlanFeatures
		checks_done integer
		checks_left integer
		checks_limit integer
		timezone string
		status active|paused|cancelled
		renewal_at timestamp
		plan string              // this and the three below: full accounts only
		plan_name string
		company string
		magic_login_secret string // open, section 6: empty without an address for plans`,
	"Subaccount's account": `
		id uuid
		name_first string
		name_last string
		email string
		webhook_secret token
		is_subaccount boolean
		account_level integer
		can_manage_subaccounts boolean
		can_create_subaccounts boolean
		plan_label string?
		invitation_accepted boolean
		plan_features PlanFeatures
		checks_done integer
		checks_left integer
		checks_limit integer
		timezone string
		status active|paused|cancelled
		renewal_at timestamp`,
	"PlanFeatures": `
		ai_verification boolean
		browser_console boolean
		interaction_flows boolean // open, section 6
		checks_done integer
		checks_left integer
		checks_limit integer`,
	"Reactivated": `
		id uuid
		name_first string
		name_last string
		email string
		status active
		renewal_at timestamp`,
	"Account stats": `
		estimated_monthly_checks integer
		monitoring MonitoringStats
		manual ManualStats
		auto_update AutoUpdateStats`,
	"MonitoringStats": `
		websites integer
		urls integer
		estimated_monthly_checks integer
		next_run_at unix?
		next_runs [NextRun]
		trigger_websites integer`,
	"ManualStats": `
		websites integer
		urls integer
		checks_per_run integer`,
	"AutoUpdateStats": `
		websites_enabled integer
		missing_email integer
		active_weekdays [weekday]
		estimated_monthly_checks integer
		next_runs [NextRun]`,
	"NextRun": `
		name string
		domain string
		next_run_at unix`,
	"Batch": `
		id uuid
		name string
		source manual|monitoring|auto_update
		trigger_context TriggerContext?
		group_names [string]
		website_domains [string]
		sc_version string
		finished_at timestamp?
		ai_summary AiSummary?
		update_results UpdateResults?
		comparisons_count ComparisonsCount
		queues_count QueuesCount
		failed_flows [FailedFlow]         // ours
		browser_console_count BrowserConsoleCount`,
	"TriggerContext": `
		type post_save|manual_trigger
		first_triggered_at iso8601
		pages [TriggeredPage]
		scope? url|all
		editor? string`,
	"TriggeredPage": `
		url string
		triggered_at iso8601
		title? string
		post_id? integer
		editor? string`,
	"ComparisonsCount": `
		ok integer
		new integer
		false_positive integer
		to_fix integer
		above_threshold integer`,
	"QueuesCount":         `failed integer`,
	"BrowserConsoleCount": "added integer\nremoved integer\nmixed integer\nunchanged integer",
	"AiSummary": `
		summary string
		overall_status everything_ok|needs_attention
		processing_time_ms integer`,
	"UpdateResults": `
		timestamp unix
		updates Updates
		summary UpdateSummary`,
	"Updates": `
		core CoreUpdate?
		plugins [PackageUpdate]
		themes [PackageUpdate]`,
	"CoreUpdate": `
		attempted boolean
		success boolean
		from_version string?
		to_version string?
		error string?
		messages [string]`,
	"PackageUpdate": `
		slug string
		name string?
		from_version string?
		to_version string?
		success boolean
		error string?
		messages [string]`,
	"UpdateSummary": `
		total_attempted integer
		successful integer
		failed integer
		status completed|completed_with_errors|failed`,
	"Comparison": `
		id uuid
		screenshot_1 uuid
		screenshot_2 uuid
		screenshot_1_created_at timestamp
		screenshot_1_updated_at timestamp
		screenshot_2_created_at timestamp
		screenshot_2_updated_at timestamp
		screenshot_1_link link
		screenshot_2_link link
		html_title string
		flow_name string?
		flow_checkpoint_label string?
		device desktop|mobile
		monitoring boolean
		group uuid
		group_name string
		queue uuid
		link link
		batch uuid
		batch_name string
		batch_source manual|monitoring|auto_update
		batch_trigger_type post_save|manual_trigger?
		difference_percent number
		threshold number
		status new|ok|false_positive|to_fix
		public_link link
		token token
		url string
		url_id uuid
		cms wordpress|
		browser_console_added [ConsoleDifference]?
		browser_console_removed [ConsoleDifference]?
		browser_console_change added|removed|mixed|unchanged?
		ai_regions [AiRegion]?
		ai_verification_status pending|verified|failed|skipped?
		ai_verification_result AiVerificationResult?
		unseen string?            // ours: what of the page was not seen
		created_at timestamp`,
	"ConsoleDifference": `
		text string
		source string
		severity string`,
	"AiRegion": `
		id integer
		bbox Bbox
		pixel_count integer`,
	"Bbox": "x integer\ny integer\nw integer\nh integer",
	"AiVerificationResult": `
		capture_issue after_blank|before_blank|both_blank?
		summary string
		processing_time_ms integer
		total_regions integer
		all_good integer
		not_sure integer
		alerts integer
		regions [AiRegionVerdict]?
		console_analysis ConsoleAnalysis?`,
	"AiRegionVerdict": `
		region_id integer
		category alert|not_sure|all_good
		description string
		confidence number
		reason string
		matched_feedback_rule uuid?`,
	"ConsoleAnalysis": "category alert|not_sure|all_good\ndescription string",
	"Group": `
		id uuid
		name string
		monitoring boolean
		enabled boolean
		hour_of_day integer
		interval_in_h number
		schedule_type interval|weekly|monthly|off
		schedule_days [day]?
		quiet_hours_start integer?
		quiet_hours_end integer?
		triggers [Trigger]
		alert_emails string
		css string?
		js string?
		cms wordpress|
		threshold number
		urls_count integer
		selected_urls_count integer
		basic_auth_user string?
		has_basic_auth boolean
		proxy_type none|static|residential
		proxy_country string
		screenshot_region us|eu|auto      // this and all below: open, section 4
		screenshot_delay integer?
		default_desktop boolean
		default_mobile boolean
		selected_checks_count integer
		estimated_monthly_checks integer
		gate_rules GateRules              // ours`,
	"GateRules": `
		alert roll_back|ask|ignore
		not_sure roll_back|ask|ignore
		script_errors roll_back|ask|ignore|by_extent
		failed_resources roll_back|ask|ignore|by_extent
		missing_pages roll_back|ask|ignore
		must_be_fine [string]`,
	"Trigger": "type post_save\nscope url",
	"URL": `
		id uuid
		html_title string
		url string
		last_crawled_at timestamp?
		type string?
		category string?
		website uuid?
		groups [uuid]
		status_code integer?
		error_count integer`,
	"URL inside a group": `
		id uuid
		html_title string
		url string
		type string?
		category string?
		last_crawled_at timestamp?
		desktop boolean
		mobile boolean
		css string?
		js string?
		threshold number?
		group uuid`,
	"AI Feedback Rule": `
		id uuid
		type visual|console
		scope url|group|website
		description string
		region_context RegionContext
		console_entry string?
		console_source string?
		is_active boolean
		last_matched_at timestamp?
		match_count integer
		url_id uuid
		group_id uuid
		group_name string
		website_id uuid?
		website_name string?
		created_at timestamp
		updated_at timestamp`,
	"RegionContext": "bbox? Bbox\npage_url string",
	"Screenshot": `
		id uuid
		queue uuid
		domain string
		url string
		link link
		device desktop|mobile
		sc_type pre|post|auto
		monitoring boolean
		browser_console [ConsoleEntry]
		complete boolean?         // ours: whether it shows all that a reader could scroll into view
		created_at timestamp
		updated_at timestamp`,
	"ConsoleEntry":    "text string\ntype string\nlocation ConsoleLocation",
	"ConsoleLocation": "url string",
	"Queue": `
		id uuid
		url uuid
		batch uuid
		group uuid
		device desktop|mobile
		status open|processing|done|failed
		error_msg string?
		notice string?            // ours: what an open entry waits for
		sc_type pre|post|auto|compare
		css string?
		js string?
		monitoring boolean
		confirmation boolean      // open, section 5
		url_link link             // open, section 6
		html_title string
		image_link link?
		created_at timestamp
		updated_at timestamp`,
	"Gate": `
		decision keep|roll_back|ask|not_yet
		reasons [GateReason]
		culprit GateCulprit?
		comparisons [uuid]`,
	"GateReason": `
		kind running|cancelled|expired|before|lost|replaced|blank|missing|to_fix|damaged|hidden|error_text|host|theme|language|` +
		`style_sheet|script|mixed_content|script_error|unclear|changed|not_seen|unpaired|more
		decision keep|roll_back|ask|not_yet
		sentence string
		names [string]
		cause string
		pages integer
		comparisons [uuid]
		folded [GateFolded]`,
	"GateFolded": `
		kind damaged|script_error|unclear|changed
		decision roll_back|ask
		sentence string
		names [string]
		cause string
		pages integer
		comparisons [uuid]`,
	"GateCulprit": "kind core|plugin|theme\nslug string\nname string\nfrom_version string?\nto_version string?",
	"StatusCounts": `
		open integer
		processing integer
		done integer
		failed integer
		by_type CountsByType`,
	"CountsByType": "pre FourCounts\npost FourCounts\nauto FourCounts\ncompare FourCounts\ncomparison FourCounts",
	"BatchCounts":  "open integer\nprocessing integer\ndone integer\nfailed integer\nby_type TypesOfBatch",
	"TypesOfBatch": "pre FourCounts\npost FourCounts\nauto FourCounts\ncompare FourCounts",
	"FourCounts":   "open integer\nprocessing integer\ndone integer\nfailed integer",
	"Webhook": `
		id uuid
		event ` + webhookEvents + `
		url link
		expires_at timestamp?
		disabled_at timestamp?    // open, section 5
		last_status integer?`,
	"Delivery": `                     // open, section 5
		id uuid
		webhook uuid
		event ping|batch_finished
		event_number integer?
		state pending|delivered|failed
		problem string?
		attempt_count integer
		next_attempt_at timestamp?
		attempts [DeliveryAttempt]
		created_at timestamp
		updated_at timestamp`,
	"DeliveryAttempt": "number integer\nat timestamp\nmilliseconds integer\nstatus integer?\nproblem string?",
	"Import": `
		id uuid
		kind sitemap|sync
		domain string
		managed_by string?
		state collecting|started|done|failed
		delete_missing_urls boolean
		urls_count integer
		added_count integer
		renamed_count integer
		removed_count integer
		problems [string]
		created_at timestamp
		updated_at timestamp
		finished_at timestamp?`,
	"Subaccount": `
		id uuid
		name_first string
		name_last string
		email string
		checks_done integer
		checks_left integer
		checks_limit integer
		timezone string
		is_subaccount boolean`,
	"New subaccount": `
		id uuid
		name_first string
		name_last string
		email string
		checks_done integer
		checks_left integer
		checks_limit integer
		timezone string
		is_subaccount boolean
		api_token token`,
	"SuggestedPage": "url URL\nreason front|checkout|cart|shop|account|contact|product|category|newest|kind|another\nothers integer",
	"Website": `
		id uuid
		domain string
		managed_by string?
		manual_detection_group uuid?
		auto_detection_group uuid?
		sync_url_types [SyncURLType]
		auto_update_settings AutoUpdateSettings?
		allowances {} flag`,
	"SyncURLType": "url_type_slug string\nurl_type_name string\npost_type_slug string\npost_type_name string",
	"AutoUpdateSettings": `
		auto_update_checks_enabled boolean
		auto_update_checks_from clock
		auto_update_checks_to clock
		auto_update_checks_monday boolean
		auto_update_checks_tuesday boolean
		auto_update_checks_wednesday boolean
		auto_update_checks_thursday boolean
		auto_update_checks_friday boolean
		auto_update_checks_saturday boolean
		auto_update_checks_sunday boolean
		auto_update_checks_emails string`,
	"Links":               "first link\nlast link\nprev link?\nnext link?",
	"Meta":                metaShape,
	"Meta of comparisons": metaShape + "\nabove_threshold_count integer",
	"Meta of queues": metaShape + "\nstatus_counts StatusCounts\nstatus_counts_by_batch {} BatchCounts\n" +
		"total_unfiltered integer",
	"Meta of URLs inside a group": metaShape + "\nselected_urls_count integer\nselected_checks_count integer",
	"PageLink":                    "url link?\nlabel string\nactive boolean",
	"Taken": `
		batch uuid
		batch_id uuid
		amount_screenshots integer
		groups [uuid]
		meta TakenMeta`,
	"TakenMeta": "unpaired integer",
	"Taken by group": `
		batch uuid
		batch_id uuid
		batches {} uuid
		amount_screenshots integer
		groups [uuid]
		meta TakenMeta`,
}

const metaShape = `
		current_page integer
		from integer?
		last_page integer
		links [PageLink]
		path link
		per_page integer
		to integer?
		total integer`

// neverSeen are the fields that may be null and that no row shows with and without a value, and why.
var neverSeen = map[string]string{
	"Batch.ai_summary":                      "made by AI verification",
	"Delivery.event_number":                 "of events, which are relayed by the jobs",
	"Delivery.problem":                      "of attempts, which are made by the jobs",
	"Delivery.next_attempt_at":              "gone when a delivery has ended, after an attempt by the jobs",
	"Webhook.disabled_at":                   "set after attempts by the jobs",
	"Webhook.last_status":                   "set after attempts by the jobs",
	"AiVerificationResult.capture_issue":    "made by AI verification",
	"AiVerificationResult.regions":          "made by AI verification",
	"AiVerificationResult.console_analysis": "made by AI verification",
	"AI Feedback Rule.last_matched_at":      "made by AI verification",
}
