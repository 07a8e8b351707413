package outbound

import "afterimage/vcd"

// WebhookSecret is the key under which the account's webhooks are signed.
func (s *Service) WebhookSecret(a *vcd.Account) (string, error) {
	return s.sealer.Open(vcd.PurposeWebhookSecret, a.SealedWebhookSecret)
}
