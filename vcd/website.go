package vcd

import (
	"maps"
	"time"
)

// Website is a site with the two groups that watch it. The groups are siblings: a change of one's region is mirrored to the
// other.
type Website struct {
	ID, Account   ID
	Domain        string  // host[:port][/path]
	ManagedBy     *string // the tool that manages it from elsewhere, such as "mainwp"; never changes
	ManualGroupID *ID     // the group of manual checks; nil once deleted
	AutoGroupID   *ID     // the group of monitoring; nil once deleted
	SyncURLTypes  []SyncURLType
	AutoUpdate    *AutoUpdateSettings // nil until first set
	Allowances    map[string]bool     // what the site's users may do, as the site said it; see AllAllowances
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// GroupIDs are the website's groups that still exist.
func (w *Website) GroupIDs() []ID {
	var groups []ID
	for _, id := range []*ID{w.ManualGroupID, w.AutoGroupID} {
		if id != nil {
			groups = append(groups, *id)
		}
	}
	return groups
}

// AllAllowances are what the website's users may do, with every known flag: what the site did not say is as it is by default. Clients
// hide whole pages whose flag is missing.
func (w *Website) AllAllowances() map[string]bool {
	all := map[string]bool{
		"monitoring_checks_view": true, "monitoring_checks_settings": true, "monitoring_checks_urls": true,
		"manual_checks_view": true, "manual_checks_settings": true, "manual_checks_urls": true, "manual_checks_start": true,
		"change_detections_view": true, "ai_rules_view": true, "dashboard_view": true, "settings_view": true,
		"settings_account_settings": true, "logs_view": true, "wizard_start": true,
		"upgrade_account": false, "only_frontpage": false,
	}
	maps.Copy(all, w.Allowances)
	return all
}

// SyncURLType is a type of pages that a site sends with its synchronisation.
type SyncURLType struct {
	URLTypeSlug  string `json:"url_type_slug"`
	URLTypeName  string `json:"url_type_name"`
	PostTypeSlug string `json:"post_type_slug"`
	PostTypeName string `json:"post_type_name"`
}

// WebsiteFilter filters a list of websites; nil fields match everything.
type WebsiteFilter struct {
	IDs       *[]ID
	Domain    *string // exact, in any spelling
	ManagedBy *string // exact
	Unmanaged bool    // only websites that no tool manages
	Search    *string // part of the domain
	Sort      Sort    // by WebsiteDomain
}

// WebsiteDomain is what websites can be sorted by.
const WebsiteDomain = "domain"

// Weekdays holds a flag for each day of the week, Monday first.
type Weekdays [7]bool

// AutoUpdateSettings say when a website's automatic updates are checked, and who is notified of the results. Times are in the
// account's time zone.
type AutoUpdateSettings struct {
	Enabled bool
	From    string // "HH:MM"; checks begin here
	To      string // "HH:MM"; and end here, also across midnight
	Days    Weekdays
	Emails  []string
}
