package remote

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"afterimage/capture"
	"afterimage/internal/compare"
	"afterimage/vcd"
)

// pageInfo is the position in a list.
type pageInfo struct {
	HasNextPage bool
	EndCursor   *string
}

// maxEntries limits what is read of a run; it has at most 20,000 screenshots and as many comparisons.
const maxEntries = 60_000

// entry is a screenshot or a comparison of a run that ended.
type entry struct {
	GroupID, URLID, Device, SCType, Status, URLLink string
	ErrorMsg                                        *string
	Group                                           *struct{ Name string }
}

// place is a page of a group on a device.
type place struct{ group, url, device string }

// result collects what a finished run found.
type result struct {
	client *Client
	batch  *Batch
	album  compare.Album
	known  map[place]bool
	groups map[string]bool
	names  []string // the group of each pair
	pairs  []compare.Pair
}

// Result reads what a finished run found. The pictures of pages that are not equal go to the album, if there is one.
func (c *Client) Result(ctx context.Context, b *Batch, album compare.Album) (*compare.Result, error) {
	r := &result{client: c, batch: b, album: album, known: make(map[place]bool), groups: make(map[string]bool)}
	compared, err := r.compared(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.uncompared(ctx, len(compared)); err != nil {
		return nil, err
	}
	r.distinguish()
	if err := r.keep(ctx, compared); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.pairs, func(a, b compare.Pair) int {
		return strings.Compare(a.Path+"\x00"+string(a.Device), b.Path+"\x00"+string(b.Device))
	})
	before := "the previous screenshots"
	if b.ComparedWith != nil {
		before = b.ComparedWith.Name
	}
	return compare.Collect(before, b.Name, b.SCVersion, r.pairs), nil
}

// compared reads the comparisons, which become the first pairs.
func (r *result) compared(ctx context.Context) ([]comparison, error) {
	var all []comparison
	variables := map[string]any{"batch": r.batch.ID}
	for len(all) < maxEntries {
		var answer struct {
			Comparisons struct {
				Nodes    []comparison
				PageInfo pageInfo
			}
		}
		if err := r.client.do(ctx, comparisonsDocument, variables, &answer); err != nil {
			return nil, err
		}
		for i := range answer.Comparisons.Nodes {
			n := &answer.Comparisons.Nodes[i]
			r.add(place{n.GroupID, n.URLID, n.Device}, n.GroupName, n.pair())
		}
		all = append(all, answer.Comparisons.Nodes...)
		if !answer.Comparisons.PageInfo.HasNextPage {
			break
		}
		variables["after"] = answer.Comparisons.PageInfo.EndCursor
	}
	return all, nil
}

func (r *result) add(at place, group string, p compare.Pair) {
	r.known[at], r.groups[group] = true, true
	r.names, r.pairs = append(r.names, group), append(r.pairs, p)
}

// uncompared adds the pages that failed, and those that had nothing to be compared with. A comparison fails with its screenshot,
// which says why.
func (r *result) uncompared(ctx context.Context, compared int) error {
	failed, err := r.entries(ctx, "FAILED")
	if err != nil {
		return err
	}
	slices.SortStableFunc(failed, func(a, b entry) int { return rank(a) - rank(b) })
	for i := range failed {
		problem := "It could not be captured."
		if failed[i].ErrorMsg != nil {
			problem = *failed[i].ErrorMsg
		}
		r.addEntry(&failed[i], func(p *compare.Pair) { p.Problem = problem })
	}
	done, err := r.entries(ctx, "DONE")
	if err != nil {
		return err
	}
	for i := range done {
		monitoring := done[i].SCType == "AUTO"
		added := vcd.IsUploaded(done[i].URLLink) && compared > 0
		r.addEntry(&done[i], func(p *compare.Pair) {
			switch {
			case monitoring:
				p.Tell("baseline", vcd.CategoryAllGood, "It is the first screenshot by this version of the browser.",
					"Later ones are compared with it.", "")
			case added: // tests come and go: a new one needs nobody
				p.Tell("new_page", vcd.CategoryAllGood, "It is new: there is no screenshot of this name from before the change.",
					"Nothing is compared.", "")
			default:
				p.Problem = "There is no earlier screenshot to compare it with. Take one before the change, with --pre."
			}
		})
	}
	return nil
}

func rank(e entry) int {
	if e.SCType == "COMPARE" {
		return 1
	}
	return 0
}

func (r *result) addEntry(e *entry, tell func(*compare.Pair)) {
	at := place{e.GroupID, e.URLID, e.Device}
	if r.known[at] || e.SCType == "COMPARE" && e.Status == "DONE" {
		return
	}
	p := compare.Pair{Path: vcd.PageName(e.URLLink), Device: capture.Device(strings.ToLower(e.Device))}
	tell(&p)
	group := ""
	if e.Group != nil {
		group = e.Group.Name
	}
	r.add(at, group, p)
}

func (r *result) entries(ctx context.Context, status string) ([]entry, error) {
	var all []entry
	variables := map[string]any{"batch": r.batch.ID, "statuses": []string{status}}
	if status == "DONE" && len(r.pairs) >= r.batch.QueuesCount.Total/2 && r.batch.UnpairedCount == 0 {
		return nil, nil // every screenshot has its comparison
	}
	for len(all) < maxEntries {
		var answer struct {
			QueueEntries struct {
				Nodes    []entry
				PageInfo pageInfo
			}
		}
		if err := r.client.do(ctx, entriesDocument, variables, &answer); err != nil {
			return nil, err
		}
		all = append(all, answer.QueueEntries.Nodes...)
		if !answer.QueueEntries.PageInfo.HasNextPage {
			break
		}
		variables["after"] = answer.QueueEntries.PageInfo.EndCursor
	}
	return all, nil
}

// distinguish names the group of each page where a run has several: they may have the same page.
func (r *result) distinguish() {
	if len(r.groups) < 2 {
		return
	}
	for i := range r.pairs {
		r.pairs[i].Path += " (" + r.names[i] + ")"
	}
}

// keep downloads the pictures of what is not equal.
func (r *result) keep(ctx context.Context, compared []comparison) error {
	if r.album == nil {
		return nil
	}
	for i := range compared {
		n, p := &compared[i], &r.pairs[i]
		if p.Pixels == 0 && len(p.Findings) == 0 || !n.Before.stored() || !n.After.stored() {
			continue
		}
		before, err := r.client.picture(ctx, *n.Before.Link)
		if err != nil {
			return err
		}
		after, err := r.client.picture(ctx, *n.After.Link)
		if err != nil {
			return err
		}
		if err := r.album.Keep(p, before, after); err != nil {
			return fmt.Errorf("the pictures of %s cannot be kept: %w", p.Path, err)
		}
	}
	return nil
}

func (s *screenshot) stored() bool { return s != nil && s.Link != nil }
