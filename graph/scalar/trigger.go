package scalar

import (
	"encoding/json"
	"errors"
	"io"
)

// TriggerRecord is what triggered a batch in the JSON of the REST interface, where what was not reported is absent.
// Moments are in ISO 8601 with their offset.
type TriggerRecord struct {
	Type             string              `json:"type"`
	FirstTriggeredAt string              `json:"first_triggered_at"`
	Pages            []TriggerRecordPage `json:"pages"`
	Scope            *string             `json:"scope,omitempty"`
	Editor           *string             `json:"editor,omitempty"`
}

// TriggerRecordPage is a page for which the trigger fired.
type TriggerRecordPage struct {
	URL         string  `json:"url"`
	TriggeredAt string  `json:"triggered_at"`
	Title       *string `json:"title,omitempty"`
	PostID      *int    `json:"post_id,omitempty"`
	Editor      *string `json:"editor,omitempty"`
}

// MarshalGQL writes the record.
func (r TriggerRecord) MarshalGQL(w io.Writer) { _ = json.NewEncoder(w).Encode(r) }

// UnmarshalGQL refuses: nobody sends a record.
func (r *TriggerRecord) UnmarshalGQL(any) error { return errors.New("cannot be sent") }
