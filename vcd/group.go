package vcd

import (
	"time"

	"afterimage/vcd/schedule"
)

// PurposeBasicAuth is the purpose under which basic authentication passwords are sealed.
const PurposeBasicAuth = "group.basic_auth_password"

// Region is where a group's screenshots are taken.
type Region string

// The regions. Auto resolves to one of the others from the location of the domain.
const (
	RegionUS   Region = "us"
	RegionEU   Region = "eu"
	RegionAuto Region = "auto"
)

// ProxyType is the kind of upstream proxy a group's captures go through.
type ProxyType string

// The proxy types.
const (
	ProxyNone        ProxyType = "none"
	ProxyStatic      ProxyType = "static"
	ProxyResidential ProxyType = "residential"
)

// Trigger makes a monitoring group run when something happens on the site.
type Trigger struct {
	Type  string `json:"type"`  // "post_save"
	Scope string `json:"scope"` // "url"
}

// Group is a set of URLs with the settings they share.
type Group struct {
	ID, Account       ID
	Name              string
	Monitoring        bool
	Enabled           bool
	Schedule          schedule.Schedule
	Triggers          []Trigger
	AlertEmails       []string
	CSS, JS           *string
	CMS               *string
	Threshold         float64 // percent; a comparison counts as a change above it
	Measure           Measure // which difference is checked against it
	BasicAuthUser     *string
	SealedPassword    []byte // of basic authentication; nil when there is none
	ProxyType         ProxyType
	ProxyCountry      *string // two letters; nil means the screenshot region
	ScreenshotRegion  Region
	ScreenshotDelay   *int // seconds; nil dispatches immediately
	DefaultDesktop    bool
	DefaultMobile     bool
	HideConsent       bool       // accept or hide cookie banners and hide advertisements
	ConfirmChanges    bool       // in monitoring, capture again before a change counts
	AlarmPageChanges  bool       // page-change alarms count, see PageChange
	GateRules         *GateRules // for the verdict on updates; nil for DefaultGateRules
	SignInFlowID      *ID        // the flow that signs in before its pages are captured; nil for none
	NextRunAt         *time.Time // of its schedule; nil when it has none, see Scheduled
	MissedRun         *MissedRun // why its last due run did not take place; nil when it did
	CreatedAt         time.Time
	UpdatedAt         time.Time
	URLsCount         int // figures, filled in by reads
	SelectedURLsCount int // URLs with at least one device on
	SelectedChecks    int // enabled devices, over all URLs
	WebsiteID         *ID // that it belongs to; filled in by reads
}

// HasBasicAuth reports whether a password is stored.
func (g *Group) HasBasicAuth() bool { return len(g.SealedPassword) > 0 }

// Scheduled reports whether the group runs by itself: it monitors, is enabled, and its schedule is not off.
func (g *Group) Scheduled() bool { return g.Monitoring && g.Enabled && g.Schedule.Type != schedule.Off }

// Plan is the group's run plan in its account's time zone.
func (g *Group) Plan(zone *time.Location) schedule.Plan {
	return schedule.Plan{Schedule: g.Schedule, Zone: zone, Spread: schedule.SpreadOf(string(g.ID))}
}

// EstimatedMonthlyChecks is how many screenshots the group's schedule takes in thirty days.
func (g *Group) EstimatedMonthlyChecks() int {
	if !g.Scheduled() {
		return 0
	}
	return int(g.Schedule.RunsPerMonth() * float64(g.SelectedChecks))
}

// GroupFilter filters a list of groups; nil fields match everything.
type GroupFilter struct {
	Monitoring *bool
	Enabled    *bool
	MissedRun  *bool // whether its last due run could not take place
	IDs        *[]ID
	WebsiteIDs *[]ID
	Search     *string // part of the name
	Sort       Sort    // by GroupName or GroupNextRun
}

// What groups are sorted by.
const (
	GroupName    = "name"
	GroupNextRun = "next_run_at" // those without one are the latest
)

// ComparisonSettings say how the screenshots of a URL in a group are compared.
type ComparisonSettings struct {
	Measure          Measure
	Threshold        float64 // percent: the URL's own in the group, or else the group's
	ConfirmChanges   bool
	AlarmPageChanges bool
}

// PlanNext sets the next run after the given time, in the account's time zone.
func (g *Group) PlanNext(zone *time.Location, after time.Time) {
	g.NextRunAt = nil
	if next := schedule.Next(g.Plan(zone), after); !next.IsZero() {
		g.NextRunAt = &next
	}
}

// UnsettledRegion is a group whose region is auto.
type UnsettledRegion struct {
	Account, Group ID
	Address        string // of its oldest URL
}

// MissedRun is why a due run of a monitoring group did not take place.
type MissedRun string

// The reasons.
const (
	MissedChecks  MissedRun = "checks_exhausted"
	MissedTooMany MissedRun = "too_many_screenshots"
	MissedPaused  MissedRun = "account_paused"
	MissedStorage MissedRun = "storage_full"
)

// Selection is a URL in a group: which devices are captured, and the URL's overrides.
type Selection struct {
	GroupID, URLID  ID
	Desktop, Mobile bool
	CSS, JS         *string  // in addition to the group's
	Threshold       *float64 // overrides the group's
	URL             *URL     // filled in by reads
	FlowID          *ID      // of a checkpoint: its flow; filled in for runs
	// LastChangedAt is when the page last differed from before by more than its threshold, in this group; filled in by lists.
	LastChangedAt *time.Time
}

// Devices lists the enabled devices.
func (sel *Selection) Devices() []Device {
	var on []Device
	if sel.Desktop {
		on = append(on, Desktop)
	}
	if sel.Mobile {
		on = append(on, Mobile)
	}
	return on
}

// SelectionFilter filters a list of a group's URLs; nil fields match everything.
type SelectionFilter struct {
	GroupID        ID
	Type, Category *string
	Search         *string
	URLIDs         *[]ID
	Address        *string   // exact host and path, with or without a trailing slash
	Addresses      *[]string // any of these, each matched like Address
	ExceptURLIDs   *[]ID
	Tags           *[]string // with one of these
	Sort           Sort      // by one of the words below
}

// What the URLs of a group are sorted by.
const (
	SelectionSelected    = "selected" // whether any device is enabled
	SelectionAddress     = "address"
	SelectionTitle       = "title"
	SelectionLastCrawled = "last_crawled_at" // those never captured are the earliest
	SelectionLastChanged = "last_changed_at" // those that never changed are the earliest
	SelectionTag         = "tag"             // the first tag; those without any are the latest
)

// SelectionFigures counts over a whole group.
type SelectionFigures struct {
	SelectedURLs   int // with at least one enabled device
	SelectedChecks int // enabled devices
}
