package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"afterimage/internal/compare"
)

// codeQualityIssue is an entry of GitLab's code quality report, a subset of Code Climate's format. The location is a file for
// GitLab, relative to the repository: here it is the address of the page without its scheme.
type codeQualityIssue struct {
	Description string              `json:"description"`
	CheckName   string              `json:"check_name"`
	Fingerprint string              `json:"fingerprint"`
	Severity    string              `json:"severity"`
	Location    codeQualityLocation `json:"location"`
}

type codeQualityLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// writeCodeQuality writes gl-code-quality-report.json: each change that somebody has to look at, where it is gravest, and each page
// that could not be compared.
func (f *Folder) writeCodeQuality(r *compare.Result) error {
	issues := []codeQualityIssue{}
	add := func(p *compare.Pair, name, fingerprint, severity, description string) {
		issue := codeQualityIssue{Description: description, CheckName: "afterimage/" + name, Fingerprint: fingerprint, Severity: severity}
		_, issue.Location.Path, _ = strings.Cut(addressOf(r, p), "://")
		issue.Location.Lines.Begin = 1
		issues = append(issues, issue)
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		if !c.Matters() {
			continue
		}
		severity := "minor"
		if c.Outcome == compare.Alert {
			severity = "critical"
		}
		description := c.Description
		if len(c.Places) > 1 {
			description += fmt.Sprintf(" (%d places)", len(c.Places))
		}
		add(&r.Pairs[c.Places[0].Pair], string(c.Kind), c.Fingerprint, severity, description)
	}
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.Problem != "" {
			add(p, "failed", "failed "+compare.FileStem(p.Path, p.Device), "major", p.Problem)
		}
	}
	text, err := json.MarshalIndent(issues, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the code quality report: %w", err)
	}
	return f.write("gl-code-quality-report.json", append(text, '\n'))
}
