package outbound_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/run"
)

// mailAll relays events until there are none left, twice, and returns the mails written since its last call.
func (w *world) mailAll() []string {
	w.T.Helper()
	for range 2 {
		for more := true; more; {
			var err error
			more, err = w.Service.Outbound.RelayMails(w.T.Context())
			must(w.T, err)
		}
	}
	var told []string
	for _, id := range w.Jobs("mail") {
		who := vcdtest.Value[string](w.World, "SELECT kind || ' ' || recipient FROM mails WHERE id = $1", string(id))
		w.Exec("DELETE FROM test_jobs WHERE entry = $1", string(id))
		told = append(told, who)
	}
	slices.Sort(told)
	return told
}

func (w *world) wantMails(when string, want ...string) {
	w.T.Helper()
	if diff := cmp.Diff(want, w.mailAll()); diff != "" {
		w.T.Errorf("%s: mails differ (- wanted, + there):\n%s", when, diff)
	}
}

// changeAll captures and compares everything that waits; in the given groups, pages differ.
func (w *world) changeAll(changed ...vcd.ID) {
	w.T.Helper()
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, string(entry))
	}
	for _, entry := range w.Jobs("compare") {
		percent := 0.0
		if slices.Contains(changed, w.Entry(entry).GroupID) {
			percent = 5
		}
		w.Compare(entry, percent)
	}
}

func addressed(emails ...string) inventory.GroupChange {
	return inventory.GroupChange{AlertEmails: vcd.Some(emails), DefaultMobile: vcd.Some(false)}
}

func TestEachRecipientOfABatchGetsOneDigest(t *testing.T) {
	w := newWorld(t)
	shop, _ := w.Group("shop", 2, addressed("ann@example.com", "Ben@example.com"))
	blog, _ := w.Group("blog", 1, addressed("ben@example.com", "cyd@example.com"))
	docs, _ := w.Group("docs", 1, addressed("dan@example.com", "ann@example.com"))
	w.Take(vcd.QueuePre, shop, blog, docs)
	w.changeAll()
	w.wantMails("a baseline")
	w.Take(vcd.QueuePost, shop, blog, docs)
	w.changeAll()
	w.wantMails("no change")
	batch := w.Take(vcd.QueuePost, shop, blog, docs).Batches[0].ID
	w.changeAll(shop.ID, blog.ID)
	w.wantMails("two of three groups changed", "digest Ben@example.com", "digest ann@example.com", "digest cyd@example.com")

	read := func(recipient string) *outbound.MailTask {
		id := vcdtest.Value[string](
			w.World,
			"SELECT id::text FROM mails WHERE recipient = $1 AND subject_id = $2",
			recipient,
			string(batch),
		)
		task, err := w.Service.Outbound.BeginMail(t.Context(), w.Actor, vcd.ID(id))
		must(t, err)
		return task
	}
	names := func(task *outbound.MailTask) (names []string) {
		for _, g := range task.Digest.For(task.Mail.Recipient) {
			names = append(names, g.Group.Name)
		}
		slices.Sort(names)
		return names
	}
	if got := names(read("Ben@example.com")); !slices.Equal(got, []string{"blog", "shop"}) {
		t.Errorf("Ben is told of %v", got)
	}
	if got := names(read("ann@example.com")); !slices.Equal(got, []string{"docs", "shop"}) {
		t.Errorf("Ann is told of %v", got)
	}
	_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, blog.ID, addressed("ben@example.com"))
	must(t, err)
	if task := read("cyd@example.com"); task != nil {
		t.Error("who was removed from the group is told of it all the same")
	}
	list, err := w.Service.Outbound.Mails(t.Context(), w.Actor, vcd.MailFilter{States: &[]vcd.MailState{vcd.MailFailed}},
		vcd.Page{Size: 10})
	must(t, err)
	if len(list.Items) != 1 || list.Items[0].Problem != "The recipient has been removed from the settings." ||
		list.Items[0].NextAttemptAt != nil {
		t.Errorf("given up: %+v", list.Items)
	}
	w.CheckInvariants()
}

// A large difference does not come before a small one that somebody has to see.
func TestADigestBeginsWithTheGravestChange(t *testing.T) {
	w := newWorld(t)
	shop, _ := w.Group("shop", 3, addressed("ann@example.com"))
	w.Take(vcd.QueuePre, shop)
	w.changeAll()
	batch := w.Take(vcd.QueuePost, shop).Batches[0].ID
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, string(entry))
	}
	for i, entry := range w.Jobs("compare") {
		w.Compare(entry, float64(5+i))
	}
	w.wantMails("all pages changed", "digest ann@example.com")
	w.AsSystem("UPDATE comparisons SET page_alarm = true WHERE batch_id = $1 AND difference_percent = 5", string(batch))
	id := vcdtest.Value[string](w.World, "SELECT id::text FROM mails WHERE subject_id = $1", string(batch))
	task, err := w.Service.Outbound.BeginMail(t.Context(), w.Actor, vcd.ID(id))
	must(t, err)
	var percents []float64
	for _, c := range task.Digest.For("ann@example.com")[0].Alarms {
		percents = append(percents, c.JudgedPercent())
	}
	if !slices.Equal(percents, []float64{5, 10, 9, 8, 7}) {
		t.Errorf("the digest lists %v", percents)
	}
}

// Failures in monitoring are mailed; users of manual checks see failures themselves.
func TestFailuresInMonitoringAreTold(t *testing.T) {
	w := newWorld(t)
	g := w.Monitored("shop", 1, inventory.GroupChange{})
	w.RunDue(g.ID)
	w.Look("-")
	w.wantMails("a page cannot be captured", "digest ada@example.com")
	w.RunDue(g.ID)
	w.Look("page")
	w.wantMails("a baseline")
	w.RunDue(g.ID)
	w.Look("wall challenge")
	w.wantMails("a wall before a page", "digest ada@example.com")
}

func TestAnAutomaticUpdateIsReportedToTheWebsitesRecipientsOnce(t *testing.T) {
	results := vcd.UpdateResults{Summary: vcd.UpdateSummary{Status: vcd.UpdateCompleted}}
	for name, steps := range map[string][]string{"results last": {"finish", "results", "results"},
		"batch last": {"results", "finish", "results"}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			site, manual, _ := w.Pair("shop.test")
			_, urls := w.Group("pages", 1, inventory.GroupChange{})
			_, err := w.Service.Inventory.AddURLs(t.Context(), w.Actor, manual.ID, []inventory.SelectionChange{{URLID: string(urls[0].ID)}})
			must(t, err)
			_, err = w.Service.Inventory.UpdateWebsite(t.Context(), w.Actor, site.ID,
				inventory.WebsiteChange{AutoUpdate: vcd.Some(inventory.AutoUpdateChange{
					Emails: vcd.Some([]string{"ops@example.com", "OPS@example.com", "agency@example.com"})})})
			must(t, err)
			in := run.TakeInput{GroupIDs: []string{string(manual.ID)}, Type: vcd.QueuePre, Source: vcd.SourceAutoUpdate}
			_, err = w.Service.Runs.TakeScreenshots(t.Context(), w.Actor, in)
			must(t, err)
			w.changeAll()
			w.Clock.Advance(time.Minute)
			in.Type = vcd.QueuePost
			taken, err := w.Service.Runs.TakeScreenshots(t.Context(), w.Actor, in)
			must(t, err)
			w.wantMails("before either")
			for i, step := range steps {
				if step == "finish" {
					w.changeAll(manual.ID)
				} else {
					_, err := w.Service.Runs.StoreUpdateResults(t.Context(), w.Actor, taken.Batches[0].ID, results)
					must(t, err)
				}
				switch i {
				case 0:
					w.wantMails("after the first of both")
				case 1:
					w.wantMails("after both", "update_report agency@example.com", "update_report ops@example.com")
				default:
					w.wantMails("after results were sent again")
				}
			}
			w.CheckInvariants()
		})
	}
}

func TestOwnersAreToldOfTheirAccountsOncePerCause(t *testing.T) {
	w := newWorld(t)
	tell := func(step string, err error, want ...string) {
		t.Helper()
		must(t, err)
		w.wantMails(step, want...)
	}
	_, err := w.Service.Accounts.PauseAccount(t.Context(), w.Account.ID)
	tell("paused", err, "account_paused ada@example.com")
	_, err = w.Service.Accounts.PauseAccount(t.Context(), w.Account.ID)
	tell("paused again", err)
	_, err = w.Service.Accounts.ReactivateAccount(t.Context(), w.Actor)
	tell("reactivated", err, "account_reactivated ada@example.com")
	_, err = w.Service.Accounts.ReactivateAccount(t.Context(), w.Actor)
	tell("reactivated again", err)
	token, err := w.Service.Accounts.CreateToken(t.Context(), w.Actor, nil, account.TokenChange{Name: vcd.Some("a robot")})
	tell("another token", err, "token_created ada@example.com")
	_, err = w.Service.Accounts.RevokeToken(t.Context(), w.Actor, nil, token.ID)
	tell("revoked", err)
	sub, _, err := w.Service.Accounts.CreateSubaccount(t.Context(), w.Actor, vcdtest.Subaccount("sub@example.com", 10))
	tell("a subaccount", err, "subaccount_opened sub@example.com")
	_, err = w.Service.Accounts.PauseAccount(t.Context(), sub.ID)
	tell("a paused subaccount", err, "account_paused sub@example.com")
	_, err = w.Service.Accounts.ReactivateAccount(t.Context(), w.Actor)
	tell("only the subaccount goes on", err)
	_, err = w.Service.Accounts.CreateToken(t.Context(), w.Actor, &sub.ID, account.TokenChange{Name: vcd.Some("theirs")})
	tell("a token for the subaccount", err, "token_created sub@example.com")
	must(t, w.Service.Accounts.DeleteSubaccount(t.Context(), w.Actor, sub.ID))
	w.wantMails("deleted")
}

func TestOwnersAreToldBeforeTheirChecksAreUsedUp(t *testing.T) {
	w := newWorld(t)
	use := func(done int) func() {
		return func() { w.AsSystem("UPDATE accounts SET checks_done = $1 WHERE id = $2", done, string(w.Account.ID)) }
	}
	limit := func(n int) func() {
		return func() {
			_, err := w.Service.Accounts.SetPlan(t.Context(), w.Account.ID, account.PlanChange{ChecksLimit: vcd.Some(n)})
			must(t, err)
		}
	}
	renew := func() { w.Clock.Advance(32 * 24 * time.Hour) }
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"a plan of 100 checks", limit(100), nil},
		{"79 are used", use(79), nil},
		{"80 are used", use(80), []string{"checks_low ada@example.com"}},
		{"99 are used", use(99), nil},
		{"all are used", use(100), []string{"checks_exhausted ada@example.com"}},
		{"a lower limit", limit(90), nil},
		{"a higher limit", limit(120), []string{"checks_low ada@example.com"}},
		{"another period", renew, nil},
		{"all are used at once", use(120), []string{"checks_exhausted ada@example.com"}},
		{"yet another period", renew, nil},
	} {
		step.do()
		must(t, w.Service.Accounts.KeepAccounts(t.Context(), 0))
		must(t, w.Service.Accounts.KeepAccounts(t.Context(), 0))
		w.wantMails(step.name, step.want...)
	}
}

// A run may need more checks than are left long before all of them are used up.
func TestOwnersAreToldWhenARunFindsTooFewChecks(t *testing.T) {
	w := newWorld(t)
	w.Actor = vcd.Actor{Account: w.NewAccount("poor@example.com", 3).ID}
	g := w.Monitored("g", 2, inventory.GroupChange{IntervalHours: vcd.Some(24.0)})
	for _, want := range [][]string{nil, {"checks_exhausted poor@example.com"}, nil} {
		w.Clock.Set(*w.FreshGroup(g.ID).NextRunAt)
		vcdtest.StartDue(t, w.Service)
		w.Look("page")
		w.wantMails("a run", want...)
	}
}

func TestAMailIsTriedAgainUntilItIsSentOrGivenUp(t *testing.T) {
	w := newWorld(t)
	_, err := w.Service.Accounts.CreateToken(t.Context(), w.Actor, nil, account.TokenChange{Name: vcd.Some("first")})
	must(t, err)
	try := func(id vcd.ID, r outbound.MailResult) *vcd.Mail {
		task, err := w.Service.Outbound.BeginMail(w.Working(id), w.Actor, id)
		must(t, err)
		if task == nil {
			t.Fatal("nothing to send")
		}
		r.Subject, r.Text, r.HTML = "A new API token", "text", "<p>"
		must(t, w.Service.Outbound.FinishMail(w.Working(id), w.Actor, id, r))
		m, err := w.Service.Outbound.Mail(t.Context(), w.Actor, id)
		must(t, err)
		return m
	}
	waiting := func() vcd.ID {
		for _, err := w.Service.Outbound.RelayMails(t.Context()); err != nil; {
			t.Fatal(err)
		}
		jobs := w.Jobs("mail")
		if len(jobs) != 1 {
			t.Fatalf("%d jobs", len(jobs))
		}
		return jobs[0]
	}
	greylisted := outbound.MailResult{Problem: "The mail server rejected it: 451 Try again later"}
	id := waiting()
	m := try(id, greylisted)
	if m.State != vcd.MailPending || m.Attempts != 1 || m.Problem != greylisted.Problem ||
		!m.NextAttemptAt.Equal(w.Clock.Now().Add(time.Minute)) {
		t.Errorf("after a greylisting: %+v", m)
	}
	w.Clock.Advance(time.Minute)
	m = try(waiting(), outbound.MailResult{})
	if m.State != vcd.MailSent || m.Attempts != 2 || m.Problem != "" || m.NextAttemptAt != nil || !m.SentAt.Equal(w.Clock.Now()) {
		t.Errorf("sent: %+v", m)
	}
	if n := len(w.Jobs("mail")); n != 0 {
		t.Errorf("%d jobs are left", n)
	}

	_, err = w.Service.Accounts.CreateToken(t.Context(), w.Actor, nil, account.TokenChange{Name: vcd.Some("second")})
	must(t, err)
	begun := w.Clock.Now()
	for id, attempts := waiting(), 1; ; attempts++ {
		m = try(id, greylisted)
		if m.State == vcd.MailFailed {
			break
		}
		if attempts > 20 {
			t.Fatal("it is tried for ever")
		}
		w.Clock.Set(*m.NextAttemptAt)
	}
	if took := w.Clock.Now().Sub(begun); m.Attempts != 8 || took < 40*time.Hour || took > 48*time.Hour ||
		!strings.Contains(m.Problem, "451") {
		t.Errorf("given up after %d attempts in %s: %+v", m.Attempts, took, m)
	}
	w.CheckInvariants()
}
