package vcd

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
