package view

import (
	"time"

	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// Comparison shows a comparison.
type Comparison struct {
	*vcd.Comparison
	links Links
}

// NewComparison shows c.
func NewComparison(c *vcd.Comparison, links Links) *Comparison { return &Comparison{c, links} }

// Confirmation is what became of a change that was to be confirmed.
func (c *Comparison) Confirmation() *vcd.ChangeConfirmation {
	if c.Comparison.Confirmation == "" {
		return nil
	}
	return &c.Comparison.Confirmation
}

// FlowName is the flow of a checkpoint.
func (c *Comparison) FlowName() *string {
	name, _ := vcd.CheckpointNames(c.URLAddress)
	return textIfAny(name)
}

// FlowCheckpointLabel is the name of a checkpoint.
func (c *Comparison) FlowCheckpointLabel() *string {
	_, checkpoint := vcd.CheckpointNames(c.URLAddress)
	return textIfAny(checkpoint)
}

// BeforeCreatedAt is when the screenshot before was taken.
func (c *Comparison) BeforeCreatedAt() time.Time { return c.Comparison.Before.CreatedAt }

// BeforeUpdatedAt is when the screenshot before last changed.
func (c *Comparison) BeforeUpdatedAt() time.Time { return c.Comparison.Before.UpdatedAt }

// AfterCreatedAt is when the screenshot after was taken.
func (c *Comparison) AfterCreatedAt() time.Time { return c.Comparison.After.CreatedAt }

// AfterUpdatedAt is when the screenshot after last changed.
func (c *Comparison) AfterUpdatedAt() time.Time { return c.Comparison.After.UpdatedAt }

// BeforeLink is the address of the picture before.
func (c *Comparison) BeforeLink() *string { return c.links.Image(c.Comparison.Before.Image) }

// AfterLink is the address of the picture after.
func (c *Comparison) AfterLink() *string { return c.links.Image(c.Comparison.After.Image) }

// Link is the address of the comparison picture.
func (c *Comparison) Link() *string { return c.links.Image(c.picture()) }

// PreviewLink is the address of its preview.
func (c *Comparison) PreviewLink() *string { return c.links.Preview(c.picture()) }

// MaskLink is the address of the changed pixels alone.
func (c *Comparison) MaskLink() *string { return c.links.Mask(c.Image) }

// picture is the comparison picture. Where the two screenshots are equal there is none, and the picture after serves.
func (c *Comparison) picture() *vcd.Image {
	if c.Image != nil {
		return c.Image
	}
	return c.Comparison.After.Image
}

// QueueEntryID is the entry that made the comparison.
func (c *Comparison) QueueEntryID() vcd.ID { return c.QueueID }

// DifferencePercent is the percent of the pixels that differ.
func (c *Comparison) DifferencePercent() float64 { return c.Difference.Percent }

// AlignedPercent is the percent that differs once rows are aligned.
func (c *Comparison) AlignedPercent() float64 { return c.Difference.AlignedPercent }

// AntiAliasedPixels is how many pixels differ as anti-aliasing does.
func (c *Comparison) AntiAliasedPixels() int { return c.Difference.AntiAliased }

// Bands are rows to which something happened.
func (c *Comparison) Bands() []vcd.Band { return c.Difference.Bands }

// ChangedPixels is how many pixels differ.
func (c *Comparison) ChangedPixels() int { return c.Difference.ChangedPixels }

// Width is that of the compared area in pixels.
func (c *Comparison) Width() int { return c.Difference.Width }

// Height is that of the compared area in pixels.
func (c *Comparison) Height() int { return c.Difference.Height }

// ChangedRegions are boxes in which pixels differ.
func (c *Comparison) ChangedRegions() []vcd.ChangedRegion { return c.Difference.Regions }

// PublicLink is the address of the public page.
func (c *Comparison) PublicLink() string { return c.links.Comparison(c.Token) }

// Address is the page's address.
func (c *Comparison) Address() string { return c.URLAddress }

// BatchTriggerType is what triggered the batch; null when no trigger did.
func (c *Comparison) BatchTriggerType() *scalar.Word { return (*scalar.Word)(c.BatchTrigger) }

// BrowserConsoleAdded are the new entries of the console; null for accounts without console comparison.
func (c *Comparison) BrowserConsoleAdded(silenced bool) []*ConsoleDifference {
	return c.consoleDifferences(c.Console.Added, silenced)
}

// BrowserConsoleRemoved are the entries that are gone; null like BrowserConsoleAdded.
func (c *Comparison) BrowserConsoleRemoved(silenced bool) []*ConsoleDifference {
	return c.consoleDifferences(c.Console.Removed, silenced)
}

func (c *Comparison) consoleDifferences(entries []vcd.DifferentEntry, silenced bool) []*ConsoleDifference {
	if !c.Features.BrowserConsole {
		return nil
	}
	shown := make([]*ConsoleDifference, 0, len(entries))
	for _, entry := range entries {
		if silenced || entry.Rule == nil {
			shown = append(shown, &ConsoleDifference{entry})
		}
	}
	return shown
}

// BrowserConsoleSilenced is how many entries feedback rules silence; null like BrowserConsoleAdded.
func (c *Comparison) BrowserConsoleSilenced() *int {
	if !c.Features.BrowserConsole {
		return nil
	}
	return new(c.Console.Silenced())
}

// ConsoleDifference shows an entry that is in one console only.
type ConsoleDifference struct {
	vcd.DifferentEntry
}

// Source is the address of the script or document that the entry came from.
func (d *ConsoleDifference) Source() string { return d.URL }

// Severity is the kind of the entry.
func (d *ConsoleDifference) Severity() string { return d.Type }

// Pattern is what the entry says with placeholders.
func (d *ConsoleDifference) Pattern() string { return d.ConsoleEntry.Pattern().Text }

// MatchedFeedbackRule is the rule that silences the entry.
func (d *ConsoleDifference) MatchedFeedbackRule() *vcd.ID { return d.Rule }

// BrowserConsoleChange is how the console changed; null like BrowserConsoleAdded.
func (c *Comparison) BrowserConsoleChange() *scalar.Word {
	if !c.Features.BrowserConsole {
		return nil
	}
	change := scalar.Word(c.Console.Change)
	return &change
}

// ComparisonConnection is a page of comparisons with a figure of the whole list.
type ComparisonConnection struct {
	Connection[*Comparison]
	AboveThresholdCount int
}
