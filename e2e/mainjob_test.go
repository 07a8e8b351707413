package e2e

import (
	"net/http"
	"strings"
	"testing"
)

const progressDocument = `subscription($id: ID!, $after: EventNumber) {
  batchProgress(id: $id, after: $after) {
    number finished counts { open processing done failed total } event { number kind }
  }
}`

// progress is a message of that subscription.
type progress struct {
	BatchProgress struct {
		Number   int64
		Finished bool
		Counts   *struct{ Open, Processing, Done, Failed, Total int }
		Event    *struct {
			Number int64
			Kind   string
		}
	}
}

// TestMainJob is the whole way: pre, a change, post, comparisons; read over a subscription, over REST and over GraphQL.
func TestMainJob(t *testing.T) {
	t.Parallel()
	pagesOf := &site{}
	host := pages(t, pagesOf)
	s := lodge(t)
	group := s.group(nil, siteURLs(host)...)

	pre := s.take(group, "pre")
	for _, e := range s.await(pre) {
		if e.Status != "done" {
			t.Errorf("pre %s %s is %s: %v", e.URLLink, e.Device, e.Status, e.ErrorMsg)
		}
	}
	pagesOf.after.Store(true)
	post := s.take(group, "post")
	followWithBreaks(s, post)
	checkEntries(s, post)
	checkComparisons(s, post)
	checkGraphQL(s, post)
	s.check()
}

// followWithBreaks follows a batch to its end over several connections, each resumed after the last number seen, and
// checks that one replay of the whole batch gives the very same messages.
func followWithBreaks(s *service, batch string) {
	s.t.Helper()
	const perConnection = 7
	var seen []progress
	var after any // a null starts with a snapshot
	for finished := false; !finished; {
		k := s.subscribe(progressDocument, map[string]any{"id": batch, "after": after})
		for range perConnection {
			p, ok := next[progress](k)
			if !ok {
				finished = true
				break
			}
			if p.BatchProgress.Event != nil {
				seen = append(seen, p)
			}
			after = p.BatchProgress.Number
			if p.BatchProgress.Finished {
				finished = true
				break
			}
		}
		k.close()
	}
	if len(seen) == 0 {
		s.t.Fatal("the batch ended before anything was seen of it")
	}
	checkOrder(s.t, seen)
	replayed := replay(s, batch)
	tail := replayed[len(replayed)-len(seen):]
	for i := range seen {
		if seen[i].BatchProgress.Number != tail[i].BatchProgress.Number {
			s.t.Fatalf("message %d was number %d when live and %d in the replay", i, seen[i].BatchProgress.Number,
				tail[i].BatchProgress.Number)
		}
	}
}

func replay(s *service, batch string) []progress {
	s.t.Helper()
	k := s.subscribe(progressDocument, map[string]any{"id": batch, "after": 0})
	var all []progress
	for {
		p, ok := next[progress](k)
		if !ok {
			return all
		}
		all = append(all, p)
	}
}

// checkOrder wants rising numbers, ended entries that never become fewer, and the end at the end.
func checkOrder(t *testing.T, seen []progress) {
	t.Helper()
	var number int64
	ended := 0
	for i, p := range seen {
		m := p.BatchProgress
		if m.Number <= number {
			t.Errorf("message %d has number %d after %d", i, m.Number, number)
		}
		number = m.Number
		if m.Counts != nil {
			if now := m.Counts.Done + m.Counts.Failed; now < ended {
				t.Errorf("message %d: %d entries have ended, before it were %d", i, now, ended)
			} else {
				ended = now
			}
		}
		if last := i == len(seen)-1; m.Finished != last || last && m.Event.Kind != "BATCH_FINISHED" {
			t.Errorf("message %d of %d: finished %v, event %+v", i+1, len(seen), m.Finished, m.Event)
		}
	}
}

func checkEntries(s *service, batch string) {
	s.t.Helper()
	count := map[string]int{}
	for _, e := range s.entries(batch) {
		count[e.ScType+" "+e.Device+" "+e.Status]++
		if e.Status != "done" {
			s.t.Errorf("%s %s %s is %s: %v", e.ScType, e.URLLink, e.Device, e.Status, e.ErrorMsg)
		}
	}
	for _, kind := range []string{"post desktop done", "post mobile done", "compare desktop done", "compare mobile done"} {
		if count[kind] != len(sitePages) {
			s.t.Errorf("%d entries are %s, want %d", count[kind], kind, len(sitePages))
		}
	}
}

func checkComparisons(s *service, batchID string) {
	s.t.Helper()
	comparisons := s.comparisons(batchID)
	if len(comparisons) != 2*len(sitePages) {
		s.t.Fatalf("%d comparisons, want %d", len(comparisons), 2*len(sitePages))
	}
	changes := map[string]bool{}
	for _, p := range sitePages {
		changes[p.path] = p.changes
	}
	for _, c := range comparisons {
		path := c.URL[strings.Index(c.URL, "/"):]
		want := "ok"
		if changes[path] {
			want = "new"
		}
		if c.Status != want || (c.DifferencePercent > c.Threshold) != changes[path] {
			s.t.Errorf("%s %s: status %s with %.3f %%, want %s", path, c.Device, c.Status, c.DifferencePercent, want)
		}
		if c.HTMLTitle != path[1:] {
			s.t.Errorf("%s: title %q", path, c.HTMLTitle)
		}
		checkPictures(s, c)
		checkPublicPage(s, c)
	}
	b := must[data[batch]](s, http.MethodGet, "/batches/"+batchID, nil).Data
	if b.FinishedAt == nil || b.ComparisonsCount.New != 6 || b.ComparisonsCount.OK != 2 || b.ComparisonsCount.Above != 6 ||
		b.QueuesCount.Failed != 0 {
		s.t.Errorf("batch = %+v", b)
	}
}

// checkPictures opens the three pictures and a preview without a token, as an <img> would.
func checkPictures(s *service, c comparison) {
	s.t.Helper()
	for _, link := range []string{c.Screenshot1Link, c.Screenshot2Link, c.Link} {
		for address, kind := range map[string]string{link: "image/png", strings.TrimSuffix(link, ".png") +
			"_compressed.jpeg": "image/jpeg"} {
			response, err := http.Get(address)
			if err != nil {
				s.t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != kind {
				s.t.Errorf("%s: status %d, type %s", address, response.StatusCode, response.Header.Get("Content-Type"))
			}
		}
	}
}

// checkPublicPage opens the public page as clients do that only know the token.
func checkPublicPage(s *service, c comparison) {
	s.t.Helper()
	token := c.PublicLink[strings.LastIndex(c.PublicLink, "/")+1:]
	for _, path := range []string{"/show-change-detection?token=", "/show-change-detection/?token="} {
		response, err := http.Get(s.url + path + token)
		if err != nil {
			s.t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK || response.Request.URL.String() != c.PublicLink {
			s.t.Errorf("%s leads to %s: status %d, want %s", path, response.Request.URL, response.StatusCode, c.PublicLink)
		}
	}
}

// checkGraphQL reads the same batch as a frontend would, and reviews a comparison.
func checkGraphQL(s *service, batchID string) {
	s.t.Helper()
	type node struct {
		ID, Status, Device string
		DifferencePercent  float64
		Before, After      *struct{ Width, Height int }
		URL                struct{ Address string }
	}
	got := query[struct {
		Batch struct {
			ComparisonsCount struct{ New, Ok int }
			Comparisons      struct {
				TotalCount int
				Nodes      []node
			}
		}
	}](s, `query($id: ID!) { batch(id: $id) { comparisonsCount { new ok } comparisons(first: 3, filter: {aboveThreshold: true}) {
		totalCount nodes { id status device differencePercent before { width height } after { width height } url { address } } } } }`,
		map[string]any{"id": batchID})
	if got.Batch.Comparisons.TotalCount != 6 || len(got.Batch.Comparisons.Nodes) != 3 || got.Batch.ComparisonsCount.New != 6 {
		s.t.Fatalf("batch over GraphQL = %+v", got.Batch)
	}
	first := got.Batch.Comparisons.Nodes[0]
	if first.Status != "NEW" || first.After == nil || first.After.Width == 0 || first.URL.Address == "" {
		s.t.Errorf("comparison over GraphQL = %+v", first)
	}
	checkAlignment(s, batchID)
	reviewed := must[comparison](s, http.MethodPut, "/comparisons/"+first.ID, map[string]any{"status": "to_fix"})
	if reviewed.Status != "to_fix" {
		s.t.Errorf("after the review over REST the status is %s", reviewed.Status)
	}
	renamed := must[batch](s, http.MethodPatch, "/batches/"+batchID, map[string]any{"name": "Release 2"})
	if renamed.Name != "Release 2" {
		s.t.Errorf("after renaming the name is %q", renamed.Name)
	}
}

// checkAlignment looks at the page on which a banner pushed everything down: the aligned difference knows that.
func checkAlignment(s *service, batchID string) {
	s.t.Helper()
	got := query[struct {
		Comparisons struct {
			Nodes []struct {
				Address, Measure, Status          string
				MaskLink                          *string
				DifferencePercent, AlignedPercent float64
				Bands                             []struct {
					Kind string
					Rows int
				}
			}
		}
	}](s, `query($ids: [ID!]) { comparisons(filter: {batchIds: $ids}) {
		nodes { address measure status maskLink differencePercent alignedPercent bands { kind rows } } } }`,
		map[string]any{"ids": []string{batchID}})
	banners := 0
	for _, c := range got.Comparisons.Nodes {
		if c.AlignedPercent > c.DifferencePercent || c.Measure != "PLAIN" {
			s.t.Errorf("%s: %v %% plain and %v %% aligned, judged %s", c.Address, c.DifferencePercent, c.AlignedPercent, c.Measure)
		}
		if (c.MaskLink != nil) != (c.Status == "NEW") {
			s.t.Errorf("%s is %s and has the mask %v", c.Address, c.Status, c.MaskLink)
		}
		if strings.HasSuffix(c.Address, "/banner") && len(c.Bands) > 0 && c.Bands[0].Kind == "INSERTED" && c.Bands[0].Rows > 50 {
			banners++
		}
	}
	if banners != 2 {
		s.t.Errorf("%d inserted banners were found, want one on each device: %+v", banners, got.Comparisons.Nodes)
	}
}
