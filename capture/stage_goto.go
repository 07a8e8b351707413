package capture

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// guard refuses invalid requests without network access. The egress proxy checks names when they are dialled.
func (r *run) guard() error {
	target, failure := r.req.check()
	if failure != nil {
		return failure
	}
	r.target, r.device = target, devices[r.req.Device]
	return nil
}

// prepare makes the tab emulate the requested device and adds our script to every future document, all in one round
// trip.
func (r *run) prepare() error {
	auth, err := newAuthenticator(r.tab, &r.req)
	if err != nil {
		return err
	}
	r.events.auth = auth
	r.tab.Handle(r.events.handle)
	commands := []proto.Request{
		proto.PageEnable{},
		proto.NetworkEnable{MaxTotalBufferSize: new(0), MaxResourceBufferSize: new(0), MaxPostDataSize: new(0)}, // no bodies
		proto.RuntimeEnable{},
		proto.LogEnable{},
		proto.InspectorEnable{},
		proto.PageAddScriptToEvaluateOnNewDocument{Source: ownScript, WorldName: worldName},
		proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{
			{Name: "prefers-reduced-motion", Value: "reduce"},
			{Name: "prefers-color-scheme", Value: "light"},
			{Name: "forced-colors", Value: "none"},
		}},
		proto.EmulationSetScrollbarsHidden{Hidden: true},
		proto.InputSetIgnoreInputEvents{Ignore: true}, // the browser's own pointer, which would hover over the page's corner
	}
	if r.clock.Virtual() {
		commands = append(commands, proto.RuntimeAddBinding{Name: r.token},
			proto.PageAddScriptToEvaluateOnNewDocument{Source: strings.ReplaceAll(clockScript, "TOKEN", r.token)})
	}
	commands = append(commands, r.otherwise()...)
	commands = append(commands, cookieCommands(&r.req)...)
	commands = append(commands, r.req.Session.commands()...)
	commands = append(commands, r.device.emulation(r.tab.Engine(), r.req.UserAgentSuffix)...)
	commands = append(append(commands, auth.commands()...), r.events.reuse.commands()...)
	if err := r.tab.callAll(commands...); err != nil {
		return err
	}
	return r.clock.Start(r.ctx, r.events, r.req.Date)
}

// navigation is the answer to Page.navigate. rod's protocol does not have its IsDownload.
type navigation struct {
	proto.PageNavigateResult
	IsDownload bool `json:"isDownload"`
}

// navigate returns when the document's response has arrived or the request has failed.
func (r *run) navigate() error {
	request := proto.PageNavigate{URL: r.target.String()}
	raw, err := r.tab.Begin(request).Result(r.ctx)
	if err != nil {
		return err
	}
	answer, err := decodeAnswer[navigation](request, raw)
	if err != nil {
		return err
	}
	doc := r.events.current()
	switch {
	case doc.refused || (answer.ErrorText != "" && r.dialError(doc) != nil):
		return r.refused(doc)
	case answer.IsDownload, answer.ErrorText == "net::ERR_ABORTED" && doc.status != 0:
		return notAPage(doc)
	case answer.ErrorText != "":
		return netFailure(answer.ErrorText)
	case r.req.LeaveRefused && (doc.status == http.StatusTooManyRequests || doc.status == http.StatusServiceUnavailable):
		return errRefused
	}
	return nil
}

// dialError asks the egress guard for an error of the server from which the document was last requested.
func (r *run) dialError(doc document) error {
	at := doc.requested
	if at == "" {
		at = r.target.String()
	}
	u, err := url.Parse(at)
	if err != nil {
		return nil
	}
	return r.tab.Guard().Failure(hostPort(u))
}

func (r *run) refused(doc document) *Failure {
	if err := r.dialError(doc); err != nil {
		return dialFailure(err)
	}
	return failed(ReasonConnect, "the egress proxy could not reach the document's server")
}

// load waits for the document's load event and for the network to become quiet. A document whose resources hang is captured as it
// is, and the manifest names them; one that has not even been parsed in time is a failure.
func (r *run) load() error {
	r.since = r.events.current().count
	ended, err := r.clock.Wait(r.ctx, r.events.when(func() bool {
		return r.events.doc.loaded || r.events.doc.abandoned || r.events.doc.count != r.since
	}), loadBudget)
	if err != nil {
		return err
	}
	doc := r.events.current()
	if abandoned := doc.abandoned && !doc.loaded; abandoned || !ended {
		if err := r.read(); err != nil {
			return err
		}
		r.gaveUp("load")
		r.unanswered = true
		if abandoned {
			r.restless = true
			r.gaveUp("network")
		}
	}
	if err := r.waitQuiet(); err != nil {
		return err
	}
	if r.restless {
		r.events.overdue(true)
	}
	return nil
}

// read checks that the document has been read to its end. DOMContentLoaded also waits for scripts that were deferred.
func (r *run) read() error {
	if r.events.current().parsed {
		return nil
	}
	var parsed bool
	if err := r.ask("parsed", scriptBudget, &parsed); err != nil || parsed {
		return err
	}
	return failed(ReasonTimeout, "the document was not read to its end within %s", loadBudget)
}

// waitQuiet returns immediately when no request is pending. A page whose network never becomes quiet is waited for only
// once.
func (r *run) waitQuiet() error {
	if r.restless {
		return nil
	}
	quiet, err := r.clock.Wait(r.ctx, r.events.when(func() bool {
		return r.events.quiet() || r.events.doc.count != r.since
	}), quietBudget)
	if err != nil {
		return err
	}
	if !quiet {
		r.restless = true
		r.gaveUp("network")
		r.events.overdue(false)
	}
	if r.moved() {
		return errMoved
	}
	return nil
}

// status checks the document that the page has ended up with.
func (r *run) status() error {
	doc := r.events.current()
	switch {
	case doc.refused:
		return r.refused(doc)
	case strings.HasPrefix(doc.url, "chrome-error:"):
		return r.errorPage(doc)
	case !isWeb(doc.url): // blob:, about: and others to which a page may navigate by itself
		return failed(ReasonInvalidAddress, "the page went to %s", shorten(doc.url))
	case doc.status == 401:
		return failed(ReasonCredentials, "the document was answered with status 401")
	case !isHTML(doc.mime):
		return notAPage(doc)
	}
	return nil
}

// errorPage maps the failure of a document that replaced the first one, usually by a script's redirect.
func (r *run) errorPage(doc document) *Failure {
	if err := r.dialError(doc); err != nil {
		return dialFailure(err)
	}
	r.events.mu.Lock()
	defer r.events.mu.Unlock()
	for _, f := range r.events.failures {
		if f.Type == string(proto.NetworkResourceTypeDocument) && f.Error != "" {
			return netFailure(f.Error)
		}
	}
	return failed(ReasonConnect, "the browser shows an error page")
}

// notAPage maps a document that is not a page. For an error status without a page, the failure is about the status.
func notAPage(doc document) *Failure {
	if doc.status == 429 {
		return failed(ReasonRateLimited, "status is 429, and there is no page")
	}
	if doc.status >= 400 || doc.status == 204 || doc.status == 205 {
		return failed(ReasonHTTPStatus, "status is %d and content type %q", doc.status, doc.mime)
	}
	if doc.mime != "" && !isHTML(doc.mime) && !doc.attached {
		return failed(ReasonNotHTML, "content type is %q", doc.mime)
	}
	return failed(ReasonDownload, "content type is %q", doc.mime)
}

func isWeb(address string) bool {
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

func isHTML(mime string) bool { return mime == "text/html" || mime == "application/xhtml+xml" }
