package review

import (
	"strconv"

	"afterimage/vcd"
	"afterimage/vcd/review"
)

// maxCropSide is the largest box of which a part is shown, in pixels: a smaller picture of more would show nothing.
const maxCropSide = 2000

// addChanges lists the changes of the batch, each with a part of a page that shows it if one is among the comparisons.
func (v *batchView) addChanges(s *review.SharedBatch, at batchAddress) {
	examples := examplesOf(s.Comparisons.Items)
	v.Data.Crops = map[string]crop{}
	if s.MayReview {
		v.Data.Guest = &guestData{Batch: BatchPrefix + at.token}
	}
	for i, c := range s.Changes.Items {
		id, example := "change-"+strconv.Itoa(i), examples[c.Fingerprint]
		shown := batchChange{
			ID: id, Description: headlineOf(c.Description, example.change), Where: v.Words.whereOf(c),
			Link:    batchAddress{token: at.token, change: c.Fingerprint, language: at.language}.String(),
			Verdict: v.Words.Verdict[c.Category()], VerdictClass: verdictNames[c.Category()], Current: c.Fingerprint == at.change,
		}
		if s.MayReview {
			shown.Slot = id + "-accept"
			v.Data.Guest.Changes = append(v.Data.Guest.Changes, guestChange{
				Slot: shown.Slot, Fingerprint: c.Fingerprint, Open: s.Standings[c.ID].Open, Accepted: s.Accepted(c.Fingerprint),
			})
		}
		if shown.Current {
			v.Only = shown.Description
		}
		if example.comparison != nil {
			shown.ShownOne = v.link(BatchPrefix + at.token + "/" + string(example.comparison.ID))
			link := pictureLink(at.token, example.comparison.ID)
			shown.BeforeCrop = v.addCrop(id+"-before", example.comparison.Before, example.before, link, "_before")
			shown.AfterCrop = v.addCrop(id+"-after", example.comparison.After, example.after, link, "_after")
		}
		v.Changes = append(v.Changes, shown)
	}
	v.Unlisted = max(0, s.Changes.Total-len(s.Changes.Items))
}

// addCrop gives an element a part of a picture to show, and returns the element's id; "" if there is nothing to show.
func (v *batchView) addCrop(id string, shot vcd.ScreenshotRef, part *box, link, side string) string {
	picture := screenshotOf(shot, link, side)
	if picture == nil || part == nil || part.Width > maxCropSide || part.Height > maxCropSide {
		return ""
	}
	label := v.Words.PageBefore
	if side == "_after" {
		label = v.Words.PageAfter
	}
	v.Data.Crops[id] = crop{Picture: picture, Box: part, Label: label}
	return id
}

// example is a comparison that shows a change, and where it shows it.
type example struct {
	comparison    *vcd.Comparison // nil for none
	change        vcd.FoundChange
	before, after *box
}

// examplesOf finds an example for each change, by fingerprint.
func examplesOf(comparisons []*vcd.Comparison) map[string]example {
	found := map[string]example{}
	for _, c := range comparisons {
		if !judged(c) {
			continue
		}
		for _, f := range c.Verification.Judged() {
			if _, known := found[f.Fingerprint]; !known {
				found[f.Fingerprint] = example{c, f.FoundChange, boxOf(f.BoxBefore), boxOf(f.BoxAfter)}
			}
		}
	}
	return found
}

// whereOf says on how many pages a change is.
func (w *words) whereOf(c *vcd.BatchChange) string {
	devices := w.OnBoth
	switch {
	case c.Mobile() == 0:
		devices = w.OnDesktop
	case c.Desktop == 0:
		devices = w.OnMobile
	}
	return w.On(w.Pages(c.Comparisons), devices)
}
