// Package demo demonstrates the main workflow: it talks to a running server like any client (REST for the work, a GraphQL
// subscription for the progress and a query for the result) and prints what changed.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Page is an address to capture with a name for the table.
type Page struct {
	URL  string
	Name string // empty: the address
}

// Config is what a demonstration needs.
type Config struct {
	Server string // scheme and host of the service
	Token  string
	Pages  []Page
	// Change makes the pages change between the two runs.
	Change   func(ctx context.Context) error
	Progress io.Writer // for a person: what is going on
	Live     bool      // Progress is a terminal: draw over the last line
}

// Row is the outcome for one page on one device.
type Row struct {
	URL               string  `json:"url"`
	Name              string  `json:"name"`
	Device            string  `json:"device"`
	Status            string  `json:"status"` // of the comparison, or "failed"
	DifferencePercent float64 `json:"difference_percent"`
	AlignedPercent    float64 `json:"aligned_percent"` // after row alignment; this one is compared with the threshold
	Summary           string  `json:"summary,omitempty"`
	Threshold         float64 `json:"threshold"`
	Error             string  `json:"error,omitempty"` // why it failed, for the site's owner
	Batch             string  `json:"batch"`
	Comparison        string  `json:"comparison"`
	Before            string  `json:"before"` // links to pictures
	After             string  `json:"after"`
	Difference        string  `json:"difference"`
	Review            string  `json:"review"` // link to the page that shows them side by side
}

// ErrFailed tells that some page could not be captured or compared.
var ErrFailed = errors.New("some pages could not be captured or compared")

// Run takes screenshots, lets the pages change, takes screenshots again and returns a row for each page and device, with the id of
// the batch to review. When some of them failed the rows come with ErrFailed.
func Run(ctx context.Context, c Config) (rows []Row, batch string, err error) {
	d := &demonstration{config: c, api: &client{server: c.Server, token: c.Token}}
	if err := d.setUp(ctx); err != nil {
		return nil, "", err
	}
	pre, err := d.take(ctx, "pre", "Taking screenshots before the change")
	if err != nil {
		return nil, "", err
	}
	if err := c.Change(ctx); err != nil {
		return nil, "", err
	}
	post, err := d.take(ctx, "post", "Taking screenshots after the change and comparing")
	if err != nil {
		return nil, "", err
	}
	rows, err = d.collect(ctx, pre, post)
	return rows, post, err
}

type demonstration struct {
	config Config
	api    *client
	group  string
	names  map[string]string // page name by URL id
}

// setUp makes a group with all pages, both devices on.
func (d *demonstration) setUp(ctx context.Context) error {
	var group struct {
		Data struct{ ID string }
	}
	if err := d.api.post(ctx, "/groups", map[string]any{"name": "Demo", "measure": "aligned"}, &group); err != nil {
		return err
	}
	d.group = group.Data.ID
	d.names = make(map[string]string, len(d.config.Pages))
	var urls []map[string]any
	for _, page := range d.config.Pages {
		var url struct {
			Data struct{ ID string }
		}
		if err := d.api.post(ctx, "/urls", map[string]any{"url": page.URL}, &url); err != nil {
			return err
		}
		urls = append(urls, map[string]any{"id": url.Data.ID, "desktop": true, "mobile": true})
		d.names[url.Data.ID] = page.Name
	}
	return d.api.post(ctx, "/groups/"+d.group+"/add-urls", map[string]any{"urls": urls}, nil)
}

// take starts a run, shows its progress until it is finished and returns its batch.
func (d *demonstration) take(ctx context.Context, kind, title string) (string, error) {
	var taken struct {
		BatchID string `json:"batch_id"`
	}
	err := d.api.post(ctx, "/screenshots/take", map[string]any{"group_ids": []string{d.group}, "sc_type": kind}, &taken)
	if err != nil {
		return "", err
	}
	bar := &bar{out: d.config.Progress, live: d.config.Live, title: title}
	err = watch(ctx, d.config.Server, d.config.Token, taken.BatchID, bar.show)
	return taken.BatchID, err
}

// side is a page on a device.
type side struct{ url, device string }

// collect reads what came out of both runs. A page on a device has one row: the first thing that went wrong with it, else
// its comparison. Whatever fails before the comparison, in either run, keeps it from being made.
func (d *demonstration) collect(ctx context.Context, pre, post string) ([]Row, error) {
	failed := map[side]bool{}
	var rows []Row
	for _, batch := range []string{pre, post} {
		entries, err := list[queueEntry](ctx, d.api, "/queues?per_page=100&status=failed&batches="+batch)
		if err != nil {
			return nil, err
		}
		sortBy(entries, queueEntry.step)
		for _, q := range entries {
			if at := (side{q.URL, q.Device}); !failed[at] {
				failed[at] = true
				rows = append(rows, Row{URL: bare(q.URLLink), Name: d.names[q.URL], Device: q.Device, Status: "failed",
					Error: q.ErrorMsg, Batch: batch})
			}
		}
	}
	comparisons, err := d.api.comparisons(ctx, post)
	if err != nil {
		return nil, err
	}
	for i := range comparisons {
		if row := d.compared(&comparisons[i]); !failed[side{comparisons[i].URLID, row.Device}] {
			rows = append(rows, row)
		}
	}
	d.sort(rows)
	if len(failed) > 0 {
		return rows, ErrFailed
	}
	return rows, nil
}

func (d *demonstration) compared(c *comparison) Row {
	row := Row{
		URL: c.Address, Name: d.names[c.URLID], Device: strings.ToLower(c.Device), Status: strings.ToLower(c.Status),
		DifferencePercent: c.DifferencePercent, AlignedPercent: c.AlignedPercent, Threshold: c.Threshold, Batch: c.BatchID,
		Comparison: c.ID, Before: c.BeforeLink, After: c.AfterLink, Difference: c.Link, Review: c.PublicLink,
	}
	if c.AiVerificationResult != nil {
		row.Summary = c.AiVerificationResult.Summary
	}
	return row
}

// sort puts rows in the order of the pages, desktop first.
func (d *demonstration) sort(rows []Row) {
	place := make(map[string]int, len(d.config.Pages))
	for i, page := range d.config.Pages {
		place[bare(page.URL)] = i
	}
	sortBy(rows, func(r Row) string { return fmt.Sprintf("%06d %s", place[bare(r.URL)], r.Device) })
}

// bare is an address without its scheme and last slash, the form in which the service names it.
func bare(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	return strings.TrimSuffix(url, "/")
}
