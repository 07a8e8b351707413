package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"go.opentelemetry.io/otel/attribute"

	"afterimage/capture"
	"afterimage/internal/assetcache"
	"afterimage/internal/egress"
	"afterimage/internal/figures"
	"afterimage/internal/tracing"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/run"
)

// Capturer takes screenshots. *chrome.Pool implements it. Its errors are *capture.Failure.
type Capturer interface {
	Capture(ctx context.Context, r capture.Request) (*capture.Shot, error)
}

type captureWorker struct {
	river.WorkerDefaults[captureArgs]
	service   *app.Service
	pictures  pictures
	capturer  Capturer
	walker    Walker // nil where no flows run
	lanes     *lanes
	deadline  time.Duration
	suffix    string // of the user agent
	assets    *assetcache.Cache
	upstreams *egress.Upstreams
	figures   *figures.Figures
	logger    *slog.Logger
}

// lanePatience is how long a job waits for a free lane before it returns to the queue. The queues of all regions share
// the lanes and are fetched from at the same time, so more jobs may be fetched than can run.
const lanePatience = 5 * time.Second

// Timeout covers the wait for a lane, attempts with two schemes, and storing the result.
func (w *captureWorker) Timeout(*river.Job[captureArgs]) time.Duration {
	return CaptureTimeout(w.deadline)
}

func (w *captureWorker) Work(ctx context.Context, job *river.Job[captureArgs]) error {
	if !w.takeLane(ctx) {
		return river.JobSnooze(0)
	}
	defer w.lanes.leave()
	ctx = withCompletion(ctx, job)
	actor := vcd.Actor{Account: job.Args.Account}
	task, err := w.service.Runs.BeginCapture(ctx, actor, job.Args.Entry)
	if err != nil || task == nil {
		return err
	}
	if task.Trial != nil {
		return w.try(ctx, actor, task, regionOf(job.Queue))
	}
	if task.SignIn != nil {
		return w.signIn(ctx, actor, task, regionOf(job.Queue))
	}
	task.Brief = (job.Args.Probe || task.Entry.RefusedSince != nil) && !task.LastAttempt()
	if task.Flow != nil {
		return w.walk(ctx, actor, task, regionOf(job.Queue))
	}
	began := time.Now()
	shot, scheme, err := w.capture(ctx, task, regionOf(job.Queue))
	var overload *run.Overload
	if err == nil {
		overload, err = overloaded(shot, task.LastAttempt(), w.service.Config().Clock.Now())
	}
	if err != nil {
		return w.fail(ctx, actor, task, err, overload)
	}
	if handled, err := w.signedOut(ctx, actor, task, shot, scheme); handled || err != nil {
		return err
	}
	result, err := w.store(ctx, task, shot, scheme)
	if err != nil {
		return err
	}
	result.Overload = overload
	if err := w.service.Runs.FinishCapture(ctx, actor, task.Entry.ID, result); err != nil {
		return err
	}
	w.tell(ctx, task, shot, time.Since(began))
	return nil
}

// noteStages adds the stages of a capture to its span, in page time.
func noteStages(ctx context.Context, shot *capture.Shot) {
	if shot == nil || !tracing.On() {
		return
	}
	for _, s := range shot.Manifest.Stages {
		tracing.Note(ctx, attribute.Float64("stage."+s.Stage+".ms", s.Milliseconds))
	}
}

// tell counts and logs a screenshot that was stored.
func (w *captureWorker) tell(ctx context.Context, task *run.CaptureTask, shot *capture.Shot, took time.Duration) {
	w.figures.Captured(string(task.Device), "", took)
	for _, s := range shot.Manifest.Stages {
		w.figures.Stage(s.Stage, time.Duration(s.Milliseconds*float64(time.Millisecond)))
	}
	w.logger.InfoContext(ctx, "captured", "account", task.Entry.Account, "batch", task.Entry.BatchID, "entry", task.Entry.ID,
		"device", task.Device, "status", shot.Status, "height", shot.Height, "ms", took.Milliseconds())
}

// takeLane waits for a free lane and reports whether it got one.
func (w *captureWorker) takeLane(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, lanePatience)
	defer cancel()
	return w.lanes.take(ctx)
}

// capture tries the task's schemes in order and returns the scheme that the outcome belongs to.
func (w *captureWorker) capture(
	ctx context.Context, task *run.CaptureTask, region vcd.Region,
) (shot *capture.Shot, scheme string, err error) {
	proxy, err := w.proxy(task, region)
	if err != nil {
		return nil, "", err
	}
	for i, next := range task.Schemes {
		r, refusal := w.request(task, next)
		if refusal != nil {
			return nil, "", refusal
		}
		r.Region, r.Proxy, r.Shared = string(region), proxy, w.scope(task, proxy)
		inBrowser, end := tracing.Begin(ctx, "browser", attribute.String("device", string(task.Device)), attribute.String("scheme", next))
		taken, takenErr := w.capturer.Capture(inBrowser, r)
		noteStages(inBrowser, taken)
		end(takenErr)
		if i > 0 && reasonOf(takenErr) == capture.ReasonConnect {
			return nil, scheme, err // both schemes failed: the first error is more informative
		}
		if shot, scheme, err = taken, next, takenErr; !offersNone(err, task) {
			break
		}
	}
	return shot, scheme, err
}

// offersNone reports whether an error means that the server offers no secure connection, so that the next scheme may
// work. A bad certificate does not justify falling back, unless there is a password: then the second scheme is there
// because the client asked for it.
func offersNone(err error, task *run.CaptureTask) bool {
	reason := reasonOf(err)
	return reason == capture.ReasonConnect || reason == capture.ReasonNoTLS || reason == capture.ReasonTLS && task.User != ""
}

// ReasonNoProxy is the failure reason of a page whose group uses a proxy that no worker has. Another attempt would not
// help.
const ReasonNoProxy = "proxy_not_configured"

// proxy returns the proxy for the task's page; nil for none.
func (w *captureWorker) proxy(task *run.CaptureTask, region vcd.Region) (*capture.Proxy, error) {
	if task.ProxyType == vcd.ProxyNone || task.ProxyType == "" {
		return nil, nil
	}
	country := strings.ToLower(cmp.Or(task.ProxyCountry, string(region)))
	upstream := w.upstreams.Pick(string(task.ProxyType), country, task.Address)
	if upstream == nil {
		return nil, &refused{ReasonNoProxy, fmt.Sprintf("No %s proxy in %s is configured. Choose another proxy or location for the group.",
			task.ProxyType, strings.ToUpper(country))}
	}
	return &capture.Proxy{Type: string(task.ProxyType), Country: country, Upstream: upstream}, nil
}

// scope is what the pages of a batch share that reach their sites in the same way. A page is captured with nothing of others
// after a failure, to confirm a change, and as a probe.
func (w *captureWorker) scope(task *run.CaptureTask, proxy *capture.Proxy) *assetcache.Scope {
	e := task.Entry
	if e == nil || e.Attempts > 0 || e.IsConfirmation() {
		return nil
	}
	name := string(e.Account) + " " + string(e.BatchID)
	if proxy != nil {
		name += " " + proxy.Type + " " + proxy.Country + " " + proxy.Upstream.String()
	}
	return w.assets.Scope(name)
}

// refused is a capture that was rejected without an attempt.
type refused struct{ reason, sentence string }

func (r *refused) Error() string { return r.reason + ": " + r.sentence }

func (w *captureWorker) request(task *run.CaptureTask, scheme string) (r capture.Request, err error) {
	r = capture.Request{
		URL: scheme + "://" + task.Address, Device: capture.Device(task.Device),
		Styles: task.Styles, Scripts: task.Scripts, HideConsent: task.HideConsent, Deadline: w.deadline, UserAgentSuffix: w.suffix,
		Later: task.Later, Seed: task.Seed, LeaveRefused: task.Brief,
	}
	if task.User != "" {
		r.Credentials = &capture.Credentials{User: task.User, Password: task.Password}
	}
	if task.Session != "" {
		r.Session, err = capture.ReadSession([]byte(task.Session))
	}
	return r, err
}

func reasonOf(err error) capture.Reason {
	var failure *capture.Failure
	if errors.As(err, &failure) {
		return failure.Reason
	}
	return ""
}

// fail records why the page could not be captured. If this process is stopping, it records nothing and the job is
// restarted elsewhere.
func (w *captureWorker) fail(ctx context.Context, actor vcd.Actor, task *run.CaptureTask, err error, overload *run.Overload) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var never *refused
	if errors.As(err, &never) {
		w.figures.Captured(string(task.Device), never.reason, 0)
		w.logger.InfoContext(ctx, "capture failed", "account", actor.Account, "batch", task.Entry.BatchID, "entry", task.Entry.ID,
			"device", task.Device, "reason", never.reason)
		return w.service.Runs.FailCapture(ctx, actor, task.Entry.ID, run.CaptureFailure{Reason: never.reason, Sentence: never.sentence})
	}
	var failure *capture.Failure
	if !errors.As(err, &failure) {
		return err
	}
	if overload == nil { // without a page
		overload = overloadOf(failure.Status, failure.RetryAfter, w.service.Config().Clock.Now())
	}
	w.figures.Captured(string(task.Device), string(failure.Reason), 0)
	w.logger.InfoContext(ctx, "capture failed", "account", actor.Account, "batch", task.Entry.BatchID, "entry", task.Entry.ID,
		"address", task.Address, "device", task.Device, "reason", failure.Reason, "stage", failure.Stage, "cause", failure.Err)
	return w.service.Runs.FailCapture(ctx, actor, task.Entry.ID, run.CaptureFailure{
		Reason: string(failure.Reason), Sentence: sentence(failure, task), Retryable: failure.Retryable(),
		Address: task.Address, Overload: overload,
	})
}

// sentence is what the owner of the site is told. Where http may work and is not tried because of a password, it says so.
func sentence(failure *capture.Failure, task *run.CaptureTask) string {
	if failure.Reason == capture.ReasonHTTPStatus && failure.Stage == answeredStage { // with a page
		return fmt.Sprintf("The page answered %d (maintenance).", failure.Status)
	}
	if !task.OnlyTLS || !offersNone(failure, task) || failure.Reason == capture.ReasonTLS {
		return failure.Sentence()
	}
	return failure.Sentence() + " The group has a password, which is sent over https only. If it may be sent without encryption, " +
		"save the URL with http:// in front; otherwise remove the password from the group."
}

// store writes the pixels and the page's content to the blob store and returns the description of the rest.
func (w *captureWorker) store(ctx context.Context, task *run.CaptureTask, shot *capture.Shot, scheme string) (run.CaptureResult, error) {
	picture, err := w.pictures.put(ctx, shot.PNG, shot.Width, shot.Height)
	if err != nil {
		return run.CaptureResult{}, err
	}
	elements, err := w.storeContent(ctx, shot)
	if err != nil {
		return run.CaptureResult{}, err
	}
	if task.Flow == nil { // which comes to its pages by steps
		shot.Manifest.Wall = shot.Barrier(scheme + "://" + task.Address)
	}
	manifest, err := json.Marshal(shot.Manifest)
	if err != nil {
		return run.CaptureResult{}, fmt.Errorf("encode the manifest: %w", err)
	}
	return run.CaptureResult{
		Picture: picture, Address: task.Address, Title: shot.Title, StatusCode: shot.Status, FinalURL: shot.FinalURL, Scheme: scheme,
		SCVersion: shot.Manifest.Version(), Truncated: shot.Truncated, Complete: shot.Manifest.Complete,
		Console: shot.Console, Manifest: manifest, Elements: elements,
	}, nil
}

// storeContent stores the readable content of the page. An empty content is not stored.
func (w *captureWorker) storeContent(ctx context.Context, shot *capture.Shot) (string, error) {
	if shot.Content.Empty() {
		return "", nil
	}
	file, err := shot.Content.Encode()
	if err != nil {
		return "", err
	}
	return w.pictures.keep(ctx, file)
}

// CaptureTimeout is how long a capture job may run if a single capture may take deadline.
func CaptureTimeout(deadline time.Duration) time.Duration {
	return 2*(cmp.Or(deadline, capture.DefaultDeadline)+capture.MaxTallTime) + lanePatience + 15*time.Second
}
