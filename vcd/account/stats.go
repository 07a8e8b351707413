package account

import (
	"context"
	"slices"
	"time"

	"afterimage/vcd"
)

// maxNextRuns limits the lists of next runs, soonest first. The figures count everything.
const maxNextRuns = 100

// Stats summarises the planned runs of an account, over all its groups and websites.
type Stats struct {
	Monitoring MonitoringStats
	Manual     ManualStats
	AutoUpdate AutoUpdateStats
}

// EstimatedMonthlyChecks is how many automatic checks, by schedules and auto-updates, an account makes in a month.
func (s *Stats) EstimatedMonthlyChecks() int {
	return s.Monitoring.EstimatedMonthlyChecks + s.AutoUpdate.EstimatedMonthlyChecks
}

// MonitoringStats counts enabled monitoring groups.
type MonitoringStats struct {
	Websites               int // that have such a group
	URLs                   int // distinct URLs selected in them
	EstimatedMonthlyChecks int
	NextRunAt              *time.Time // the soonest
	NextRuns               []ComingRun
	TriggerWebsites        int // websites of such groups that have triggers
}

// ManualStats counts enabled manual groups with selected URLs.
type ManualStats struct {
	Websites     int
	URLs         int
	ChecksPerRun int // checks when each of them is captured once
}

// AutoUpdateStats counts websites with auto-update checks enabled.
type AutoUpdateStats struct {
	WebsitesEnabled        int
	MissingEmail           int      // of those, how many notify nobody of the results
	ActiveWeekdays         []string // "Mon" to "Sun", in this order
	EstimatedMonthlyChecks int
	NextRuns               []ComingRun // the next opening of each website's time window
}

// ComingRun is the next run of a group.
type ComingRun struct {
	Name      string // of the group
	Domain    string
	NextRunAt time.Time
}

// Stats summarises the planned runs of the actor's account.
func (s *Service) Stats(ctx context.Context, actor vcd.Actor) (*Stats, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*Stats, error) {
		account, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		groups, err := tx.EnabledGroups(ctx)
		if err != nil {
			return nil, err
		}
		websites, err := tx.AutoUpdated(ctx)
		if err != nil {
			return nil, err
		}
		stats := &Stats{
			Monitoring: monitoringStats(groups), Manual: manualStats(groups),
			AutoUpdate: autoUpdateStats(websites, groups, account.Zone(), s.clock.Now()),
		}
		stats.Monitoring.URLs, stats.Manual.URLs, err = tx.CountSelectedURLs(ctx)
		return stats, err
	})
}

func monitoringStats(groups []*vcd.GroupOverview) MonitoringStats {
	var stats MonitoringStats
	websites, triggered := map[vcd.ID]bool{}, map[vcd.ID]bool{}
	for _, g := range groups {
		if !g.Monitoring {
			continue
		}
		stats.EstimatedMonthlyChecks += g.EstimatedMonthlyChecks()
		if g.NextRunAt != nil {
			stats.NextRuns = append(stats.NextRuns, ComingRun{Name: g.Name, Domain: g.Domain, NextRunAt: *g.NextRunAt})
		}
		if g.WebsiteID != nil {
			websites[*g.WebsiteID] = true
			triggered[*g.WebsiteID] = triggered[*g.WebsiteID] || len(g.Triggers) > 0
		}
	}
	stats.Websites = len(websites)
	for _, has := range triggered {
		if has {
			stats.TriggerWebsites++
		}
	}
	stats.NextRuns = soonest(stats.NextRuns)
	if len(stats.NextRuns) > 0 {
		stats.NextRunAt = &stats.NextRuns[0].NextRunAt
	}
	return stats
}

// soonest sorts runs by time and keeps the first maxNextRuns.
func soonest(runs []ComingRun) []ComingRun {
	slices.SortStableFunc(runs, func(a, b ComingRun) int { return a.NextRunAt.Compare(b.NextRunAt) })
	return runs[:min(len(runs), maxNextRuns)]
}

func manualStats(groups []*vcd.GroupOverview) ManualStats {
	var stats ManualStats
	websites := map[vcd.ID]bool{}
	for _, g := range groups {
		if g.Monitoring || g.SelectedURLsCount == 0 {
			continue
		}
		stats.ChecksPerRun += g.SelectedChecks
		if g.WebsiteID != nil {
			websites[*g.WebsiteID] = true
		}
	}
	stats.Websites = len(websites)
	return stats
}

// autoUpdateStats assumes one run on each active day. A run captures what is selected in the website's manual group twice:
// before and after the updates.
func autoUpdateStats(websites []*vcd.Website, groups []*vcd.GroupOverview, zone *time.Location, now time.Time) AutoUpdateStats {
	byID := make(map[vcd.ID]*vcd.GroupOverview, len(groups))
	for _, g := range groups {
		byID[g.ID] = g
	}
	var stats AutoUpdateStats
	var active vcd.Weekdays
	for _, w := range websites {
		stats.WebsitesEnabled++
		if len(w.AutoUpdate.Emails) == 0 {
			stats.MissingEmail++
		}
		days := 0
		for i, on := range w.AutoUpdate.Days {
			if on {
				days++
				active[i] = true
			}
		}
		run := ComingRun{Name: w.Domain, Domain: w.Domain, NextRunAt: w.AutoUpdate.NextWindow(zone, now)}
		if w.ManualGroupID != nil && byID[*w.ManualGroupID] != nil {
			g := byID[*w.ManualGroupID]
			run.Name = g.Name
			stats.EstimatedMonthlyChecks += 2 * g.SelectedChecks * days * 30 / 7
		}
		if days > 0 {
			stats.NextRuns = append(stats.NextRuns, run)
		}
	}
	for i, on := range active {
		if on {
			stats.ActiveWeekdays = append(stats.ActiveWeekdays, time.Weekday((i + 1) % 7).String()[:3])
		}
	}
	stats.NextRuns = soonest(stats.NextRuns)
	return stats
}
