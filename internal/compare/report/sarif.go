package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"afterimage/internal/compare"
)

// The parts of SARIF 2.1.0 (OASIS) that say what was found where. A result is a change, its locations are pages.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID          string    `json:"id"`
		Description sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifResult struct {
		Rule         string             `json:"ruleId"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"` // selector of the element
		Kind string `json:"kind"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarifLevels are the levels of outcomes.
var sarifLevels = map[compare.Outcome]string{compare.Harmless: "note", compare.Unsure: "warning", compare.Alert: "error"}

// maxSarifLocations is how many places of a change are listed.
const maxSarifLocations = 100

// writeSARIF writes report.sarif. Changes due to the hosts are in it as suppressed.
func (f *Folder) writeSARIF(r *compare.Result, made Run) error {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "Afterimage", Version: made.Version, Rules: sarifRules(r)}},
		Invocations: []sarifInvocation{{Successful: r.Count(compare.Failed) == 0, Notifications: []sarifNotification{}}},
		Results:     []sarifResult{},
	}
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.Problem != "" {
			run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{
				"error", sarifText{p.Problem}, []sarifLocation{locationOf(r, p, "")},
			})
		}
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		result := sarifResult{
			Rule: string(c.Kind), Level: sarifLevels[c.Outcome], Message: sarifText{strings.TrimSpace(c.Description + " " + c.Reason)},
			Fingerprints: map[string]string{"change/v1": cmp.Or(c.OfElement, c.Fingerprint), "change/v2": c.Fingerprint},
		}
		for _, place := range c.Places[:min(len(c.Places), maxSarifLocations)] {
			result.Locations = append(result.Locations, locationOf(r, &r.Pairs[place.Pair], c.Element))
		}
		if c.Host != "" {
			result.Suppressions = []sarifSuppression{{"external", c.Host}}
		}
		run.Results = append(run.Results, result)
	}
	text, err := json.MarshalIndent(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the SARIF report: %w", err)
	}
	return f.write("report.sarif", append(text, '\n'))
}

// sarifRules are the kinds of the changes.
func sarifRules(r *compare.Result) []sarifRule {
	kinds := make(map[string]bool)
	for i := range r.Changes {
		kinds[string(r.Changes[i].Kind)] = true
	}
	rules := []sarifRule{}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		rules = append(rules, sarifRule{kind, sarifText{strings.ReplaceAll(kind, "_", " ")}})
	}
	return rules
}

// locationOf is a page of the side after, with the element if there is one.
func locationOf(r *compare.Result, p *compare.Pair, element string) sarifLocation {
	location := sarifLocation{Physical: sarifPhysical{sarifArtifact{cmp.Or(p.After.Address, addressOf(r, p))}}}
	if element != "" {
		location.Logical = []sarifLogical{{element, "element"}}
	}
	return location
}

// addressOf is that of a page which was not captured. The run of a server has a name, and its pages have their hosts in the paths.
func addressOf(r *compare.Result, p *compare.Pair) string {
	if !strings.Contains(r.After, "://") {
		return "https://" + strings.ReplaceAll(p.Path, " ", "%20")
	}
	if !strings.HasPrefix(p.Path, "/") { // the checkpoint of a flow
		return r.After
	}
	return strings.TrimRight(r.After, "/") + p.Path
}
