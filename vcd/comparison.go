package vcd

import (
	"strings"
	"time"

	"afterimage/internal/page"
)

// ComparisonStatus is the review state of a comparison.
type ComparisonStatus string

// The comparison states. The service and reviewers may set any of them, from any state.
const (
	ComparisonNew           ComparisonStatus = "new"
	ComparisonOK            ComparisonStatus = "ok"
	ComparisonFalsePositive ComparisonStatus = "false_positive"
	ComparisonToFix         ComparisonStatus = "to_fix"
)

// ComparisonStatuses lists all comparison states.
var ComparisonStatuses = []ComparisonStatus{ComparisonNew, ComparisonOK, ComparisonFalsePositive, ComparisonToFix}

// Measure selects which of a comparison's two differences is checked against the threshold.
type Measure string

// The measures.
const (
	// MeasurePlain compares pixels at the same position: a banner inserted at the top changes everything below it.
	MeasurePlain Measure = "plain"
	// MeasureAligned first aligns rows that were inserted, deleted or moved: only those rows and other changed pixels count.
	MeasureAligned Measure = "aligned"
)

// ChangedRegion is a box of changed pixels in the after picture, or in the union where sizes differ; of deleted rows, a few
// rows where they were. Regions are numbered from the top.
type ChangedRegion struct {
	ID          int     `json:"id"`
	X           int     `json:"x"`
	Y           int     `json:"y"`
	Width       int     `json:"w"`
	Height      int     `json:"h"`
	Pixels      int     `json:"pixel_count"`
	MeanDelta   float64 `json:"mean_delta"`  // mean colour difference of those pixels, 0 to 1
	Fingerprint string  `json:"fingerprint"` // equal for changes of the same shape
	// Before is its place in the before picture; nil where it is not in it.
	Before *page.Box `json:"before,omitempty"`
}

// Box is the position and size of the region.
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

// Difference is the result of comparing two pictures.
type Difference struct {
	Percent        float64 // of the union's pixels that changed
	AlignedPercent float64 // the same after aligning rows; never above Percent
	ChangedPixels  int
	AntiAliased    int // pixels that differ only by anti-aliasing; not counted as changed
	Width, Height  int // of the union
	Regions        []ChangedRegion
	Bands          []Band
}

// None reports whether no pixel changed.
func (d *Difference) None() bool { return d.ChangedPixels == 0 && len(d.Regions) == 0 }

// Comparison is the result of comparing a screenshot with an earlier one of the same page.
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
	Measure     Measure // the difference that was checked
	Threshold   float64 // percent; the threshold at the time
	Difference  Difference
	Status      ComparisonStatus
	// Confirmation is the outcome of confirming a monitoring change; empty when no confirmation was needed.
	Confirmation ChangeConfirmation
	Uploaded     bool // its page is uploaded, see URL.Uploaded; filled in by LockComparisons
	Flapping     bool // in monitoring: the page shows one of its recent pictures again
	// Alarmed reports whether it was new before any review.
	Alarmed      bool
	Verification *Verification // nil when verification was off for its account
	Console      ConsoleDifference
	PageChanges  []page.Change // changes other than the pixels
	PageAlarm    bool          // one of them is an alarm, and the group alarms on page changes
	// Truncated reports that a screenshot was cut off: a part of the page was not compared. TruncationAlarm reports that this
	// alone is an alarm.
	Truncated       bool
	TruncationAlarm bool
	// NotSeen says in a clause which parts of the page its screenshots do not show, so that nothing is known about them; "" for none.
	// UnseenAlarm reports that this alone is an alarm.
	NotSeen      string
	UnseenAlarm  bool
	Traces       *Traces // stored with the comparison; not filled in by reads
	Image        *Image  // the comparison picture
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Before       ScreenshotRef // filled in by reads, like all fields below
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

// ScreenshotRef is the part of a screenshot that a comparison shows.
type ScreenshotRef struct {
	CreatedAt, UpdatedAt time.Time
	SCVersion            string
	Image                *Image
}

// JudgedPercent is the difference that is checked against the threshold.
func (c *Comparison) JudgedPercent() float64 {
	if c.Measure == MeasureAligned {
		return c.Difference.AlignedPercent
	}
	return c.Difference.Percent
}

// AboveThreshold reports whether the difference counts as a change.
func (c *Comparison) AboveThreshold() bool { return c.JudgedPercent() > c.Threshold }

// TruncationWords says that a part of the page was not compared.
const TruncationWords = "The page is larger than a screenshot can be and was cut off: the rest was not compared."

// AlarmWords describes what raises an alarm beside the pixels: severe page changes, and a page of which only a part was
// compared; empty when there is none.
func (c *Comparison) AlarmWords() string {
	var sentences []string
	if c.Truncated {
		sentences = append(sentences, TruncationWords)
	}
	if c.UnseenAlarm {
		sentences = append(sentences, c.UnseenWords())
	}
	for _, change := range c.PageChanges {
		if c.PageAlarm && change.Severity == page.SeverityAlarm {
			sentences = append(sentences, change.Sentence)
		}
	}
	return strings.Join(sentences, " ")
}

// UnseenWords says that a part of the page was not compared because it is not in its screenshots; "" for nothing.
func (c *Comparison) UnseenWords() string {
	if c.NotSeen == "" {
		return ""
	}
	return UnseenWords(c.NotSeen)
}

// UnseenWords says that parts of a page, which a clause names, were not compared.
func UnseenWords(parts string) string {
	return "Parts of the page were not captured and not compared: " + parts + "."
}

// Alarming reports whether somebody has to look unless verification finds the changes harmless: the difference counts as a
// change, or the page has a serious change other than its pixels. For a blank page, the blank page alone decides about the
// pixels.
func (c *Comparison) Alarming() bool {
	if v := c.Verification; v != nil && v.Issue != "" {
		return c.alarmsAnyway() || v.Issue == IssueAfterBlank
	}
	return c.alarmsAnyway() || c.AboveThreshold()
}

// alarmsAnyway reports whether somebody has to look whatever the pixels say.
func (c *Comparison) alarmsAnyway() bool { return c.PageAlarm || c.TruncationAlarm || c.UnseenAlarm }

// Decide is the state before any review.
func (c *Comparison) Decide() ComparisonStatus {
	if c.Alarming() && (c.alarmsAnyway() || c.Verification == nil || !c.Verification.allGood()) {
		return ComparisonNew
	}
	return ComparisonOK
}

// Dismiss suppresses the alarm for a change of any kind.
func (c *Comparison) Dismiss(why string) {
	c.Status = ComparisonOK
	if v := c.Verification; v != nil && v.Issue == "" {
		v.Skip(why)
	}
}

// Pending reports whether a model is still being asked about it.
func (c *Comparison) Pending() bool {
	return c.Verification != nil && c.Verification.Status == VerificationPending
}

// AcrossVersions reports whether the two screenshots were taken by different versions of the capture engine, fonts or
// pipeline, which may then account for part of the difference.
func (c *Comparison) AcrossVersions() bool { return c.Before.SCVersion != c.After.SCVersion }

// ComparisonOrder is the sort order of a list of comparisons.
type ComparisonOrder string

// The orders.
const (
	OrderCreatedAt         ComparisonOrder = "created_at"
	OrderDifferencePercent ComparisonOrder = "difference_percent"
	OrderJudgedPercent     ComparisonOrder = "judged_percent" // by JudgedPercent
)

// Neighbours are the comparisons beside one: of the other device in its batch, and the ones before and after it of the same
// page of the same group on the same device. A nil id stands for none.
type Neighbours struct {
	Sibling, Previous, Next *ID
}

// ComparisonList is a page of comparisons, with the count of changes over the whole list if requested.
type ComparisonList struct {
	*List[*Comparison]
	AboveThreshold int
}

// Limits of bulk verdicts.
const (
	DefaultVerdictLimit = 1000
)

// ChangeConfirmation is the outcome of capturing a page again to confirm a monitoring change.
type ChangeConfirmation string

// The outcomes.
const (
	ChangeConfirmed   ChangeConfirmation = "confirmed"    // the page still differs when captured again
	ChangeVanished    ChangeConfirmation = "vanished"     // the page no longer differs when captured again
	ChangeUnconfirmed ChangeConfirmation = "not_possible" // it could not be captured again, or only by another version
)
