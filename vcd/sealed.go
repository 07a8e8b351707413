package vcd

import "context"

// Sealed is the closed set of places where sealed secrets are stored.
type Sealed string

// The places.
const (
	SealedProbes                 Sealed = "probe"
	SealedWebhookSecrets         Sealed = "webhook secret"
	SealedPreviousWebhookSecrets Sealed = "previous webhook secret"
	SealedMagicLogins            Sealed = "login link secret"
	SealedPasswords              Sealed = "password of a group"
	SealedBatchLinks             Sealed = "public link of a run"
	SealedSignIns                Sealed = "sign-in in progress"
)

// SealedStore reads and replaces sealed secrets.
type SealedStore interface {
	// SealedAfter lists up to limit secrets of a place, in the order of their bytes, from the one after a secret on; nil starts.
	SealedAfter(ctx context.Context, place Sealed, after []byte, limit int) ([][]byte, error)
	// ReplaceSealed replaces secrets of a place. One that somebody changed meanwhile stays as it is.
	ReplaceSealed(ctx context.Context, place Sealed, old, renewed [][]byte) error
}
