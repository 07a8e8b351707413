package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"go.opentelemetry.io/otel/attribute"

	"afterimage/internal/figures"
	"afterimage/internal/tracing"
	"afterimage/internal/webhook"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/outbound"
)

const (
	// deliverWorkers is how many requests to webhooks one process has open. They cost almost nothing: most of them only
	// wait.
	deliverWorkers = 200
	// perWebhook is how many of them may go to the same webhook, so that one that hangs leaves capacity for the others.
	perWebhook = 4
	// turnPause is how long a delivery waits when its webhook has that many requests open.
	turnPause      = time.Second
	deliverTimeout = webhook.Timeout + 15*time.Second // plus the time to read and write around it
)

// Resources returns the subject of an event in the form in which the REST interface shows it to an account, as JSON. It
// fails with vcd.CodeNotFound if the subject no longer exists.
type Resources interface {
	Resource(ctx context.Context, account vcd.ID, event vcd.EventKind, subject vcd.ID) (json.RawMessage, error)
	// Gate is the verdict on the update before a batch, likewise.
	Gate(ctx context.Context, account, batch vcd.ID) (json.RawMessage, error)
	// Address is where clients read the subject.
	Address(event vcd.EventKind, subject vcd.ID) string
	// Changed is where clients list the new changes of a batch.
	Changed(batch vcd.ID) string
}

// deliverWorker attempts deliveries.
type deliverWorker struct {
	river.WorkerDefaults[deliverArgs]
	service   *app.Service
	sender    *webhook.Sender
	resources Resources
	plan      outbound.RetryPlan
	turns     turns
	figures   *figures.Figures
	logger    *slog.Logger
}

func (w *deliverWorker) Timeout(*river.Job[deliverArgs]) time.Duration { return deliverTimeout }

func (w *deliverWorker) Work(ctx context.Context, job *river.Job[deliverArgs]) error {
	ctx = withCompletion(ctx, job)
	actor := vcd.Actor{Account: job.Args.Account}
	task, err := w.service.Outbound.BeginDelivery(ctx, actor, job.Args.Delivery)
	if err != nil || task == nil {
		return err
	}
	if !w.turns.take(task.Delivery.WebhookID) {
		return river.JobSnooze(turnPause + rand.N(turnPause)) //nolint:gosec // spreads load, keeps no secret
	}
	defer w.turns.give(task.Delivery.WebhookID)
	attempt, err := w.attempt(ctx, actor, task)
	if err != nil {
		return err
	}
	result := resultOf(attempt)
	result.Batch = job.Args.Batch
	if err := w.service.Outbound.FinishDelivery(ctx, actor, task.Delivery.ID, result, w.plan); err != nil {
		return err
	}
	w.tell(ctx, job.Args, task.Delivery, &attempt)
	return nil
}

// attempt sends what a delivery tells, or calls. Its error may mean that this process is stopping: another one starts the attempt over.
func (w *deliverWorker) attempt(ctx context.Context, actor vcd.Actor, task *outbound.DeliveryTask) (a webhook.Attempt, err error) {
	ctx, end := tracing.Begin(ctx, "webhook", attribute.String("event", string(task.Delivery.Event)))
	defer func() {
		tracing.Note(ctx, attribute.Int("http.response.status_code", a.Status))
		end(err)
	}()
	if vcd.IsCall(task.Delivery.Event) {
		return w.sender.Call(ctx, task.URL, string(task.Delivery.ID))
	}
	body, err := w.body(ctx, actor, task.Delivery)
	if err != nil {
		return webhook.Attempt{}, err
	}
	return w.sender.Send(ctx, webhook.Request{URL: task.URL, ID: string(task.Delivery.ID), Body: body, Secrets: task.Secrets})
}

// tell counts and logs an attempt. The receiver is not named: its address may hold a secret.
func (w *deliverWorker) tell(ctx context.Context, args deliverArgs, d *vcd.Delivery, a *webhook.Attempt) {
	attrs := []any{"account", args.Account}
	if args.Batch != "" {
		attrs = append(attrs, "batch", args.Batch)
	}
	attrs = append(attrs, "delivery", d.ID, "webhook", d.WebhookID, "event", d.Event, "attempt", d.Attempts+1, "status", a.Status,
		"ms", a.Latency.Milliseconds())
	switch a.Outcome {
	case webhook.Delivered:
		w.figures.Delivered("delivered")
		w.logger.InfoContext(ctx, "delivered", attrs...)
	case webhook.Gone:
		w.figures.Delivered("gone")
		w.logger.InfoContext(ctx, "delivery rejected permanently", attrs...)
	default:
		w.figures.Delivered(figures.Failed)
		w.logger.InfoContext(ctx, "delivery failed", attrs...)
	}
}

// body is composed at the first attempt and kept for the following ones: all attempts send and sign the same bytes.
func (w *deliverWorker) body(ctx context.Context, actor vcd.Actor, d *vcd.Delivery) ([]byte, error) {
	if d.Body != nil {
		return d.Body, nil
	}
	data, err := w.resources.Resource(ctx, d.Account, d.Event, d.SubjectID)
	switch {
	case vcd.CodeOf(err) == vcd.CodeNotFound:
		data = json.RawMessage("null")
	case err != nil:
		return nil, fmt.Errorf("write the body of delivery %s: %w", d.ID, err)
	}
	out := payload{
		ID: d.ID, Event: d.Event, CreatedAt: d.CreatedAt.UTC().Format(time.DateTime), Account: d.Account, Data: data,
		Version: payloadVersion, Number: d.Number, Links: links{API: w.resources.Address(d.Event, d.SubjectID)},
	}
	switch d.Event {
	case vcd.EventBatchFinished:
		err = w.addOutcome(ctx, actor, d.SubjectID, &out)
	case vcd.EventBatchDecided:
		err = w.addGate(ctx, d, &out)
	default:
		err = nil
	}
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("write delivery %s: %w", d.ID, err)
	}
	return w.service.Outbound.KeepDeliveryBody(ctx, actor, d.ID, body)
}

func resultOf(a webhook.Attempt) outbound.DeliveryResult {
	return outbound.DeliveryResult{
		At: a.At, Latency: a.Latency, Status: a.Status, Answer: a.Body, Delivered: a.Outcome == webhook.Delivered,
		Gone: a.Outcome == webhook.Gone, Problem: a.Problem, RetryAfter: a.RetryAfter,
	}
}

// turns counts the open requests per webhook.
type turns struct {
	mu   sync.Mutex
	open map[vcd.ID]int
}

func (t *turns) take(hook vcd.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[hook] >= perWebhook {
		return false
	}
	if t.open == nil {
		t.open = make(map[vcd.ID]int)
	}
	t.open[hook]++
	return true
}

func (t *turns) give(hook vcd.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[hook]--; t.open[hook] == 0 {
		delete(t.open, hook)
	}
}
