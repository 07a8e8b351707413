package review_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// count returns the number of items in a list and checks Total against it.
func count[T any](t *testing.T) func(l *vcd.List[T], err error) int {
	return func(l *vcd.List[T], err error) int {
		t.Helper()
		must(t, err)
		if l.Total != len(l.Items) {
			t.Errorf("%d items of %d", len(l.Items), l.Total)
		}
		return len(l.Items)
	}
}

// TestHistoryIsListedByEveryFilter uses two runs of group "a" (2 URLs, so 4 screenshots each, and 4 comparisons) and a
// waiting run of group "a-slow" (1 URL).
func TestHistoryIsListedByEveryFilter(t *testing.T) {
	w := newWorld(t)
	g, u, pre, post := w.FillEverything("a")
	s, c, all := w.Service, t.Context(), vcd.Page{Size: 100, Total: true}
	before, later := vcdtest.Pointer(w.Clock.Now().Add(-time.Hour)), vcdtest.Pointer(w.Clock.Now().Add(time.Hour))
	preID, postID := pre.Batches[0].ID, post.Batches[0].ID

	batches := count[*vcd.Batch](t)
	for name, f := range map[string]struct {
		filter vcd.BatchFilter
		want   int
	}{
		"all":        {vcd.BatchFilter{}, 3},
		"ids":        {vcd.BatchFilter{IDs: &[]vcd.ID{preID}}, 1},
		"changed":    {vcd.BatchFilter{AboveThreshold: vcdtest.Pointer(true)}, 1},
		"unchanged":  {vcd.BatchFilter{AboveThreshold: vcdtest.Pointer(false)}, 2},
		"window":     {vcd.BatchFilter{From: before, To: later}, 3},
		"too late":   {vcd.BatchFilter{From: later}, 0},
		"too early":  {vcd.BatchFilter{To: before}, 0},
		"new":        {vcd.BatchFilter{Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonNew, vcd.ComparisonOK}}, 1},
		"to fix":     {vcd.BatchFilter{Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonToFix}}, 0},
		"post":       {vcd.BatchFilter{QueueTypes: &[]vcd.QueueType{vcd.QueuePost}}, 1},
		"pre":        {vcd.BatchFilter{QueueTypes: &[]vcd.QueueType{vcd.QueuePre}}, 2},
		"group":      {vcd.BatchFilter{GroupIDs: &[]vcd.ID{g.ID}}, 2},
		"url":        {vcd.BatchFilter{URLIDs: &[]vcd.ID{u.ID}}, 2},
		"manual":     {vcd.BatchFilter{Sources: &[]vcd.BatchSource{vcd.SourceManual}}, 3},
		"monitoring": {vcd.BatchFilter{Sources: &[]vcd.BatchSource{vcd.SourceMonitoring}}, 0},
	} {
		if n := batches(s.Runs.Batches(c, w.Actor, f.filter, all)); n != f.want {
			t.Errorf("batches, %s: %d, want %d", name, n, f.want)
		}
	}

	entries := func(f vcd.QueueFilter) int {
		l, err := s.Runs.QueueEntries(c, w.Actor, f, all, false)
		return count[*vcd.QueueEntry](t)(l.List, err)
	}
	for name, f := range map[string]struct {
		filter vcd.QueueFilter
		want   int
	}{
		"all":     {vcd.QueueFilter{}, 14},
		"batch":   {vcd.QueueFilter{BatchIDs: &[]vcd.ID{postID}}, 8},
		"live":    {vcd.QueueFilter{Statuses: &[]vcd.QueueStatus{vcd.QueueOpen, vcd.QueueProcessing}}, 2},
		"failed":  {vcd.QueueFilter{Statuses: &[]vcd.QueueStatus{vcd.QueueFailed}}, 0},
		"compare": {vcd.QueueFilter{Types: &[]vcd.QueueType{vcd.QueueCompare}}, 4},
		"group":   {vcd.QueueFilter{GroupIDs: &[]vcd.ID{g.ID}}, 12},
		"url":     {vcd.QueueFilter{URLIDs: &[]vcd.ID{u.ID}}, 6},
		"none":    {vcd.QueueFilter{IDs: &[]vcd.ID{}}, 0},
	} {
		if n := entries(f.filter); n != f.want {
			t.Errorf("entries, %s: %d, want %d", name, n, f.want)
		}
	}

	shots := count[*vcd.Screenshot](t)
	for name, f := range map[string]struct {
		filter vcd.ScreenshotFilter
		want   int
	}{
		"all":    {vcd.ScreenshotFilter{}, 8},
		"batch":  {vcd.ScreenshotFilter{BatchIDs: &[]vcd.ID{preID}}, 4},
		"mobile": {vcd.ScreenshotFilter{Devices: &[]vcd.Device{vcd.Mobile}}, 4},
		"post":   {vcd.ScreenshotFilter{Types: &[]vcd.QueueType{vcd.QueuePost}}, 4},
		"place":  {vcd.ScreenshotFilter{GroupIDs: &[]vcd.ID{g.ID}, URLIDs: &[]vcd.ID{u.ID}}, 4},
	} {
		if n := shots(s.Reviews.Screenshots(c, w.Actor, f.filter, all)); n != f.want {
			t.Errorf("screenshots, %s: %d, want %d", name, n, f.want)
		}
	}

	comparisons := func(f vcd.ComparisonFilter) int {
		l, err := s.Reviews.Comparisons(c, w.Actor, f, all, false)
		return count[*vcd.Comparison](t)(l.List, err)
	}
	for name, f := range map[string]struct {
		filter vcd.ComparisonFilter
		want   int
	}{
		"all":       {vcd.ComparisonFilter{}, 4},
		"changed":   {vcd.ComparisonFilter{AboveThreshold: vcdtest.Pointer(true)}, 4},
		"unchanged": {vcd.ComparisonFilter{AboveThreshold: vcdtest.Pointer(false)}, 0},
		"new":       {vcd.ComparisonFilter{Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonNew}}, 4},
		"batch":     {vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{postID, preID}}, 4},
		"url":       {vcd.ComparisonFilter{URLIDs: &[]vcd.ID{u.ID}, GroupIDs: &[]vcd.ID{g.ID}}, 2},
		"source":    {vcd.ComparisonFilter{Sources: &[]vcd.BatchSource{vcd.SourceAutoUpdate}}, 0},
		"window":    {vcd.ComparisonFilter{From: before, To: later}, 4},
		"token":     {vcd.ComparisonFilter{Token: vcdtest.Pointer("no such token")}, 0},
	} {
		if n := comparisons(f.filter); n != f.want {
			t.Errorf("comparisons, %s: %d, want %d", name, n, f.want)
		}
	}
}

func TestFiguresCountTheWholeQueue(t *testing.T) {
	w := newWorld(t)
	_, _, pre, post := w.FillEverything("a")
	l, err := w.Service.Runs.QueueEntries(t.Context(), w.Actor, vcd.QueueFilter{}, vcd.Page{Size: 1}, true)
	must(t, err)
	want := vcd.QueueFigures{
		All: vcd.StatusCounts{Open: 2, Done: 12},
		ByType: map[vcd.QueueType]vcd.StatusCounts{
			vcd.QueuePre: {Open: 2, Done: 4}, vcd.QueuePost: {Done: 4}, vcd.QueueCompare: {Done: 4},
		},
		ByBatch: map[vcd.ID]vcd.StatusCounts{pre.Batches[0].ID: {Done: 4}, post.Batches[0].ID: {Done: 8}}, AnyStatus: 14,
		ByPart: map[vcd.BatchPartOfType]vcd.StatusCounts{
			{Batch: pre.Batches[0].ID, Type: vcd.QueuePre}:      {Done: 4},
			{Batch: post.Batches[0].ID, Type: vcd.QueuePost}:    {Done: 4},
			{Batch: post.Batches[0].ID, Type: vcd.QueueCompare}: {Done: 4},
		},
		Unpaired: map[vcd.ID]int{},
	}
	ignoreSlowPart := cmpopts.IgnoreMapEntries(func(_ vcd.BatchPartOfType, c vcd.StatusCounts) bool { return c.Open == 2 })
	ignoreSlow := cmpopts.IgnoreMapEntries(func(_ vcd.ID, c vcd.StatusCounts) bool { return c.Open == 2 })
	if diff := cmp.Diff(want, l.Figures, ignoreSlow, ignoreSlowPart); diff != "" || len(l.Figures.ByBatch) != 3 {
		t.Error(diff)
	}
	all, err := w.Service.Runs.QueueEntries(t.Context(), w.Actor, vcd.QueueFilter{}, vcd.Page{Size: 100}, false)
	must(t, err)
	ids := make([]vcd.ID, len(all.Items))
	for i, e := range all.Items {
		ids[i] = e.ID
	}
	open := []vcd.QueueStatus{vcd.QueueOpen}
	page := vcd.Page{Size: 1, Number: 1, Total: true}
	for name, f := range map[string]vcd.QueueFilter{"counted": {Statuses: &open}, "listed": {Statuses: &open, IDs: &ids}} {
		l, err := w.Service.Runs.QueueEntries(t.Context(), w.Actor, f, page, true)
		must(t, err)
		if l.Total != 2 || l.Figures.All.Total() != 2 || l.Figures.AnyStatus != 14 {
			t.Errorf("%s: %d open entries, %d counted, %d in any state, want 2, 2 and 14", name, l.Total, l.Figures.All.Total(),
				l.Figures.AnyStatus)
		}
	}
}

func TestAComparisonShowsBothScreenshotsAndItsVerdict(t *testing.T) {
	w := newWorld(t)
	g, _, _, post := w.FillEverything("shown")
	l, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{Order: vcd.OrderDifferencePercent},
		vcd.Page{Size: 2, Number: 1}, true)
	must(t, err)
	if l.AboveThreshold != 4 || len(l.Items) != 2 || !l.HasNextPage {
		t.Fatalf("%d above, %d items", l.AboveThreshold, len(l.Items))
	}
	c := l.Items[0]
	if c.Before.Image == nil || c.After.Image == nil || c.Image == nil || c.Image.ID == c.After.Image.ID || c.Before.CreatedAt.IsZero() {
		t.Errorf("pictures: %+v", c)
	}
	if c.Image.Over != c.After.Image.Hash || c.Before.Image.Over != "" || c.After.Image.Over != "" {
		t.Errorf("the picture lies over %q, the one after is %q", c.Image.Over, c.After.Image.Hash)
	}
	mask, err := w.DB.ImageByToken(t.Context(), c.Image.Token)
	must(t, err)
	if diff := cmp.Diff(c.Image, mask); diff != "" {
		t.Error(diff)
	}
	if c.GroupName != "shown" || c.GroupID != g.ID || c.BatchName != post.Batches[0].Name || c.BatchSource != vcd.SourceManual ||
		c.URLAddress == "" || c.HTMLTitle != "Title \uFFFD\uFFFD" || c.Monitoring || c.CMS != nil {
		t.Errorf("what is shown beside it: %+v", c)
	}
	if len(c.Difference.Regions) != 1 || c.Difference.Regions[0].Pixels != 6 || c.Difference.Percent != 2 {
		t.Errorf("difference: %+v", c.Difference)
	}
	fixed, err := w.Service.Reviews.SetComparisonStatus(t.Context(), w.Actor, c.ID, vcd.ComparisonToFix)
	must(t, err)
	byToken, err := w.Service.Reviews.ComparisonByToken(t.Context(), w.Actor, c.Token)
	must(t, err)
	if diff := cmp.Diff(fixed, byToken); diff != "" || byToken.Status != vcd.ComparisonToFix {
		t.Error(diff)
	}
	shown, err := w.Service.Reviews.Review(t.Context(), c.Token)
	must(t, err)
	renewed, err := w.Service.Reviews.RenewPublicLink(t.Context(), w.Actor, c.ID)
	must(t, err)
	if shown.ID != c.ID || renewed.Token == c.Token {
		t.Errorf("shown %s, renewed %s of %s", shown.ID, renewed.Token, c.Token)
	}
	if _, err := w.Service.Reviews.Review(t.Context(), c.Token); vcd.CodeOf(err) != vcd.CodeNotFound {
		t.Errorf("the old link: %v", err)
	}
	b, err := w.Service.Runs.RenameBatch(t.Context(), w.Actor, post.Batches[0].ID, "Spring release")
	must(t, err)
	if b.Name != "Spring release" || b.Comparisons != (vcd.ComparisonCounts{New: 3, ToFix: 1, AboveThreshold: 4}) ||
		!slices.Equal(b.GroupIDs, []vcd.ID{g.ID}) {
		t.Errorf("batch: %+v", b)
	}
	w.CheckInvariants()
}

func TestAScreenshotComesBackAsItWasStored(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("shot", 1, inventory.GroupChange{Monitoring: vcd.Some(true), CSS: vcd.Some("g{}")})
	w.Take(vcd.QueuePre, g)
	entry := w.Jobs("capture")[0]
	w.Capture(entry, "pixels")
	var made *vcd.Screenshot
	must(t, w.DB.Read(t.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) (err error) {
		made, err = tx.ScreenshotOfEntry(ctx, entry)
		return err
	}))
	if made.URLAddress != "shot.test/0" || !made.Monitoring || made.Image.Width != 1280 || made.StatusCode != 200 ||
		len(made.Console) != 1 {
		t.Errorf("screenshot: %+v", made)
	}
	got, err := w.Service.Reviews.ScreenshotsByIDs(t.Context(), w.Actor, []vcd.ID{made.ID, made.QueueID})
	must(t, err)
	if diff := cmp.Diff([]*vcd.Screenshot{made}, got); diff != "" {
		t.Error(diff)
	}
	e := w.Entry(entry)
	if e.Image == nil || e.Image.ID != made.Image.ID || !e.Monitoring || e.HTMLTitle != made.HTMLTitle || e.URLAddress != "shot.test/0" {
		t.Errorf("entry: %+v", e)
	}
	img, err := w.DB.ImageByToken(t.Context(), made.Image.Token)
	must(t, err)
	if diff := cmp.Diff(made.Image, img); diff != "" {
		t.Error(diff)
	}
	_, err = w.DB.ImageByToken(t.Context(), "nobody's")
	wantCode(t, err, vcd.CodeNotFound)
}

func TestBlobsAreSweptWhenNothingNamesThem(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("blob", 1, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	w.Capture(w.Jobs("capture")[0], "kept")
	young, lost, stubborn, under := w.Picture("young"), w.Picture("lost"), w.Picture("stubborn"), w.Picture("under")
	w.AsSystem("UPDATE images SET over = $1", under.Hash)
	read := w.Picture("what is to be read")
	w.AsSystem("UPDATE screenshots SET elements_hash = $1", read.Hash)
	w.Exec("UPDATE blobs SET reserved_at = now() - interval '2 hours' WHERE hash <> $1", young.Hash)
	w.Exec("UPDATE blobs SET reserved_at = now() - interval '1 hour' WHERE hash = $1", stubborn.Hash)
	w.Exec("UPDATE blobs SET unsettled_at = reserved_at")
	var removed []string
	n, err := w.DB.SweepBlobs(t.Context(), time.Now().Add(-time.Minute), 10, func(_ context.Context, all []string) ([]string, error) {
		for _, hash := range all {
			if hash != stubborn.Hash {
				removed = append(removed, hash)
			}
		}
		return removed, vcdtest.ErrOnPurpose
	})
	if n != 1 || !errors.Is(err, vcdtest.ErrOnPurpose) || !slices.Equal(removed, []string{lost.Hash}) {
		t.Errorf("%d swept, %v, error %v", n, removed, err)
	}
	n, err = w.DB.SweepBlobs(t.Context(), time.Now().Add(-time.Minute), 10, func(_ context.Context, all []string) ([]string, error) {
		return all, nil
	})
	must(t, err)
	if n != 1 || vcdtest.Value[int](w.World, "SELECT count(*) FROM blobs") != 4 {
		t.Errorf("%d swept", n)
	}
	left, err := w.DB.Blobs(t.Context())
	must(t, err)
	if len(left) != 4 || !left[under.Hash].Used || !left[read.Hash].Used || left[young.Hash].Used {
		t.Errorf("left: %v; want the young one unused, what a picture lies over and what a screenshot was read from used", left)
	}
	w.CheckInvariants()
}

func TestEqualPicturesShowTheAfterPicture(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("equal", 1, inventory.GroupChange{})
	for _, kind := range []vcd.QueueType{vcd.QueuePre, vcd.QueuePost} {
		w.Take(kind, g)
		for _, entry := range w.Jobs("capture") {
			w.Capture(entry, "same")
		}
	}
	entry := w.Jobs("compare")[0]
	w.Compare(entry, 0)
	l, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, vcd.ComparisonFilter{}, vcd.Page{Size: 5}, false)
	must(t, err)
	c := l.Items[0]
	if c.Image == nil || c.Image.ID != c.After.Image.ID || c.Status != vcd.ComparisonOK || w.Entry(entry).Image.ID != c.After.Image.ID {
		t.Errorf("comparison: %+v", c)
	}
	if n := vcdtest.Value[int](w.World, "SELECT count(DISTINCT hash) FROM images"); n != 1 {
		t.Errorf("%d blobs for one picture", n)
	}
}
