package outbound

import "afterimage/vcd"

// WebhookSecret is the key that signs the account's webhooks.
func (s *Service) WebhookSecret(a *vcd.Account) (string, error) {
	return s.sealer.Open(vcd.PurposeWebhookSecret, a.SealedWebhookSecret)
}
