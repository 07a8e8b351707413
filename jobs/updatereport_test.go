package jobs_test

import (
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
)

func TestAnUpdateReportTellsWhatWasUpdatedAndWhatItChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, boxed())
	batch := w.autoUpdate("shop.example.test", "ops@example.com")
	version := func(s string) *string { return &s }
	results := vcd.UpdateResults{Timestamp: 1_772_000_000, Updates: vcd.Updates{
		Core: &vcd.CoreUpdate{Attempted: true, Success: true, UpdateOutcome: vcd.UpdateOutcome{FromVersion: version("6.4"),
			ToVersion: version("6.5")}},
		Plugins: []vcd.PackageUpdate{
			{Slug: "black-box/black-box.php", Name: version("Black Box"), Success: true,
				UpdateOutcome: vcd.UpdateOutcome{FromVersion: version("1.0"), ToVersion: version("1.1")}},
			{Slug: "forms", Name: version("Forms & more"), Success: true, UpdateOutcome: vcd.UpdateOutcome{FromVersion: version("5.1"),
				ToVersion: version("5.2")}},
			{Slug: "gallery", UpdateOutcome: vcd.UpdateOutcome{FromVersion: version("1.0"), ToVersion: version("2.0"),
				Error: version("The archive could not be unpacked.")}},
		},
	}, Summary: vcd.UpdateSummary{TotalAttempted: 3, Successful: 2, Failed: 1, Status: vcd.UpdateCompletedWithErrors}}
	for range 2 { // the second time changes nothing
		if _, err := w.service.Runs.StoreUpdateResults(t.Context(), w.actor, batch, results); err != nil {
			t.Fatal(err)
		}
	}
	p := w.mailbox.next(t)
	if p.To != "ops@example.com" || p.Subject != "Updates completed with errors, 1 visible change: shop.example.test" {
		t.Errorf("to %s: %s", p.To, p.Subject)
	}
	inOrder(t, p.Text, "3 updates attempted on shop.example.test", "25 February 2026", "1 failed", "gallery (Plugin): 1.0 -> 2.0, failed",
		"could not be unpacked",
		"Core: 6.4 -> 6.5, updated", "Forms & more (Plugin): 5.1 -> 5.2, updated", "1 comparison",
		"Black Box (1.0 → 1.1) likely caused changes in 1 of 1 changed comparison. Region 1 is in an element with the class black-box.",
		"A page", "Review: https://afterimage.example.com/c/")
	inOrder(t, p.HTML, "gallery", "could not be unpacked", "6.5", "Forms &amp; more", "with the class black-box.", "cid:before-1",
		"cid:after-1", "https://afterimage.example.com/c/")
	checkCrops(t, p.Pictures)
	if sent, failed := w.mails(batch, 1); len(sent) != 1 || len(failed) != 0 || sent[0].Kind != vcd.MailUpdateReport {
		t.Errorf("sent %d, failed %d", len(sent), len(failed))
	}
	w.checkInvariants()
}

// autoUpdate makes a website of one page, runs the checks around an update of it, and returns the second batch.
func (w *world) autoUpdate(domain, recipient string) vcd.ID {
	w.t.Helper()
	manual := w.group(domain, inventory.GroupChange{})
	auto, err := w.service.Inventory.CreateGroup(w.t.Context(), w.actor, inventory.GroupChange{Name: vcd.Some("auto"),
		Monitoring: vcd.Some(true)})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.service.Inventory.CreateWebsite(w.t.Context(), w.actor, inventory.WebsiteChange{
		Domain: vcd.Some(domain), ManualGroupID: vcd.Some(string(manual)), AutoGroupID: vcd.Some(string(auto.ID)),
		AutoUpdate: vcd.Some(inventory.AutoUpdateChange{Emails: vcd.Some([]string{recipient})}),
	}); err != nil {
		w.t.Fatal(err)
	}
	w.runFrom(manual, vcd.QueuePre, vcd.SourceAutoUpdate)
	batch, _ := w.runFrom(manual, vcd.QueuePost, vcd.SourceAutoUpdate)
	return batch
}

// inOrder wants the words to follow each other in a text.
func inOrder(t *testing.T, text string, words ...string) {
	t.Helper()
	rest := text
	for _, word := range words {
		_, after, found := strings.Cut(rest, word)
		if !found {
			t.Fatalf("%q is not in its place of\n%s", word, text)
		}
		rest = after
	}
}

func TestOwnersGetNoticesWithoutSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) { return photo(false), nil })
	token, err := w.service.Accounts.CreateToken(t.Context(), w.actor, nil, account.TokenChange{Name: vcd.Some("a <robot>")})
	if err != nil {
		t.Fatal(err)
	}
	p := w.mailbox.next(t)
	inOrder(t, p.Text, "A new API token was created", "owner@example.com", "“a <robot>”", "does not expire", "revoke it",
		"Open Afterimage: https://afterimage.example.com/")
	inOrder(t, p.HTML, "a &lt;robot&gt;", "https://afterimage.example.com/")
	if strings.Contains(p.HTML+p.Text, token.Plain[:account.TokenPrefixLength]) {
		t.Error("a part of the token is in the mail")
	}
	_, below, err := w.service.Accounts.CreateSubaccount(t.Context(), w.actor, account.SubaccountChange{
		NameFirst: vcd.Some("Win a prize at evil.example.com"), NameLast: vcd.Some("T"), Email: vcd.Some("guest@example.com"),
		LimitChecks: vcd.Some(50)})
	if err != nil {
		t.Fatal(err)
	}
	p = w.mailbox.next(t)
	if p.To != "guest@example.com" || strings.Contains(p.Text+p.HTML, "evil") || strings.Contains(p.Text+p.HTML, below.Plain) {
		t.Errorf("to %s: %s", p.To, p.Text)
	}
	inOrder(t, p.Text, "You have an Afterimage account", "owner@example.com created an account for guest@example.com",
		"50 checks per month", "Sign in: https://afterimage.example.com/signin/")
	if _, err := w.service.Accounts.PauseAccount(t.Context(), w.actor.Account); err != nil {
		t.Fatal(err)
	}
	inOrder(t, w.mailbox.next(t).Text, "Your account is paused", "/api/v2/account/reactivate")
	if _, err := w.service.Accounts.ReactivateAccount(t.Context(), w.actor); err != nil {
		t.Fatal(err)
	}
	inOrder(t, w.mailbox.next(t).Text, "Your account is active again")
	w.run(w.group("notices.example.test", inventory.GroupChange{}), vcd.QueuePre)
	if _, err := w.service.Accounts.SetPlan(t.Context(), w.actor.Account, account.PlanChange{ChecksLimit: vcd.Some(1)}); err != nil {
		t.Fatal(err)
	}
	if err := w.service.Accounts.KeepAccounts(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	inOrder(t, w.mailbox.next(t).Text, "Not enough checks left",
		"The account owner@example.com has used 1 of 1 check. The next period starts on ")
}
