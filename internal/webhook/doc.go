// Package webhook signs and sends webhook requests, and says what is to become of a delivery after each attempt.
//
//   - [Sign] makes the headers by which a receiver knows who sent the body.
//   - [Sender] makes one attempt under the egress policy and reports what came of it as an [Attempt].
//   - [Retry] says when the next attempt is due, if there is to be one.
//
// It keeps nothing: deliveries and their attempts are rows of the caller's.
package webhook
