package vcd

import (
	"context"
	"time"
)

// Limits of groups.
const (
	maxInjectedLength = 64 << 10 // CSS and JavaScript
	maxAlertEmails    = 50
	maxTriggers       = 10
	maxSecretLength   = 255
	minDelay          = 7 // seconds between two screenshot dispatches of an account
	maxDelay          = 60
)

const purposeBasicAuth = "group.basic_auth_password"

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
	Schedule          Schedule
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
func (g *Group) Scheduled() bool { return g.Monitoring && g.Enabled && g.Schedule.Type != ScheduleOff }

// Plan is when the group runs, given its account's time zone.
func (g *Group) Plan(zone *time.Location) Plan {
	return Plan{Schedule: g.Schedule, Zone: zone, Spread: spreadOf(g.ID)}
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

// GroupChange holds a group's fields as a client sends them, for create and update alike.
type GroupChange struct {
	Name              Optional[string]
	Monitoring        Optional[bool]
	Enabled           Optional[bool]
	HourOfDay         Optional[int]
	IntervalHours     Optional[float64]
	ScheduleType      Optional[ScheduleType]
	ScheduleDays      Optional[[]ScheduleDay]
	QuietHoursStart   Optional[int]
	QuietHoursEnd     Optional[int]
	Triggers          Optional[[]Trigger]
	AlertEmails       Optional[[]string]
	CSS, JS           Optional[string]
	CMS               Optional[string]
	Threshold         Optional[float64]
	Measure           Optional[Measure]
	BasicAuthUser     Optional[string]
	BasicAuthPassword Optional[string] // null or empty clears the stored one
	ProxyType         Optional[ProxyType]
	ProxyCountry      Optional[string]
	ScreenshotRegion  Optional[Region]
	ScreenshotDelay   Optional[int]
	DefaultDesktop    Optional[bool]
	DefaultMobile     Optional[bool]
	HideConsent       Optional[bool]
	ConfirmChanges    Optional[bool]
	AlarmPageChanges  Optional[bool]
}

// validate checks every given field against the limits of the specification.
func (in GroupChange) validate(creating bool) error {
	v := &validation{}
	switch {
	case in.Name.Value != nil:
		v.required("name", *in.Name.Value, maxNameLength)
	case creating || in.Name.Set:
		v.add("name", "required", "The {field} field is required.")
	}
	in.validateSchedule(v)
	in.validateCapture(v)
	if emails := in.AlertEmails.Value; emails != nil {
		v.check(len(*emails) <= maxAlertEmails, "alertEmails", "max", "The {field} field must not have more than 50 items.")
		for i, address := range *emails {
			v.email(indexed("alertEmails", i), address)
		}
	}
	if cms := in.CMS.Value; cms != nil {
		oneOf(v, "cms", *cms, "wordpress")
	}
	if t := in.Threshold.Value; t != nil {
		v.check(*t >= 0 && *t <= 100, "threshold", "between", "The {field} field must be between 0 and 100.")
	}
	if m := in.Measure.Value; m != nil {
		oneOf(v, "measure", *m, MeasurePlain, MeasureAligned)
	}
	return v.err()
}

func (in GroupChange) validateCapture(v *validation) {
	v.optionalText("css", in.CSS.Value, maxInjectedLength)
	v.optionalText("js", in.JS.Value, maxInjectedLength)
	v.optionalText("basicAuthUser", in.BasicAuthUser.Value, maxSecretLength)
	v.optionalText("basicAuthPassword", in.BasicAuthPassword.Value, maxSecretLength)
	if d := in.ScreenshotDelay.Value; d != nil {
		v.between("screenshotDelay", *d, minDelay, maxDelay)
	}
	if r := in.ScreenshotRegion.Value; r != nil {
		oneOf(v, "screenshotRegion", *r, RegionUS, RegionEU, RegionAuto)
	}
	if p := in.ProxyType.Value; p != nil {
		oneOf(v, "proxyType", *p, ProxyNone, ProxyStatic, ProxyResidential)
	}
	if c := in.ProxyCountry.Value; c != nil {
		v.check(isCountry(*c), "proxyCountry", "country", "The {field} field must be a 2-letter country code.")
	}
	if triggers := in.Triggers.Value; triggers != nil {
		v.check(len(*triggers) <= maxTriggers, "triggers", "max", "The {field} field must not have more than 10 items.")
		for i, t := range *triggers {
			oneOf(v, indexed("triggers", i, "type"), t.Type, "post_save")
			oneOf(v, indexed("triggers", i, "scope"), t.Scope, "url")
		}
	}
}

func isCountry(s string) bool {
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}

// apply writes the given fields onto g.
func (in GroupChange) apply(g *Group, seal func(string) ([]byte, error)) error {
	assign(&g.Name, in.Name)
	assign(&g.Monitoring, in.Monitoring)
	assign(&g.Enabled, in.Enabled)
	in.applySchedule(&g.Schedule)
	assignList(&g.Triggers, in.Triggers)
	assignList(&g.AlertEmails, in.AlertEmails)
	assignNullable(&g.CSS, in.CSS)
	assignNullable(&g.JS, in.JS)
	assignNullable(&g.CMS, in.CMS)
	assign(&g.Threshold, in.Threshold)
	assign(&g.Measure, in.Measure)
	assignNullable(&g.BasicAuthUser, in.BasicAuthUser)
	assign(&g.ProxyType, in.ProxyType)
	assignNullable(&g.ProxyCountry, in.ProxyCountry)
	assign(&g.ScreenshotRegion, in.ScreenshotRegion)
	assignNullable(&g.ScreenshotDelay, in.ScreenshotDelay)
	assign(&g.DefaultDesktop, in.DefaultDesktop)
	assign(&g.DefaultMobile, in.DefaultMobile)
	assign(&g.HideConsent, in.HideConsent)
	assign(&g.ConfirmChanges, in.ConfirmChanges)
	assign(&g.AlarmPageChanges, in.AlarmPageChanges)
	return in.applyPassword(g, seal)
}

func (in GroupChange) applyPassword(g *Group, seal func(string) ([]byte, error)) (err error) {
	switch password := in.BasicAuthPassword; {
	case !password.Set:
	case password.Value == nil || *password.Value == "":
		g.SealedPassword = nil
	default:
		g.SealedPassword, err = seal(*password.Value)
	}
	return err
}

// CreateGroup makes a group. Alert mails go to the account's own address unless others are given.
func (s *Service) CreateGroup(ctx context.Context, actor Actor, in GroupChange) (*Group, error) {
	if err := in.validate(true); err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Group, error) {
		account, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		now := s.Clock.Now()
		g := &Group{
			ID: s.IDs.NewID(), Account: actor.Account, Enabled: true, Schedule: defaultSchedule(),
			AlertEmails: []string{account.Email}, Measure: MeasurePlain, ProxyType: ProxyNone, ScreenshotRegion: RegionAuto,
			DefaultDesktop: true, DefaultMobile: true, HideConsent: true, ConfirmChanges: true, CreatedAt: now, UpdatedAt: now,
		}
		if err := s.applyGroup(g, in); err != nil {
			return nil, err
		}
		if err := s.reschedule(ctx, tx, g); err != nil {
			return nil, err
		}
		if err := tx.InsertGroup(ctx, g); err != nil {
			return nil, err
		}
		return g, tx.AppendEvents(ctx, s.event(EventGroupCreated, SubjectGroup, g.ID))
	})
}

// UpdateGroup changes the given fields and leaves the others.
func (s *Service) UpdateGroup(ctx context.Context, actor Actor, id ID, in GroupChange) (*Group, error) {
	if err := in.validate(false); err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Group, error) {
		g, sibling, err := lockForChange(ctx, tx, id, in)
		if err != nil {
			return nil, err
		}
		before := *g
		if err := s.applyGroup(g, in); err != nil {
			return nil, err
		}
		if g.Scheduled() != before.Scheduled() || !g.Schedule.equal(before.Schedule) {
			if err := s.reschedule(ctx, tx, g); err != nil {
				return nil, err
			}
		}
		g.UpdatedAt = s.Clock.Now()
		if err := tx.UpdateGroup(ctx, g); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, s.event(EventGroupUpdated, SubjectGroup, g.ID)); err != nil {
			return nil, err
		}
		return g, s.mirrorRegion(ctx, tx, g, sibling)
	})
}

// lockForChange locks a group, and with it its sibling when the change concerns that one too.
func lockForChange(ctx context.Context, tx Tx, id ID, in GroupChange) (g, sibling *Group, err error) {
	if in.ScreenshotRegion.Value != nil {
		return lockWithSibling(ctx, tx, id)
	}
	g, err = tx.LockGroup(ctx, id)
	return g, nil, err
}

// applyGroup applies a change and checks what only the whole group can tell.
func (s *Service) applyGroup(g *Group, in GroupChange) error {
	seal := func(plain string) ([]byte, error) { return s.Secret.Seal(purposeBasicAuth, plain) }
	if err := in.apply(g, seal); err != nil {
		return err
	}
	v := &validation{}
	g.Schedule.validate(v)
	v.check(len(g.Triggers) == 0 || g.Monitoring, "triggers", "prohibited", "The {field} field is for monitoring groups only.")
	return v.err()
}

// DeleteGroup removes a group for good. What was captured with it stays readable in its batches.
func (s *Service) DeleteGroup(ctx context.Context, actor Actor, id ID) error {
	return s.Store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if _, err := tx.LockGroup(ctx, id); err != nil {
			return err
		}
		if err := tx.DeleteGroup(ctx, id, s.Clock.Now()); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, s.event(EventGroupDeleted, SubjectGroup, id))
	})
}

// Group is one of the actor's groups.
func (s *Service) Group(ctx context.Context, actor Actor, id ID) (*Group, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*Group, error) { return tx.Group(ctx, id) })
}

// Groups lists the actor's groups, newest first.
func (s *Service) Groups(ctx context.Context, actor Actor, f GroupFilter, p Page) (*List[*Group], error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*List[*Group], error) { return tx.Groups(ctx, f, p) })
}

// GroupsByIDs looks several groups up at once, deleted ones included; unknown ids are left out.
func (s *Service) GroupsByIDs(ctx context.Context, actor Actor, ids []ID) ([]*Group, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) ([]*Group, error) { return tx.GroupsByIDs(ctx, ids) })
}
