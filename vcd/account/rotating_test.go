package account_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/secret"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// withKeys are the use cases of a process that has these keys.
func (w *world) withKeys(keys ...byte) *app.Service {
	w.T.Helper()
	made := make([][]byte, len(keys))
	for i, key := range keys {
		made[i] = bytes.Repeat([]byte{key}, secret.KeySize)
	}
	box, err := secret.NewBox(made[0], made[1:]...)
	must(w.T, err)
	config := w.Service.Config()
	config.Sealer = box
	return app.New(config)
}

// TestSecretsAreRotated changes the key of every place where secrets are stored. The old key is then of no use.
func TestSecretsAreRotated(t *testing.T) {
	w := newWorld(t)
	before := w.withKeys('a')
	must(t, before.Accounts.CheckSecretKey(t.Context()))
	other := w.Account
	w.Service = before
	w.Account = w.NewAccount("bob@example.com", 0)
	w.Actor = vcd.Actor{Account: w.Account.ID}
	g, _ := w.Group("shop", 1, inventory.GroupChange{BasicAuthUser: vcd.Some("preview"), BasicAuthPassword: vcd.Some("open sesame")})
	_, err := before.Outbound.RotateWebhookSecret(t.Context(), w.Actor, time.Hour)
	must(t, err)
	batch := w.Take(vcd.QueuePre, g).Batches[0].ID
	_, err = before.Reviews.ShareBatch(t.Context(), w.Actor, batch, nil, vcd.LinkRead)
	must(t, err)
	sealed, err := w.Service.Config().Sealer.Seal("account.sign_in", "state")
	must(t, err)
	w.Exec("INSERT INTO sign_in_attempts (hash, sealed, expires_at) VALUES ($1, $2, $3)", bytes.Repeat([]byte{1}, 32), sealed,
		time.Now().Add(time.Hour))

	site, _, _ := w.Pair("shop.example.com")
	signIn := inventory.FlowChange{
		WebsiteID: vcd.Some(string(site.ID)), Name: vcd.Some("Sign in"), URL: vcd.Some("shop.example.com"),
		Steps: vcd.Some([]inventory.FlowStepChange{
			{Type: "fill", Selector: vcd.Some("#password"), Value: vcd.Some("open sesame"), Sensitive: vcd.Some(true)},
			{Type: "checkpoint", Label: vcd.Some("Signed in")},
		})}
	_, err = before.Inventory.CreateFlow(t.Context(), w.Actor, signIn)
	must(t, err)
	_, err = before.Inventory.TryFlow(t.Context(), w.Actor, inventory.FlowTrialInput{Change: signIn})
	must(t, err)

	sealed, err = w.Service.Config().Sealer.Seal(vcd.PurposePageSession, "session")
	must(t, err)
	must(t, w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO page_sessions (account_id, batch_id, group_id, device, flow_id, entry_id, status, round,
				attempts, changed_step, held_until, error_msg, sealed, created_at)
			SELECT account_id, batch_id, group_id, device, id, id, 'done', 1, 0, 0, now(), '', $1, now()
			FROM queue_entries LIMIT 1`, sealed)
		return err
	}))

	// The account of the world has secrets of another kind of box: they open with no key, and are told.
	both := w.withKeys('b', 'a')
	if _, err := both.Accounts.RotateSecrets(t.Context()); err == nil || !strings.Contains(err.Error(), "add the key that encrypted it") {
		t.Errorf("with secrets of an unknown key: %v", err)
	}
	must(t, w.AsAccount(other.ID, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE accounts SET sealed_webhook_secret = NULL, sealed_magic_login = NULL")
		return err
	}))
	all, err := both.Accounts.RotateSecrets(t.Context())
	must(t, err)
	for _, r := range all {
		if r.Secrets != 1 || r.Renewed != 0 {
			t.Errorf("%s: %d secrets, of which %d were encrypted again, want 1 and none", r.Place, r.Secrets, r.Renewed)
		}
	}
	if len(all) != 10 {
		t.Errorf("%d places, want 10", len(all))
	}
	must(t, w.withKeys('b').Accounts.CheckSecretKey(t.Context()))
	if err := before.Accounts.CheckSecretKey(t.Context()); err == nil {
		t.Error("the old key still opens the probe")
	}
	links, err := w.withKeys('b').Reviews.LinksOf(t.Context(), w.Actor, []vcd.ID{batch})
	must(t, err)
	if links[batch].Token == "" {
		t.Error("the link of the run does not open with the new key")
	}
}
