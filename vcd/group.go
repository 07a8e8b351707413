package vcd

import (
	"context"
	"time"

	"afterimage/vcd/schedule"
)

// PurposeBasicAuth is what the passwords of basic authentication are sealed for.
const PurposeBasicAuth = "group.basic_auth_password"

// Region is where screenshots of a group are taken.
type Region string

// The regions. Auto resolves to one of the others by the location of the domain.
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
	Measure           Measure // which difference is held against it
	BasicAuthUser     *string
	SealedPassword    []byte // of basic authentication; nil when there is none
	ProxyType         ProxyType
	ProxyCountry      *string // two letters; nil means the screenshot region
	ScreenshotRegion  Region
	ScreenshotDelay   *int // seconds; nil dispatches at once
	DefaultDesktop    bool
	DefaultMobile     bool
	HideConsent       bool       // accept or hide cookie banners and hide advertisements
	ConfirmChanges    bool       // in monitoring, capture again before a change counts
	AlarmPageChanges  bool       // alarms beside the pixels count, see PageChange
	NextRunAt         *time.Time // of its schedule; nil when it has none, see Scheduled
	MissedRun         *MissedRun // why its last due run did not take place; nil when it did
	CreatedAt         time.Time
	UpdatedAt         time.Time
	URLsCount         int // figures, filled in by reads
	SelectedURLsCount int // URLs with at least one device on
	SelectedChecks    int // devices that are on, over all URLs
	WebsiteID         *ID // that it belongs to; filled in by reads
}

// HasBasicAuth tells whether a password is stored.
func (g *Group) HasBasicAuth() bool { return len(g.SealedPassword) > 0 }

// Scheduled tells whether the group runs by itself: it monitors, is enabled, and its schedule is not off.
func (g *Group) Scheduled() bool { return g.Monitoring && g.Enabled && g.Schedule.Type != schedule.Off }

// Plan is when the group runs, given its account's time zone.
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

// GroupFilter narrows a list of groups; nil fields do not narrow.
type GroupFilter struct {
	Monitoring *bool
	IDs        *[]ID
}

// GroupStore keeps groups. Reads leave out deleted groups, except GroupsByIDs, which history needs.
type GroupStore interface {
	Group(ctx context.Context, id ID) (*Group, error)
	// LockGroup reads the group for a change, holding off other changes until the transaction ends.
	LockGroup(ctx context.Context, id ID) (*Group, error)
	Groups(ctx context.Context, f GroupFilter, p Page) (*List[*Group], error)
	GroupsByIDs(ctx context.Context, ids []ID) ([]*Group, error)
	InsertGroup(ctx context.Context, g *Group) error
	UpdateGroup(ctx context.Context, g *Group) error
	// SaveNextRun writes down when a locked group runs next, and why it did not run when it was due.
	SaveNextRun(ctx context.Context, g *Group) error
	// LockScheduled reads the groups that run by themselves for a change of when they do. It is called before LockAccount.
	LockScheduled(ctx context.Context) ([]*Group, error)
	// SaveNextRuns writes down when the groups that LockScheduled has locked run next. Should there be others meanwhile, the
	// transaction is run again.
	SaveNextRuns(ctx context.Context, groups []*Group) error
	// DeleteGroup hides the group, erases its secrets and injected code, removes its selections and takes it out of its
	// website. Batches and comparisons that were made with it stay readable.
	DeleteGroup(ctx context.Context, id ID, now time.Time) error
}

// PlanNext sets the first run after a moment, in the account's time zone.
func (g *Group) PlanNext(zone *time.Location, after time.Time) {
	g.NextRunAt = nil
	if next := schedule.Next(g.Plan(zone), after); !next.IsZero() {
		g.NextRunAt = &next
	}
}

// RegionStore is asked across accounts by the worker that settles regions.
type RegionStore interface {
	// UnsettledRegions lists up to limit groups that leave their region to us and have URLs, in no particular order.
	UnsettledRegions(ctx context.Context, limit int) ([]UnsettledRegion, error)
}

// UnsettledRegion is a group whose region is auto.
type UnsettledRegion struct {
	Account, Group ID
	Address        string // of its oldest URL
}
