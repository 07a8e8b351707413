package resolver

import (
	"context"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/input"
	"afterimage/graph/model"
	"afterimage/graph/view"
	"afterimage/vcd"
)

// site is shown with what its groups hold.
type site interface {
	comparable
	Key() vcd.ID
	GroupIDs() []vcd.ID
}

func idOfGroup(g *view.Group) []vcd.ID         { return []vcd.ID{g.ID} }
func idOfURL(u *view.URL) []vcd.ID             { return []vcd.ID{u.ID} }
func groupsOfWebsite(w *view.Website) []vcd.ID { return w.GroupIDs() }

func idsOfURLs(urls []*view.URL) []vcd.ID {
	ids := make([]vcd.ID, len(urls))
	for i, u := range urls {
		ids[i] = u.ID
	}
	return ids
}

func groupsShown(shown []*view.Group) []*vcd.Group {
	groups := make([]*vcd.Group, len(shown))
	for i, g := range shown {
		groups[i] = g.Group
	}
	return groups
}

func pointers[T any](values []T) []*T {
	list := make([]*T, len(values))
	for i := range values {
		list[i] = &values[i]
	}
	return list
}

// openAlarms adds up what is to be reviewed in the holders that belong to each parent.
func openAlarms[P any](ctx context.Context, r *Resolver, of vcd.Holder, parents []P, holders func(P) []vcd.ID) ([]int, error) {
	counts, err := r.Service.Reviews.OpenAlarmsOf(ctx, actor(ctx), of, allHolders(parents, holders))
	return forEach(parents, err, func(p P) int {
		sum := 0
		for _, id := range holders(p) {
			sum += counts[id]
		}
		return sum
	})
}

func allHolders[P any](parents []P, holders func(P) []vcd.ID) []vcd.ID {
	var ids []vcd.ID
	for _, p := range parents {
		ids = append(ids, holders(p)...)
	}
	return ids
}

// lastBatches finds the newest batch of the holders that belong to each parent; nil where there is none.
func lastBatches[P any](
	ctx context.Context, r *Resolver, of vcd.Holder, parents []P, holders func(P) []vcd.ID,
) ([]*view.Batch, error) {
	newest, err := r.Service.Runs.LastBatchesOf(ctx, actor(ctx), of, allHolders(parents, holders))
	if err != nil {
		return nil, err
	}
	last := func(p P) (id vcd.ID) { // ids sort by time
		for _, holder := range holders(p) {
			id = max(id, newest[holder])
		}
		return id
	}
	var wanted []vcd.ID
	for _, p := range parents {
		if id := last(p); id != "" {
			wanted = append(wanted, id)
		}
	}
	found, err := loadersIn(ctx).batches.loadAll(ctx, wanted)
	byID := make(map[vcd.ID]*view.Batch, len(found))
	for _, b := range found {
		byID[b.ID] = b
	}
	return forEach(parents, err, func(p P) *view.Batch { return byID[last(p)] })
}

// newestOnly is the page with the newest item alone.
var newestOnly = vcd.Page{Size: 1}

func onDevice(device *vcd.Device) vcd.ComparisonFilter {
	if device == nil {
		return vcd.ComparisonFilter{}
	}
	return vcd.ComparisonFilter{Devices: &[]vcd.Device{*device}}
}

func (r *Resolver) newest(list *vcd.ComparisonList) *view.Comparison {
	if list == nil || len(list.Items) == 0 {
		return nil
	}
	return r.showComparison(list.Items[0])
}

// history is what of a history is asked for.
type history struct {
	filter vcd.ComparisonFilter
	page   vcd.Page
	count  bool
}

func historyOf(ctx context.Context, f *model.HistoryFilter, args vcd.PageArgs) (history, error) {
	p, err := args.Page()
	return history{filter: input.History(f), page: p, count: graphql.FieldRequested(ctx, "aboveThresholdCount")}, err
}

func groupsBySite[S site](sites []S) map[vcd.ID][]vcd.ID {
	groups := make(map[vcd.ID][]vcd.ID, len(sites))
	for _, s := range sites {
		groups[s.Key()] = s.GroupIDs()
	}
	return groups
}

// histories lists the comparisons of each site.
func histories[S site](
	ctx context.Context, r *Resolver, sites []S, f *model.HistoryFilter, args vcd.PageArgs,
) ([]*view.ComparisonConnection, error) {
	h, err := historyOf(ctx, f, args)
	if err != nil {
		return nil, err
	}
	lists, err := r.Service.Reviews.HistoriesOfSites(ctx, actor(ctx), groupsBySite(sites), h.filter, h.page, h.count)
	return forEach(sites, err, func(s S) *view.ComparisonConnection { return r.showComparisons(lists[s.Key()]) })
}

// lastComparisons finds the newest comparison of each site; nil where there is none.
func lastComparisons[S site](ctx context.Context, r *Resolver, sites []S, device *vcd.Device) ([]*view.Comparison, error) {
	lists, err := r.Service.Reviews.HistoriesOfSites(ctx, actor(ctx), groupsBySite(sites), onDevice(device), newestOnly, false)
	return forEach(sites, err, func(s S) *view.Comparison { return r.newest(lists[s.Key()]) })
}

// websitesOfSites finds the websites of sites; nil for groups that belong to none.
func websitesOfSites(ctx context.Context, sites []*view.SiteOverview) ([]*view.Website, error) {
	var wanted []vcd.ID
	for _, s := range sites {
		if id := s.WebsiteID(); id != nil {
			wanted = append(wanted, *id)
		}
	}
	found, err := loadersIn(ctx).websites.loadAll(ctx, wanted)
	byID := make(map[vcd.ID]*view.Website, len(found))
	for _, w := range found {
		byID[w.ID] = w
	}
	return forEach(sites, err, func(s *view.SiteOverview) *view.Website { return byID[s.Key()] })
}

// nextRunsOfWebsites lists the next n scheduled runs of the groups of each website.
func (r *Resolver) nextRunsOfWebsites(ctx context.Context, websites []*view.Website, n int) ([][]*time.Time, error) {
	groups, err := loadersIn(ctx).groups.loadAll(ctx, allHolders(websites, groupsOfWebsite))
	if err != nil {
		return nil, err
	}
	runs, err := r.Service.Inventory.NextRunsOf(ctx, actor(ctx), groupsShown(groups), n)
	return forEach(websites, err, func(w *view.Website) []*time.Time {
		var all []time.Time
		for _, group := range w.GroupIDs() {
			all = append(all, runs[group]...)
		}
		slices.SortFunc(all, time.Time.Compare)
		return pointers(all[:min(n, len(all))])
	})
}

// overview tells how the account's sites stand. Batches are read together with it, if any are asked for.
func (r *Resolver) overview(ctx context.Context, account *view.Account) (*view.Overview, error) {
	batches := graphql.AnyFieldRequested(ctx, "runs", "sites.lastBatch")
	o, err := r.Service.Accounts.Overview(ctx, actor(ctx), account.Zone(), batches)
	if err != nil {
		return nil, err
	}
	for id, b := range o.Last {
		loadersIn(ctx).batches.prime(id, b)
	}
	return &view.Overview{Overview: o, ChecksLeft: account.ChecksLeft()}, nil
}
