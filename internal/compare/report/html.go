package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"

	"afterimage/internal/compare"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// Page is what makes a report a page for people: the script, its style sheet and the licenses of the libraries in it. Without a
// script there is no such page.
type Page struct{ Script, Style, Licenses string }

// maxEmbedded is how much of pictures a page holds, in bytes of its text. Those of less grave pages beyond it are loaded from the
// folder of the report.
const maxEmbedded = 22_000_000

// The data of the page, with the names of web/report/data.ts and web/viewer/types.ts.
type (
	htmlReport struct {
		Before  string       `json:"before"`
		After   string       `json:"after"`
		Summary string       `json:"summary"`
		Engine  string       `json:"engine"`
		Started string       `json:"started"`
		Changes []htmlChange `json:"changes"`
		Pages   []htmlPage   `json:"pages"`
	}
	htmlChange struct {
		ID      string      `json:"id"`
		Verdict string      `json:"verdict"`
		Title   string      `json:"title"`
		Reason  string      `json:"reason,omitempty"`
		Host    string      `json:"host,omitempty"`
		Places  []htmlPlace `json:"places"`
		Before  string      `json:"before,omitempty"`
		After   string      `json:"after,omitempty"`
	}
	htmlPlace struct {
		Page   int    `json:"page"`
		Change string `json:"change"`
	}
	htmlPage struct {
		Path       string          `json:"path"`
		Device     string          `json:"device"`
		Verdict    string          `json:"verdict"`
		Percent    float64         `json:"percent"`
		Headline   string          `json:"headline"`
		Problem    string          `json:"problem,omitempty"`
		Unseen     string          `json:"unseen,omitempty"`
		Comparison *htmlComparison `json:"comparison,omitempty"`
	}
	htmlComparison struct {
		Before      *htmlPicture  `json:"before"`
		After       *htmlPicture  `json:"after"`
		Mask        *htmlPicture  `json:"mask"` // none: the viewer shows the difference of the colours
		Bands       []htmlBand    `json:"bands"`
		Changes     []htmlFinding `json:"changes"`
		TakenBefore string        `json:"takenBefore"`
		TakenAfter  string        `json:"takenAfter"`
	}
	htmlPicture struct {
		Width  int    `json:"width"`
		Height int    `json:"height"`
		URL    string `json:"url"`
	}
	htmlBand struct {
		Kind    vcd.BandKind `json:"kind"`
		YBefore int          `json:"yBefore"`
		YAfter  int          `json:"yAfter"`
		Rows    int          `json:"rows"`
		X0      int          `json:"x0"`
		X1      int          `json:"x1"`
	}
	htmlFinding struct {
		ID      string    `json:"id"`
		Title   string    `json:"title"`
		Reason  string    `json:"reason,omitempty"`
		Verdict string    `json:"verdict"`
		Before  *page.Box `json:"before,omitempty"`
		After   *page.Box `json:"after,omitempty"`
	}
)

// htmlVerdicts are the page's names of outcomes.
var htmlVerdicts = map[compare.Outcome]string{
	compare.Equal: "equal", compare.Harmless: "good", compare.Unsure: "unsure", compare.Alert: "alert", compare.Failed: "failed",
}

// writeHTML writes index.html, a page that needs no network.
func (f *Folder) writeHTML(r *compare.Result, run Run, cut map[string]crop) error {
	if run.Page.Script == "" {
		return nil
	}
	album := embedding{folder: f}
	data := htmlReport{
		Before: r.Before, After: r.After, Summary: Summary(r), Engine: r.Engine, Started: run.Started.UTC().Format(time.DateTime) + " UTC",
		Changes: []htmlChange{}, Pages: make([]htmlPage, len(r.Pairs)),
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		shown := htmlChange{
			ID: c.Fingerprint, Verdict: htmlVerdicts[c.Outcome], Title: c.Description, Reason: c.Reason, Host: c.Host,
			Before: album.url(cut[c.Fingerprint].before), After: album.url(cut[c.Fingerprint].after),
		}
		for _, place := range c.Places {
			shown.Places = append(shown.Places, htmlPlace{place.Pair, findingID(place.Finding)})
		}
		data.Changes = append(data.Changes, shown)
	}
	for _, i := range gravestFirst(r.Pairs) {
		data.Pages[i] = htmlPageOf(&r.Pairs[i], &album)
	}
	if album.err != nil {
		return album.err
	}
	encoded, err := json.Marshal(data) // which escapes < and >
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	return f.write("index.html", []byte(document(run.Page, r, encoded)))
}

// gravestFirst are the indices of pairs in the order in which their pictures are put into the page.
func gravestFirst(pairs []compare.Pair) []int {
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(slices.Index(compare.Outcomes, pairs[b].Outcome), slices.Index(compare.Outcomes, pairs[a].Outcome))
	})
	return order
}

func htmlPageOf(p *compare.Pair, album *embedding) htmlPage {
	shown := htmlPage{
		Path: p.Path, Device: string(p.Device), Verdict: htmlVerdicts[p.Outcome], Percent: p.Percent, Headline: headline(p),
		Problem: p.Problem, Unseen: p.Unseen,
	}
	if p.Before.Picture == "" {
		return shown
	}
	c := &htmlComparison{
		Before: album.picture(&p.Before), After: album.picture(&p.After), Bands: []htmlBand{}, Changes: []htmlFinding{},
		TakenBefore: p.Before.Address, TakenAfter: p.After.Address,
	}
	for _, b := range p.Bands {
		c.Bands = append(c.Bands, htmlBand{b.Kind, b.YBefore, b.YAfter, b.Rows, b.X0, b.X1})
	}
	for i := range p.Findings {
		f := &p.Findings[i]
		told := htmlFinding{
			ID: findingID(i), Title: f.Description, Reason: f.Reason, Verdict: htmlVerdicts[compare.OutcomeOf(f.Category)],
			Before: f.BoxBefore, After: f.BoxAfter,
		}
		if f.Host != "" {
			told.Reason, told.Verdict = f.Host, htmlVerdicts[compare.Harmless]
		}
		c.Changes = append(c.Changes, told)
	}
	shown.Comparison = c
	return shown
}

func findingID(n int) string { return "f" + strconv.Itoa(n) }

// embedding puts pictures into a page, as far as there is room.
type embedding struct {
	folder *Folder
	used   int
	err    error // the first one
}

func (e *embedding) picture(v *compare.View) *htmlPicture {
	return &htmlPicture{Width: v.Width, Height: v.Height, URL: e.url(v.Picture)}
}

// url is the address of a file of the report: its content, or where it is once there is no room; "" for no file.
func (e *embedding) url(name string) string {
	if name == "" || e.err != nil {
		return ""
	}
	file, err := e.folder.Read(name)
	if err != nil {
		e.err = e.folder.explain(err)
		return ""
	}
	size := base64.StdEncoding.EncodedLen(len(file))
	if e.used+size > maxEmbedded {
		return "./" + name
	}
	e.used += size
	kind := "image/png"
	if strings.HasSuffix(name, ".jpg") {
		kind = "image/jpeg"
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(file)
}

// document is the whole page. Its policy lets it run its own script only, and load pictures only from itself and its folder.
func document(p Page, r *compare.Result, data []byte) string {
	script := strings.NewReplacer("</script", `<\/script`, "<!--", `<\!--`).Replace(p.Script)
	sum := sha256.Sum256([]byte(script))
	policy := "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; style-src 'unsafe-inline'; img-src data: file: 'self'; base-uri 'none'"
	var out strings.Builder
	fmt.Fprintf(&out, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s – Afterimage</title>
<style>%s</style>
</head>
<body>
<script type="application/json" id="data">%s</script>
<template id="third-party-licenses"><pre>%s</pre></template>
<noscript>This report requires JavaScript. report.json and summary.md have the same content.</noscript>
<script type="module">%s</script>
</body>
</html>
`, policy, html.EscapeString(r.After), strings.ReplaceAll(p.Style, "</style", `<\/style`), data, html.EscapeString(p.Licenses), script)
	return out.String()
}
