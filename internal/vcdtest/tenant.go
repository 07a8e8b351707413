package vcdtest

import (
	"context"

	"github.com/jackc/pgx/v5"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

// FillEverything inserts at least one row of the account into every table except those of verification and flows.
func (w *World) FillEverything(name string) (group *vcd.Group, url *vcd.URL, pre, post *run.Taken) {
	w.T.Helper()
	g, urls := w.Group(name, 2, inventory.GroupChange{})
	pre = w.Take(vcd.QueuePre, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, name+" before")
	}
	post = w.Take(vcd.QueuePost, g)
	for _, entry := range w.Jobs("capture") {
		w.Capture(entry, name+" after")
	}
	for _, entry := range w.Jobs("compare") {
		w.Compare(entry, 2)
	}
	slow, _ := w.Group(name+"-slow", 1, inventory.GroupChange{ScreenshotDelay: vcd.Some(7)})
	w.Take(vcd.QueuePre, slow)
	saved, _ := w.Group(name+"-saved", 1, inventory.GroupChange{Monitoring: vcd.Some(true),
		Triggers: vcd.Some([]vcd.Trigger{{Type: "post_save", Scope: "url"}})})
	w.Save(saved, name+"-saved.test/0")
	w.Website(name+".test", g, slow)
	w.Collect(name+".test", vcd.RandomIDs{}.NewID(), Pages(SitePage(name+".test/collected", "")))
	w.Rule(review.FeedbackRuleInput{RegionID: Number(1)})
	told := w.Webhook("https://"+name+".test", vcd.EventBatchFinished)
	_, err := w.Service.Outbound.PingWebhook(w.T.Context(), w.Actor, told.ID)
	Must(w.T, err)
	w.RelayAll()
	w.Deliver(Refused)
	_, err = w.Service.Outbound.RelayMails(w.T.Context())
	Must(w.T, err)
	Must(w.T, w.DB.ForRuns().InTx(w.T.Context(), w.Actor, func(ctx context.Context, tx run.Tx) error {
		if _, err := tx.RefuseHost(ctx, vcd.HostRefusal{Host: "closed.test", Page: urls[0].ID, Status: 503, At: w.Clock.Now(),
			First: w.Clock.Now()}); err != nil {
			return err
		}
		return tx.RecordFreed(ctx, w.Clock.Now(), vcd.Freed{Runs: 1})
	}))
	return g, urls[0], pre, post
}

// FillFlow inserts a flow that has run.
func (w *World) FillFlow(name string) {
	w.T.Helper()
	site, manual, _ := w.Pair("flow." + name + ".test")
	_, err := w.Service.Inventory.CreateFlow(w.T.Context(), w.Actor, inventory.FlowChange{
		WebsiteID: vcd.Some(string(site.ID)), Name: vcd.Some("Checkout"), URL: vcd.Some("flow." + name + ".test"),
		Steps: vcd.Some([]inventory.FlowStepChange{
			{Type: "checkpoint", Label: vcd.Some("Basket")}, {Type: "checkpoint", Label: vcd.Some("Paid")},
		})})
	Must(w.T, err)
	w.Take(vcd.QueuePre, manual)
	for _, entry := range w.Jobs("capture") {
		if w.Entry(entry).Leads() {
			w.WalkFlow(entry, name)
		}
	}
}

// FillTrial inserts a trial of a flow that goes on, and has a picture.
func (w *World) FillTrial(name string) vcd.ID {
	w.T.Helper()
	site, _, _ := w.Pair("trial." + name + ".test")
	trial, err := w.Service.Inventory.TryFlow(w.T.Context(), w.Actor, inventory.FlowTrialInput{Change: inventory.FlowChange{
		WebsiteID: vcd.Some(string(site.ID)), URL: vcd.Some("trial." + name + ".test"),
		Steps: vcd.Some([]inventory.FlowStepChange{
			{Type: "fill", Selector: vcd.Some("label=Password"), Value: vcd.Some("correct horse"), Sensitive: vcd.Some(true)},
			{Type: "click", Selector: vcd.Some("#buy")},
		})}})
	Must(w.T, err)
	w.Jobs("capture")
	task, err := w.Service.Runs.BeginCapture(w.Working(trial.ID), w.Actor, trial.ID)
	Must(w.T, err)
	if task == nil || task.Trial == nil || task.Flow.Secrets["password"] != "correct horse" {
		w.T.Fatalf("the trial is carried out as %+v", task)
	}
	Must(w.T, w.Service.Runs.AddTrialPicture(w.T.Context(), w.Actor, trial.ID, 0, w.Picture("window of "+name)))
	return trial.ID
}

// WalkFlow does the capture job of a flow, whose checkpoints all look as given.
func (w *World) WalkFlow(entry vcd.ID, pixels string) {
	w.T.Helper()
	task, err := w.Service.Runs.BeginCapture(w.Working(entry), w.Actor, entry)
	Must(w.T, err)
	shots := map[vcd.ID]run.CaptureResult{}
	for i, e := range task.Flow.Entries {
		shots[e.ID] = run.CaptureResult{Address: task.Flow.Flow.CheckpointAddress(i), Picture: w.Picture(pixels), StatusCode: 200,
			FinalURL: task.Flow.Flow.Definition.Start, SCVersion: "1"}
	}
	Must(w.T, w.Service.Runs.FinishFlow(w.Working(entry), w.Actor, entry, run.FlowResult{Shots: shots}))
}

// AsAccount runs SQL that bypasses the store, bound to an account.
func (w *World) AsAccount(account vcd.ID, do func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(w.T.Context(), w.DB.SystemPool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.T.Context(), "SELECT set_config('afterimage.account', $1, true)", string(account)); err != nil {
			return err
		}
		return do(tx)
	})
}
