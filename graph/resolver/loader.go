package resolver

import (
	"context"
	"errors"
	"time"

	"github.com/vikstrous/dataloadgen"

	"afterimage/graph/view"
	"afterimage/vcd"
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
	reads chan struct{} // one item for each read that is under way

	groups      *dataloadgen.Loader[vcd.ID, *vcd.Group]
	urls        *dataloadgen.Loader[vcd.ID, *vcd.URL]
	websites    *dataloadgen.Loader[vcd.ID, *vcd.Website]
	imports     *dataloadgen.Loader[vcd.ID, *vcd.URLImport]
	rules       *dataloadgen.Loader[vcd.ID, *vcd.FeedbackRule]
	webhooks    *dataloadgen.Loader[vcd.ID, *vcd.Webhook]
	deliveries  *dataloadgen.Loader[vcd.ID, *vcd.Delivery]
	mails       *dataloadgen.Loader[vcd.ID, *vcd.Mail]
	batches     *dataloadgen.Loader[vcd.ID, *vcd.Batch]
	entries     *dataloadgen.Loader[vcd.ID, *vcd.QueueEntry]
	screenshots *dataloadgen.Loader[vcd.ID, *vcd.Screenshot]
	comparisons *dataloadgen.Loader[vcd.ID, *vcd.Comparison]
}

type loadersKey struct{}

var errNoLoaders = errors.New("the response has no loaders")

// WithLoaders gives a response its loaders.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	s := r.Service
	return context.WithValue(ctx, loadersKey{}, &loaders{
		reads:       make(chan struct{}, readsAtOnce),
		groups:      newLoader(s.GroupsByIDs, func(g *vcd.Group) vcd.ID { return g.ID }),
		urls:        newLoader(s.URLsByIDs, func(u *vcd.URL) vcd.ID { return u.ID }),
		websites:    newLoader(s.WebsitesByIDs, func(w *vcd.Website) vcd.ID { return w.ID }),
		imports:     newLoader(s.URLImportsByIDs, func(i *vcd.URLImport) vcd.ID { return i.ID }),
		rules:       newLoader(s.FeedbackRulesByIDs, func(r *vcd.FeedbackRule) vcd.ID { return r.ID }),
		webhooks:    newLoader(s.WebhooksByIDs, func(w *vcd.Webhook) vcd.ID { return w.ID }),
		deliveries:  newLoader(s.DeliveriesByIDs, func(d *vcd.Delivery) vcd.ID { return d.ID }),
		mails:       newLoader(s.MailsByIDs, func(m *vcd.Mail) vcd.ID { return m.ID }),
		batches:     newLoader(s.BatchesByIDs, func(b *vcd.Batch) vcd.ID { return b.ID }),
		entries:     newLoader(s.QueueEntriesByIDs, func(e *vcd.QueueEntry) vcd.ID { return e.ID }),
		screenshots: newLoader(s.ScreenshotsByIDs, func(s *vcd.Screenshot) vcd.ID { return s.ID }),
		comparisons: newLoader(s.ComparisonsByIDs, func(c *vcd.Comparison) vcd.ID { return c.ID }),
	})
}

func newLoader[T any](
	lookUp func(context.Context, vcd.Actor, []vcd.ID) ([]T, error), idOf func(T) vcd.ID,
) *dataloadgen.Loader[vcd.ID, T] {
	fetch := func(ctx context.Context, ids []vcd.ID) (map[vcd.ID]T, error) {
		found, err := lookUp(ctx, actor(ctx), ids)
		if err != nil {
			return nil, err
		}
		byID := make(map[vcd.ID]T, len(found))
		for _, item := range found {
			byID[idOf(item)] = item
		}
		return byID, nil
	}
	return dataloadgen.NewMappedLoader(fetch, dataloadgen.WithWait(loaderWait), dataloadgen.WithBatchCapacity(loaderBatch))
}

// load looks one thing up together with others and shows it; nil when it does not exist.
func load[S, T any](
	ctx context.Context, of func(*loaders) *dataloadgen.Loader[vcd.ID, *S], id vcd.ID, show func(*S) *T,
) (*T, error) {
	all, ok := ctx.Value(loadersKey{}).(*loaders)
	if !ok {
		return nil, errNoLoaders
	}
	found, err := of(all).Load(ctx, id)
	switch {
	case errors.Is(err, dataloadgen.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return show(found), nil
}

// ifAny looks up what an id names that may be missing.
func ifAny[T any](ctx context.Context, id *vcd.ID, look func(context.Context, vcd.ID) (*T, error)) (*T, error) {
	if id == nil {
		return nil, nil
	}
	return look(ctx, *id)
}

// The loader of each kind.
func groupsOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.Group]           { return l.groups }
func urlsOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.URL]               { return l.urls }
func websitesOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.Website]       { return l.websites }
func importsOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.URLImport]      { return l.imports }
func rulesOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.FeedbackRule]     { return l.rules }
func webhooksOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.Webhook]       { return l.webhooks }
func deliveriesOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.Delivery]    { return l.deliveries }
func mailsOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.Mail]             { return l.mails }
func batchesOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.Batch]          { return l.batches }
func entriesOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.QueueEntry]     { return l.entries }
func screenshotsOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.Screenshot] { return l.screenshots }
func comparisonsOf(l *loaders) *dataloadgen.Loader[vcd.ID, *vcd.Comparison] { return l.comparisons }

func loadGroup(ctx context.Context, id vcd.ID) (*view.Group, error) {
	return load(ctx, groupsOf, id, view.NewGroup)
}

func loadURL(ctx context.Context, id vcd.ID) (*view.URL, error) {
	return load(ctx, urlsOf, id, view.NewURL)
}

func loadWebsite(ctx context.Context, id vcd.ID) (*view.Website, error) {
	return load(ctx, websitesOf, id, view.NewWebsite)
}

func loadFeedbackRule(ctx context.Context, id vcd.ID) (*view.FeedbackRule, error) {
	return load(ctx, rulesOf, id, view.NewFeedbackRule)
}

func loadWebhook(ctx context.Context, id vcd.ID) (*view.Webhook, error) {
	return load(ctx, webhooksOf, id, view.NewWebhook)
}

func loadDelivery(ctx context.Context, id vcd.ID) (*view.Delivery, error) {
	return load(ctx, deliveriesOf, id, view.NewDelivery)
}

func loadURLImport(ctx context.Context, id vcd.ID) (*view.URLImport, error) {
	return load(ctx, importsOf, id, view.NewURLImport)
}

func loadMail(ctx context.Context, id vcd.ID) (*view.Mail, error) {
	return load(ctx, mailsOf, id, view.NewMail)
}

func loadBatch(ctx context.Context, id vcd.ID) (*view.Batch, error) {
	return load(ctx, batchesOf, id, view.NewBatch)
}

func (r *Resolver) loadQueueEntry(ctx context.Context, id vcd.ID) (*view.QueueEntry, error) {
	return load(ctx, entriesOf, id, r.showQueueEntry)
}

func (r *Resolver) loadScreenshot(ctx context.Context, id vcd.ID) (*view.Screenshot, error) {
	return load(ctx, screenshotsOf, id, r.showScreenshot)
}

func (r *Resolver) loadComparison(ctx context.Context, id vcd.ID) (*view.Comparison, error) {
	return load(ctx, comparisonsOf, id, r.showComparison)
}

// loadAll looks several things up, in the order of the ids; those that do not exist are left out.
func loadAll[S, T any](
	ctx context.Context, of func(*loaders) *dataloadgen.Loader[vcd.ID, *S], ids []vcd.ID, show func(*S) *T,
) ([]*T, error) {
	all, ok := ctx.Value(loadersKey{}).(*loaders)
	if !ok {
		return nil, errNoLoaders
	}
	thunks := make([]func() (*S, error), len(ids))
	for i, id := range ids {
		thunks[i] = of(all).LoadThunk(ctx, id)
	}
	items := make([]*T, 0, len(ids))
	for _, thunk := range thunks {
		found, err := thunk()
		switch {
		case errors.Is(err, dataloadgen.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			items = append(items, show(found))
		}
	}
	return items, nil
}

func loadGroups(ctx context.Context, ids []vcd.ID) ([]*view.Group, error) {
	return loadAll(ctx, groupsOf, ids, view.NewGroup)
}

func loadBatches(ctx context.Context, ids []vcd.ID) ([]*view.Batch, error) {
	return loadAll(ctx, batchesOf, ids, view.NewBatch)
}
