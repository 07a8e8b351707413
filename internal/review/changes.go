package review

import (
	"strconv"
	"strings"

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
		id := "change-" + strconv.Itoa(i)
		shown := batchChange{
			ID: id, Description: c.Description, Where: whereOf(c), Link: batchAddress{token: at.token, change: c.Fingerprint}.String(),
			Verdict: verdictWords[c.Category()], VerdictClass: verdictNames[c.Category()], Current: c.Fingerprint == at.change,
		}
		if s.MayReview {
			shown.Slot = id + "-accept"
			v.Data.Guest.Changes = append(v.Data.Guest.Changes, guestChange{
				Slot: shown.Slot, Fingerprint: c.Fingerprint, Open: s.Standings[c.ID].Open, Accepted: s.Accepted(c.Fingerprint),
			})
		}
		if shown.Current {
			v.Only = c.Description
		}
		if example, ok := examples[c.Fingerprint]; ok {
			shown.ShownOne = BatchPrefix + at.token + "/" + string(example.comparison.ID)
			link := pictureLink(at.token, example.comparison.ID)
			shown.BeforeCrop = v.addCrop(id+"-before", example.comparison.Before, example.before, link, "_before")
			shown.AfterCrop = v.addCrop(id+"-after", example.comparison.After, example.after, link, "_after")
		}
		v.Changes = append(v.Changes, shown)
	}
	if more := s.Changes.Total - len(s.Changes.Items); more > 0 {
		v.MoreChanges = vcd.Plural(more, "more change")
	}
}

// addCrop gives an element a part of a picture to show, and returns the element's id; "" if there is nothing to show.
func (v *batchView) addCrop(id string, shot vcd.ScreenshotRef, part *box, link, side string) string {
	picture := screenshotOf(shot, link, side)
	if picture == nil || part == nil || part.Width > maxCropSide || part.Height > maxCropSide {
		return ""
	}
	v.Data.Crops[id] = crop{Picture: picture, Box: part, Label: "The page " + strings.TrimPrefix(side, "_")}
	return id
}

// example is a comparison that shows a change, and where it shows it.
type example struct {
	comparison    *vcd.Comparison
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
				found[f.Fingerprint] = example{c, boxOf(f.BoxBefore), boxOf(f.BoxAfter)}
			}
		}
	}
	return found
}

// whereOf says on how many pages a change is.
func whereOf(c *vcd.BatchChange) string {
	words := "on " + vcd.Plural(c.Comparisons, "page")
	switch {
	case c.Mobile() == 0:
		return words + ", desktop"
	case c.Desktop == 0:
		return words + ", mobile"
	}
	return words + ", desktop and mobile"
}

var verdictWords = map[vcd.Category]string{
	vcd.CategoryAllGood: "Harmless", vcd.CategoryNotSure: "Not sure", vcd.CategoryAlert: "Alert",
}
