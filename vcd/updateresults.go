package vcd

import (
	"context"
	"fmt"
)

// Limits of update results.
const (
	maxUpdateItems    = 300
	maxUpdateName     = 255
	maxUpdateVersion  = 50
	maxUpdateError    = 500
	maxUpdateMessage  = 300
	maxUpdateMessages = 100
	maxUpdateTime     = 253_402_300_799 // the end of the year 9999, in Unix seconds
)

// UpdateStatus is how an update of a site ended.
type UpdateStatus string

// The ways in which it can end.
const (
	UpdateCompleted           UpdateStatus = "completed"
	UpdateCompletedWithErrors UpdateStatus = "completed_with_errors"
	UpdateFailed              UpdateStatus = "failed"
)

// UpdateResults are the results of updating a site's content management system, as its plugin reports them for the batch
// that was made around the update.
type UpdateResults struct {
	Timestamp int           `json:"timestamp"` // Unix seconds
	Updates   Updates       `json:"updates"`
	Summary   UpdateSummary `json:"summary"`
}

// Updates is what was updated.
type Updates struct {
	Core    *CoreUpdate     `json:"core"` // nil when the core was not updated
	Plugins []PackageUpdate `json:"plugins"`
	Themes  []PackageUpdate `json:"themes"`
}

// UpdateOutcome is how one thing was updated.
type UpdateOutcome struct {
	FromVersion *string  `json:"from_version"`
	ToVersion   *string  `json:"to_version"`
	Error       *string  `json:"error"`
	Messages    []string `json:"messages"`
}

// CoreUpdate is the update of the core.
type CoreUpdate struct {
	Attempted bool `json:"attempted"`
	Success   bool `json:"success"`
	UpdateOutcome
}

// PackageUpdate is the update of a plugin or a theme.
type PackageUpdate struct {
	Slug    string  `json:"slug"`
	Name    *string `json:"name"`
	Success bool    `json:"success"`
	UpdateOutcome
}

// UpdateSummary is the update in figures.
type UpdateSummary struct {
	TotalAttempted int          `json:"total_attempted"`
	Successful     int          `json:"successful"`
	Failed         int          `json:"failed"`
	Status         UpdateStatus `json:"status"`
}

func (r *UpdateResults) validate() error {
	v := &validation{}
	v.check(r.Timestamp >= 0 && r.Timestamp <= maxUpdateTime, "timestamp", "between",
		fmt.Sprintf("The {field} field must be between 0 and %d.", maxUpdateTime))
	if core := r.Updates.Core; core != nil {
		core.validate(v, func(field string) string { return "updates.core." + field })
	}
	validatePackages(v, "updates.plugins", r.Updates.Plugins)
	validatePackages(v, "updates.themes", r.Updates.Themes)
	v.notNegative("summary.totalAttempted", r.Summary.TotalAttempted)
	v.notNegative("summary.successful", r.Summary.Successful)
	v.notNegative("summary.failed", r.Summary.Failed)
	oneOf(v, "summary.status", r.Summary.Status, UpdateCompleted, UpdateCompletedWithErrors, UpdateFailed)
	return v.err()
}

func validatePackages(v *validation, list string, packages []PackageUpdate) {
	v.check(len(packages) <= maxUpdateItems, list, "max", fmt.Sprintf("The {field} field must not have more than %d items.", maxUpdateItems))
	for i, p := range packages[:min(len(packages), maxUpdateItems)] {
		path := func(field string) string { return indexed(list, i, field) }
		v.required(path("slug"), p.Slug, maxUpdateName)
		v.optionalText(path("name"), p.Name, maxUpdateName)
		p.validate(v, path)
	}
}

func (o *UpdateOutcome) validate(v *validation, path func(field string) string) {
	v.optionalText(path("fromVersion"), o.FromVersion, maxUpdateVersion)
	v.optionalText(path("toVersion"), o.ToVersion, maxUpdateVersion)
	v.optionalText(path("error"), o.Error, maxUpdateError)
	v.check(len(o.Messages) <= maxUpdateMessages, path("messages"), "max",
		fmt.Sprintf("The {field} field must not have more than %d items.", maxUpdateMessages))
	for i, message := range o.Messages[:min(len(o.Messages), maxUpdateMessages)] {
		v.text(indexed(path("messages"), i), message, maxUpdateMessage)
	}
}

// StoreUpdateResults keeps the results of the update around a batch, whatever state the batch is in and whatever started
// it. Each call replaces the whole of what was stored before, so it can be repeated safely.
func (s *Service) StoreUpdateResults(ctx context.Context, actor Actor, id ID, r UpdateResults) (*Batch, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Batch, error) {
		b, err := tx.LockBatch(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := tx.StoreUpdateResults(ctx, id, &r, s.Clock.Now()); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, s.batchEvent(EventBatchUpdated, SubjectBatch, id, b)); err != nil {
			return nil, err
		}
		if b.UpdateResults == nil {
			if err := s.reportUpdate(ctx, tx, b, &r); err != nil {
				return nil, err
			}
		}
		return tx.Batch(ctx, id)
	})
}

// reportUpdate tells, once, that the report on an automatic update can be made: its batch is finished and its results are
// stored. It is called under the batch's lock when either comes true, with the results as they are then.
func (s *Service) reportUpdate(ctx context.Context, tx Tx, b *Batch, results *UpdateResults) error {
	if b.Source != SourceAutoUpdate || b.FinishedAt == nil || results == nil {
		return nil
	}
	return tx.AppendEvents(ctx, s.batchEvent(EventUpdateReportDue, SubjectBatch, b.ID, b))
}
