package view

import (
	"time"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

// What mutations answer. Fields that are not here are looked up when they are asked for.
type (
	// AccountPayload is a changed account.
	AccountPayload struct{ Account *Account }
	// BrandPayload is how public pages and reports look after a change.
	BrandPayload struct{ Brand *Brand }
	// NewTokenPayload is a token just created, with the text that is shown once.
	NewTokenPayload struct {
		Token     *vcd.Token
		PlainText string
	}
	// TokenPayload is a changed token.
	TokenPayload struct{ Token *vcd.Token }
	// NewSubaccountPayload is a subaccount just opened, with the text of its token.
	NewSubaccountPayload struct {
		Subaccount *Subaccount
		APIToken   string
	}
	// SubaccountPayload is a changed subaccount.
	SubaccountPayload struct{ Subaccount *Subaccount }
	// GroupPayload is a group just created or changed.
	GroupPayload struct{ Group *Group }
	// URLPayload is a URL just created or changed.
	URLPayload struct{ URL *URL }
	// WebsitePayload is a website just created, changed or deleted.
	WebsitePayload struct{ Website *Website }
	// FlowPayload is a flow just created, changed or deleted.
	FlowPayload struct{ Flow *Flow }
	// FeedbackRulePayload is a feedback rule just created or changed.
	FeedbackRulePayload struct{ AiFeedbackRule *FeedbackRule }
	// LearnedNoisePayload is what is known of a page after a correction.
	LearnedNoisePayload struct{ LearnedNoise *LearnedNoise }
	// WebhookPayload is a webhook just registered or changed.
	WebhookPayload struct{ Webhook *Webhook }
	// URLImportPayload is an import of URLs just created or started.
	URLImportPayload struct{ URLImport *URLImport }
	// BatchPayload is a changed batch.
	BatchPayload struct{ Batch *Batch }
	// RetriedPayload is a batch whose failed entries are tried again.
	RetriedPayload struct {
		Batch    *Batch
		Count    int
		HeldBack int
	}
	// DeliveryPayload is a delivery that was started.
	DeliveryPayload struct{ Delivery *Delivery }
	// SecretPayload is an account whose webhook secret was replaced.
	SecretPayload struct {
		Account             *Account
		PreviousSecretUntil *time.Time
	}
	// ComparisonPayload is a changed comparison.
	ComparisonPayload struct{ Comparison *Comparison }
	// VerdictPayload is what recording a verdict for several comparisons came to.
	VerdictPayload struct{ review.Verdict }
	// CountPayload is the number of URLs of a group that a change concerned.
	CountPayload struct {
		Count   int
		GroupID vcd.ID
	}
	// AddressesPayload is the result of adding addresses to a group.
	AddressesPayload struct {
		inventory.AddedAddresses
		GroupID vcd.ID
	}
	// SelectionPayload is a URL of a group with changed settings.
	SelectionPayload struct {
		Selection *Selection
		SelectionFigures
	}
	// SelectAllPayload is what is selected in a group after a device was switched for all its URLs.
	SelectAllPayload struct {
		GroupID vcd.ID
		SelectionFigures
	}
	// UploadPayload is the state of an upload.
	UploadPayload struct{ *run.Uploading }
	// TakePayload is a run just started.
	TakePayload struct{ *run.Taken }
)

// DeletedFlowID is the id of a flow just deleted.
func (p *FlowPayload) DeletedFlowID() vcd.ID { return p.Flow.ID }

// DeletedWebsiteID is the id of a website just deleted.
func (p *WebsitePayload) DeletedWebsiteID() vcd.ID { return p.Website.ID }

// MatchedCount is how many comparisons the verdict concerns.
func (p *VerdictPayload) MatchedCount() int { return p.Matched }

// ChangedCount is how many had another state before.
func (p *VerdictPayload) ChangedCount() int { return len(p.Changed) }

// ChangedIds are the ids of those.
func (p *VerdictPayload) ChangedIds() []vcd.ID { return p.Changed }

// ReviewID is the id of the review that recorded the verdict; nil if nothing changed.
func (p *VerdictPayload) ReviewID() *vcd.ID { return p.Review }

// mostBatchesShown is how many of a verdict's batches are shown.
const mostBatchesShown = 100

// FirstBatches are the batches of the comparisons whose state changed, as far as they are shown.
func (p *VerdictPayload) FirstBatches() []vcd.ID {
	return p.Batches[:min(len(p.Batches), mostBatchesShown)]
}

// BatchID is the id of the run.
func (p *UploadPayload) BatchID() vcd.ID { return p.Uploading.Batch }

// FinishedShards are the processes that have sent all their screenshots.
func (p *UploadPayload) FinishedShards() []int { return p.Finished }

// BatchID is the id of the first batch of the run.
func (p *TakePayload) BatchID() vcd.ID { return p.Taken.Batches[0].ID }

// BatchIDs are the ids of all batches of the run.
func (p *TakePayload) BatchIDs() []vcd.ID {
	ids := make([]vcd.ID, len(p.Taken.Batches))
	for i, b := range p.Taken.Batches {
		ids[i] = b.ID
	}
	return ids
}

// BatchIDsByGroup are the batches of the groups.
func (p *TakePayload) BatchIDsByGroup() map[string]any {
	batches := make(map[string]any, len(p.ByGroup))
	for group, batch := range p.ByGroup {
		batches[string(group)] = batch
	}
	return batches
}

// AmountScreenshots is how many screenshots will be taken.
func (p *TakePayload) AmountScreenshots() int { return p.Screenshots }
