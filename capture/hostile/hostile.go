// Package hostile holds pages that try to hang, crash, fill or confuse a browser that captures them, each with the
// required outcome of its capture. Tests capture them; the program does not contain them.
package hostile

import (
	"net/http"
	"slices"
	"time"

	"afterimage/capture"
)

// Page is one hostile page.
type Page struct {
	Name string
	// Ends are the reasons with which its capture may fail. Captured among them means that it may succeed; which of several
	// it is depends on how fast the machine is.
	Ends     []capture.Reason
	Deadline time.Duration // to capture it with: short where nothing but the deadline ends it
	Tall     bool          // it takes several slices, for which its deadline is later
	Soon     bool          // it must not take its time
	Hide     []string      // selectors whose elements are hidden
	serve    http.HandlerFunc
}

// Captured stands among a page's ends for a picture.
const Captured capture.Reason = ""

// Deadlines of pages that end by themselves, of those that may take any time, and of those that nothing else ends.
const (
	patient   = 3 * time.Minute
	moderate  = 5 * time.Second
	impatient = 2 * time.Second
)

// Endings names a page's ends for a table.
func (p Page) Endings() []string {
	names := make([]string, len(p.Ends))
	for i, reason := range p.Ends {
		names[i] = Name(reason)
	}
	return names
}

// Name is a reason's word, or "captured".
func Name(reason capture.Reason) string {
	if reason == Captured {
		return "captured"
	}
	return string(reason)
}

// Pages lists them all by what they attack.
func Pages() []Page {
	return slices.Concat(scripted, sized, answered, moved, asking)
}

// ControlPath is a harmless page: its picture after a hostile page has to be the one from before.
const ControlPath = "/control"

// Handler serves every page under its name, and the control page.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(ControlPath, html(control))
	for _, page := range Pages() {
		mux.HandleFunc("/"+page.Name, page.serve)
	}
	for path, serve := range parts {
		mux.HandleFunc(path, serve)
	}
	return mux
}

const control = `<!doctype html><title>control</title><style>
body { margin: 0; font: 18px/1.5 sans-serif; background: linear-gradient(#eef, #fee) fixed }
section { height: 700px; margin: 20px; border-radius: 30px; padding: 30px; background: conic-gradient(gold, teal, navy, gold); color: ` +
	`white }
</style><section><h1>A page like others</h1><p>Some text in a font.</section><section><svg width="300" height="300">` +
	`<circle cx="150" cy="150" r="120" fill="crimson"/></svg></section>
<section id="s"></section><script>for (let i = 0; i < 200; i++) s.append(i + ' ')</script>`

// html serves a document.
func html(body string) http.HandlerFunc { return text("text/html; charset=utf-8", body) }

func text(kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write([]byte(body)) // the reader may have gone
	}
}

// script serves a page with text and a script.
func script(source string) http.HandlerFunc {
	return html("<!doctype html><title>hostile</title><p>hostile</p><script>" + source + "</script>")
}

// soon is a page that must not take its time.
func soon(p Page) Page {
	p.Soon = true
	return p
}

// hiding is a page in which the elements of a selector are hidden.
func hiding(selector string, p Page) Page {
	p.Hide = []string{selector}
	return p
}

// page is one that is captured all the same.
func page(name string, serve http.HandlerFunc) Page {
	return Page{Name: name, Ends: []capture.Reason{Captured}, Deadline: patient, serve: serve}
}

// tall is one that is captured up to the largest height.
func tall(name string, serve http.HandlerFunc) Page {
	p := page(name, serve)
	p.Tall = true
	return p
}

// heavy is a page that is captured where there is time and memory enough.
func heavy(name string, serve http.HandlerFunc, or ...capture.Reason) Page {
	return Page{Name: name, Ends: append([]capture.Reason{Captured, capture.ReasonTimeout}, or...), Deadline: moderate, serve: serve}
}

// dead is a page that nothing but the deadline ends.
func dead(name string, serve http.HandlerFunc, or ...capture.Reason) Page {
	return Page{Name: name, Ends: append([]capture.Reason{capture.ReasonTimeout}, or...), Deadline: impatient, serve: serve}
}

// refused is a page whose capture fails by itself.
func refused(name string, serve http.HandlerFunc, ends ...capture.Reason) Page {
	return Page{Name: name, Ends: ends, Deadline: patient, serve: serve}
}
