package vcd

import (
	"errors"
	"strings"
	"testing"
)

// goodResults returns an update with every field at its limit.
func goodResults() *UpdateResults {
	text := func(n int) *string { s := strings.Repeat("ä", n); return &s }
	outcome := func() UpdateOutcome {
		return UpdateOutcome{FromVersion: text(50), ToVersion: text(50), Error: text(500), Messages: many(100, *text(300))}
	}
	item := func() PackageUpdate {
		return PackageUpdate{Slug: *text(255), Name: text(255), UpdateOutcome: outcome()}
	}
	r := &UpdateResults{
		Timestamp: 253_402_300_799, Summary: UpdateSummary{Status: UpdateCompleted},
		Updates: Updates{Core: &CoreUpdate{UpdateOutcome: outcome()}, Plugins: many(300, item()), Themes: many(300, item())},
	}
	return r
}

func many[T any](n int, one T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = one
	}
	return list
}

func TestUpdateResultsAtTheirLimitsAndBeyond(t *testing.T) {
	if err := goodResults().Validate(); err != nil {
		t.Fatalf("at the limits: %v", err)
	}
	if err := (&UpdateResults{Summary: UpdateSummary{Status: UpdateCompleted}}).Validate(); err != nil {
		t.Fatalf("an empty run: %v", err)
	}
	long := func(n int) *string { s := strings.Repeat("x", n); return &s }
	for path, break1 := range map[string]func(r *UpdateResults){
		"timestamp":                    func(r *UpdateResults) { r.Timestamp = -1 },
		"updates.core.fromVersion":     func(r *UpdateResults) { r.Updates.Core.FromVersion = long(51) },
		"updates.core.toVersion":       func(r *UpdateResults) { r.Updates.Core.ToVersion = long(51) },
		"updates.core.error":           func(r *UpdateResults) { r.Updates.Core.Error = long(501) },
		"updates.core.messages.0":      func(r *UpdateResults) { r.Updates.Core.Messages = []string{*long(301)} },
		"updates.plugins":              func(r *UpdateResults) { r.Updates.Plugins = many(301, r.Updates.Plugins[0]) },
		"updates.themes":               func(r *UpdateResults) { r.Updates.Themes = many(301, r.Updates.Themes[0]) },
		"updates.plugins.2.slug":       func(r *UpdateResults) { r.Updates.Plugins[2].Slug = *long(256) },
		"updates.plugins.0.slug":       func(r *UpdateResults) { r.Updates.Plugins[0].Slug = " " },
		"updates.plugins.1.name":       func(r *UpdateResults) { r.Updates.Plugins[1].Name = long(256) },
		"updates.themes.299.error":     func(r *UpdateResults) { r.Updates.Themes[299].Error = long(501) },
		"updates.themes.0.fromVersion": func(r *UpdateResults) { r.Updates.Themes[0].FromVersion = long(51) },
		"updates.themes.0.toVersion":   func(r *UpdateResults) { r.Updates.Themes[0].ToVersion = long(51) },
		"updates.themes.3.messages.0":  func(r *UpdateResults) { r.Updates.Themes[3].Messages = []string{"a\x00b"} },
		"summary.totalAttempted":       func(r *UpdateResults) { r.Summary.TotalAttempted = -1 },
		"summary.successful":           func(r *UpdateResults) { r.Summary.Successful = -1 },
		"summary.failed":               func(r *UpdateResults) { r.Summary.Failed = -1 },
		"summary.status":               func(r *UpdateResults) { r.Summary.Status = "perhaps" },
	} {
		r := goodResults()
		break1(r)
		var refused *Error
		if err := r.Validate(); !errors.As(err, &refused) || len(refused.Fields) != 1 || refused.Fields[0].Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
}
