package review

import (
	"context"
	"time"

	"afterimage/vcd"
)

// Store keeps reviews. Besides transactions of an account it answers what concerns all accounts.
type Store interface {
	vcd.Store[Tx]
	// Rules runs transactions on the feedback rules and the learned noise of an account.
	Rules() vcd.Store[RuleTx]
	// PublicPages runs transactions on the public pages of an account.
	PublicPages() vcd.Store[PublicTx]
	// Updates runs transactions on the updates that runs of an account followed.
	Updates() vcd.Store[UpdateTx]

	// ImageByBatchLink finds a picture of a comparison on the public page of its batch by the hash of the page's token.
	ImageByBatchLink(ctx context.Context, hash []byte, now time.Time, comparison vcd.ID, part vcd.PublicPart) (*vcd.Image, error)

	// ComparisonOwner is the account of the comparison with this public token; CodeNotFound also when its group or its URL
	// was deleted or the account cancelled.
	ComparisonOwner(ctx context.Context, token string) (vcd.ID, error)
	// BatchByLink is the batch whose link has a token with this hash and works at now; else CodeNotFound.
	BatchByLink(ctx context.Context, hash []byte, now time.Time) (vcd.LinkedBatch, error)

	// CountRuleMatches moves up to limit matches into the counts of their rules and returns how many it moved. Lists show the
	// same figures before and after.
	CountRuleMatches(ctx context.Context, limit int) (int, error)
}

// Tx is what a use case about comparisons, and about what people say of them, can do within a transaction. Methods that look up a
// single thing return a CodeNotFound error when the actor's account has no such thing.
type Tx interface {
	comparisonReader
	comparisonStore
	shownStore
	overviewStore
	screenshotReader
	screenshotStore
	reviewStore
	changeVerdictStore
	commentStore
	linkChecker
	eventStore
}

// RuleTx is what a use case about feedback rules and learned noise, which silence changes, can do within a transaction.
type RuleTx interface {
	feedbackRuleStore
	replayStore
	ruleUseStore
	learnedNoiseStore
	comparisonReader
	screenshotReader
	groupStore
	urlStore
	websiteStore
	accountLocker
	eventStore
}

// PublicTx is what a use case about public pages and their look can do within a transaction.
type PublicTx interface {
	batchReader
	batchLinkStore
	linkChecker
	comparisonReader
	comparisonTokenStore
	shownStore
	accountStore
	accountLocker
	brandStore
	eventStore
}

// UpdateTx is what a use case about the updates that runs followed can do within a transaction. It only reads.
type UpdateTx interface {
	batchReader
	traceStore
	gateStore
}

// accountStore reads the actor's own account.
type accountStore interface {
	Account(ctx context.Context) (*vcd.Account, error)
}

// accountLocker locks the actor's own account.
type accountLocker interface {
	// LockAccount reads the account for a change and blocks other changes until the transaction ends. Acquire this lock last:
	// every transaction needs it at its end.
	LockAccount(ctx context.Context) (*vcd.Account, error)
}

// brandStore keeps the look of the actor's account.
type brandStore interface {
	// Brand reads the look without the content of the logo; the zero Brand if nothing was chosen.
	Brand(ctx context.Context) (vcd.Brand, error)
	// BrandLogo reads the logo with its content; nil if there is none.
	BrandLogo(ctx context.Context) (*vcd.Logo, error)
	// SetBrand replaces the look, whose logo has its content.
	SetBrand(ctx context.Context, b vcd.Brand, now time.Time) error
}

// overviewStore tells how things stand.
type overviewStore interface {
	// OpenAlarms counts the comparisons to be reviewed of each holder; those without any are left out.
	OpenAlarms(ctx context.Context, of vcd.Holder, ids []vcd.ID) (map[vcd.ID]int, error)
	// Histories lists the comparisons of each holder, each like Comparisons.
	Histories(
		ctx context.Context, of vcd.Holder, ids []vcd.ID, f vcd.ComparisonFilter, p vcd.Page, count bool,
	) (map[vcd.ID]*vcd.ComparisonList, error)
	// ComparisonFacets counts comparisons by several criteria.
	ComparisonFacets(ctx context.Context, f vcd.ComparisonFilter) (*vcd.ComparisonFacets, error)
}

// groupStore reads groups, except deleted ones.
type groupStore interface {
	Group(ctx context.Context, id vcd.ID) (*vcd.Group, error)
}

// urlStore reads URLs, except deleted ones.
type urlStore interface {
	URL(ctx context.Context, id vcd.ID) (*vcd.URL, error)
	LockURL(ctx context.Context, id vcd.ID) (*vcd.URL, error)
}

// websiteStore reads websites.
type websiteStore interface {
	LockWebsite(ctx context.Context, id vcd.ID) (*vcd.Website, error)
	// WebsitesOfGroups finds the websites of the groups, by group; groups without one are left out.
	WebsitesOfGroups(ctx context.Context, groups []vcd.ID) (map[vcd.ID]*vcd.Website, error)
}

// feedbackRuleStore keeps feedback rules.
type feedbackRuleStore interface {
	FeedbackRule(ctx context.Context, id vcd.ID) (*vcd.FeedbackRule, error)
	LockFeedbackRule(ctx context.Context, id vcd.ID) (*vcd.FeedbackRule, error)
	FeedbackRules(ctx context.Context, f vcd.FeedbackRuleFilter, p vcd.Page) (*vcd.List[*vcd.FeedbackRule], error)
	FeedbackRulesByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.FeedbackRule, error)
	CountFeedbackRules(ctx context.Context) (int, error)
	InsertFeedbackRule(ctx context.Context, r *vcd.FeedbackRule) error
	UpdateFeedbackRule(ctx context.Context, r *vcd.FeedbackRule) error // its scope and whether it is active
	DeleteFeedbackRule(ctx context.Context, id vcd.ID) error
}

// shownStore reads what members see in the dashboard and visitors on a public page.
type shownStore interface {
	ComparisonByToken(ctx context.Context, token string) (*vcd.Comparison, error)
	// Comparisons also counts those above their threshold over the whole filtered list if count is set.
	Comparisons(ctx context.Context, f vcd.ComparisonFilter, p vcd.Page, count bool) (*vcd.ComparisonList, error)
	// ChangesOfBatches lists the changes of each batch.
	ChangesOfBatches(ctx context.Context, batches []vcd.ID, f vcd.ChangeFilter, p vcd.Page) (map[vcd.ID]*vcd.List[*vcd.BatchChange], error)
	// ChangeStandings returns what has become of changes, by their ids.
	ChangeStandings(ctx context.Context, changes []vcd.ID) (map[vcd.ID]vcd.ChangeStanding, error)
	// ChangeVerdicts are the verdicts that hold in each batch, by fingerprint.
	ChangeVerdicts(ctx context.Context, batches []vcd.ID) (map[vcd.ID]map[string]*vcd.ChangeVerdict, error)
	// CommentsOfComparisons lists the comments of each comparison, oldest first.
	CommentsOfComparisons(ctx context.Context, comparisons []vcd.ID) (map[vcd.ID][]*vcd.Comment, error)
}

// replayStore reads comparisons to be decided again.
type replayStore interface {
	// EachComparison calls do for up to limit of the filtered comparisons, newest first, with everything needed to decide
	// them, and reports whether those were all.
	EachComparison(ctx context.Context, f vcd.ComparisonFilter, limit int, do func(*vcd.Comparison)) (complete bool, err error)
	// AllFeedbackRules lists the account's rules, oldest first.
	AllFeedbackRules(ctx context.Context) ([]*vcd.FeedbackRule, error)
}

// ruleUseStore reads what feedback rules have ignored.
type ruleUseStore interface {
	RuleUses(ctx context.Context, since time.Time) (map[vcd.ID]vcd.RuleUse, error)
}

// batchReader reads batches.
type batchReader interface {
	Batch(ctx context.Context, id vcd.ID) (*vcd.Batch, error)
}

// linkChecker finds the links of batches. Whoever changes one holds the lock of its batch.
type linkChecker interface {
	// LockBatch reads the batch without its figures and blocks other changes until the transaction ends. Lock order: rows of
	// queue entries, then the batch, then appending events.
	LockBatch(ctx context.Context, id vcd.ID) (*vcd.Batch, error)
	BatchLinks(ctx context.Context, batches []vcd.ID) (map[vcd.ID]*vcd.BatchLink, error)
}

// batchLinkStore changes the links of batches, at most one each.
type batchLinkStore interface {
	SetBatchLink(ctx context.Context, l *vcd.BatchLink) error
	RemoveBatchLink(ctx context.Context, batch vcd.ID) error
}

// screenshotReader reads a screenshot.
type screenshotReader interface {
	Screenshot(ctx context.Context, id vcd.ID) (*vcd.Screenshot, error)
}

// screenshotStore lists screenshots.
type screenshotStore interface {
	Screenshots(ctx context.Context, f vcd.ScreenshotFilter, p vcd.Page) (*vcd.List[*vcd.Screenshot], error)
	ScreenshotsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Screenshot, error)
}

// comparisonReader reads a comparison.
type comparisonReader interface {
	Comparison(ctx context.Context, id vcd.ID) (*vcd.Comparison, error)
}

// comparisonTokenStore keeps the tokens of public pages of comparisons.
type comparisonTokenStore interface {
	SetComparisonToken(ctx context.Context, id vcd.ID, token string, now time.Time) error
}

// comparisonStore keeps comparisons.
type comparisonStore interface {
	LockComparison(ctx context.Context, id vcd.ID) (*vcd.Comparison, error)
	// ComparisonsOfBatches returns a list like Comparisons for each batch.
	ComparisonsOfBatches(
		ctx context.Context, batches []vcd.ID, f vcd.ComparisonFilter, p vcd.Page, count bool,
	) (map[vcd.ID]*vcd.ComparisonList, error)
	ComparisonsByIDs(ctx context.Context, ids []vcd.ID) ([]*vcd.Comparison, error)
	// NeighboursOfComparisons finds what surrounds each of the comparisons; unknown ids are left out.
	NeighboursOfComparisons(ctx context.Context, ids []vcd.ID) (map[vcd.ID]vcd.Neighbours, error)
	// LockComparisons reads up to limit comparisons, in id order, and blocks other changes until the transaction ends. It reads
	// their ids, batches and states, and of their verification whatever is not about a single finding.
	LockComparisons(ctx context.Context, f vcd.ComparisonFilter, limit int) ([]*vcd.Comparison, error)
	// OtherChanges finds, for each of the comparisons that show any, the changes that are not harmless and not among the
	// accepted ones, given by fingerprint.
	OtherChanges(ctx context.Context, ids []vcd.ID, accepted []string) (map[vcd.ID]vcd.OtherChanges, error)
}

// reviewStore keeps reviews.
type reviewStore interface {
	// InsertReview stores a review and what it changed, and gives the comparisons their new states.
	InsertReview(ctx context.Context, r *vcd.Review, items []vcd.ReviewItem) error
	// LockUndoable reads what a review changed and nobody has changed since, in the order of the comparisons' ids, and blocks
	// other changes of these comparisons until the transaction ends. changed counts what somebody has changed since.
	LockUndoable(ctx context.Context, review vcd.ID) (items []vcd.UndoableItem, changed int, err error)
	// Reviewer tells who made a review.
	Reviewer(ctx context.Context, review vcd.ID) (vcd.Person, error)
	// ReviewsOfComparisons lists the reviews of each comparison, newest first, at most limit of each.
	ReviewsOfComparisons(ctx context.Context, comparisons []vcd.ID, limit int) (map[vcd.ID][]*vcd.ReviewOfComparison, error)
}

// changeVerdictStore keeps what was decided about changes. Whoever changes it holds the lock of the batch.
type changeVerdictStore interface {
	// HasChange reports whether a batch has a change.
	HasChange(ctx context.Context, batch vcd.ID, fingerprint string) (bool, error)
	InsertChangeVerdict(ctx context.Context, v *vcd.ChangeVerdict) error
	// LockJudgedChange locks the batch in which undoing a review would change a verdict on a change; nil if it would not.
	LockJudgedChange(ctx context.Context, review vcd.ID) (*vcd.Batch, error)
	// UndoChangeVerdict takes a review's verdict on a change back by another review, or gives it again if it is the one that
	// took it back.
	UndoChangeVerdict(ctx context.Context, undone, by vcd.ID) error
}

// commentStore keeps comments.
type commentStore interface {
	InsertComment(ctx context.Context, c *vcd.Comment) error
	LockComment(ctx context.Context, id vcd.ID) (*vcd.Comment, error)
	UpdateComment(ctx context.Context, c *vcd.Comment) error // its text and time
	DeleteComment(ctx context.Context, id vcd.ID) error
	CountComments(ctx context.Context, comparison vcd.ID) (int, error)
}

// traceStore reads the traces of changed pages. Comparisons are stored with theirs.
type traceStore interface {
	// TracedPagesOfBatches reads up to most comparisons of each batch, changed ones first.
	TracedPagesOfBatches(ctx context.Context, batches []vcd.ID, most int) (map[vcd.ID][]*vcd.TracedPage, error)
	TracedPages(ctx context.Context, comparisons []vcd.ID) ([]*vcd.TracedPage, error)
	// UpdateResultsOf reads the results of those batches that have any.
	UpdateResultsOf(ctx context.Context, batches []vcd.ID) (map[vcd.ID]*vcd.UpdateResults, error)
}

// gateStore reads what may speak against an update, of a batch that has finished.
type gateStore interface {
	// Suspects reads up to most comparisons that are open or to be fixed, or that nobody judged although their page answers with an
	// error, is hidden from search engines, leads to another host, has another theme or language, or has script errors, mixed content, or
	// scripts and style sheets that fail to load, which it did not have: the gravest first.
	Suspects(ctx context.Context, batch vcd.ID, most int) ([]*vcd.Suspect, error)
	// UncomparedPages reads up to most pages, without those that left their group meanwhile.
	UncomparedPages(ctx context.Context, batch vcd.ID, most int) ([]*vcd.UncomparedPage, error)
	// GateRules reads the rules of those groups that have their own, also of deleted ones.
	GateRules(ctx context.Context, groups []vcd.ID) (map[vcd.ID]vcd.GateRules, error)
	// ComparedPages counts the pages of which there are comparisons, on whatever devices.
	ComparedPages(ctx context.Context, batch vcd.ID) (int, error)
}

// learnedNoiseStore keeps what is known of pages.
type learnedNoiseStore interface {
	// LearnedNoise returns what is known of a page, with the reviews of the comparisons that it was learned from applied; empty
	// knowledge when nothing is stored.
	LearnedNoise(ctx context.Context, url vcd.ID, device vcd.Device) (*vcd.LearnedNoise, error)
	// KeepLearnedNoise stores it as the next version, and reports whether it did: not if another version has been stored since it
	// was read, or the URL is deleted.
	KeepLearnedNoise(ctx context.Context, n *vcd.LearnedNoise) (kept bool, err error)
	// ForgetLearnedNoise removes what is known of a page.
	ForgetLearnedNoise(ctx context.Context, url vcd.ID, device vcd.Device) error
}

// eventStore is the account's outbox.
type eventStore interface {
	// AppendEvents numbers the events and stores them when the transaction commits. Numbers are assigned under a lock that is
	// taken last and held until the commit, so that events become visible in order.
	AppendEvents(ctx context.Context, events ...*vcd.Event) error
}
