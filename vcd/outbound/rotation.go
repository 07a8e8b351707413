package outbound

import (
	"context"
	"time"

	"afterimage/vcd"
)

// Limits of the grace period in which the previous secret also signs.
const (
	DefaultSecretGrace = 24 * time.Hour
	maxSecretGrace     = 30 * 24 * time.Hour
)

// RotateWebhookSecret replaces the key that signs the account's webhooks. During the grace period both keys sign, so that
// receivers can be switched one by one; without one, the old key is void immediately.
func (s *Service) RotateWebhookSecret(ctx context.Context, actor vcd.Actor, grace time.Duration) (*vcd.Account, error) {
	if grace < 0 || grace > maxSecretGrace {
		return nil, vcd.Invalid("graceHours", "between", "The {field} field must be between 0 and 720.")
	}
	secret, err := s.sealer.Seal(vcd.PurposeWebhookSecret, vcd.RandomText())
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Account, error) {
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return nil, err
		}
		a.SealedPreviousWebhookSecret, a.PreviousWebhookSecretUntil = nil, nil
		if grace > 0 {
			until := s.clock.Now().Add(grace)
			a.SealedPreviousWebhookSecret, a.PreviousWebhookSecretUntil = a.SealedWebhookSecret, &until
		}
		a.SealedWebhookSecret, a.UpdatedAt = secret, s.clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		return a, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
	})
}

// previousWebhookSecret is the key that signs along with the current one; empty when there is none.
func (s *Service) previousWebhookSecret(a *vcd.Account) (string, error) {
	if a.PreviousWebhookSecretUntil == nil || !s.clock.Now().Before(*a.PreviousWebhookSecretUntil) {
		return "", nil
	}
	return s.sealer.Open(vcd.PurposeWebhookSecret, a.SealedPreviousWebhookSecret)
}
