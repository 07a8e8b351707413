package run

import (
	"context"
	"time"

	"afterimage/vcd"
)

// Store keeps runs. Besides transactions of an account it answers what concerns all accounts.
type Store interface {
	vcd.Store[Tx]
	trialStores

	// AccountsLowOnChecks lists accounts that have passed a threshold of used checks not yet recorded (see TellChecks).
	AccountsLowOnChecks(ctx context.Context, limit int) ([]vcd.ID, error)

	// RemovePageSessions removes sessions of pages that were begun before the given time.
	RemovePageSessions(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveSignIns removes what expired before the given time.
	RemoveSignIns(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveSessions removes sessions that expired before the given time.
	RemoveSessions(ctx context.Context, before time.Time, limit int) (int, error)

	// HandOut assigns waiting turns to the free slots of live workers. Each slot goes to the account with the lowest recent
	// use relative to its share, and within it to the batch with the lowest use. It returns how many turns it assigned.
	HandOut(ctx context.Context, now time.Time, rules vcd.HandOutRules) (int, error)
	// Beat records a worker's heartbeat and its slots.
	Beat(ctx context.Context, w vcd.Worker) error
	// RetireWorker removes a worker that has stopped.
	RetireWorker(ctx context.Context, id string) error
	// TakeDeadWorker passes a worker without a heartbeat for silence to do, unless another process is handling it or it is
	// the one asking. If do succeeds, the worker is removed and its other jobs start over. It returns false when there is
	// none.
	TakeDeadWorker(ctx context.Context, asking string, silence time.Duration,
		do func(ctx context.Context, dead vcd.DeadWorker) error) (bool, error)
	// CancelledBatches lists unfinished batches that were cancelled or whose account is not active.
	CancelledBatches(ctx context.Context, limit int) ([]vcd.CancelledBatch, error)
	// CancelledImports lists imports that wait or are in work although their account is not active.
	CancelledImports(ctx context.Context, limit int) ([]vcd.CancelledImport, error)
	// StrandedTurns lists turns that were assigned to a worker before the given time and have no job in the background queue
	// that could still end them.
	StrandedTurns(ctx context.Context, before time.Time, limit int) ([]vcd.StrandedTurn, error)
	// RefusedTurns lists captures that wait for a host that has refused for at least as long as patience, and have themselves waited so
	// long.
	RefusedTurns(ctx context.Context, now time.Time, patience time.Duration, limit int) ([]vcd.RefusedTurn, error)
	// ForgetHosts removes records of hosts and of worker usage that are older than before.
	ForgetHosts(ctx context.Context, before time.Time) error

	// TakeDueGroups runs do in a transaction bound to the account of the group whose run is longest overdue at now and which
	// no other scheduler holds, with that group and up to most-1 others of this account that are due, all locked. It returns how
	// many these were. If do fails with a single group, its run is postponed so that others get their turn.
	TakeDueGroups(ctx context.Context, now time.Time, most int, do func(ctx context.Context, due []*vcd.Group, tx Tx) error) (int, error)

	// TakeDueTrigger runs do in a transaction bound to the account of the pending run that is longest overdue at now and that
	// nobody else holds, with that row and its group locked. If do fails, the run is postponed so that others get their turn.
	// It returns false when none is due.
	TakeDueTrigger(ctx context.Context, now time.Time, do func(ctx context.Context, p *vcd.PendingTrigger, tx Tx) error) (bool, error)

	// RemoveEvents removes the oldest events of one account, without a gap, that were created before the given time and read
	// by all readers.
	RemoveEvents(ctx context.Context, before time.Time, readers []vcd.Consumer, limit int) (int, error)
	// RemoveDeliveries removes ended deliveries created before the given time, with their attempts.
	RemoveDeliveries(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveMails removes ended mails created before the given time.
	RemoveMails(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveLearnedNoise removes what is known of pages that were last visited before the given time.
	RemoveLearnedNoise(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveAuditEntries removes audit entries of changes before the given time.
	RemoveAuditEntries(ctx context.Context, before time.Time, limit int) (int, error)
	// RemoveFreedStorage removes the reports of what was freed before the given time.
	RemoveFreedStorage(ctx context.Context, before time.Time, limit int) (int, error)

	// TakeDueRetention returns accounts that are due, the longest waiting first, and makes them due again at next.
	TakeDueRetention(ctx context.Context, now, next time.Time, limit int) ([]vcd.DueRetention, error)

	// ClaimNoiseProbe returns a due plan, which is not due again before the given time, and counts it as one of its account's day;
	// nil when there is none. It leaves out accounts that have had their share of the day, groups of other regions, and hosts
	// that are visited or rest, unless nothing is captured, and finds none at all while an ordinary capture waits. A plan that was
	// claimed a few times in vain is removed.
	ClaimNoiseProbe(ctx context.Context, r vcd.NoiseProbeRules) (*vcd.NoiseProbe, error)

	// RemoveAllowances removes up to limit allowances that were last used before the given time and returns how many.
	RemoveAllowances(ctx context.Context, before time.Time, limit int) (int, error)

	// StaleUploads lists batches that are being uploaded and got nothing since the given time.
	StaleUploads(ctx context.Context, since time.Time, limit int) ([]vcd.StaleUpload, error)

	// DeletedBatches lists hidden batches, those first that were hidden first.
	DeletedBatches(ctx context.Context, limit int) ([]vcd.DeletedBatch, error)

	// PlaceImageStore runs place, under a lock, with what the database knows about its image store. A database without a mark stores the
	// mark fresh. If place succeeds, the store counts as placed.
	PlaceImageStore(ctx context.Context, fresh string, place func(vcd.MarkedStore) error) (vcd.MarkedStore, error)
}

// Tx is what a use case of this room can do within a transaction. Methods that look up a single thing return a CodeNotFound
// error when the actor's account has no such thing.
type Tx interface {
	accountStore
	overviewStore
	seriesStore
	groupStore
	urlStore
	tagStore
	selectionStore
	triggerStore
	feedbackRuleStore
	changeStore
	urlImportStore
	batchStore
	batchDeletionStore
	expiryStore
	uploadStore
	queueEntryStore
	overrunStore
	screenshotStore
	hostStore
	turnStore
	batchEndStore
	comparisonStore
	learnedNoiseStore
	noiseProbeStore
	eventStore
	queue

	// OfFlows is what the transaction can do about flows.
	OfFlows() FlowTx
}

// accountStore keeps accounts.
type accountStore interface {
	Account(ctx context.Context) (*vcd.Account, error) // the actor's own
	// LockAccount reads the account for a change and blocks other changes until the transaction ends. Acquire this lock last:
	// every transaction needs it at its end.
	LockAccount(ctx context.Context) (*vcd.Account, error)
	// TellChecks records that the owner is being told that this percentage of the period's checks (80 or 100) is used up. It
	// returns false when that is already recorded. A new period or a higher limit clears the record.
	TellChecks(ctx context.Context, percent int) (bool, error)
	// ReserveChecks reserves n screenshots and reports whether the plan had room for them.
	ReserveChecks(ctx context.Context, n int) (bool, error)
	// SettleChecks turns done reserved checks into used ones and releases returned ones.
	SettleChecks(ctx context.Context, done, returned int) error
}

// overviewStore tells how things stand.
type overviewStore interface {
	// LastBatches finds the newest batch of each holder; those without any are left out.
	LastBatches(ctx context.Context, of vcd.Holder, ids []vcd.ID) (map[vcd.ID]vcd.ID, error)
}

// seriesStore counts by day.
type seriesStore interface {
	// Series returns the figures of each holder by day; days without any are left out.
	Series(ctx context.Context, of vcd.Holder, ids []vcd.ID, p vcd.Period) (map[vcd.ID][]*vcd.DayFigures, error)
}

// groupStore keeps groups. Reads leave out deleted groups, except GroupsByIDs, which history needs.
type groupStore interface {
	Group(ctx context.Context, id vcd.ID) (*vcd.Group, error)
	// OwnGroup reads the group's own columns: for work that happens for each page.
	OwnGroup(ctx context.Context, id vcd.ID) (*vcd.Group, error)
	// ComparisonSettings reads how a URL is compared in a group, which may have been deleted.
	ComparisonSettings(ctx context.Context, group, url vcd.ID) (*vcd.ComparisonSettings, error)
	// LockGroup reads the group for a change, blocking other changes until the transaction ends.
	LockGroup(ctx context.Context, id vcd.ID) (*vcd.Group, error)
	Groups(ctx context.Context, f vcd.GroupFilter, p vcd.Page) (*vcd.List[*vcd.Group], error)
	// SaveDueRuns stores the next runs of locked groups, and why their last due ones did not take place.
	SaveDueRuns(ctx context.Context, groups []*vcd.Group) error
}

// urlStore keeps URLs. Reads leave out deleted URLs, except URLsByIDs, which history needs.
type urlStore interface {
	// OwnURL reads the URL's own columns: for work that happens for each page.
	OwnURL(ctx context.Context, id vcd.ID) (*vcd.URL, error)
	// EnsureURL inserts u unless the account already has its address, and returns the stored URL.
	EnsureURL(ctx context.Context, u *vcd.URL) (stored *vcd.URL, created bool, err error)
	// RecordCrawl records the outcome of a capture on the URL, if it still exists.
	RecordCrawl(ctx context.Context, c vcd.Crawl) error
}

// tagStore keeps tags. Names that it takes may be in any case; those that it returns are spelled as they were first used.
type tagStore interface {
	// LockTags returns how the known ones among the names are spelled, by position; an unknown one is empty. These tags cannot be
	// deleted or renamed until the transaction ends.
	LockTags(ctx context.Context, names []string) ([]string, error)
}

// selectionStore keeps which URLs are in which groups.
type selectionStore interface {
	Selections(ctx context.Context, f vcd.SelectionFilter, p vcd.Page) (*vcd.List[*vcd.Selection], error)
	// SelectionsOf reads the given URLs' selections in a group; URLs that are not in it are left out.
	SelectionsOf(ctx context.Context, group vcd.ID, urls []vcd.ID) ([]*vcd.Selection, error)
	// OwnSelection reads the settings of a URL in a group, without the URL; nil when it is not in the group.
	OwnSelection(ctx context.Context, group, url vcd.ID) (*vcd.Selection, error)
	// SaveSelections inserts or overwrites selections and returns how many were new.
	SaveSelections(ctx context.Context, sels []*vcd.Selection) (added int, err error)
	// SelectedOf lists, for a run, up to limit selections of the groups that have an enabled device, oldest URL first; with tags,
	// only of URLs that have one of them. Only the ids and the devices are read.
	SelectedOf(ctx context.Context, groups []vcd.ID, tags []string, limit int) ([]*vcd.Selection, error)
}

// triggerStore keeps runs that wait for further saves.
type triggerStore interface {
	// LockPendingTrigger reads the group's pending run and keeps others from starting it until the transaction ends; nil when
	// there is none. The group must be locked, or another one may be inserted meanwhile.
	LockPendingTrigger(ctx context.Context, group vcd.ID, t vcd.TriggerType) (*vcd.PendingTrigger, error)
	// PendingTriggers reads the pending runs of several groups.
	PendingTriggers(ctx context.Context, groups []vcd.ID) (map[vcd.ID]*vcd.PendingTrigger, error)
	InsertPendingTrigger(ctx context.Context, p *vcd.PendingTrigger) error
	UpdatePendingTrigger(ctx context.Context, p *vcd.PendingTrigger) error // due, pages
	DeletePendingTrigger(ctx context.Context, p *vcd.PendingTrigger) error
	// ExtendPendingTriggers postpones pending runs that have a page with one of the addresses until at least until, but no
	// longer than limit after their first save, and returns them. With group, only that group's.
	ExtendPendingTriggers(ctx context.Context, group *vcd.ID, addresses []string, until time.Time,
		limit time.Duration) ([]*vcd.PendingTrigger, error)
}

// feedbackRuleStore keeps feedback rules.
type feedbackRuleStore interface {
	// RulesOf lists the active rules that apply to a page in a group, oldest first.
	RulesOf(ctx context.Context, group, url vcd.ID) ([]*vcd.FeedbackRule, error)
	// RecordRuleMatches adds the number of regions of a comparison that each rule matched to the counts of the rules. Rules
	// deleted meanwhile are skipped. Concurrent calls do not block each other.
	RecordRuleMatches(ctx context.Context, comparison vcd.ID, regions map[vcd.ID]int, now time.Time) error
}

// changeStore records which comparisons show which changes.
type changeStore interface {
	// RecordChanges records what a comparison shows once it is decided, adding it to the changes of its batch.
	RecordChanges(ctx context.Context, c *vcd.Comparison, shown []*vcd.ShownChange) error
}

// urlImportStore keeps imports.
type urlImportStore interface {
	LockURLImport(ctx context.Context, id vcd.ID) (*vcd.URLImport, error)
	UpdateURLImport(ctx context.Context, i *vcd.URLImport) error // state, counts, problems
}

// batchStore keeps batches.
type batchStore interface {
	Batch(ctx context.Context, id vcd.ID) (*vcd.Batch, error)
	// LockBatch reads the batch without its figures and blocks other changes until the transaction ends. Lock order: rows of
	// queue entries, then the batch, then appending events.
	LockBatch(ctx context.Context, id vcd.ID) (*vcd.Batch, error)
	Batches(ctx context.Context, f vcd.BatchFilter, p vcd.Page) (*vcd.List[*vcd.Batch], error)
	BatchesByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Batch, error)
	InsertBatches(ctx context.Context, added []*vcd.Batch) error
	UpdateBatch(ctx context.Context, b *vcd.Batch) error // name, version, counts, uploading, finished, verification result
	// StoreUpdateResults replaces any results stored before.
	StoreUpdateResults(ctx context.Context, id vcd.ID, r *vcd.UpdateResults, now time.Time) error
	// MonitoringRuns tells of which of the groups a monitoring run that began after since is still in progress.
	MonitoringRuns(ctx context.Context, groups []vcd.ID, since time.Time) (map[vcd.ID]bool, error)
	// BatchSteps tells how far unfinished batches are; others are left out. Since is when the recent past begins.
	BatchSteps(ctx context.Context, ids []vcd.ID, since time.Time) (map[vcd.ID]vcd.BatchSteps, error)
	// BatchParts splits the figures of each batch by group.
	BatchParts(ctx context.Context, ids []vcd.ID) (map[vcd.ID][]*vcd.BatchPart, error)
	// BaselineBatches finds, for each batch with comparisons, the batch that most of its screenshots before come from.
	BaselineBatches(ctx context.Context, ids []vcd.ID) (map[vcd.ID]vcd.ID, error)
	// UnseenCounts counts, for each batch, the comparisons whose screenshots do not show all of the page; batches with none are
	// left out.
	UnseenCounts(ctx context.Context, ids []vcd.ID) (map[vcd.ID]int, error)
	// VerificationTotals adds up the batch's comparisons.
	VerificationTotals(ctx context.Context, batch vcd.ID) (vcd.VerificationTotals, error)
}

// batchDeletionStore deletes batches. First a batch is hidden, in one step whatever its size; then its rows are removed,
// some at a time.
type batchDeletionStore interface {
	// BatchesComparedWith counts the other batches with comparisons that show a screenshot of this one.
	BatchesComparedWith(ctx context.Context, id vcd.ID) (int, error)
	// HideBatch makes a batch, and all that it holds, unknown to everything but the methods below.
	HideBatch(ctx context.Context, id vcd.ID, now time.Time) error
	// RemoveHidden removes up to limit entries of a hidden batch with what they made, and returns how many. What comparisons of other
	// batches show stays until these are gone. Files of pictures are removed later, by the sweeper.
	RemoveHidden(ctx context.Context, id vcd.ID, limit int) (removed int, err error)
	// RemoveEmptied removes a hidden batch that has no entries any more; otherwise it returns false.
	RemoveEmptied(ctx context.Context, id vcd.ID) (gone bool, err error)
}

// expiryStore removes expired runs of an account.
type expiryStore interface {
	// ExpiredBatches lists up to limit batches of which something is to be removed, newest first.
	ExpiredBatches(ctx context.Context, e vcd.Expiry, limit int) ([]vcd.ID, error)
	// ExpireBatch removes the comparisons of a batch that is locked, and its screenshots but for those that other comparisons show or that
	// later ones will be compared with. When none is left, the batch is deleted too, and gone is true. A batch that e keeps by
	// now stays as it is.
	ExpireBatch(ctx context.Context, id vcd.ID, e vcd.Expiry) (freed vcd.Freed, gone bool, err error)
	// RecordFreed adds to the report of a day.
	RecordFreed(ctx context.Context, day time.Time, f vcd.Freed) error
	// MeasureStorage counts and records what the account stores.
	MeasureStorage(ctx context.Context, now time.Time) (*vcd.Storage, error)
	// TellStorage records that the owner is being told that this percentage (0, 80 or 100) of the storage is used. It returns
	// what was recorded before.
	TellStorage(ctx context.Context, percent int) (before int, err error)
	// DueRetentionAt lets the account's runs be looked at from the given time.
	DueRetentionAt(ctx context.Context, at time.Time) error
}

// uploadStore keeps uploads.
type uploadStore interface {
	// Upload finds the upload of a batch; CodeNotFound for batches that are none.
	Upload(ctx context.Context, batch vcd.ID) (*vcd.Upload, error)
	// UploadOfBuild finds the upload of a group by type and build; nil when there is none.
	UploadOfBuild(ctx context.Context, group vcd.ID, t vcd.QueueType, build string) (*vcd.Upload, error)
	// OpenUploads counts the batches that are being uploaded.
	OpenUploads(ctx context.Context) (int, error)
	// InsertUpload also records that the batch belongs to the group, before it has any entry.
	InsertUpload(ctx context.Context, u *vcd.Upload) error
	// FinishShards stores which shards have finished.
	FinishShards(ctx context.Context, u *vcd.Upload) error
	// UploadedHash is the hash of the picture at a place of a batch; empty when there is none.
	UploadedHash(ctx context.Context, batch vcd.ID, p vcd.Place) (string, error)
}

// queueEntryStore keeps queue entries.
type queueEntryStore interface {
	QueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error)
	// OwnQueueEntry reads the entry's own columns: for work that happens for each page.
	OwnQueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error)
	// LockQueueEntry reads the entry's own columns and blocks other changes until the transaction ends.
	LockQueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error)
	// QueueEntries also counts by state over the whole filtered list if figures is set.
	QueueEntries(ctx context.Context, f vcd.QueueFilter, p vcd.Page, figures bool) (*vcd.QueueList, error)
	// QueueEntriesOfBatches returns such a list for each batch.
	QueueEntriesOfBatches(
		ctx context.Context, batches []vcd.ID, f vcd.QueueFilter, p vcd.Page, figures bool,
	) (map[vcd.ID]*vcd.QueueList, error)
	QueueEntriesByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.QueueEntry, error)
	InsertQueueEntries(ctx context.Context, entries []*vcd.QueueEntry) error
	// UpdateQueueEntry writes status, reason, message, notice, attempts, whether it is dispatched, and refusals.
	UpdateQueueEntry(ctx context.Context, e *vcd.QueueEntry) error
	// LockComparisonsOn locks, oldest first, the comparison entries affected by the end of screenshot entry e: e's own, that
	// of the entry which e confirms, and the open undispatched ones whose screenshots belong to the same group, URL and
	// device as e, have a type that is compared with e's, and were requested after it.
	LockComparisonsOn(ctx context.Context, e *vcd.QueueEntry) ([]*vcd.QueueEntry, error)
	// HasPendingBaseline reports whether an unended baseline entry, older than e and for the same group, URL and device,
	// would take precedence over the newest finished one.
	HasPendingBaseline(ctx context.Context, e *vcd.QueueEntry) (bool, error)
	// BaselineOf finds the newest finished screenshot with which e's is compared: of the baseline type, for the same group,
	// URL and device, from an entry older than e. Nil when there is none.
	BaselineOf(ctx context.Context, e *vcd.QueueEntry) (*vcd.Screenshot, error)
	// RepeatedBy finds the newest finished screenshot that e's repeats with no update between them: one before or after an earlier
	// update, for the same group, URL and device, of a version of the capture engine. Nil when there is none.
	RepeatedBy(ctx context.Context, e *vcd.QueueEntry, version string) (*vcd.Screenshot, error)
	// BaselineOfVersion is BaselineOf restricted to one version of the capture engine, see Screenshot.SCVersion: after an
	// upgrade, two screenshots may differ in more than the page's changes.
	BaselineOfVersion(ctx context.Context, e *vcd.QueueEntry, version string) (*vcd.Screenshot, error)
	// PageBaselineOfVersion is BaselineOfVersion among screenshots of the page itself, not of a wall before it.
	PageBaselineOfVersion(ctx context.Context, e *vcd.QueueEntry, version string) (*vcd.Screenshot, error)
	// ConfirmationOf is the entry that repeats the screenshot of an entry, with its own columns; nil when there is none.
	ConfirmationOf(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error)
	// RecentPictures lists the distinct hashes, newest first, of up to limit pictures that a place showed in monitoring
	// before the entry e, taken by one version of the capture engine. Pictures that did not last or were repeated are left
	// out.
	RecentPictures(ctx context.Context, e *vcd.QueueEntry, version string, limit int) ([]string, error)
	// WithBaseline reports for which of the places a baseline of type t, requested before the given time, is done or pending.
	WithBaseline(ctx context.Context, t vcd.QueueType, before time.Time, places []vcd.Place) (map[vcd.Place]bool, error)
}

// flowStore keeps flows and what becomes of them.
type flowStore interface {
	FlowOfCheckpoint(ctx context.Context, url vcd.ID) (*vcd.Flow, error)
	FlowCheckpoints(ctx context.Context, id vcd.ID) ([]vcd.FlowCheckpoint, error)
	// LockFollowers locks the open entries that end with the entry that leads them.
	LockFollowers(ctx context.Context, leader vcd.ID) ([]*vcd.QueueEntry, error)
	// Lead makes one of several open entries, which may be among the followers, lead them.
	Lead(ctx context.Context, leader vcd.ID, followers []vcd.ID) error
	// BeginFlowRun stores that a flow runs in a batch on a device. If it has done so before, that is forgotten.
	BeginFlowRun(ctx context.Context, r *vcd.FlowRun) error
	// NoteFlowSteps stores which steps of the flow in the turn of an entry have ended, and returns the run's id; none if it is over.
	NoteFlowSteps(ctx context.Context, batch, entry vcd.ID, steps []vcd.FlowRunStep) (vcd.ID, error)
	// NoteFlowChange stores that a step of the flow in the turn of an entry changes something and is about to begin.
	NoteFlowChange(ctx context.Context, batch, entry vcd.ID, step int) error
	// ForgetFlowChanges lets the flows that were in the turns of entries of a batch be run again.
	ForgetFlowChanges(ctx context.Context, batch vcd.ID, entries []vcd.ID) error
	// FlowChanges finds the runs of flows in a batch that have changed something, by the entries in whose turn they were.
	FlowChanges(ctx context.Context, batch vcd.ID) (map[vcd.ID]vcd.FlowChange, error)
	// EndFlowRun stores what became of the run in the turn of an entry, and returns its id; none if its flow was deleted meanwhile.
	EndFlowRun(ctx context.Context, r *vcd.FlowRun) (vcd.ID, error)
}

// overrunStore counts failed attempts at a comparison. The count is kept in the queue entry, so it is shared by all machines
// and survives restarts.
type overrunStore interface {
	// CountOverrun records that an attempt killed its process, and returns how many have.
	CountOverrun(ctx context.Context, entry vcd.ID) (int, error)
}

// screenshotStore keeps screenshots and images.
type screenshotStore interface {
	Screenshot(ctx context.Context, id vcd.ID) (*vcd.Screenshot, error)
	ScreenshotOfEntry(ctx context.Context, entry vcd.ID) (*vcd.Screenshot, error)
	InsertScreenshot(ctx context.Context, shot *vcd.Screenshot) error // and its image
}

// hostStore records which hosts are resting for the account. A host is the first part of a page address, including the port
// if there is one. What the pages of one account are answered has no effect on others.
type hostStore interface {
	// RefuseHost records that a page of the host refused a request. After enough refusals the host rests, except for captures that
	// probe whether it answers again. It returns the rest, nil when the host is not resting.
	RefuseHost(ctx context.Context, r vcd.HostRefusal) (*vcd.HostRest, error)
	// WakeHost records that the host served a page, which ends its rest: pages that wait because they were refused may be captured
	// at once.
	WakeHost(ctx context.Context, host string, now time.Time) error
	// RestingHosts returns which of the hosts are resting at the given time.
	RestingHosts(ctx context.Context, hosts []string, now time.Time) (map[string]vcd.HostRest, error)
	// DelayPause returns how long the account's screenshots with a delay pause.
	DelayPause(ctx context.Context, now time.Time) (*vcd.DelayPause, error)
	// ProbeHosts lets the next probes of all resting hosts of the account begin at once.
	ProbeHosts(ctx context.Context, now time.Time) error
}

// turnStore keeps the turns of an account: captures, comparisons and imports that wait for a worker or have one.
type turnStore interface {
	// QueueUp makes queue entries wait for their turn, at the given time or later. An entry that has a worker loses it.
	QueueUp(ctx context.Context, at time.Time, entries ...vcd.ID) error
	// ReleaseTurn takes a turn and its job from a dead worker: the turn waits again, and its suspicion is stored. It returns
	// false when the worker has ended the job after all.
	ReleaseTurn(ctx context.Context, h *vcd.HeldTurn) (bool, error)
	// EndTurn records that an entry or import no longer waits for a worker or has one.
	EndTurn(ctx context.Context, subject vcd.ID) error
	// WithdrawTurns removes all turns of batches at once, and returns those that have a worker.
	WithdrawTurns(ctx context.Context, batches ...vcd.ID) (handed []vcd.ID, err error)
}

// batchEndStore ends and reopens many entries of a batch at once.
type batchEndStore interface {
	// LockUnended locks up to limit unended entries of a batch: first those in work, and of both kinds screenshots first.
	LockUnended(ctx context.Context, batch vcd.ID, limit int) ([]*vcd.QueueEntry, error)
	// LockWithdrawn locks up to limit open screenshots of a batch whose pages are no longer in their group, but for confirmations, and
	// the comparisons that wait for them.
	LockWithdrawn(ctx context.Context, batch vcd.ID, limit int) (shots, comparisons []*vcd.QueueEntry, err error)
	// LockFailed locks the failed entries of a batch except confirmations, screenshots first.
	LockFailed(ctx context.Context, batch vcd.ID) ([]*vcd.QueueEntry, error)
	// LockComparisonsBeyond locks the comparisons of other batches that wait for a baseline at the place of one of the
	// entries.
	LockComparisonsBeyond(ctx context.Context, batch vcd.ID, entries []*vcd.QueueEntry) ([]*vcd.QueueEntry, error)
	// EndEntries stores the state and reason that the entries share and ends their turns and jobs, see EndTurn.
	EndEntries(ctx context.Context, entries []*vcd.QueueEntry) error
	// ReopenEntries resets entries to open with no attempts made.
	ReopenEntries(ctx context.Context, entries []*vcd.QueueEntry) error
	// DispatchReady marks those of the open comparisons dispatched whose screenshot is final and whose baseline exists and is not
	// about to be superseded, and returns them.
	DispatchReady(ctx context.Context, comparisons []vcd.ID) ([]vcd.ID, error)
	// StopBatches marks all batches of the account that have not finished as cancelled, and returns those that were not.
	StopBatches(ctx context.Context, now time.Time) ([]vcd.ID, error)
	// UnfinishedBatches lists the account's batches that have not finished, oldest first.
	UnfinishedBatches(ctx context.Context, limit int) ([]vcd.ID, error)
	// UnendedImports lists the account's imports that have started and not ended.
	UnendedImports(ctx context.Context, limit int) ([]vcd.ID, error)
}

// comparisonStore keeps comparisons.
type comparisonStore interface {
	InsertComparison(ctx context.Context, c *vcd.Comparison) error // and its image
	// LastChange is the state of the newest monitoring comparison of a place that was above its threshold and did not vanish;
	// with a hash, of the newest that led to this picture. Empty when there is none.
	LastChange(ctx context.Context, p vcd.Place, hash string) (vcd.ComparisonStatus, error)
	// PendingComparison locks the comparison of an entry that is waiting for a model; nil when there is none.
	PendingComparison(ctx context.Context, entry vcd.ID) (*vcd.Comparison, error)
	UpdateVerification(ctx context.Context, c *vcd.Comparison) error // and its state
}

// learnedNoiseStore keeps what is known of pages.
type learnedNoiseStore interface {
	// LearnedNoise returns what is known of a page, with the reviews of the comparisons that it was learned from applied; empty
	// knowledge when nothing is stored.
	LearnedNoise(ctx context.Context, url vcd.ID, device vcd.Device) (*vcd.LearnedNoise, error)
	// KeepLearnedNoise stores it as the next version, and reports whether it did: not if another version has been stored since it
	// was read, or the URL is deleted.
	KeepLearnedNoise(ctx context.Context, n *vcd.LearnedNoise) (kept bool, err error)
}

// noiseProbeStore keeps an account's plans.
type noiseProbeStore interface {
	// PlanNoiseProbe stores a plan in place of an earlier one of the page. It does nothing if the account wants no probes, or if
	// enough is known of the page, unless nothing has to be captured.
	PlanNoiseProbe(ctx context.Context, p *vcd.NoiseProbe, enough int) error
	// EndNoiseProbe removes a plan, and tells whether it did: not if it was replaced by one with another screenshot.
	EndNoiseProbe(ctx context.Context, p *vcd.NoiseProbe) (ended bool, err error)
}

// eventStore is the account's outbox.
type eventStore interface {
	// AppendEvents numbers the events and stores them when the transaction commits. Numbers are assigned under a lock that is
	// taken last and held until the commit, so that events become visible in order.
	AppendEvents(ctx context.Context, events ...*vcd.Event) error
	// LastEvent is the number of the newest event, 0 before the first.
	LastEvent(ctx context.Context) (int64, error)
}

// queue takes the background work of a transaction, which starts only if and when the transaction commits.
type queue interface {
	// CancelJobs cancels the jobs of queue entries and imports, including running ones.
	CancelJobs(ctx context.Context, subjects ...vcd.ID) error
	// CompleteJob marks the job that ctx is working on as done in this transaction, so that its effect and its completion are
	// atomic. Outside a job it does nothing.
	CompleteJob(ctx context.Context) error
}
