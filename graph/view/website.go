package view

import (
	"strings"

	"afterimage/vcd"
)

// Website shows a website.
type Website struct {
	*vcd.Website
}

// NewWebsite shows w.
func NewWebsite(w *vcd.Website) *Website { return &Website{w} }

// ManualDetectionGroupID is the group of manual checks.
func (w *Website) ManualDetectionGroupID() *vcd.ID { return w.ManualGroupID }

// AutoDetectionGroupID is the group of monitoring.
func (w *Website) AutoDetectionGroupID() *vcd.ID { return w.AutoGroupID }

// Allowances are the flags of the site, with every known one.
func (w *Website) Allowances() map[string]any {
	all := w.AllAllowances()
	flags := make(map[string]any, len(all))
	for name, on := range all {
		flags[name] = on
	}
	return flags
}

// AutoUpdateSettings are the checks around automatic updates; nil before they were ever set.
func (w *Website) AutoUpdateSettings() *AutoUpdateSettings {
	a := w.AutoUpdate
	if a == nil {
		return nil
	}
	return &AutoUpdateSettings{
		AutoUpdateChecksEnabled: a.Enabled, AutoUpdateChecksFrom: a.From, AutoUpdateChecksTo: a.To,
		AutoUpdateChecksMonday: a.Days[0], AutoUpdateChecksTuesday: a.Days[1], AutoUpdateChecksWednesday: a.Days[2],
		AutoUpdateChecksThursday: a.Days[3], AutoUpdateChecksFriday: a.Days[4], AutoUpdateChecksSaturday: a.Days[5],
		AutoUpdateChecksSunday: a.Days[6], AutoUpdateChecksEmails: a.Emails,
	}
}

// AutoUpdateSettings shows when automatic updates are checked.
type AutoUpdateSettings struct {
	AutoUpdateChecksEnabled   bool
	AutoUpdateChecksFrom      string
	AutoUpdateChecksTo        string
	AutoUpdateChecksMonday    bool
	AutoUpdateChecksTuesday   bool
	AutoUpdateChecksWednesday bool
	AutoUpdateChecksThursday  bool
	AutoUpdateChecksFriday    bool
	AutoUpdateChecksSaturday  bool
	AutoUpdateChecksSunday    bool
	AutoUpdateChecksEmails    []string
}

// AutoUpdateChecksEmailsText is the addresses with commas.
func (a *AutoUpdateSettings) AutoUpdateChecksEmailsText() string {
	return strings.Join(a.AutoUpdateChecksEmails, ",")
}

// Key tells websites apart.
func (w *Website) Key() vcd.ID { return w.ID }
