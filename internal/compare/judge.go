package compare

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"afterimage/capture"
	"afterimage/imgdiff"
	"afterimage/internal/findings"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/internal/verify/console"
	"afterimage/vcd"
)

// judge compares two captures of a page and lists the changes, with the rules of the service. What lies in the boxes does not
// count. It fills in what the pair has seen.
func (r *run) judge(ctx context.Context, p *Pair, before, after *capture.Shot, ignore []image.Rectangle) error {
	options := imgdiff.DefaultOptions()
	options.Keep = true
	options.Ignore = append(slices.Clip(ignore), r.options.Ignore.on(p.Device)...)
	found, err := imgdiff.Compare(ctx, before.PNG, after.PNG, options)
	if err != nil {
		return fmt.Errorf("compare the pictures: %w", err)
	}
	defer found.Release()
	if found.BlankBefore && found.BlankAfter && !(hides(before) && hides(after)) { // otherwise all that is on them is ignored
		p.Problem = "Both pictures show a single colour, so nothing of the page is visible. Check whether it needs a session or more time."
		return nil
	}
	p.Percent, p.Pixels, p.Width, p.Height = found.AlignedPercent+found.OutOfOrder(), found.Changed, found.Width, found.Height
	p.Bands, p.Findings = nil, nil
	for _, b := range found.Bands {
		p.Bands = append(p.Bands, vcd.Band{
			Kind: vcd.BandKind(b.Kind), YBefore: b.YBefore, YAfter: b.YAfter, Rows: b.Rows, X0: b.X0, X1: b.X1,
		})
	}
	translated := r.hosts.visit(&before.Visit, &after.Visit)
	// People may see what no pixel counts of.
	subtle := !found.Equal && found.Changed == 0 && p.Percent == 0 && r.options.MaxPercent == 0
	if subtle || !found.Equal && (p.Percent > r.options.MaxPercent || found.BlankAfter != found.BlankBefore) {
		if err := r.judgePictures(ctx, p, &before.Visit, translated, found, options.Ignore); err != nil {
			return err
		}
	}
	if subtle { // what the rules pass over, nobody can see
		p.Findings = slices.DeleteFunc(p.Findings, func(f Finding) bool { return f.Category == vcd.CategoryAllGood })
	}
	p.judgeTruncation(before, after)
	p.Unseen = r.unseen(before, after)
	p.judgePage(&before.Visit, &after.Visit, translated)
	if c := page.CompareBackgrounds(&before.Visit, &after.Visit); c != nil && subtle && len(p.Findings) == 0 {
		p.Tell(vcd.ChangeKind(c.Kind), SeverityCategory(c.Severity), c.Sentence, "", c.Before+"\x00"+c.After)
	}
	r.judgeConsole(p, &before.Visit, &after.Visit)
	return nil
}

// judgePictures lists what the pictures show outside of the boxes that do not count.
func (r *run) judgePictures(
	ctx context.Context, p *Pair, before, after *page.Visit, found *imgdiff.Result, ignore []image.Rectangle,
) error {
	pair := &verify.Pair{Before: verify.PageOf(before), After: verify.PageOf(after)}
	pair.Measure(found)
	result, err := verify.Verify(ctx, pair)
	if err != nil {
		return fmt.Errorf("judge the changes: %w", err)
	}
	if result.CaptureIssue != "" {
		p.TellBlank(string(result.CaptureIssue), BlankCategory(string(result.CaptureIssue)), result.Summary)
		return nil
	}
	for i, f := range findings.Of(pair, result) {
		if isIgnored(&f, ignore) {
			continue
		}
		told, raw := Finding{Finding: f}, &result.Findings[i]
		in := &pair.After
		if raw.Change == verify.Vanished {
			in = &pair.Before
		}
		told.describe(raw, in)
		if r.hosts.same(raw.Before, raw.After) {
			told.Host = "It differs only in the address of the site."
		}
		p.Findings = append(p.Findings, told)
	}
	if rest := result.Unlisted.Count + result.LeftOut; rest > 0 {
		category := vcd.Category(result.Unlisted.Category)
		if result.LeftOut > 0 {
			category = category.Worse(vcd.CategoryNotSure)
		}
		p.Tell(KindUnlisted, category, vcd.Plural(rest, "more change")+" not listed.", "There are too many to list individually.", p.Path)
	}
	return nil
}

// isIgnored reports whether all that a finding is about lies in boxes that do not count. What several elements share is told if one of
// them may lie elsewhere.
func isIgnored(f *vcd.Finding, ignore []image.Rectangle) bool {
	if f.BoxBefore == nil && f.BoxAfter == nil {
		return false
	}
	if c := f.Cause; c != nil && c.Elements > 1 {
		elsewhere := func(place *page.Box) bool { return !lies(place, ignore) }
		if c.Elements > len(c.Places) || slices.ContainsFunc(c.Places, elsewhere) {
			return false
		}
	}
	return lies(f.BoxBefore, ignore) && lies(f.BoxAfter, ignore)
}

// lies reports whether most of a box lies in one of others. A box that is nowhere does.
func lies(box *page.Box, in []image.Rectangle) bool {
	if box == nil {
		return true
	}
	r := box.Rect()
	return slices.ContainsFunc(in, func(other image.Rectangle) bool {
		common := r.Intersect(other).Size()
		return 2*common.X*common.Y > r.Dx()*r.Dy()
	})
}

func (p *Pair) judgeTruncation(before, after *capture.Shot) {
	if before.Truncated || after.Truncated {
		p.Tell(KindTruncated, vcd.CategoryNotSure, "The page is larger than a picture can be and was cut off.",
			"What lies below was not compared.", "")
	}
}

// judgePage lists how the page changed beside its pixels, in its own words and not as translated. Text that the pictures show as
// well is told by them.
func (p *Pair) judgePage(before, after, translated *page.Visit) {
	own := make(map[page.ChangeKind]page.Change)
	for _, c := range page.Compare(before, after) {
		own[c.Kind] = c
	}
	for _, c := range page.Compare(before, translated) {
		if c.Kind == page.ChangedText && (c.Severity == page.SeverityNotice || len(p.Findings) > 0) {
			continue
		}
		about := c.Before + "\x00" + c.After
		if c.Kind == page.ChangedText {
			about = c.Sentence
		}
		told, differs := own[c.Kind]
		if !differs {
			continue // both sides name the site after, as a canonical address may
		}
		f := p.Tell(vcd.ChangeKind(c.Kind), SeverityCategory(c.Severity), told.Sentence, "", about)
		if c.Kind == page.ChangedTitle && sameTitle(c.Before, c.After) {
			f.Host = titleSentence
		}
	}
}

// judgeConsole tells what is new in the console, in the words of the page itself.
func (r *run) judgeConsole(p *Pair, before, after *page.Visit) {
	entries := after.FullConsole()
	own := make(map[page.ConsoleEntry]page.ConsoleEntry, len(entries))
	translated := make([]page.ConsoleEntry, len(entries))
	known := make(map[page.ConsolePattern]bool)
	for _, e := range before.FullConsole() {
		known[e.Pattern()] = true
	}
	for i, e := range entries {
		if translated[i] = e; !known[e.Pattern()] {
			translated[i] = r.hosts.entry(e)
		}
		own[translated[i]] = e
	}
	added, removed := page.CompareConsoles(before.FullConsole(), translated)
	var about strings.Builder
	for i, e := range added {
		pattern := e.Pattern()
		about.WriteString(pattern.Type + pattern.Text + "\x00")
		added[i] = own[e]
	}
	if verdict := console.Judge(after.FinalURL, added, removed); verdict != nil {
		p.Tell(KindConsole, vcd.Category(verdict.Category), verdict.Description, verdict.Reason, about.String())
	}
}
