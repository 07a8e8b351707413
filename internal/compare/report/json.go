package report

import (
	"bytes"
	_ "embed" // for the schema below
	"encoding/json"
	"fmt"
	"math"
	"time"

	"afterimage/internal/compare"
	"afterimage/internal/page"
)

// Schema is the JSON schema of a report (draft 2020-12).
//
//go:embed schema.json
var Schema []byte

// formatVersion is incremented when a program that reads reports has to know of a change.
const formatVersion = 1

// Document is a report as JSON. Only the times differ from one run to the next on unchanged sites.
type Document struct {
	Version  int          `json:"version"`
	Before   string       `json:"before"`
	After    string       `json:"after"`
	Engine   string       `json:"engine"`
	Started  time.Time    `json:"started"`
	Seconds  float64      `json:"seconds"`
	FailOn   string       `json:"fail_on"`
	ExitCode int          `json:"exit_code"`
	Counts   countsJSON   `json:"counts"`
	Pages    []pageJSON   `json:"pages"`
	Changes  []changeJSON `json:"changes"`
	// Ignored is absent without selectors, NoPages if there are none.
	Ignored []ignoredJSON `json:"ignored,omitempty"`
	// UnusedCSS are the selectors of the given CSS that no page has an element of.
	UnusedCSS []string `json:"unused_css,omitempty"`
	// Unreached are pages with closed shadow trees, in which --ignore finds nothing.
	Unreached int      `json:"unreached,omitempty"`
	NoPages   []string `json:"no_pages,omitempty"`
}

type ignoredJSON struct {
	Selector string `json:"selector"`
	Elements int    `json:"elements"`
}

type countsJSON struct {
	Equal    int `json:"equal"`
	Harmless int `json:"harmless"`
	Unsure   int `json:"unsure"`
	Alert    int `json:"alert"`
	Failed   int `json:"failed"`
}

type pageJSON struct {
	Path           string        `json:"path"`
	Device         string        `json:"device"`
	Verdict        string        `json:"verdict"`
	Problem        string        `json:"problem,omitempty"`
	Unseen         string        `json:"unseen,omitempty"`
	ChangedPercent float64       `json:"changed_percent"`
	ChangedPixels  int           `json:"changed_pixels"`
	Before         *viewJSON     `json:"before,omitempty"`
	After          *viewJSON     `json:"after,omitempty"`
	Findings       []findingJSON `json:"findings"`
}

type viewJSON struct {
	Address string `json:"address"`
	Status  int    `json:"status"`
	Title   string `json:"title"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Picture string `json:"picture,omitempty"`
}

type findingJSON struct {
	Change      string    `json:"change"`
	Kind        string    `json:"kind"`
	Verdict     string    `json:"verdict"`
	Host        string    `json:"host,omitempty"`
	Description string    `json:"description"`
	Reason      string    `json:"reason,omitempty"`
	Element     string    `json:"element,omitempty"`
	BoxBefore   *page.Box `json:"box_before,omitempty"`
	BoxAfter    *page.Box `json:"box_after,omitempty"`
}

type changeJSON struct {
	ID          string      `json:"id"`
	Kind        string      `json:"kind"`
	Verdict     string      `json:"verdict"`
	Host        string      `json:"host,omitempty"`
	Description string      `json:"description"`
	Reason      string      `json:"reason,omitempty"`
	Element     string      `json:"element,omitempty"`
	Places      []placeJSON `json:"places"`
}

type placeJSON struct {
	Path   string `json:"path"`
	Device string `json:"device"`
}

// Run says when and how a comparison ran.
type Run struct {
	Started time.Time
	Took    time.Duration
	FailOn  compare.FailOn
	Version string // of the program
	// PicturesURL is the address under which the folder of the report is published; "" for none.
	PicturesURL string
	Page        Page
}

// writeJSON writes report.json.
func (f *Folder) writeJSON(r *compare.Result, run Run) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // selectors are for people to read
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(documentOf(r, run)); err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	return f.write("report.json", text.Bytes())
}

func documentOf(r *compare.Result, run Run) *Document {
	d := &Document{
		Version: formatVersion, Before: r.Before, After: r.After, Engine: r.Engine,
		Started: run.Started.UTC().Truncate(time.Second), Seconds: math.Round(run.Took.Seconds()*10) / 10,
		FailOn: string(run.FailOn), ExitCode: r.ExitCode(run.FailOn),
		Counts: countsJSON{
			r.Count(compare.Equal), r.Count(compare.Harmless), r.Count(compare.Unsure), r.Count(compare.Alert), r.Count(compare.Failed),
		},
		Pages: []pageJSON{}, Changes: []changeJSON{},
	}
	for i := range r.Pairs {
		d.Pages = append(d.Pages, pageOf(&r.Pairs[i]))
	}
	d.NoPages, d.UnusedCSS, d.Unreached = r.NoPages, r.Unused, r.Unreached
	for _, i := range r.Ignored {
		d.Ignored = append(d.Ignored, ignoredJSON(i))
	}
	for i := range r.Changes {
		d.Changes = append(d.Changes, changeOf(&r.Changes[i]))
	}
	return d
}

func pageOf(p *compare.Pair) pageJSON {
	out := pageJSON{
		Path: p.Path, Device: string(p.Device), Verdict: words[p.Outcome], Problem: p.Problem, Unseen: p.Unseen,
		ChangedPercent: math.Round(p.Percent*1e4) / 1e4, ChangedPixels: p.Pixels, Before: viewOf(&p.Before), After: viewOf(&p.After),
		Findings: []findingJSON{},
	}
	for i := range p.Findings {
		f := &p.Findings[i]
		out.Findings = append(out.Findings, findingJSON{
			Change: f.Fingerprint, Kind: string(f.Kind), Verdict: words[compare.OutcomeOf(f.Category)], Host: f.Host,
			Description: f.Description, Reason: f.Reason, Element: f.Selector(), BoxBefore: f.BoxBefore, BoxAfter: f.BoxAfter,
		})
	}
	return out
}

// viewOf returns nil for a side that was not captured.
func viewOf(v *compare.View) *viewJSON {
	if v.Address == "" {
		return nil
	}
	return &viewJSON{Address: v.Address, Status: v.Status, Title: v.Title, Width: v.Width, Height: v.Height, Picture: v.Picture}
}

func changeOf(c *compare.Change) changeJSON {
	out := changeJSON{
		ID: c.Fingerprint, Kind: string(c.Kind), Verdict: words[c.Outcome], Host: c.Host, Description: c.Description, Reason: c.Reason,
		Element: c.Element,
	}
	for _, place := range c.Places {
		out.Places = append(out.Places, placeJSON{place.Path, string(place.Device)})
	}
	return out
}
