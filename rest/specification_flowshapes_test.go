package rest

import "maps"

// init adds the resources of flows to the others.
func init() { maps.Copy(shapes, flowShapes) }

// flowShapes are the resources of flows as the page that decides what the specification leaves open has them (section 6).
var flowShapes = map[string]string{
	"FailedFlow": `
		id uuid
		flow NamedFlow
		device desktop|mobile
		error string`,
	"NamedFlow": "id uuid\nname string",
	"Flow": `
		id uuid
		website_id uuid
		name string
		url string
		steps_count integer
		checkpoints_count integer
		asserts_count integer
		enabled_manual boolean
		enabled_monitoring boolean
		last_run LastFlowRun?`,
	"LastFlowRun": `
		id uuid                           // ours
		status processing|done|failed
		finished_at timestamp?
		created_at timestamp`,
	"Flow with steps": `
		id uuid
		website_id uuid
		name string
		url string
		steps_count integer
		checkpoints_count integer
		asserts_count integer
		enabled_manual boolean
		enabled_monitoring boolean
		last_run LastFlowRun?
		devices [string]                  // ours
		steps [FlowStep]`,
	"FlowStep": `
		id uuid
		type navigate|click|fill|select|check|press|hover|scroll|wait|wait_for_load|hide|checkpoint|assert
		label string?
		selector string?
		value string?
		sensitive boolean
		value_set boolean
		changes boolean                   // ours
		assertion FlowAssertion?`,
	"FlowAssertion": `
		kind text|address|count|value|visible
		operator equals|contains|matches|at_least|at_most
		expected string`,
	"FlowRun": `
		id uuid
		sc_type pre|post|auto
		device desktop|mobile
		status processing|done|failed
		error_msg string?                 // ours
		created_at timestamp
		finished_at timestamp?
		batch uuid
		has_comparisons boolean`,
	"Flow run with steps": `
		id uuid
		sc_type pre|post|auto
		device desktop|mobile
		status processing|done|failed
		error_msg string?
		created_at timestamp
		finished_at timestamp?
		batch uuid
		has_comparisons boolean
		picture_link string?              // ours
		flow FlowOfRun
		steps [FlowRunStep]`,
	"FlowOfRun": `
		id uuid
		name string
		url string
		website_id uuid`,
	"FlowRunStep": `
		id uuid
		type navigate|click|fill|select|check|press|hover|scroll|wait|wait_for_load|hide|checkpoint|assert
		label string?
		selector string?
		value string?
		sensitive boolean
		value_set boolean
		does string                       // ours
		status passed|failed|skipped?
		duration_ms number?
		error string?
		assertion FlowRunAssertion?
		checkpoint FlowRunCheckpoint?`,
	"FlowRunAssertion": `
		kind text|address|count|value|visible
		operator equals|contains|matches|at_least|at_most
		expected string
		passed boolean?
		actual string?`,
	"FlowRunCheckpoint": `
		screenshot FlowScreenshot?
		comparison FlowComparison?
		baseline boolean
		queue_status open|processing|done|failed
		error_msg string?`,
	"FlowScreenshot": "id uuid\nlink link",
	"FlowComparison": "id uuid\ndifference_percent number\ntoken token",
}
