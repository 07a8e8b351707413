package vcd

import (
	"fmt"
)

// Limits of update results.
const (
	maxUpdateItems   = 300
	maxUpdateName    = 255
	maxUpdateVersion = 50
	maxUpdateError   = 500
	maxUpdateMessage = 300
	maxUpdateTime    = 253_402_300_799 // the end of the year 9999, in Unix seconds
)

// UpdateStatus is the outcome of an update of a site.
type UpdateStatus string

// The outcomes.
const (
	UpdateCompleted           UpdateStatus = "completed"
	UpdateCompletedWithErrors UpdateStatus = "completed_with_errors"
	UpdateFailed              UpdateStatus = "failed"
)

// UpdateResults are the results of updating a site's content management system, reported by its plugin for the batch that was
// created around the update.
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

// UpdateOutcome is the outcome of updating one component.
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

// UpdateSummary counts the outcomes of the update.
type UpdateSummary struct {
	TotalAttempted int          `json:"total_attempted"`
	Successful     int          `json:"successful"`
	Failed         int          `json:"failed"`
	Status         UpdateStatus `json:"status"`
}

// Validate checks the results against the limits of the specification.
func (r *UpdateResults) Validate() error {
	v := &Validation{}
	v.Check(r.Timestamp >= 0 && r.Timestamp <= maxUpdateTime, "timestamp", "between",
		fmt.Sprintf("The {field} field must be between 0 and %d.", maxUpdateTime))
	if core := r.Updates.Core; core != nil {
		core.validate(v, func(field string) string { return "updates.core." + field })
	}
	validatePackages(v, "updates.plugins", r.Updates.Plugins)
	validatePackages(v, "updates.themes", r.Updates.Themes)
	v.NotNegative("summary.totalAttempted", r.Summary.TotalAttempted)
	v.NotNegative("summary.successful", r.Summary.Successful)
	v.NotNegative("summary.failed", r.Summary.Failed)
	OneOf(v, "summary.status", r.Summary.Status, UpdateCompleted, UpdateCompletedWithErrors, UpdateFailed)
	return v.Err()
}

// Show leaves out of names and messages, which come from a site, what nobody would see.
func (r *UpdateResults) Show() {
	if core := r.Updates.Core; core != nil {
		core.show()
	}
	for _, list := range [][]PackageUpdate{r.Updates.Plugins, r.Updates.Themes} {
		for i := range list {
			list[i].Slug, list[i].Name = Shown(list[i].Slug), ShownOptional(list[i].Name)
			list[i].show()
		}
	}
}

func (o *UpdateOutcome) show() {
	o.FromVersion, o.ToVersion, o.Error = ShownOptional(o.FromVersion), ShownOptional(o.ToVersion), ShownOptional(o.Error)
	for i, message := range o.Messages {
		o.Messages[i] = ShownText(message)
	}
}

func validatePackages(v *Validation, list string, packages []PackageUpdate) {
	v.Check(len(packages) <= maxUpdateItems, list, "max", fmt.Sprintf("The {field} field must not have more than %d items.",
		maxUpdateItems))
	for i, p := range packages[:min(len(packages), maxUpdateItems)] {
		path := func(field string) string { return Indexed(list, i, field) }
		v.Required(path("slug"), p.Slug, maxUpdateName)
		v.OptionalText(path("name"), p.Name, maxUpdateName)
		p.validate(v, path)
	}
}

func (o *UpdateOutcome) validate(v *Validation, path func(field string) string) {
	v.OptionalText(path("fromVersion"), o.FromVersion, maxUpdateVersion)
	v.OptionalText(path("toVersion"), o.ToVersion, maxUpdateVersion)
	v.OptionalText(path("error"), o.Error, maxUpdateError)
	for i, message := range o.Messages { // as many as fit into a request
		v.Text(Indexed(path("messages"), i), message, maxUpdateMessage)
	}
}

// Traces are the changes of a page that hint at their cause: they link it to what was updated.
type Traces struct {
	Assets  []AssetChange `json:"assets,omitempty"`
	Regions []RegionMarks `json:"regions,omitempty"`
}

// AssetChange is a script or style whose address changed, or that was added or removed.
type AssetChange struct {
	Kind   string `json:"kind"`   // see page.Asset
	Before string `json:"before"` // empty when it was added
	After  string `json:"after"`  // empty when it was removed
}

// RegionMarks are the classes, ids and addresses, in lower case, that identify the elements of a changed region.
type RegionMarks struct {
	Region  int      `json:"region"`
	Marks   []string `json:"marks,omitempty"`   // classes, and ids with a # before them
	Sources []string `json:"sources,omitempty"` // addresses of the resources that the elements show
}

// TracedPage is a comparison with what hints at the cause of its changes.
type TracedPage struct {
	ComparisonID ID
	BatchID      ID
	Address      string
	Device       Device
	Changed      bool // above its threshold, or with a page-change alarm
	Traces       *Traces
	Console      []DifferentEntry // added entries
}
