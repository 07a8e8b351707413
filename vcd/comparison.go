package vcd

import (
	"context"
	"strings"
	"time"

	"afterimage/internal/page"
)

// ComparisonStatus is the review state of a comparison.
type ComparisonStatus string

// The comparison states. New is set by the service only; the others also by a reviewer, from any state.
const (
	ComparisonNew           ComparisonStatus = "new"
	ComparisonOK            ComparisonStatus = "ok"
	ComparisonFalsePositive ComparisonStatus = "false_positive"
	ComparisonToFix         ComparisonStatus = "to_fix"
)

// ComparisonStatuses lists all comparison states.
var ComparisonStatuses = []ComparisonStatus{ComparisonNew, ComparisonOK, ComparisonFalsePositive, ComparisonToFix}

// Measure is which of a comparison's two differences is judged against the threshold.
type Measure string

// The measures.
const (
	// MeasurePlain compares pixels at the same place: a banner inserted on top changes everything below it.
	MeasurePlain Measure = "plain"
	// MeasureAligned first finds rows that were inserted, deleted or moved: only they and what changed beside count.
	MeasureAligned Measure = "aligned"
)

// ChangedRegion is a box of the after picture (or of the union, where sizes differ) in which pixels changed.
type ChangedRegion struct {
	ID          int     `json:"id"`
	X           int     `json:"x"`
	Y           int     `json:"y"`
	Width       int     `json:"w"`
	Height      int     `json:"h"`
	Pixels      int     `json:"pixel_count"`
	MeanDelta   float64 `json:"mean_delta"`  // mean difference of colour of those pixels, 0 to 1
	Fingerprint string  `json:"fingerprint"` // equal for changes of the same shape
}

// Box is where the region lies.
func (r ChangedRegion) Box() page.Box {
	return page.Box{X: r.X, Y: r.Y, Width: r.Width, Height: r.Height}
}

// BandKind is what happened to a band of rows.
type BandKind string

// The kinds of bands.
const (
	BandInserted BandKind = "inserted" // only in the after picture
	BandDeleted  BandKind = "deleted"  // only in the before picture
	BandMoved    BandKind = "moved"    // in both, out of order
	BandChanged  BandKind = "changed"  // in both, with differing pixels
)

// Band is a run of rows that was inserted, deleted, moved or changed between columns X0 and X1 (exclusive).
type Band struct {
	Kind    BandKind `json:"kind"`
	YBefore int      `json:"y_before"` // first row in the before picture; of an inserted band the row below it
	YAfter  int      `json:"y_after"`  // first row in the after picture; of a deleted band the row below it
	Rows    int      `json:"rows"`
	X0      int      `json:"x0"`
	X1      int      `json:"x1"`
}

// Difference is what comparing two pictures found.
type Difference struct {
	Percent        float64 // of the union's pixels that changed
	AlignedPercent float64 // the same after rows were aligned; never above Percent
	ChangedPixels  int
	AntiAliased    int // pixels that differ like anti-aliasing does; not counted as changed
	Width, Height  int // of the union
	Regions        []ChangedRegion
	Bands          []Band
}

// Comparison is the outcome of comparing a screenshot with its earlier self.
type Comparison struct {
	ID, Account ID
	Token       string // identifies the comparison publicly
	QueueID     ID
	BatchID     ID
	GroupID     ID
	URLID       ID
	Device      Device
	BeforeID    ID // screenshots
	AfterID     ID
	Measure     Measure // which difference was judged
	Threshold   float64 // percent; what it was judged against
	Difference  Difference
	Status      ComparisonStatus
	// Confirmation is what became of a change in monitoring that was to be confirmed; empty when none was.
	Confirmation ChangeConfirmation
	Flapping     bool // in monitoring: the page shows one of its last pictures again
	// Alarmed tells whether it was new before anybody reviewed it.
	Alarmed      bool
	Verification *Verification // nil when its account had no verification
	Console      ConsoleDifference
	PageChanges  []page.Change // what changed beside the pixels
	PageAlarm    bool          // one of them is an alarm, and the group asked for those
	Traces       *Traces       // to be stored with it; reads leave it out
	Image        *Image        // the comparison picture
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Before       ScreenshotRef // filled in by reads, like all below
	After        ScreenshotRef
	URLAddress   string
	HTMLTitle    string
	GroupName    string
	Monitoring   bool
	CMS          *string
	BatchName    string
	BatchSource  BatchSource
	BatchTrigger *TriggerType // what started its batch; nil when no trigger did
	Features     Features     // of the account
}

// ScreenshotRef is what a comparison shows of its screenshots.
type ScreenshotRef struct {
	CreatedAt, UpdatedAt time.Time
	SCVersion            string
	Image                *Image
}

// JudgedPercent is the difference that is held against the threshold.
func (c *Comparison) JudgedPercent() float64 {
	if c.Measure == MeasureAligned {
		return c.Difference.AlignedPercent
	}
	return c.Difference.Percent
}

// AboveThreshold tells whether the difference counts as a change.
func (c *Comparison) AboveThreshold() bool { return c.JudgedPercent() > c.Threshold }

// PageAlarmWords tells the changes beside the pixels that the comparison alarms about; empty when it does not.
func (c *Comparison) PageAlarmWords() string {
	var sentences []string
	for _, change := range c.PageChanges {
		if c.PageAlarm && change.Severity == page.SeverityAlarm {
			sentences = append(sentences, change.Sentence)
		}
	}
	return strings.Join(sentences, " ")
}

// Alarming tells whether somebody is to look unless verification finds the changes harmless: the difference counts as a change,
// or the page changed gravely beside its pixels. A blank page decides alone about the pixels.
func (c *Comparison) Alarming() bool {
	if v := c.Verification; v != nil && v.Issue != "" {
		return c.PageAlarm || v.Issue == IssueAfterBlank
	}
	return c.PageAlarm || c.AboveThreshold()
}

// Decide is the state that it has before anybody has reviewed it.
func (c *Comparison) Decide() ComparisonStatus {
	if c.Alarming() && (c.PageAlarm || c.Verification == nil || !c.Verification.allGood()) {
		return ComparisonNew
	}
	return ComparisonOK
}

// Dismiss makes no alarm of a change, whatever it is.
func (c *Comparison) Dismiss(why string) {
	c.Status = ComparisonOK
	if v := c.Verification; v != nil && v.Issue == "" {
		v.Skip(why)
	}
}

// Pending tells whether a model is asked about it.
func (c *Comparison) Pending() bool {
	return c.Verification != nil && c.Verification.Status == VerificationPending
}

// AcrossVersions tells whether the two screenshots were taken by different versions of the capture engine, fonts or
// pipeline: then part of the difference may be ours.
func (c *Comparison) AcrossVersions() bool { return c.Before.SCVersion != c.After.SCVersion }

// ComparisonOrder is what a list of comparisons is sorted by.
type ComparisonOrder string

// The orders.
const (
	OrderCreatedAt         ComparisonOrder = "created_at"
	OrderDifferencePercent ComparisonOrder = "difference_percent"
)

// ComparisonFilter narrows a list of comparisons; nil fields do not narrow.
type ComparisonFilter struct {
	IDs            *[]ID
	Token          *string
	AboveThreshold *bool
	From, To       *time.Time // created at or after From, before To
	Statuses       *[]ComparisonStatus
	GroupIDs       *[]ID
	BatchIDs       *[]ID
	URLIDs         *[]ID
	WebsiteIDs     *[]ID // that its group belongs to
	Sources        *[]BatchSource
	Changes        *[]string // fingerprints: those that show one of these changes
	// OnlyThese leaves out comparisons that show another change too, unless that was found to be harmless.
	OnlyThese bool
	Order     ComparisonOrder // OrderDifferencePercent is for numbered pages only
	Ascending bool
}

// ComparisonStore keeps comparisons.
type ComparisonStore interface {
	Comparison(ctx context.Context, id ID) (*Comparison, error)
	ComparisonByToken(ctx context.Context, token string) (*Comparison, error)
	LockComparison(ctx context.Context, id ID) (*Comparison, error)
	// Comparisons also counts those above their threshold over the whole filtered list, when asked to.
	Comparisons(ctx context.Context, f ComparisonFilter, p Page, count bool) (*ComparisonList, error)
	// ComparisonsOfBatches is one such list for each batch.
	ComparisonsOfBatches(ctx context.Context, batches []ID, f ComparisonFilter, p Page, count bool) (map[ID]*ComparisonList, error)
	ComparisonsByIDs(ctx context.Context, ids []ID) ([]*Comparison, error)
	InsertComparison(ctx context.Context, c *Comparison) error // and its image
	// LastChange is the state of the newest comparison in monitoring of a place that was above its threshold and did not
	// vanish; with a hash, of the newest that led to this picture. Empty when there is none.
	LastChange(ctx context.Context, p Place, hash string) (ComparisonStatus, error)
	SetComparisonToken(ctx context.Context, id ID, token string, now time.Time) error
	// LockComparisons reads the ids, batches and states of up to limit comparisons, in the order of their ids, and holds off
	// other changes until the transaction ends.
	LockComparisons(ctx context.Context, f ComparisonFilter, limit int) ([]*Comparison, error)
	UpdateComparisonStatuses(ctx context.Context, ids []ID, status ComparisonStatus, now time.Time) error
	// PendingComparison locks the comparison of an entry that a model is asked about; nil when there is none.
	PendingComparison(ctx context.Context, entry ID) (*Comparison, error)
	UpdateVerification(ctx context.Context, c *Comparison) error // and its state
}

// ComparisonList is a page of comparisons, with the count of changes over the whole list when it was asked for.
type ComparisonList struct {
	*List[*Comparison]
	AboveThreshold int
}

// Limits of verdicts on many comparisons at once.
const (
	DefaultVerdictLimit = 1000
)

// Narrows tells whether the filter leaves anything out.
func (f ComparisonFilter) Narrows() bool {
	f.Order, f.Ascending, f.OnlyThese = "", false, false
	return f != ComparisonFilter{}
}

// ChangeConfirmation is what became of a change that monitoring wanted to see a second time.
type ChangeConfirmation string

// The outcomes.
const (
	ChangeConfirmed   ChangeConfirmation = "confirmed"    // captured again, the page still differs
	ChangeVanished    ChangeConfirmation = "vanished"     // captured again, it does not
	ChangeUnconfirmed ChangeConfirmation = "not_possible" // it could not be captured again, or only by another version
)

// PublicLinkStore finds whose comparison a public link shows; it asks across accounts, since whoever has the link may see it.
type PublicLinkStore interface {
	// ComparisonOwner is the account of the comparison with this public token; CodeNotFound also when its group or its URL was
	// deleted or the account cancelled.
	ComparisonOwner(ctx context.Context, token string) (ID, error)
}
