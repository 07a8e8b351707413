// Package webhook signs and sends webhook requests, and decides about retries.
//
//   - [Sign] makes the signature headers.
//   - [Sender] makes one attempt under the egress policy and reports the outcome as an [Attempt].
//   - [Retry] computes when the next attempt is due, if there is one.
//
// It stores nothing: deliveries and attempts are the caller's.
package webhook
