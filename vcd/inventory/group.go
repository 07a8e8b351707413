package inventory

import (
	"context"
	"strings"

	"afterimage/vcd"
	"afterimage/vcd/schedule"
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

// GroupChange holds a group's fields as a client sends them, both to create and to update it.
type GroupChange struct {
	Name              vcd.Optional[string]
	Monitoring        vcd.Optional[bool]
	Enabled           vcd.Optional[bool]
	HourOfDay         vcd.Optional[int]
	IntervalHours     vcd.Optional[float64]
	ScheduleType      vcd.Optional[schedule.Type]
	ScheduleDays      vcd.Optional[[]schedule.Day]
	QuietHoursStart   vcd.Optional[int]
	QuietHoursEnd     vcd.Optional[int]
	Triggers          vcd.Optional[[]vcd.Trigger]
	AlertEmails       vcd.Optional[[]string]
	CSS, JS           vcd.Optional[string]
	CMS               vcd.Optional[string]
	Threshold         vcd.Optional[float64]
	Measure           vcd.Optional[vcd.Measure]
	BasicAuthUser     vcd.Optional[string]
	BasicAuthPassword vcd.Optional[string] // null or empty clears the stored one
	ProxyType         vcd.Optional[vcd.ProxyType]
	ProxyCountry      vcd.Optional[string]
	ScreenshotRegion  vcd.Optional[vcd.Region]
	ScreenshotDelay   vcd.Optional[int]
	DefaultDesktop    vcd.Optional[bool]
	DefaultMobile     vcd.Optional[bool]
	HideConsent       vcd.Optional[bool]
	ConfirmChanges    vcd.Optional[bool]
	AlarmPageChanges  vcd.Optional[bool]
	GateRules         vcd.Optional[vcd.GateRules] // null for the usual ones
	SignInFlowID      vcd.Optional[string]        // of the group's website; null for none
}

// validate checks every given field against the limits of the specification.
func (in GroupChange) validate(creating bool) error {
	v := &vcd.Validation{}
	switch {
	case in.Name.Value != nil:
		v.Name("name", *in.Name.Value, vcd.MaxNameLength)
	case creating || in.Name.Set:
		v.Add("name", "required", "The {field} field is required.")
	}
	in.validateSchedule(v)
	in.validateCapture(v)
	if emails := in.AlertEmails.Value; emails != nil {
		v.Check(len(*emails) <= maxAlertEmails, "alertEmails", "max", "The {field} field must not have more than 50 items.")
		for i, address := range *emails {
			v.Email(vcd.Indexed("alertEmails", i), address)
		}
	}
	if cms := in.CMS.Value; cms != nil {
		vcd.OneOf(v, "cms", *cms, "wordpress")
	}
	if t := in.Threshold.Value; t != nil {
		v.Check(*t >= 0 && *t <= 100, "threshold", "between", "The {field} field must be between 0 and 100.")
	}
	if m := in.Measure.Value; m != nil {
		vcd.OneOf(v, "measure", *m, vcd.MeasurePlain, vcd.MeasureAligned)
	}
	if r := in.GateRules.Value; r != nil {
		r.Check(v, "gateRules")
	}
	return v.Err()
}

func (in GroupChange) validateCapture(v *vcd.Validation) {
	v.OptionalText("css", in.CSS.Value, maxInjectedLength)
	v.OptionalText("js", in.JS.Value, maxInjectedLength)
	v.OptionalText("basicAuthUser", in.BasicAuthUser.Value, maxSecretLength)
	v.OptionalText("basicAuthPassword", in.BasicAuthPassword.Value, maxSecretLength)
	if d := in.ScreenshotDelay.Value; d != nil {
		v.Between("screenshotDelay", *d, minDelay, maxDelay)
	}
	if r := in.ScreenshotRegion.Value; r != nil {
		vcd.OneOf(v, "screenshotRegion", *r, vcd.RegionUS, vcd.RegionEU, vcd.RegionAuto)
	}
	if p := in.ProxyType.Value; p != nil {
		vcd.OneOf(v, "proxyType", *p, vcd.ProxyNone, vcd.ProxyStatic, vcd.ProxyResidential)
	}
	if c := in.ProxyCountry.Value; c != nil {
		v.Check(isCountry(*c), "proxyCountry", "country", "The {field} field must be a 2-letter country code.")
	}
	if triggers := in.Triggers.Value; triggers != nil {
		v.Check(len(*triggers) <= maxTriggers, "triggers", "max", "The {field} field must not have more than 10 items.")
		for i, t := range *triggers {
			vcd.OneOf(v, vcd.Indexed("triggers", i, "type"), t.Type, "post_save")
			vcd.OneOf(v, vcd.Indexed("triggers", i, "scope"), t.Scope, "url")
		}
	}
}

func isCountry(s string) bool {
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}

// apply writes the given fields to g.
func (in GroupChange) apply(g *vcd.Group, seal func(string) ([]byte, error)) error {
	vcd.Assign(&g.Name, in.Name)
	vcd.Assign(&g.Monitoring, in.Monitoring)
	vcd.Assign(&g.Enabled, in.Enabled)
	in.applySchedule(&g.Schedule)
	vcd.AssignList(&g.Triggers, in.Triggers)
	vcd.AssignList(&g.AlertEmails, in.AlertEmails)
	vcd.AssignNullable(&g.CSS, in.CSS)
	vcd.AssignNullable(&g.JS, in.JS)
	vcd.AssignNullable(&g.CMS, in.CMS)
	vcd.Assign(&g.Threshold, in.Threshold)
	vcd.Assign(&g.Measure, in.Measure)
	vcd.AssignNullable(&g.BasicAuthUser, in.BasicAuthUser)
	vcd.Assign(&g.ProxyType, in.ProxyType)
	vcd.AssignNullable(&g.ProxyCountry, in.ProxyCountry)
	vcd.Assign(&g.ScreenshotRegion, in.ScreenshotRegion)
	vcd.AssignNullable(&g.ScreenshotDelay, in.ScreenshotDelay)
	vcd.Assign(&g.DefaultDesktop, in.DefaultDesktop)
	vcd.Assign(&g.DefaultMobile, in.DefaultMobile)
	vcd.Assign(&g.HideConsent, in.HideConsent)
	vcd.Assign(&g.ConfirmChanges, in.ConfirmChanges)
	vcd.Assign(&g.AlarmPageChanges, in.AlarmPageChanges)
	vcd.AssignNullable(&g.GateRules, in.GateRules)
	if g.GateRules != nil {
		tidy := g.GateRules.Tidy()
		g.GateRules = &tidy
	}
	return in.applyPassword(g, seal)
}

func (in GroupChange) applyPassword(g *vcd.Group, seal func(string) ([]byte, error)) (err error) {
	switch password := in.BasicAuthPassword; {
	case !password.Set:
	case password.Value == nil || *password.Value == "":
		g.SealedPassword = nil
	default:
		g.SealedPassword, err = seal(*password.Value)
	}
	return err
}

// applySignIn sets the flow that signs in, which must be one of the group's website.
func (in GroupChange) applySignIn(ctx context.Context, tx Tx, g *vcd.Group) error {
	if !in.SignInFlowID.Set {
		return nil
	}
	if in.SignInFlowID.Value == nil {
		g.SignInFlowID = nil
		return nil
	}
	id, ok := vcd.ParseID(*in.SignInFlowID.Value)
	if !ok {
		return vcd.Invalid("signInFlowId", "uuid", "The {field} field must be a valid UUID.")
	}
	if g.SignInFlowID != nil && *g.SignInFlowID == id {
		return nil // it stays, even if the group has another website by now
	}
	f, err := vcd.OrGone(tx.Flow(ctx, id))
	if err != nil {
		return err
	}
	if f == nil || g.WebsiteID == nil || f.WebsiteID != *g.WebsiteID {
		return vcd.Invalid("signInFlowId", "exists", "The selected {field} is invalid: it must be a flow of the group's website.")
	}
	g.SignInFlowID = &id
	return nil
}

// alertedBy are the default addresses for alert mails: the account's own. One without a domain of the internet is left out: clients
// refuse to save a form with it.
func alertedBy(a *vcd.Account) []string {
	if _, domain, _ := strings.Cut(a.Email, "@"); strings.Contains(domain, ".") {
		return []string{a.Email}
	}
	return []string{}
}

// CreateGroup creates a group. Alert mails go to the account's own address by default.
func (s *Service) CreateGroup(ctx context.Context, actor vcd.Actor, in GroupChange) (*vcd.Group, error) {
	if err := in.validate(true); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Group, error) {
		account, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		now := s.clock.Now()
		g := &vcd.Group{
			ID: s.ids.NewID(), Account: actor.Account, Enabled: true, Schedule: schedule.Default(),
			AlertEmails: alertedBy(account), Measure: vcd.MeasureAligned, ProxyType: vcd.ProxyNone, ScreenshotRegion: vcd.RegionAuto,
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
		return g, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupCreated, vcd.SubjectGroup, g.ID))
	})
}

// UpdateGroup changes the given fields only.
func (s *Service) UpdateGroup(ctx context.Context, actor vcd.Actor, id vcd.ID, in GroupChange) (*vcd.Group, error) {
	if err := in.validate(false); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Group, error) {
		g, sibling, err := lockForChange(ctx, tx, id, in)
		if err != nil {
			return nil, err
		}
		before := *g
		if err := s.applyGroup(g, in); err != nil {
			return nil, err
		}
		if err := in.applySignIn(ctx, tx, g); err != nil {
			return nil, err
		}
		if g.Scheduled() != before.Scheduled() || !g.Schedule.Equal(before.Schedule) {
			if err := s.reschedule(ctx, tx, g); err != nil {
				return nil, err
			}
		}
		g.UpdatedAt = s.clock.Now()
		if err := tx.UpdateGroup(ctx, g); err != nil {
			return nil, err
		}
		if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, g.ID)); err != nil {
			return nil, err
		}
		return g, s.mirrorRegion(ctx, tx, g, sibling)
	})
}

// lockForChange locks a group, and its sibling if the change affects that too.
func lockForChange(ctx context.Context, tx Tx, id vcd.ID, in GroupChange) (g, sibling *vcd.Group, err error) {
	if in.ScreenshotRegion.Value != nil {
		return lockWithSibling(ctx, tx, id)
	}
	g, err = tx.LockGroup(ctx, id)
	return g, nil, err
}

// applyGroup applies a change and checks the constraints across fields.
func (s *Service) applyGroup(g *vcd.Group, in GroupChange) error {
	seal := func(plain string) ([]byte, error) { return s.sealer.Seal(vcd.PurposeBasicAuth, plain) }
	if err := in.apply(g, seal); err != nil {
		return err
	}
	if off := in.Monitoring.Value; off != nil && !*off && in.Triggers.Value == nil {
		g.Triggers = nil // they come with monitoring
	}
	v := &vcd.Validation{}
	validateSchedule(v, g.Schedule)
	v.Check(len(g.Triggers) == 0 || g.Monitoring, "triggers", "prohibited", "The {field} field is for monitoring groups only.")
	return v.Err()
}

// DeleteGroup removes a group permanently. Its captures stay readable in their batches.
func (s *Service) DeleteGroup(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx Tx) error {
		if _, err := tx.LockGroup(ctx, id); err != nil {
			return err
		}
		if err := tx.DeleteGroup(ctx, id, s.clock.Now()); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupDeleted, vcd.SubjectGroup, id))
	})
}

// Group is one of the actor's groups.
func (s *Service) Group(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Group, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Group, error) { return tx.Group(ctx, id) })
}

// Groups lists the actor's groups, newest first.
func (s *Service) Groups(ctx context.Context, actor vcd.Actor, f vcd.GroupFilter, p vcd.Page) (*vcd.List[*vcd.Group], error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.List[*vcd.Group],
		error) {
		return tx.Groups(ctx, f, p)
	})
}

// GroupsByIDs looks several groups up at once, deleted ones included; unknown ids are left out.
func (s *Service) GroupsByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Group, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) ([]*vcd.Group, error) { return tx.GroupsByIDs(ctx, ids) })
}
