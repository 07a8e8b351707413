package inventory

import (
	"context"
	"time"

	"afterimage/vcd"
)

// Store keeps the inventory. Besides transactions of an account it answers what concerns all accounts.
type Store interface {
	vcd.Store[Tx]
	// URLs runs transactions on the URLs of an account and their tags.
	URLs() vcd.Store[URLTx]
	// Websites runs transactions on the websites of an account and their flows.
	Websites() vcd.Store[WebsiteTx]
	// Trials runs transactions on the trials of flows of an account.
	Trials() vcd.Store[TrialTx]
	// Imports runs transactions on the imports of an account.
	Imports() vcd.Store[ImportTx]

	// UnsettledRegions lists, in no particular order, up to limit groups that have URLs and leave the choice of region to the
	// service.
	UnsettledRegions(ctx context.Context, limit int) ([]vcd.UnsettledRegion, error)
}

// Tx is what a use case about groups, and about the URLs in a group, can do within a transaction. Methods that look up a single
// thing return a CodeNotFound error when the actor's account has no such thing.
type Tx interface {
	accountStore
	groupLocker
	groupStore
	flowReader
	siblingStore
	selectionChanger
	selectionStore
	knownURLStore
	urlAdder
	urlRemover
	tagger
	uploadStore
	nodeStore
	eventStore
}

// URLTx is what a use case about URLs, in whatever groups, and their tags can do within a transaction.
type URLTx interface {
	urlChanger
	urlStore
	knownURLStore
	tagger
	tagStore
	websiteReader
	eventStore
}

// WebsiteTx is what a use case about websites can do within a transaction. Flows are of a website, and move and end with it.
type WebsiteTx interface {
	websiteReader
	websiteStore
	siblingStore
	flowStore
	flowRunStore
	feedbackRuleStore
	groupLocker
	selectionChanger
	urlChanger
	urlRemover
	eventStore
}

// ImportTx is what a use case about imports, from sitemaps and by synchronisations, can do within a transaction.
type ImportTx interface {
	urlImportStore
	urlAdder
	websiteReader
	groupLocker
	turnStore
	eventStore
	queue
}

// accountStore reads the actor's own account, whose time zone is that of schedules.
type accountStore interface {
	Account(ctx context.Context) (*vcd.Account, error)
	// HoldTimezone ties the transaction to a time zone: if the account has another one at commit, the transaction is retried.
	HoldTimezone(ctx context.Context, name string) error
}

// groupLocker locks groups.
type groupLocker interface {
	// LockGroup reads the group for a change, blocking other changes until the transaction ends.
	LockGroup(ctx context.Context, id vcd.ID) (*vcd.Group, error)
}

// groupStore keeps groups. Reads leave out deleted groups, except GroupsByIDs, which history needs.
type groupStore interface {
	Group(ctx context.Context, id vcd.ID) (*vcd.Group, error)
	Groups(ctx context.Context, f vcd.GroupFilter, p vcd.Page) (*vcd.List[*vcd.Group], error)
	GroupsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Group, error)
	InsertGroup(ctx context.Context, g *vcd.Group) error
	UpdateGroup(ctx context.Context, g *vcd.Group) error
	// DeleteGroup hides the group, erases its secrets and injected code, removes its selections and detaches it from its
	// website. Its batches and comparisons stay readable.
	DeleteGroup(ctx context.Context, id vcd.ID, now time.Time) error
}

// siblingStore finds out which groups belong together.
type siblingStore interface {
	// WebsitesOfGroups finds the websites of the groups, by group; groups without one are left out.
	WebsitesOfGroups(ctx context.Context, groups []vcd.ID) (map[vcd.ID]*vcd.Website, error)
}

// urlStore keeps URLs. Reads leave out deleted URLs, except URLsByIDs, which history needs.
type urlStore interface {
	URL(ctx context.Context, id vcd.ID) (*vcd.URL, error)
	URLs(ctx context.Context, f vcd.URLFilter, p vcd.Page) (*vcd.List[*vcd.URL], error)
	URLsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.URL, error)
	// DeleteURL hides the URL and removes its selections.
	DeleteURL(ctx context.Context, id vcd.ID, now time.Time) error
}

// urlChanger adds and changes single URLs.
type urlChanger interface {
	LockURL(ctx context.Context, id vcd.ID) (*vcd.URL, error)
	// EnsureURL inserts u unless the account already has its address, and returns the stored URL.
	EnsureURL(ctx context.Context, u *vcd.URL) (stored *vcd.URL, created bool, err error)
	// UpdateURL writes u's fields. An address that another URL of the account has is CodeInvalid on "url".
	UpdateURL(ctx context.Context, u *vcd.URL) error
}

// urlAdder adds many URLs at once.
type urlAdder interface {
	// EnsureURLs inserts the URLs whose address the account does not have yet and returns how many it inserted. The others get the
	// scheme if a client gave it.
	EnsureURLs(ctx context.Context, urls []vcd.ImportedURL, now time.Time) (added int, err error)
}

// urlRemover removes many URLs at once.
type urlRemover interface {
	// DeleteURLs hides the URLs and removes their selections, but for checkpoints of flows, and returns those that there were.
	DeleteURLs(ctx context.Context, ids []vcd.ID, now time.Time) ([]vcd.ID, error)
}

// knownURLStore checks the ids of URLs.
type knownURLStore interface {
	// KnownURLs returns those of the ids that are undeleted URLs of the account. They cannot be deleted until the transaction
	// ends.
	KnownURLs(ctx context.Context, ids []vcd.ID) ([]vcd.ID, error)
}

// tagger gives tags to URLs and takes them. Names that it takes may be in any case; those that it returns are spelled as they were
// first used.
type tagger interface {
	// LockTags returns how the known ones among the names are spelled, by position; an unknown one is empty. These tags cannot be
	// deleted or renamed until the transaction ends.
	LockTags(ctx context.Context, names []string) ([]string, error)
	// EnsureTags does the same, and adds the unknown ones. More than MaxTags are CodeInvalid on field.
	EnsureTags(ctx context.Context, field string, names []string, now time.Time) ([]string, error)
	// TagURLs gives tags to URLs and returns those that did not have all of them. A URL with more than MaxTagsOfURL is CodeInvalid
	// on field.
	TagURLs(ctx context.Context, field string, urls []vcd.ID, tags []string) (changed []vcd.ID, err error)
	// UntagURLs takes tags from URLs and returns those that had some of them.
	UntagURLs(ctx context.Context, urls []vcd.ID, tags []string) (changed []vcd.ID, err error)
}

// tagStore keeps tags. Names may be in any case.
type tagStore interface {
	// Tags lists the account's tags with the number of their URLs, by name.
	Tags(ctx context.Context) ([]*vcd.Tag, error)
	// RenameTag fails with CodeNotFound when there is no such tag, and with CodeInvalid on "newName" when there is another one of
	// that name.
	RenameTag(ctx context.Context, name, newName string) error
	// DeleteTag takes it from all URLs, too.
	DeleteTag(ctx context.Context, name string) error
}

// selectionChanger puts URLs into groups and takes them out.
type selectionChanger interface {
	// SaveSelections inserts or overwrites selections and returns how many were new.
	SaveSelections(ctx context.Context, sels []*vcd.Selection) (added int, err error)
	// RemoveSelections takes URLs out of a group and returns how many were in it.
	RemoveSelections(ctx context.Context, group vcd.ID, urls []vcd.ID) (int, error)
}

// selectionStore keeps which URLs are in which groups.
type selectionStore interface {
	Selections(ctx context.Context, f vcd.SelectionFilter, p vcd.Page) (*vcd.List[*vcd.Selection], error)
	// SelectionsOfGroups returns such a list for each group.
	SelectionsOfGroups(
		ctx context.Context, groups []vcd.ID, f vcd.SelectionFilter, p vcd.Page,
	) (map[vcd.ID]*vcd.List[*vcd.Selection], error)
	// SelectionsOf reads the given URLs' selections in a group; URLs that are not in it are left out.
	SelectionsOf(ctx context.Context, group vcd.ID, urls []vcd.ID) ([]*vcd.Selection, error)
	SelectionFigures(ctx context.Context, group vcd.ID) (vcd.SelectionFigures, error)
	// URLIDsOf finds the URLs with exactly these addresses, as ParseAddress returns them; unknown ones are left out.
	URLIDsOf(ctx context.Context, addresses []string) ([]vcd.ID, error)
	// PlanFirstProbes plans a probe of each of the given URLs that a group has, for each device that is on: for those of which nothing is
	// known and none is planned. It does nothing if the account wants no probes.
	PlanFirstProbes(ctx context.Context, group vcd.ID, urls []vcd.ID, due time.Time) error
	// SelectedIDs lists the URLs that match, at most limit, in no order.
	SelectedIDs(ctx context.Context, f vcd.SelectionFilter, limit int) ([]vcd.ID, error)
	// SwitchDevices enables or disables devices for URLs of a group; nil leaves a device as it is, and uploaded pages stay off. It
	// returns those that were different.
	SwitchDevices(ctx context.Context, group vcd.ID, urls []vcd.ID, desktop, mobile *bool) (changed []vcd.ID, err error)
	// TakeOut takes URLs out of a group and returns their settings there.
	TakeOut(ctx context.Context, group vcd.ID, urls []vcd.ID) ([]*vcd.Selection, error)
	// SelectAll enables or disables a device for all URLs of a group but uploaded pages.
	SelectAll(ctx context.Context, group vcd.ID, device vcd.Device, on bool) error
}

// websiteReader reads websites.
type websiteReader interface {
	Website(ctx context.Context, id vcd.ID) (*vcd.Website, error)
	Websites(ctx context.Context, f vcd.WebsiteFilter, p vcd.Page) (*vcd.List[*vcd.Website], error)
}

// websiteStore keeps websites.
type websiteStore interface {
	LockWebsite(ctx context.Context, id vcd.ID) (*vcd.Website, error)
	WebsitesByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Website, error)
	// InsertWebsite and UpdateWebsite also write its groups. A domain that the account already has, managed by the same tool, is
	// CodeInvalid on "domain".
	InsertWebsite(ctx context.Context, w *vcd.Website) error
	UpdateWebsite(ctx context.Context, w *vcd.Website) error
	// DeleteWebsite removes the website, which must not have any feedback rules. Its groups and URLs stay.
	DeleteWebsite(ctx context.Context, id vcd.ID) error
}

// flowReader reads flows.
type flowReader interface {
	Flow(ctx context.Context, id vcd.ID) (*vcd.Flow, error)
}

// flowStore keeps flows.
type flowStore interface {
	flowReader
	LockFlow(ctx context.Context, id vcd.ID) (*vcd.Flow, error)
	Flows(ctx context.Context, f vcd.FlowFilter, p vcd.Page) (*vcd.List[*vcd.Flow], error)
	FlowsOfWebsite(ctx context.Context, website vcd.ID) ([]*vcd.Flow, error)
	CountFlows(ctx context.Context) (int, error)
	// GroupsSignedInBy lists the names of the groups for which a flow signs in.
	GroupsSignedInBy(ctx context.Context, flow vcd.ID) ([]string, error)
	InsertFlow(ctx context.Context, f *vcd.Flow) error
	UpdateFlow(ctx context.Context, f *vcd.Flow) error
	// DeleteFlow also removes what is known of its checkpoints and its runs.
	DeleteFlow(ctx context.Context, id vcd.ID) error
	FlowCheckpoints(ctx context.Context, id vcd.ID) ([]vcd.FlowCheckpoint, error)
	// SaveFlowCheckpoints adds checkpoints, and removes those of the given URLs.
	SaveFlowCheckpoints(ctx context.Context, added []*vcd.FlowCheckpoint, gone []vcd.ID) error
}

// flowRunStore reads what became of flows.
type flowRunStore interface {
	FlowRun(ctx context.Context, id vcd.ID) (*vcd.FlowRun, error)
	FlowRuns(ctx context.Context, flowID vcd.ID, f vcd.FlowRunFilter, p vcd.Page) (*vcd.List[*vcd.FlowRun], error)
	// FlowRunCheckpoints reads what became of checkpoints, by their queue entries.
	FlowRunCheckpoints(ctx context.Context, entries []vcd.ID) (map[vcd.ID]vcd.FlowRunCheckpoint, error)
	// LastFlowRuns finds the newest run of each flow; those without one are left out.
	LastFlowRuns(ctx context.Context, flows []vcd.ID) (map[vcd.ID]*vcd.FlowRun, error)
	// FailedFlowRuns are the runs of batches that failed, the oldest first.
	FailedFlowRuns(ctx context.Context, batches []vcd.ID) ([]*vcd.FlowRun, error)
}

// feedbackRuleStore keeps feedback rules.
type feedbackRuleStore interface {
	// NarrowFeedbackRules turns the rules for a website into rules for their groups and returns their ids.
	NarrowFeedbackRules(ctx context.Context, website vcd.ID, now time.Time) ([]vcd.ID, error)
}

// urlImportStore keeps imports.
type urlImportStore interface {
	URLImport(ctx context.Context, id vcd.ID) (*vcd.URLImport, error)
	LockURLImport(ctx context.Context, id vcd.ID) (*vcd.URLImport, error)
	URLImports(ctx context.Context, f vcd.URLImportFilter, p vcd.Page) (*vcd.List[*vcd.URLImport], error)
	URLImportsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.URLImport, error)
	// LockGathered locks the gathered collections that have not been started, newest first.
	LockGathered(ctx context.Context, f vcd.GatheredFilter) ([]*vcd.URLImport, error)
	// EnsureURLImport inserts i unless an import with its id exists or, for a sitemap, one of the same domain is in progress, or,
	// for one that is gathered, one of the same website is collecting; it returns the stored import, locked.
	EnsureURLImport(ctx context.Context, i *vcd.URLImport) (stored *vcd.URLImport, created bool, err error)
	UpdateURLImport(ctx context.Context, i *vcd.URLImport) error // state, counts, problems
	// CollectURLs stores URLs for a synchronisation, replacing those with the same address, and returns how many it has.
	CollectURLs(ctx context.Context, id vcd.ID, urls []vcd.ImportedURL) (total int, err error)
	// SyncURLs applies the collected URLs to the website: it renames, adds, updates and assigns them to the website and its
	// groups and, if requested, removes previously synced URLs that are not among them. The collected URLs are then deleted.
	// The number of statements is small and independent of the number of URLs.
	SyncURLs(ctx context.Context, i *vcd.URLImport, w *vcd.Website, newID func() vcd.ID, now time.Time) (vcd.SyncOutcome, error)
}

// uploadStore keeps uploads.
type uploadStore interface {
	// UploadedOf returns those of the URLs that are uploaded pages.
	UploadedOf(ctx context.Context, urls []vcd.ID) ([]vcd.ID, error)
}

// turnStore keeps the turns of imports.
type turnStore interface {
	// QueueUpImport lets an import wait for a worker.
	QueueUpImport(ctx context.Context, id vcd.ID) error
	// EndTurn records that an import no longer waits for a worker or has one.
	EndTurn(ctx context.Context, subject vcd.ID) error
}

// nodeStore resolves the kinds of ids.
type nodeStore interface {
	// NodeKinds returns what the ids identify; unknown and deleted ones are left out.
	NodeKinds(ctx context.Context, ids []vcd.ID) (map[vcd.ID]vcd.NodeKind, error)
}

// eventStore is the account's outbox.
type eventStore interface {
	// AppendEvents numbers the events and stores them when the transaction commits. Numbers are assigned under a lock that is
	// taken last and held until the commit, so that events become visible in order.
	AppendEvents(ctx context.Context, events ...*vcd.Event) error
}

// queue takes the background work of a transaction, which starts only if and when the transaction commits.
type queue interface {
	// CompleteJob marks the job that ctx is working on as done in this transaction, so that its effect and its completion are
	// atomic. Outside a job it does nothing.
	CompleteJob(ctx context.Context) error
}
