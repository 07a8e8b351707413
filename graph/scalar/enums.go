package scalar

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
	"afterimage/vcd/schedule"
)

// MarshalAccountStatus writes the state of an account.
func MarshalAccountStatus(v vcd.AccountStatus) graphql.ContextMarshaler { return spell(v) }

// UnmarshalAccountStatus reads the state of an account.
func UnmarshalAccountStatus(_ context.Context, raw any) (vcd.AccountStatus, error) {
	return read[vcd.AccountStatus](raw)
}

// MarshalBatchSource writes what started a batch.
func MarshalBatchSource(v vcd.BatchSource) graphql.ContextMarshaler { return spell(v) }

// UnmarshalBatchSource reads what started a batch.
func UnmarshalBatchSource(_ context.Context, raw any) (vcd.BatchSource, error) {
	return read[vcd.BatchSource](raw)
}

// MarshalChangeConfirmation writes what became of a change that was to be confirmed.
func MarshalChangeConfirmation(v vcd.ChangeConfirmation) graphql.ContextMarshaler { return spell(v) }

// UnmarshalChangeConfirmation reads what became of a change that was to be confirmed.
func UnmarshalChangeConfirmation(_ context.Context, raw any) (vcd.ChangeConfirmation, error) {
	return read[vcd.ChangeConfirmation](raw)
}

// MarshalMissedRun writes why a run did not take place.
func MarshalMissedRun(v vcd.MissedRun) graphql.ContextMarshaler { return spell(v) }

// UnmarshalMissedRun reads why a run did not take place.
func UnmarshalMissedRun(_ context.Context, raw any) (vcd.MissedRun, error) {
	return read[vcd.MissedRun](raw)
}

// MarshalComparisonOrder writes what comparisons are sorted by.
func MarshalComparisonOrder(v vcd.ComparisonOrder) graphql.ContextMarshaler { return spell(v) }

// UnmarshalComparisonOrder reads what comparisons are sorted by.
func UnmarshalComparisonOrder(_ context.Context, raw any) (vcd.ComparisonOrder, error) {
	return read[vcd.ComparisonOrder](raw)
}

// MarshalComparisonStatus writes the review state of a comparison.
func MarshalComparisonStatus(v vcd.ComparisonStatus) graphql.ContextMarshaler { return spell(v) }

// UnmarshalComparisonStatus reads the review state of a comparison.
func UnmarshalComparisonStatus(_ context.Context, raw any) (vcd.ComparisonStatus, error) {
	return read[vcd.ComparisonStatus](raw)
}

// MarshalDevice writes a device.
func MarshalDevice(v vcd.Device) graphql.ContextMarshaler { return spell(v) }

// UnmarshalDevice reads a device.
func UnmarshalDevice(_ context.Context, raw any) (vcd.Device, error) {
	return read[vcd.Device](raw)
}

// MarshalDeliveryState writes how far a delivery has come.
func MarshalDeliveryState(v vcd.DeliveryState) graphql.ContextMarshaler { return spell(v) }

// UnmarshalDeliveryState reads how far a delivery has come.
func UnmarshalDeliveryState(_ context.Context, raw any) (vcd.DeliveryState, error) {
	return read[vcd.DeliveryState](raw)
}

// MarshalMailKind writes what a mail is about.
func MarshalMailKind(v vcd.MailKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalMailKind reads what a mail is about.
func UnmarshalMailKind(_ context.Context, raw any) (vcd.MailKind, error) {
	return read[vcd.MailKind](raw)
}

// MarshalMailState writes how far a mail has come.
func MarshalMailState(v vcd.MailState) graphql.ContextMarshaler { return spell(v) }

// UnmarshalMailState reads how far a mail has come.
func UnmarshalMailState(_ context.Context, raw any) (vcd.MailState, error) {
	return read[vcd.MailState](raw)
}

// MarshalEventKind writes the kind of an event.
func MarshalEventKind(v vcd.EventKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalEventKind reads the kind of an event.
func UnmarshalEventKind(_ context.Context, raw any) (vcd.EventKind, error) {
	return read[vcd.EventKind](raw)
}

// MarshalUpdateStatus writes how an update of a site ended.
func MarshalUpdateStatus(v vcd.UpdateStatus) graphql.ContextMarshaler { return spell(v) }

// UnmarshalUpdateStatus reads how an update of a site ended.
func UnmarshalUpdateStatus(_ context.Context, raw any) (vcd.UpdateStatus, error) {
	return read[vcd.UpdateStatus](raw)
}

// MarshalBandKind writes what happened to a band of rows.
func MarshalBandKind(v vcd.BandKind) graphql.ContextMarshaler { return spell(v) }

// UnmarshalBandKind reads what happened to a band of rows.
func UnmarshalBandKind(_ context.Context, raw any) (vcd.BandKind, error) {
	return read[vcd.BandKind](raw)
}

// MarshalGateRule writes a rule for the verdict on an update.
func MarshalGateRule(v vcd.GateRule) graphql.ContextMarshaler { return spell(v) }

// UnmarshalGateRule reads a rule for the verdict on an update.
func UnmarshalGateRule(_ context.Context, raw any) (vcd.GateRule, error) {
	return read[vcd.GateRule](raw)
}

// MarshalMeasure writes which difference is judged.
func MarshalMeasure(v vcd.Measure) graphql.ContextMarshaler { return spell(v) }

// UnmarshalMeasure reads which difference is judged.
func UnmarshalMeasure(_ context.Context, raw any) (vcd.Measure, error) {
	return read[vcd.Measure](raw)
}

// MarshalProxyType writes the kind of a proxy.
func MarshalProxyType(v vcd.ProxyType) graphql.ContextMarshaler { return spell(v) }

// UnmarshalProxyType reads the kind of a proxy.
func UnmarshalProxyType(_ context.Context, raw any) (vcd.ProxyType, error) {
	return read[vcd.ProxyType](raw)
}

// MarshalQueueStatus writes the state of a queue entry.
func MarshalQueueStatus(v vcd.QueueStatus) graphql.ContextMarshaler { return spell(v) }

// UnmarshalQueueStatus reads the state of a queue entry.
func UnmarshalQueueStatus(_ context.Context, raw any) (vcd.QueueStatus, error) {
	return read[vcd.QueueStatus](raw)
}

// MarshalQueueType writes what a queue entry does.
func MarshalQueueType(v vcd.QueueType) graphql.ContextMarshaler { return spell(v) }

// UnmarshalQueueType reads what a queue entry does.
func UnmarshalQueueType(_ context.Context, raw any) (vcd.QueueType, error) {
	return read[vcd.QueueType](raw)
}

// MarshalRegion writes a region.
func MarshalRegion(v vcd.Region) graphql.ContextMarshaler { return spell(v) }

// UnmarshalRegion reads a region.
func UnmarshalRegion(_ context.Context, raw any) (vcd.Region, error) {
	return read[vcd.Region](raw)
}

// MarshalScheduleType writes the kind of a schedule.
func MarshalScheduleType(v schedule.Type) graphql.ContextMarshaler { return spell(v) }

// UnmarshalScheduleType reads the kind of a schedule.
func UnmarshalScheduleType(_ context.Context, raw any) (schedule.Type, error) {
	return read[schedule.Type](raw)
}

// MarshalSubjectType writes the kind of thing an event is about.
func MarshalSubjectType(v vcd.SubjectType) graphql.ContextMarshaler { return spell(v) }

// UnmarshalSubjectType reads the kind of thing an event is about.
func UnmarshalSubjectType(_ context.Context, raw any) (vcd.SubjectType, error) {
	return read[vcd.SubjectType](raw)
}
