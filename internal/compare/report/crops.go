package report

import (
	"context"
	"errors"
	"fmt"
	"image"

	"afterimage/imgdiff"
	"afterimage/internal/compare"
	"afterimage/internal/page"
)

// Crops are small pictures of a change, before and after.
const (
	cropsFolder   = "crops"
	maxCropped    = 100 // changes
	cropWidth     = 480 // pixels of the page: what is wider is cut, since texts begin on the left
	cropHeight    = 480
	cropQuality   = 80
	cropSurrounds = 24 // pixels of the page around the change
)

// crop are the names of the files that show a change; "" where it is not on that side.
type crop struct{ before, after string }

// crops cuts out of the pictures of the report what somebody has to look at, each change once: where it is gravest.
func (f *Folder) crops(ctx context.Context, r *compare.Result) (map[string]crop, error) {
	cut := make(map[string]crop)
	for i := range r.Changes {
		c := &r.Changes[i]
		if !c.Matters() || len(cut) == maxCropped {
			continue
		}
		place := c.Places[0]
		p := &r.Pairs[place.Pair]
		finding := &p.Findings[place.Finding]
		if finding.BoxBefore == nil && finding.BoxAfter == nil {
			continue
		}
		stem := cropsFolder + "/" + c.Fingerprint
		before, errBefore := f.crop(ctx, p.Before.Picture, finding.BoxBefore, finding.BoxAfter, stem+"-before.jpg")
		after, errAfter := f.crop(ctx, p.After.Picture, finding.BoxAfter, finding.BoxBefore, stem+"-after.jpg")
		if err := errors.Join(errBefore, errAfter); err != nil {
			return nil, err
		}
		cut[c.Fingerprint] = crop{before, after}
	}
	return cut, nil
}

// crop cuts a part out of a picture. What is on the other side only is shown where it is there.
func (f *Folder) crop(ctx context.Context, picture string, box, other *page.Box, name string) (string, error) {
	if box == nil {
		box = other
	}
	if picture == "" {
		return "", nil
	}
	file, err := f.Read(picture)
	if err != nil {
		return "", err
	}
	part := box.Rect().Inset(-cropSurrounds)
	part.Max.X, part.Max.Y = min(part.Max.X, part.Min.X+cropWidth), min(part.Max.Y, part.Min.Y+cropHeight)
	small, err := imgdiff.Crop(ctx, file, part.Intersect(image.Rect(0, 0, part.Max.X, part.Max.Y)), cropWidth, cropQuality)
	if errors.Is(err, imgdiff.ErrOptions) || errors.Is(err, imgdiff.ErrTooLarge) {
		return "", nil // the picture ends above, or is so large and of such a form that only all of it could be read
	}
	if err != nil {
		return "", fmt.Errorf("cut a change out of %s: %w", picture, err)
	}
	return name, f.write(name, small)
}
