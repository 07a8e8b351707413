package jobs

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"slices"
	"time"

	"afterimage/imgdiff"
	"afterimage/internal/mail"
	"afterimage/vcd"
	"afterimage/vcd/outbound"
)

const (
	maxIllustrated = 6   // changes of a digest that are shown with pictures
	cropWidth      = 560 // minimum width in pixels of the page that a picture of a change shows, if the page has as many
	cropHeight     = 320
	cropMargin     = 24
	maxCropHeight  = 1200
	shownWidth     = 272 // CSS pixels in the mail; the picture has twice as many
	cropQuality    = 80
)

// digest is the digest of a batch for the recipient of a task.
func (w *mailWorker) digest(ctx context.Context, task *outbound.MailTask, zone *time.Location) mail.Digest {
	b := task.Digest.Batch
	d := mail.Digest{Batch: b.Name, Trigger: triggerWords[b.Source], Finished: b.UpdatedAt.In(zone)}
	if b.FinishedAt != nil {
		d.Finished = b.FinishedAt.In(zone)
	}
	illustrated := 0
	for _, g := range task.Digest.For(task.Mail.Recipient) {
		d.Groups = append(d.Groups, w.group(ctx, g, &illustrated))
	}
	return d
}

// group is the part of a digest about one group. It shows the largest changes while the mail's limit of pictures
// allows.
func (w *mailWorker) group(ctx context.Context, g outbound.GroupDigest, illustrated *int) mail.DigestGroup {
	told := mail.DigestGroup{Name: g.Group.Name, Checked: g.Checked, Unseen: g.Unseen, Failed: g.Failed, More: g.More, Flows: len(g.Flows)}
	for _, c := range g.Alarms {
		change := w.change(c)
		if *illustrated < maxIllustrated {
			*illustrated++
			w.illustrate(ctx, &change, c, *illustrated)
		}
		told.Changes = append(told.Changes, change)
	}
	told.Failures = failuresOf(g)
	return told
}

// failuresOf are the failures of a group, flows first.
func failuresOf(g outbound.GroupDigest) []mail.Failure {
	var list []mail.Failure
	for _, f := range g.Flows {
		list = append(list, mail.Failure{Address: "Flow “" + f.FlowName + "”", Device: string(f.Device), Why: f.Failure()})
	}
	for _, e := range g.Failures {
		list = append(list, mail.Failure{Address: vcd.ShownAddress(e.URLAddress), Device: string(e.Device), Why: e.ErrorMsg})
	}
	return list
}

var triggerWords = map[vcd.BatchSource]string{
	vcd.SourceManual: "manual check", vcd.SourceMonitoring: "monitoring", vcd.SourceAutoUpdate: "automatic updates",
}

func (w *mailWorker) change(c *vcd.Comparison) mail.Change {
	return mail.Change{
		Title: c.HTMLTitle, Address: vcd.ShownAddress(c.URLAddress), Device: string(c.Device), Percent: c.JudgedPercent(),
		Threshold: c.Threshold, Words: alarmWords(c), Review: w.config.BaseURL + "/c/" + c.Token,
	}
}

// alarmWords says why a comparison is an alarm: the severe changes beside the pixels, otherwise the result of
// verification. It is empty when only the percentage makes it an alarm.
func alarmWords(c *vcd.Comparison) string {
	words := c.AlarmWords()
	switch v := c.Verification; {
	case words != "" || v == nil:
		return words
	case v.Issue != "":
		return v.Summary
	case v.Gravest() != nil:
		return v.Gravest().Description
	}
	return ""
}

// illustrate adds before and after pictures of the place that changed most. An unavailable picture is omitted: the mail
// still reports the change.
func (w *mailWorker) illustrate(ctx context.Context, change *mail.Change, c *vcd.Comparison, n int) {
	box := cropBox(c)
	for _, side := range []struct {
		name string
		img  *vcd.Image
		to   **mail.Picture
	}{{"before", c.Before.Image, &change.Before}, {"after", c.After.Image, &change.After}} {
		if side.img == nil {
			continue
		}
		picture, err := w.crop(ctx, side.img, box)
		if err != nil {
			w.logger.WarnContext(ctx, "a change is mailed without its image", "comparison", c.ID, "cause", err)
			continue
		}
		picture.ID = fmt.Sprintf("%s-%d", side.name, n)
		*side.to = picture
	}
}

func (w *mailWorker) crop(ctx context.Context, img *vcd.Image, box image.Rectangle) (*mail.Picture, error) {
	part := box.Intersect(image.Rect(0, 0, img.Width, img.Height))
	if part.Empty() { // the pages differ in size: show the end of this one
		part = image.Rect(0, max(0, img.Height-cropHeight), img.Width, img.Height)
	}
	data, err := w.pictures.get(ctx, img)
	if err != nil {
		return nil, err
	}
	jpeg, err := imgdiff.Crop(ctx, data, part, 2*shownWidth, cropQuality)
	if err != nil {
		return nil, err
	}
	return &mail.Picture{Type: "image/jpeg", Data: jpeg, Width: shownWidth, Height: max(1, part.Dy()*shownWidth/part.Dx())}, nil
}

// cropBox is the reported region with its surroundings, wide enough to be recognised.
func cropBox(c *vcd.Comparison) image.Rectangle {
	d := c.Difference
	page := image.Rect(0, 0, d.Width, d.Height)
	if len(d.Regions) == 0 {
		return page.Intersect(image.Rect(0, 0, page.Dx(), cropHeight))
	}
	r := toldRegion(c)
	width := min(max(r.Width+2*cropMargin, cropWidth), page.Dx())
	height := min(max(r.Height+2*cropMargin, cropHeight), maxCropHeight, page.Dy())
	x := min(max(0, r.X+r.Width/2-width/2), page.Dx()-width)
	y := min(max(0, r.Y-cropMargin), page.Dy()-height)
	return image.Rect(x, y, x+width, y+height)
}

// toldRegion is the region that verification rates most severe, otherwise the one with the most changed pixels. There
// must be one.
func toldRegion(c *vcd.Comparison) vcd.ChangedRegion {
	regions := c.Difference.Regions
	if v := c.Verification; v != nil && v.Gravest() != nil {
		if i := slices.IndexFunc(regions, func(r vcd.ChangedRegion) bool { return slices.Contains(v.Gravest().Regions, r.ID) }); i >= 0 {
			return regions[i]
		}
	}
	return slices.MaxFunc(regions, func(a, b vcd.ChangedRegion) int { return cmp.Compare(a.Pixels, b.Pixels) })
}
