package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"afterimage/capture"
	"afterimage/internal/compare"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// sample is a result with each outcome.
func sample() *compare.Result {
	price := compare.Finding{Finding: vcd.Finding{
		FoundChange: vcd.FoundChange{
			Kind: "text_changed", Category: vcd.CategoryAlert, Fingerprint: "f1",
			After: &page.ElementIdentity{Selector: "main > p.price", Tag: "p", Text: "€ 0.00"},
		},
		Description: "Paragraph: text changed from “€ 9.90” to “€ 0.00”.", Reason: "A price is now missing or zero.",
		BoxBefore: &page.Box{X: 1, Y: 2, Width: 30, Height: 4}, BoxAfter: &page.Box{X: 1, Y: 2, Width: 30, Height: 4},
	}}
	moved := compare.Finding{Finding: vcd.Finding{
		FoundChange: vcd.FoundChange{Kind: "moved", Category: vcd.CategoryNotSure, Fingerprint: "f2"},
		Description: "Link “Contact” moved.\n\x1b[31m| <b>`bold`</b>",
	}}
	mark := compare.Finding{Host: "It marks the environment.", Finding: vcd.Finding{
		FoundChange: vcd.FoundChange{Kind: "appeared", Category: vcd.CategoryNotSure, Fingerprint: "f3"},
		Description: "Banner “Staging” appeared.",
	}}
	view := compare.View{Address: "https://www.example.com/a", Status: 200, Title: "A", Width: 1440, Height: 900}
	pair := func(path string, o compare.Outcome, findings ...compare.Finding) compare.Pair {
		return compare.Pair{
			Path: path, Device: capture.Desktop, Outcome: o, Findings: findings, Percent: 1.234567, Pixels: 99, Width: 1440, Height: 900,
			Before: view, After: view,
		}
	}
	failed := compare.Pair{
		Path: "/d", Device: capture.Mobile, Outcome: compare.Failed, Problem: "https://example.com/d: The page was not ready in time.",
	}
	twice := []compare.Place{{Pair: 1, Finding: 1, Path: "/a", Device: capture.Desktop}, {Pair: 2, Path: "/b", Device: capture.Desktop}}
	return &compare.Result{
		Before: "https://www.example.com", After: "https://preview.example.com", Engine: "HeadlessChrome/156 fonts/0 virtual-time/5",
		Unused: []string{".promo"},
		Pairs: []compare.Pair{
			pair("/", compare.Equal), pair("/a", compare.Alert, price, moved), pair("/b", compare.Unsure, moved),
			pair("/c", compare.Harmless, mark), failed,
		},
		Changes: []compare.Change{
			{Fingerprint: "f1", Kind: "text_changed", Outcome: compare.Alert, Description: price.Description, Reason: price.Reason,
				Element: "main > p.price", Places: []compare.Place{{Pair: 1, Path: "/a", Device: capture.Desktop}}},
			{Fingerprint: "f2", Kind: "moved", Outcome: compare.Unsure, Description: moved.Description, Places: twice},
			{Fingerprint: "f3", Kind: "appeared", Outcome: compare.Unsure, Host: mark.Host, Description: mark.Description,
				Places: []compare.Place{{Pair: 3, Path: "/c", Device: capture.Desktop}}},
		},
	}
}

var sampleRun = Run{Started: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), Took: 12345 * time.Millisecond, FailOn: compare.FailOnUnsure}

func TestTheReportFollowsItsSchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err == nil {
		err = compiler.AddResource("report.json", document)
	}
	if err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, result := range map[string]*compare.Result{"sample": sample(), "empty": {}} {
		f := open(t)
		if err := f.Write(t.Context(), result, sampleRun); err != nil {
			t.Fatal(err)
		}
		text, err := f.Read("report.json")
		if err != nil {
			t.Fatal(err)
		}
		report, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(report); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var wrong any = map[string]any{"version": 1}
	if schema.Validate(wrong) == nil {
		t.Error("the schema takes anything")
	}
}

func open(t *testing.T) *Folder {
	t.Helper()
	f, err := Open(filepath.Join(t.TempDir(), "out", "report"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAFolderHoldsOneReport(t *testing.T) {
	f := open(t)
	first := &compare.Pair{Path: "/a", Device: capture.Desktop}
	if err := f.Keep(first, []byte("before"), []byte("after")); err != nil {
		t.Fatal(err)
	}
	text, err := f.Read(first.After.Picture)
	if err != nil || string(text) != "after" || first.Before.Picture != "pictures/a-desktop-before.png" {
		t.Errorf("%q holds %q (%v)", first.After.Picture, text, err)
	}
	if err := f.Write(t.Context(), sample(), sampleRun); err != nil {
		t.Fatal(err)
	}
	mine, holiday := filepath.Join(f.dir, "notes.txt"), filepath.Join(f.dir, picturesFolder, "holiday.png")
	for _, name := range []string{mine, holiday} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Open(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Read("report.json"); err == nil {
		t.Error("the earlier report is still there")
	}
	if _, err := again.Read(first.After.Picture); err == nil {
		t.Error("a picture of the earlier report is still there")
	}
	for _, name := range []string{mine, holiday} {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("a file that belongs to no report is gone: %v", err)
		}
	}
	_, err = Open(mine)
	if err == nil || !strings.Contains(err.Error(), "cannot be written to "+mine) || strings.Count(err.Error(), mine) != 1 {
		t.Errorf("a file instead of a folder: %v", err)
	}
}

func TestNamesOfPicturesDiffer(t *testing.T) {
	names := make(map[string]string)
	for _, path := range []string{
		"/", "/root", "/a/b", "/a_b", "/A", "/a", "/a?b", "/a#b", "/..", "/../x", "/ü", "/a/",
		"/" + strings.Repeat("a", 200), "/" + strings.Repeat("a", 201),
	} {
		name := compare.FileStem(path, capture.Mobile)
		if other, taken := names[strings.ToLower(name)]; taken {
			t.Errorf("%s and %s are both %s", path, other, name)
		}
		names[strings.ToLower(name)] = path
		if strings.ContainsAny(name, "/\\?#%") || strings.HasPrefix(name, ".") || len(name) > 120 {
			t.Errorf("%s is %s", path, name)
		}
	}
}

func TestWhatIsPrinted(t *testing.T) {
	var out strings.Builder
	Print(&out, sample())
	text := out.String()
	for _, want := range []string{
		"/a    desktop  1.23 %   alert    Paragraph: text changed from “€ 9.90” to “€ 0.00”. (and 1 more)",
		"Could not be compared:\n/d on mobile: https://example.com/d: The page was not ready in time.",
		"unsure  2 places  Link “Contact” moved. [31m| <b>`bold`</b>",
		"5 pages compared on desktop and mobile: 1 equal, 1 harmless, 1 unsure, 1 alert, 1 failed.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") || strings.Contains(text, "Staging") || strings.Contains(text, "/c ") {
		t.Errorf("too much is printed:\n%s", text)
	}
}

func TestProgress(t *testing.T) {
	var lines, live strings.Builder
	plain, drawn := Progress{Out: &lines}, Progress{Out: &live, Live: true}
	for n := 1; n <= 100; n++ {
		p := compare.Progress{Done: n, All: 100, Changed: n / 50, Failed: n / 100}
		plain.Show(p)
		drawn.Show(p)
	}
	got := strings.Count(lines.String(), "\n")
	if got != 10 || !strings.HasSuffix(lines.String(), "100 of 100 compared, 2 changed, 1 failed\n") {
		t.Errorf("%d lines:\n%s", got, lines.String())
	}
	if strings.Count(live.String(), "\r") != 100 || strings.Count(live.String(), "\n") != 1 {
		t.Errorf("drawn:\n%q", live.String())
	}
}

func TestTheSummaryIsAComment(t *testing.T) {
	r, run := sample(), sampleRun
	run.PicturesURL = "https://p.example.com/run/"
	text := markdown(r, run, map[string]crop{"f1": {"crops/f1-before.jpg", "crops/f1-after.jpg"}})
	for _, want := range []string{
		"## ⚠️ 5 pages compared on desktop and mobile: 1 equal, 1 harmless, 1 unsure, 1 alert, 1 failed.",
		"<b>alert</b> · 1 place · Paragraph: text changed from “€ 9.90” to “€ 0.00”.",
		"| ![before](https://p.example.com/run/crops/f1-before.jpg) | ![after](https://p.example.com/run/crops/f1-after.jpg) |",
		"/a (desktop), /b (desktop)",
		"- ⚠️ /d (mobile): https:&#47;&#47;example.com/d: The page was not ready in time.",
		"Also found: 0 harmless changes, 1 difference due to the hosts.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "<b>`bold`") || strings.Contains(text, "Staging") {
		t.Errorf("text of the page is markup:\n%s", text)
	}
	if got := plain("@someone [a](b) <i> | *x*", 100); strings.ContainsAny(got, "@[]<>|*") {
		t.Errorf("text becomes %s", got)
	}
	many := sample()
	for range 2000 {
		c := many.Changes[0]
		c.Places = slices.Repeat(c.Places, 30)
		many.Changes = append(many.Changes, c)
		many.Pairs = append(many.Pairs, many.Pairs[4])
	}
	text = markdown(many, run, nil)
	if len(text) > maxSummary || !strings.Contains(text, "more in the report") ||
		!strings.Contains(text, "more that could not be compared") ||
		strings.Count(text, "<details>") != strings.Count(text, "</details>") {
		t.Errorf("%d bytes: %s", len(text), text[len(text)-500:])
	}
}

func TestJUnit(t *testing.T) {
	f := open(t)
	if err := f.Write(t.Context(), sample(), sampleRun); err != nil {
		t.Fatal(err)
	}
	text, err := f.Read("junit.xml")
	if err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(text, &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 5 || suites.Failures != 2 || suites.Errors != 1 || len(suites.Suites) != 2 {
		t.Errorf("%s", text)
	}
	failed := suites.Suites[0].Cases[1]
	if failed.Name != "/a" || failed.Failure == nil || !strings.Contains(failed.Failure.Text, "unsure: Link “Contact” moved.") {
		t.Errorf("%+v", failed)
	}
	if quiet := suites.Suites[0].Cases[3]; quiet.Failure != nil || !strings.Contains(quiet.Output, "It marks the environment.") {
		t.Errorf("%+v", quiet)
	}
}

func TestAnnotations(t *testing.T) {
	r := sample()
	r.Changes[1].Description = "100 %\nof :it, ::error::"
	for range 30 {
		r.Changes = append(r.Changes, r.Changes[0])
	}
	var out strings.Builder
	Annotate(&out, r)
	n := strings.Count(out.String(), "::error ")
	if n != maxAnnotations || !strings.Contains(out.String(), "::error title=/d could not be compared::") {
		t.Errorf("%d errors in\n%s", n, out.String())
	}
	if want := "::warning title=unsure on /a and in 1 place more::100 %25 of :it, ::error::\n"; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
	name := filepath.Join(t.TempDir(), "summary")
	for range 2 {
		if err := AppendSummary(name, r, sampleRun); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil || strings.Count(string(text), "## ⚠️ 5 pages compared on") != 2 {
		t.Errorf("%s (%v)", text, err)
	}
}

// TestChangesAreCutOut: what is on one side only is shown where it is there, and what the picture does not reach is not.
func TestChangesAreCutOut(t *testing.T) {
	f, r := open(t), sample()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewRGBA(image.Rect(0, 0, 100, 60))); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := f.Keep(&r.Pairs[i], file.Bytes(), file.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	r.Pairs[1].Findings[1].BoxAfter = &page.Box{X: 10, Y: 400, Width: 50, Height: 50}
	cut, err := f.crops(t.Context(), r)
	if err != nil || len(cut) != 2 {
		t.Fatalf("%v (%v)", cut, err)
	}
	for _, name := range []string{cut["f1"].before, cut["f1"].after} {
		text, err := f.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		if part, err := jpeg.Decode(bytes.NewReader(text)); err != nil || part.Bounds().Dx() != 1+30+cropSurrounds {
			t.Errorf("%s: %v", name, err)
		}
	}
	if cut["f2"] != (crop{}) {
		t.Errorf("below the picture there is %v", cut["f2"])
	}
}

// TestThePageHoldsWhatItShows: of a large report, the pictures of the gravest pages are in the page and the others beside it.
func TestThePageHoldsWhatItShows(t *testing.T) {
	f, r, run := open(t), sample(), sampleRun
	run.Page = Page{Script: `const end = "</script><!--"`, Style: "b{}", Licenses: "<MIT>"}
	r.Changes = r.Changes[:1]
	r.Changes[0].Places[0] = compare.Place{Pair: 500, Path: "/500", Device: capture.Desktop}
	r.Pairs = slices.Repeat(r.Pairs[2:3], 501)
	picture := incompressible(t, 200)
	for i := range r.Pairs {
		p := &r.Pairs[i]
		p.Path, p.Findings = fmt.Sprintf("/%d", i), slices.Clone(p.Findings)
		if i == 500 {
			p.Outcome, p.Findings[0].BoxAfter, p.Findings[0].BoxBefore = compare.Alert, &page.Box{Width: 20, Height: 9}, nil
		}
		if err := f.Keep(p, picture, picture); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Write(t.Context(), r, run); err != nil {
		t.Fatal(err)
	}
	raw, err := f.Read("index.html")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	if len(text) > 25_000_000 || len(text) < 15_000_000 || !strings.Contains(text, `"./pictures/499-desktop-after.png"`) {
		t.Errorf("the page has %d bytes", len(text))
	}
	if strings.Contains(text, `"./pictures/500-desktop-after.png"`) || strings.Count(text, "data:image/jpeg") != 2 {
		t.Error("the gravest page is not in the document")
	}
	if strings.Count(text, "</script>") != 2 || strings.Contains(text, "<!--") || strings.Contains(text, "<MIT>") {
		t.Error("the parts of the page end too early")
	}
}

// incompressible is a square picture of noise.
func incompressible(t *testing.T, size int) []byte {
	t.Helper()
	noise := image.NewNRGBA(image.Rect(0, 0, size, size))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(r.Uint32()) | map[bool]uint8{true: 255}[i&3 == 3]
	}
	var file bytes.Buffer
	if err := png.Encode(&file, noise); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestSARIFAndCodeQuality(t *testing.T) {
	f := open(t)
	if err := f.Write(t.Context(), sample(), sampleRun); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	var issues []codeQualityIssue
	for name, to := range map[string]any{"report.sarif": &log, "gl-code-quality-report.json": &issues} {
		text, err := f.Read(name)
		if err == nil {
			err = json.Unmarshal(text, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	run := log.Runs[0]
	if len(run.Results) != 3 || run.Invocations[0].Successful || len(run.Invocations[0].Notifications) != 1 ||
		len(run.Tool.Driver.Rules) != 3 {
		t.Fatalf("%+v", run)
	}
	price, mark := run.Results[0], run.Results[2]
	if price.Level != "error" || price.Locations[0].Physical.Artifact.URI != "https://www.example.com/a" ||
		price.Locations[0].Logical[0].Name != "main > p.price" || price.Suppressions != nil || len(mark.Suppressions) != 1 {
		t.Errorf("%+v and %+v", price, mark)
	}
	if at := run.Invocations[0].Notifications[0].Locations[0].Physical.Artifact.URI; at != "https://preview.example.com/d" {
		t.Errorf("what could not be compared is at %s", at)
	}
	var told []string
	for _, issue := range issues {
		told = append(told, strings.Join([]string{issue.Severity, issue.CheckName, issue.Location.Path, issue.Fingerprint}, " "))
	}
	want := []string{
		"critical afterimage/text_changed preview.example.com/a f1", "minor afterimage/moved preview.example.com/a f2",
		"major afterimage/failed preview.example.com/d failed d-mobile",
	}
	if !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
}
