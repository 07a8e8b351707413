package graph

import (
	"time"

	"afterimage/graph/generated"
	"afterimage/graph/input"
	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

// expectedGroups is how many items a list without paging counts for: the groups of a batch, or of a URL.
const expectedGroups = 10

// expectedPages is how many pages a trigger counts for; there may be a thousand.
const expectedPages = 20

// expectedRemarks is how many reviews or comments a comparison counts for.
const expectedRemarks = 5

// costOfRun keeps one request from starting more than a few runs, each of which may be of thousands of screenshots.
const costOfRun = 2000

// costOfCode is for injected code, which may be 64 KiB long: it keeps responses to some tens of megabytes.
const costOfCode = 50

// costOfContent is for a file of its own that is read and unpacked.
const costOfContent = 100

// costOfReplay is for reading thousands of comparisons and deciding about them anew.
const costOfReplay = 2000

// expectedProblems is how many feedback rules somebody should look at.
const expectedProblems = 20

// costOfVerdict is for each comparison that a verdict may concern: a row and an event of it are written.
const costOfVerdict = 2

func verdicts(limit *int) int {
	if limit == nil {
		return vcd.DefaultVerdictLimit
	}
	return max(0, min(*limit, review.MaxVerdicts))
}

// expectedTags is how many tags an account counts for.
const expectedTags = 20

// costOfEdit is for each hundred URLs that an edit may concern.
const costOfEdit = 10

// costOfFacets is for counting a list, perhaps comparison by comparison.
const costOfFacets = 100

// seriesCost is for each day, of which there are a year's at most.
func seriesCost(child int, from, to scalar.Date) int {
	days := 366
	if first, err := time.Parse(time.DateOnly, string(from)); err == nil {
		if last, err := time.Parse(time.DateOnly, string(to)); err == nil {
			days = max(1, min(days, int(last.Sub(first).Hours()/24)+1))
		}
	}
	return costOfList + child*days
}

// costOfOverview is for looking at all groups of an account.
const costOfOverview = 100

const (
	// costOfCount is for a figure of a whole list, which the database counts row by row.
	costOfCount = 20
	// costOfList is for a list inside of something, which is a look-up of its own for each, however short it is.
	costOfList = 10
)

// costs says what the lists of the schema cost: what is asked of an item, for each item of a page. All other fields
// cost one.
func costs() generated.ComplexityRoot {
	var c generated.ComplexityRoot
	c.Query.Groups, c.Query.Urls = orderedPageCost, orderedPageCost
	c.Query.Batches, c.Query.Websites = orderedPageCost, orderedPageCost
	c.Query.SuggestPages = func(child int, _, _ *string, count int) int {
		return costOfFacets + times(child, min(count, inventory.MaxSuggested))
	}
	c.Query.QueueEntries = pageCost
	c.Query.Screenshots = pageCost
	c.Query.Comparisons = orderedPageCost
	c.Query.GroupUrls = func(
		child int, _ string, first *int, _ *string, last *int, _ *string, _, perPage *int, _ *model.SelectionFilter, _, _ *scalar.Word,
	) int {
		return listCost(child, first, last, perPage)
	}
	c.Query.Events = func(child int, _ int64, first int, _ *string) int { return times(child, min(first, 500)) }
	c.Query.Nodes = func(child int, ids []string) int { return times(child, len(ids)) }
	c.Mutation.SetComparisonStatuses = func(child int, ids []string, _ vcd.ComparisonStatus) int { return child + costOfVerdict*len(ids) }
	c.Mutation.SetStatusOfComparisons = func(child int, _ model.ComparisonFilter, _ vcd.ComparisonStatus, limit *int) int {
		return child + costOfVerdict*verdicts(limit)
	}
	c.Mutation.ReopenComparisons = func(child int, ids []string) int { return child + costOfVerdict*len(ids) }
	c.Mutation.SetStatusOfChange = func(child int, _, _ string, _ vcd.ComparisonStatus) int {
		return child + costOfVerdict*vcd.DefaultVerdictLimit
	}
	c.Mutation.UndoReview = func(child int, _ string) int { return child + costOfVerdict*vcd.DefaultVerdictLimit }
	c.Query.Simulate = func(child int, _ string, _ *float64, _ *model.SimulatedRulesInput, _ *int) int {
		return child + costOfReplay
	}
	c.CreateAiFeedbackRulePayload.WouldHaveSilenced = func(child int) int { return child + costOfReplay }
	c.Simulation.Appeared = func(child int) int { return times(child, vcd.MaxPageSize) }
	c.Simulation.Vanished = c.Simulation.Appeared
	c.Query.AiFeedbackRuleProblems = func(child int) int { return costOfList + times(child, expectedProblems) }
	c.Mutation.TriggerMonitoring = func(child int, _ input.Trigger) int { return child + costOfRun }
	c.Mutation.TakeScreenshots = func(child int, _ input.Run) int { return child + costOfRun }
	c.Screenshot.Content = func(child int) int { return child + costOfContent }
	c.PageContent.Elements = func(child int, first *int, _ *int, _ *page.Box) int {
		if first == nil {
			return times(child, vcd.MaxPageSize)
		}
		return times(child, *first)
	}
	costsOfTags(&c)
	costsOfNested(&c)
	costsOfOverviews(&c)
	costsOfPeople(&c)
	costsOfFigures(&c)
	return c
}

// costsOfTags says what tags and edits of many URLs cost.
func costsOfTags(c *generated.ComplexityRoot) {
	c.Query.Tags = func(child int) int { return costOfCount + times(child, expectedTags) }
	c.Mutation.EditUrlsOfGroup = func(child int, _ string, _ *model.SelectionFilter, _ input.URLsEdit, limit int) int {
		return child + costOfEdit*(max(0, limit)/100+1)
	}
	c.Mutation.TagUrls = func(child int, ids, _, _ []string) int { return child + costOfEdit*(len(ids)/100+1) }
}

// costsOfNested says what the lists inside of things cost.
func costsOfNested(c *generated.ComplexityRoot) {
	c.Batch.QueueEntries = nestedPageCost
	c.Batch.Comparisons = nestedOrderedPageCost
	c.Batch.Changes = nestedOrderedPageCost
	c.Group.Urls = func(
		child int, first *int, _ *string, last *int, _ *string, _, perPage *int, _ *model.SelectionFilter, _, _ *scalar.Word,
	) int {
		return costOfList + listCost(child, first, last, perPage)
	}
	beside := func(child int) int { return costOfList + child }
	c.Comparison.Sibling, c.Comparison.Previous, c.Comparison.Next, c.Comparison.LastReview = beside, beside, beside, beside
	remarks := func(child int) int { return costOfList + times(child, expectedRemarks) }
	c.Comparison.Reviews, c.Comparison.Comments = remarks, remarks
	c.Batch.Completion, c.Batch.PublicLink = beside, beside
	c.Batch.ComparedWith = func(child int) int { return costOfCount + child }
	c.Batch.UnseenCount = func(int) int { return costOfCount }
	parts := func(child int) int { return costOfList + times(child, expectedGroups) }
	c.Batch.GroupCounts, c.Batch.WebsiteCounts = parts, parts
	batches := func(child int) int { return times(child, expectedGroups) }
	c.SetComparisonStatusesPayload.Batches, c.SetStatusOfComparisonsPayload.Batches = batches, batches
	c.ReopenComparisonsPayload.Batches, c.UndoReviewPayload.Batches = batches, batches
	c.SetStatusOfChangePayload.Batches = func(child int) int { return child }
	code := func(int) int { return costOfCode }
	c.Group.CSS, c.Group.JS = code, code
	c.Selection.CSS, c.Selection.JS = code, code
	c.QueueEntry.CSS, c.QueueEntry.JS = code, code
	c.TriggerContext.Pages = func(child int) int { return times(child, expectedPages) }
	c.PendingTrigger.Pages = c.TriggerContext.Pages
	c.Batch.Groups = func(child int) int { return times(child, expectedGroups) }
	c.URL.Groups = func(child int) int { return times(child, expectedGroups) }
}

// costsOfOverviews says what it costs to tell how things stand.
func costsOfOverviews(c *generated.ComplexityRoot) {
	c.Account.Overview = func(child int) int { return costOfOverview + child }
	c.AccountOverview.Runs = func(child, first int) int { return times(child, min(first, account.MaxRuns)) }
	c.AccountOverview.Sites = func(child, first, _ int, _ *bool) int { return times(child, min(first, account.MaxSites)) }
	c.AccountOverview.MissedRuns = func(child int) int { return times(child, expectedGroups) }
	c.SiteOverview.Groups = func(child int) int { return times(child, 2) }
	last := func(child int) int { return costOfList + child }
	c.Group.LastBatch, c.Website.LastBatch, c.URL.LastBatch = last, last, last
	newest := func(child int, _ *vcd.Device) int { return costOfList + child }
	c.Group.LastComparison, c.Website.LastComparison, c.URL.LastComparison, c.SiteOverview.LastComparison = newest, newest, newest, newest
	c.Account.Series = seriesCost
	c.Group.Series, c.Website.Series, c.SiteOverview.Series = seriesCost, seriesCost, seriesCost
	c.ComparisonFacets.Groups = func(child int) int { return times(child, vcd.MaxPageSize) }
	c.ComparisonFacets.Websites = c.ComparisonFacets.Groups
	c.Query.ComparisonFacets = func(child int, _ *model.ComparisonFilter) int { return costOfFacets + child }
	history := nestedPageCost[*model.HistoryFilter]
	c.Group.History, c.Website.History, c.URL.History, c.SiteOverview.History = history, history, history, history
}

// costsOfPeople says what the lists of people cost.
func costsOfPeople(c *generated.ComplexityRoot) {
	c.Query.Users = pageCost
	c.Query.Invitations = pageCost
	few := func(child int) int { return costOfList + times(child, expectedRemarks) }
	c.Query.Sessions, c.Query.Passkeys = few, few
}

// The costs of lists by their arguments: Relay's four, the numbered two, a filter and perhaps an order.

func pageCost[F any](child int, first *int, _ *string, last *int, _ *string, _, perPage *int, _ F) int {
	return listCost(child, first, last, perPage)
}

func nestedPageCost[F any](child int, first *int, _ *string, last *int, _ *string, _, perPage *int, _ F) int {
	return costOfList + listCost(child, first, last, perPage)
}

func orderedPageCost[F, O any](
	child int, first *int, _ *string, last *int, _ *string, _, perPage *int, _ F, _ O, _ *scalar.Word,
) int {
	return listCost(child, first, last, perPage)
}

func nestedOrderedPageCost[F, O any](
	child int, first *int, _ *string, last *int, _ *string, _, perPage *int, _ F, _ O, _ *scalar.Word,
) int {
	return costOfList + listCost(child, first, last, perPage)
}

// costsOfFigures says what the figures of a list cost.
func costsOfFigures(c *generated.ComplexityRoot) {
	count := func(int) int { return costOfCount }
	c.BatchConnection.TotalCount = count
	c.BatchChangeConnection.TotalCount = count
	c.ComparisonConnection.TotalCount, c.ComparisonConnection.AboveThresholdCount = count, count
	c.GroupConnection.TotalCount = count
	c.ScreenshotConnection.TotalCount = count
	c.SelectionConnection.TotalCount = count
	c.URLConnection.TotalCount = count
	c.QueueEntryConnection.TotalCount = count
	counts := func(child int) int { return child + costOfCount }
	c.QueueEntryConnection.StatusCounts = counts
	c.QueueEntryConnection.StatusCountsByBatch = count
}

// listCost is the cost of one page. Of several sizes the largest counts, so that no way of combining them can make a
// list look shorter than the one that is read.
func listCost(child int, sizes ...*int) int {
	items := 0
	for _, size := range sizes {
		if size != nil {
			items = max(items, min(*size, vcd.MaxPageSize))
		}
	}
	if items == 0 {
		items = vcd.DefaultPageSize
	}
	return times(child, items)
}

func times(child, items int) int {
	if child > saturated/1000 {
		return saturated
	}
	return 1 + child*max(items, 1)
}
