package resolver

import (
	"context"
	"errors"
	"time"

	"github.com/vikstrous/dataloadgen"

	"afterimage/graph/view"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

const (
	// loaderWait is how long a look-up waits for others to share its query with.
	loaderWait = time.Millisecond
	// loaderBatch is the most ids of one query.
	loaderBatch = 1000
)

// loaders gather look-ups by id, so that the things that many items of a list refer to are read with one query. They
// remember what they read: a response gets its own, and so does each field of a mutation.
type loaders struct {
	groups      loader[vcd.Group, view.Group]
	urls        loader[vcd.URL, view.URL]
	websites    loader[vcd.Website, view.Website]
	flows       loader[vcd.Flow, view.Flow]
	imports     loader[vcd.URLImport, view.URLImport]
	rules       loader[vcd.FeedbackRule, view.FeedbackRule]
	webhooks    loader[vcd.Webhook, view.Webhook]
	deliveries  loader[vcd.Delivery, view.Delivery]
	mails       loader[vcd.Mail, view.Mail]
	batches     loader[vcd.Batch, view.Batch]
	entries     loader[vcd.QueueEntry, view.QueueEntry]
	screenshots loader[vcd.Screenshot, view.Screenshot]
	comparisons loader[vcd.Comparison, view.Comparison]
	lastRuns    *dataloadgen.Loader[vcd.ID, *vcd.FlowRun]                  // of flows
	checkpoints *dataloadgen.Loader[vcd.ID, vcd.FlowRunCheckpoint]         // by their entries
	standings   *dataloadgen.Loader[vcd.ID, vcd.ChangeStanding]            // of changes
	verdicts    *dataloadgen.Loader[vcd.ID, map[string]*vcd.ChangeVerdict] // on changes of batches, by fingerprint
}

// readsAtOnce is how many reads of one response are under way at the same time: enough to keep the database busy, few
// enough to leave connections for others, whatever the operation asks for.
const readsAtOnce = 4

type loadersKey struct{}

var errNoLoaders = errors.New("the response has no loaders")

// WithLoaders gives a response its loaders.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	s := r.Service
	return context.WithValue(app.WithReadLimit(ctx, readsAtOnce), loadersKey{}, &loaders{
		groups:      newLoader(s.Inventory.GroupsByIDs, placeOfGroup, view.NewGroup),
		urls:        newLoader(s.Inventory.URLsByIDs, placeOfURL, view.NewURL),
		websites:    newLoader(s.Inventory.WebsitesByIDs, placeOfWebsite, view.NewWebsite),
		flows:       newLoader(s.Inventory.FlowsByIDs, placeOfFlow, view.NewFlow),
		imports:     newLoader(s.Inventory.URLImportsByIDs, placeOfURLImport, view.NewURLImport),
		rules:       newLoader(s.Reviews.FeedbackRulesByIDs, placeOfFeedbackRule, view.NewFeedbackRule),
		webhooks:    newLoader(s.Outbound.WebhooksByIDs, placeOfWebhook, view.NewWebhook),
		deliveries:  newLoader(s.Outbound.DeliveriesByIDs, placeOfDelivery, view.NewDelivery),
		mails:       newLoader(s.Outbound.MailsByIDs, placeOfMail, view.NewMail),
		batches:     newLoader(s.Runs.BatchesByIDs, placeOfBatch, view.NewBatch),
		entries:     newLoader(s.Runs.QueueEntriesByIDs, placeOfQueueEntry, r.showQueueEntry),
		screenshots: newLoader(s.Reviews.ScreenshotsByIDs, placeOfScreenshot, r.showScreenshot),
		comparisons: newLoader(s.Reviews.ComparisonsByIDs, placeOfComparison, r.showComparison),
		lastRuns:    newMapLoader(s.Inventory.LastFlowRuns),
		checkpoints: newMapLoader(s.Inventory.FlowRunCheckpoints),
		standings:   newMapLoader(s.Reviews.ChangeStandings),
		verdicts:    newMapLoader(s.Reviews.ChangeVerdicts),
	})
}

// loadersIn returns the response's loaders. Without any, every look-up fails with errNoLoaders.
func loadersIn(ctx context.Context) *loaders {
	if found, ok := ctx.Value(loadersKey{}).(*loaders); ok {
		return found
	}
	return &loaders{}
}

// loader looks things of one kind up by their ids, together with others of the response, and shows them.
type loader[S, T any] struct {
	shared *dataloadgen.Loader[vcd.ID, *S]
	show   func(*S) *T
}

// newLoader makes a loader of a use case that finds many things, in any order, and leaves out those that do not exist.
func newLoader[S, T any](
	find func(context.Context, vcd.Actor, []vcd.ID) ([]*S, error), place func(*S) vcd.Cursor, show func(*S) *T,
) loader[S, T] {
	fetch := func(ctx context.Context, ids []vcd.ID) (map[vcd.ID]*S, error) {
		found, err := find(ctx, actor(ctx), ids)
		if err != nil {
			return nil, err
		}
		byID := make(map[vcd.ID]*S, len(found))
		for _, item := range found {
			byID[place(item).ID] = item
		}
		return byID, nil
	}
	shared := dataloadgen.NewMappedLoader(fetch, dataloadgen.WithWait(loaderWait), dataloadgen.WithBatchCapacity(loaderBatch))
	return loader[S, T]{shared: shared, show: show}
}

// newMapLoader makes a loader of a use case that finds something for each of many ids. It is the zero value for ids without any.
func newMapLoader[T any](find func(context.Context, vcd.Actor, []vcd.ID) (map[vcd.ID]T, error)) *dataloadgen.Loader[vcd.ID, T] {
	fetch := func(ctx context.Context, ids []vcd.ID) (map[vcd.ID]T, error) {
		found, err := find(ctx, actor(ctx), ids)
		for _, id := range ids {
			if _, ok := found[id]; err == nil && !ok {
				var nothing T
				found[id] = nothing
			}
		}
		return found, err
	}
	return dataloadgen.NewMappedLoader(fetch, dataloadgen.WithWait(loaderWait), dataloadgen.WithBatchCapacity(loaderBatch))
}

// prime remembers a thing that was read already.
func (l loader[S, T]) prime(id vcd.ID, item *S) {
	if l.shared != nil {
		l.shared.Prime(id, item)
	}
}

// load looks one thing up; nil when it does not exist.
func (l loader[S, T]) load(ctx context.Context, id vcd.ID) (*T, error) {
	if l.shared == nil {
		return nil, errNoLoaders
	}
	found, err := l.shared.Load(ctx, id)
	switch {
	case errors.Is(err, dataloadgen.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return l.show(found), nil
}

// loadIfAny looks up what an id names that may be missing.
func (l loader[S, T]) loadIfAny(ctx context.Context, id *vcd.ID) (*T, error) {
	if id == nil {
		return nil, nil
	}
	return l.load(ctx, *id)
}

// loadAll looks several things up, in the order of the ids; those that do not exist are left out.
func (l loader[S, T]) loadAll(ctx context.Context, ids []vcd.ID) ([]*T, error) {
	if l.shared == nil {
		return nil, errNoLoaders
	}
	thunks := make([]func() (*S, error), len(ids))
	for i, id := range ids {
		thunks[i] = l.shared.LoadThunk(ctx, id)
	}
	items := make([]*T, 0, len(ids))
	for _, thunk := range thunks {
		found, err := thunk()
		switch {
		case errors.Is(err, dataloadgen.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			items = append(items, l.show(found))
		}
	}
	return items, nil
}
