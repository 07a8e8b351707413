package graph_test

import (
	"strings"
	"testing"
)

const undo = `mutation ($id: ID!) { undoReview(id: $id) { changedCount changedIds changedSinceCount reviewId batches { id comparisonsCount {
	new ok toFix } } } }`

const reviewsOf = `query ($id: ID!) { comparison(id: $id) { status lastReview { id status } reviews { id status previousStatus undoes
	reviewer { kind name } } } }`

func TestAReviewCanBeUndoneAndRedone(t *testing.T) {
	w := newWorld(t)
	batch, ids := w.reviewed(2)
	set := w.must(`mutation ($ids: [ID!]!) { setComparisonStatuses(ids: $ids, status: OK) { reviewId
		batches { id comparisonsCount { ok new } } } }`, vars{"ids": ids})
	review := set.at(t, "setComparisonStatuses", "reviewId").(string)
	want(t, "the batches of a verdict", set.at(t, "setComparisonStatuses", "batches"),
		"[map[comparisonsCount:map[new:0 ok:4] id:"+batch+"]]")
	w.must(setByIDs, vars{"ids": ids[:1], "s": "TO_FIX"})

	undone := w.must(undo, vars{"id": review})
	want(t, "undone", undone.at(t, "undoReview", "changedCount"), 3)
	want(t, "changed since", undone.at(t, "undoReview", "changedSinceCount"), 1)
	want(t, "counts", undone.at(t, "undoReview", "batches"), "[map[comparisonsCount:map[new:3 ok:0 toFix:1] id:"+batch+"]]")
	again := w.must(undo, vars{"id": review})
	want(t, "undone again", again.at(t, "undoReview", "changedCount"), 0)
	want(t, "a review that changed nothing", again.at(t, "undoReview", "reviewId"), "<nil>")

	redone := w.must(undo, vars{"id": undone.at(t, "undoReview", "reviewId")})
	want(t, "redone", redone.at(t, "undoReview", "changedCount"), 3)
	want(t, "states", w.statuses(batch), "map[aboveThreshold:4 falsePositive:0 new:0 ok:3 toFix:1]")

	reopened := w.must(`mutation ($ids: [ID!]!) { reopenComparisons(ids: $ids) { changedCount matchedCount } }`, vars{"ids": ids[1:3]})
	want(t, "reopened", reopened.at(t, "reopenComparisons", "changedCount"), 2)
	history := w.must(reviewsOf, vars{"id": ids[1]})
	want(t, "status", history.at(t, "comparison", "status"), "NEW")
	list := history.at(t, "comparison", "reviews").([]any)
	if len(list) != 4 {
		t.Fatalf("%d reviews: %v", len(list), list)
	}
	var steps []string
	for _, r := range list {
		steps = append(steps, r.(map[string]any)["previousStatus"].(string)+" to "+r.(map[string]any)["status"].(string))
	}
	want(t, "reviews, newest first", strings.Join(steps, ", "), "OK to NEW, NEW to OK, OK to NEW, NEW to OK")
	want(t, "the first is no undoing", list[3].(map[string]any)["undoes"], "<nil>")
	want(t, "the second undoes it", list[2].(map[string]any)["undoes"], review)
	want(t, "who", list[0].(map[string]any)["reviewer"].(map[string]any)["kind"], "TOKEN")
	want(t, "the latest", history.at(t, "comparison", "lastReview", "id"), list[0].(map[string]any)["id"])

	_, token, _ := w.open("eve@example.com")
	if a := w.as(token).post(undo, vars{"id": review}); a.code() != "NOT_FOUND" {
		t.Errorf("another account's review: %s", a.body)
	}
	w.sound()
}

const addComment = `mutation ($id: ID!, $text: String!) { addComment(comparisonId: $id, text: $text) { comment { id text } } }`

func TestComments(t *testing.T) {
	w := newWorld(t)
	_, ids := w.reviewed(1)
	const markup = "<b>The price</b> is wrong & late."
	added := w.must(addComment, vars{"id": ids[0], "text": "  " + markup + " \u202e\n"})
	want(t, "text", added.at(t, "addComment", "comment", "text"), markup)
	comment := added.at(t, "addComment", "comment", "id").(string)
	w.must(addComment, vars{"id": ids[0], "text": "Second."})
	w.must(`mutation ($id: ID!) { editComment(id: $id, text: "Mended.") { comment { editedAt } } }`, vars{"id": comment})

	if a := w.post(addComment, vars{"id": ids[0], "text": strings.Repeat("a", 1<<20)}); a.code() != "TOO_LARGE" {
		t.Errorf("1 MB: %.300s", a.body)
	}
	for name, text := range map[string]string{"empty": "", "blank": " \n", "too long": strings.Repeat("ä", 10_001)} {
		a := w.post(addComment, vars{"id": ids[0], "text": text})
		if a.code() != "INVALID" || a.Errors[0].Extensions.Fields[0].Path != "text" {
			t.Errorf("%s: %.300s", name, a.body)
		}
	}
	_, token, _ := w.open("eve@example.com")
	if a := w.as(token).post(addComment, vars{"id": ids[0], "text": "a"}); a.code() != "NOT_FOUND" {
		t.Errorf("another account's comparison: %s", a.body)
	}

	const read = `query ($id: ID!) { comparison(id: $id) { comments { text } } }`
	want(t, "comments", w.must(read, vars{"id": ids[0]}).at(t, "comparison", "comments"), "[map[text:Mended.] map[text:Second.]]")
	w.must(`mutation ($id: ID!) { deleteComment(id: $id) { deletedCommentId } }`, vars{"id": comment})
	want(t, "comments left", w.must(read, vars{"id": ids[0]}).at(t, "comparison", "comments"), "[map[text:Second.]]")
	commented := 0
	for _, e := range w.must(`{ events(first: 500) { nodes { kind } } }`, nil).at(t, "events", "nodes").([]any) {
		if e.(map[string]any)["kind"] == "COMPARISON_COMMENTED" {
			commented++
		}
	}
	want(t, "events", commented, 4)
	w.sound()
}

func TestNeighboursOfAComparison(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("review", "review.example.test/a", "review.example.test/b")
	w.work(w.take("PRE", group), "before", 0)
	first := w.take("POST", group)
	w.work(first, "after", 3)
	second := w.take("POST", group)
	w.work(second, "later", 3)
	const query = `query ($f: ComparisonFilter) { comparisons(first: 10, filter: $f) { nodes { id device address
		sibling { device address batchId } previous { id device address batchId } next { id device address batchId } } } }`
	earlier := w.must(query, vars{"f": vars{"batchIds": []string{first}}}).at(t, "comparisons", "nodes").([]any)
	later := w.must(query, vars{"f": vars{"batchIds": []string{second}}}).at(t, "comparisons", "nodes").([]any)
	if len(earlier) != 4 || len(later) != 4 {
		t.Fatalf("%d and %d comparisons", len(earlier), len(later))
	}
	for _, n := range earlier {
		c := n.(map[string]any)
		sibling, next := c["sibling"].(map[string]any), c["next"].(map[string]any)
		if sibling["device"] == c["device"] || sibling["address"] != c["address"] || sibling["batchId"] != first {
			t.Errorf("the sibling of %v is %v", c, sibling)
		}
		if next["device"] != c["device"] || next["address"] != c["address"] || next["batchId"] != second || c["previous"] != nil {
			t.Errorf("around %v: %v and %v", c, c["previous"], next)
		}
	}
	for _, n := range later {
		c := n.(map[string]any)
		previous := c["previous"].(map[string]any)
		if previous["address"] != c["address"] || previous["batchId"] != first || c["next"] != nil {
			t.Errorf("around %v: %v and %v", c, previous, c["next"])
		}
	}
}
