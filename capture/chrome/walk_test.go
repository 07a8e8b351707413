package chrome

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"afterimage/capture"
	"afterimage/internal/flow"
)

// walkThrough does a flow that is written in YAML, without its name.
func walkThrough(t *testing.T, start, steps string, change ...func(*capture.WalkRequest)) *capture.Walked {
	t.Helper()
	f, err := flow.Read([]byte("name: Test\nstart: " + start + "\n" + steps))
	if err != nil {
		t.Fatal(err)
	}
	request := capture.WalkRequest{Flow: f, Request: capture.Request{Device: capture.Desktop}}
	for _, c := range change {
		c(&request)
	}
	walked, err := pool.Walk(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return walked
}

// passes requires that all steps pass.
func passes(t *testing.T, walked *capture.Walked) {
	t.Helper()
	if failed := walked.Failed(); failed != nil {
		t.Errorf("step %d (%s): %s %v", failed.Number, failed.Does, failed.Sentence, failed.Notes)
	}
}

const stall = `<title>Shop</title><style>body{margin:20px;font:16px sans-serif}</style>
<nav><a href="catalogue">Catalogue</a> <a href="about" target="_blank">About us</a></nav>
<label>E-mail <input type=email id=mail></label> <label for=size>Size</label>
<select id=size><option>Small<option value=m>Medium<option disabled>Large<option>Huge</select>
<label><input type=checkbox id=terms> I agree</label> <input placeholder="Search here" id=search>
<button data-testid=buy id=buy>Add to basket</button> <div id=menu tabindex=0>Menu<ul hidden><li>Entry</li></ul></div>
<p id=log></p>
<script>
  const log = (text) => { document.querySelector('#log').textContent += text + ';' };
  buy.onclick = (event) => log('bought ' + event.isTrusted);
  size.onchange = (event) => log('size ' + size.value + ' ' + event.isTrusted);
  size.oninput = (event) => log('input ' + event.isTrusted);
  terms.onchange = (event) => log('terms ' + terms.checked + ' ' + event.isTrusted);
  mail.oninput = (event) => log('mail ' + event.inputType + ' ' + event.isTrusted);
  search.onkeydown = (event) => log('key ' + event.key + ' ' + event.isTrusted);
  menu.onmouseenter = () => { menu.querySelector('ul').hidden = false };
</script>`

func TestAWalkDoesEveryKindOfStep(t *testing.T) {
	start := site.handle(t, "shop", serve("text/html", stall))
	site.handle(t, "catalogue", serve("text/html", `<title>Catalogue</title><h1>Catalogue</h1>
<h2><a href="#fern">Fern</a></h2><div style="height:3000px"></div>
<button onclick="this.after('Pressed')">At the end</button>`))
	site.handle(t, "about", serve("text/html", `<title>About</title><h1>About us</h1>`))
	walked := walkThrough(t, start, `
steps:
  - fill: {label: E-mail}
    value: reader@example.com
  - assert: value
    on: {css: "#mail"}
    equals: reader@example.com
  - fill: {label: E-mail}
    value: other@example.com
  - assert: value
    on: {label: e-mail}
    equals: other@example.com
  - fill: {label: E-mail}
    value: ""
  - assert: value
    on: {label: E-mail}
    equals: ""
  - select: {label: Size}
    value: Huge
  - fill: {role: combobox, name: Size}
    value: m
  - check: {role: checkbox, name: I agree}
  - check: {label: I agree}
  - check: {label: I agree}
    checked: false
  - click: {placeholder: Search here}
  - press: a
  - press: Control+a
  - press: Enter
    on: {css: "#search"}
  - click: [{css: ".none"}, {testid: buy}]
  - assert: text
    on: {css: "#log"}
    equals: >-
      mail insertText true;mail insertText true;mail deleteContentForward true;input true;size Huge true;input true;size m true;terms
      true true;terms false true;key a true;key a true;key Enter true;bought true;
  - hover: {text: Menu}
  - wait: {text: entry}
  - assert: visible
    on: {role: listitem}
    equals: true
  - assert: count
    on: {css: button}
    equals: 1
  - hide: "#log"
  - checkpoint: Shop
  - click: {role: link, name: catalogue}
  - wait: {address: "*/catalogue"}
  - assert: address
    contains: catalogue
  - click: {role: any, name: fern}
  - wait: {address: "*#fern"}
  - scroll: bottom
  - click: {role: button, name: At the end}
  - wait: {text: Pressed}
  - scroll: top
  - checkpoint: Catalogue
  - checkpoint: Heading
    on: {role: heading, name: Catalogue}
  - navigate: shop
  - wait: quiet
  - click: {text: About us}
  - wait: {element: {role: heading, name: About us}}
  - wait: {text: Catalogue, gone: true}
`)
	passes(t, walked)
	shots := shotsOf(walked)
	for name, title := range map[string]string{"Shop": "Shop", "Catalogue": "Catalogue", "Heading": "Catalogue"} {
		if shots[name] == nil || shots[name].Title != title {
			t.Errorf("the picture %s is %+v", name, shots[name])
		}
	}
	if hidden := shots["Shop"].Manifest.Hidden; len(hidden) != 1 || hidden[0].Elements != 1 ||
		strings.Contains(shots["Shop"].Content.Text, "bought") || !strings.Contains(shots["Shop"].Content.Text, "Entry") {
		t.Errorf("hidden %v, text %q", hidden, shots["Shop"].Content.Text)
	}
	if whole, part := shots["Catalogue"], shots["Heading"]; whole.Height < 3000 || part.Height > 100 || part.Width > whole.Width ||
		part.Content.Text != "Catalogue" {
		t.Errorf("the page has %d rows, the heading %d: %q", whole.Height, part.Height, part.Content.Text)
	}
	if m := shots["Catalogue"].Manifest; !strings.HasSuffix(m.FinalURL, "/catalogue#fern") || m.Status != 200 || len(m.Stages) < 8 {
		t.Errorf("manifest %+v", m)
	}
}

// shotsOf are the pictures of a flow by their names.
func shotsOf(walked *capture.Walked) map[string]*capture.Shot {
	shots := make(map[string]*capture.Shot)
	for _, step := range walked.Steps {
		if step.Shot != nil {
			shots[step.Label] = step.Shot
		}
	}
	return shots
}

func onMobile(r *capture.WalkRequest) { r.Request.Device = capture.Mobile }

// TestAWalkFindsElementsInFramesAndShadowTrees, on a telephone, where they are touched.
func TestAWalkFindsElementsInFramesAndShadowTrees(t *testing.T) {
	site.handle(t, "inner", serve("text/html", `<body style="margin:0"><div style="height:900px"></div><label>Card <input></label>
<button onclick="this.textContent = 'Paid ' + event.isTrusted + event.pointerType">Pay</button>`))
	elsewhere := strings.Replace(site.server.URL, "127.0.0.1", "localhost", 1) + "/" + t.Name() + "/inner"
	start := site.handle(t, "page", serve("text/html", `<meta name=viewport content="width=device-width"><my-card></my-card>
<div style="height:1500px"></div><iframe name=own src=inner width=300 height=200></iframe>
<div style="transform:translate(10px, 20px)"><iframe src="`+elsewhere+`" width=300 height=200></iframe></div>
<script>
  customElements.define('my-card', class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: 'open' });
      root.innerHTML = '<button><slot></slot><span aria-hidden=true>+</span>More</button><p></p>';
      root.querySelector('button').onclick = (event) => { root.querySelector('p').textContent = 'Opened ' + event.pointerType };
    }
  });
</script>`))
	passes(t, walkThrough(t, start, `
steps:
  - click: {role: button, name: More, exact: true}
  - wait: {text: Opened touch}
  - fill: {label: Card, nth: 2}
    value: "4000"
  - click: {role: button, name: Pay, nth: 2}
  - assert: text
    on: {role: button, name: Paid}
    equals: Paid truetouch
  - assert: value
    on: {label: Card, nth: 2}
    equals: "4000"
  - assert: value
    on: {label: Card, nth: 1}
    equals: ""
  - checkpoint: Frame
    on: {role: button, name: Paid truetouch}
`, onMobile))
}

// TestATelephoneShowsAWidePageSmaller: what is touched lies elsewhere than on the page.
func TestATelephoneShowsAWidePageSmaller(t *testing.T) {
	start := site.page(t, `<label>E-mail <input></label><label>Password <input></label>
<button onclick="this.textContent = 'In'">Sign in</button><div style="height:3000px"></div>
<button style="margin-left:800px" onclick="this.textContent = 'There'">Far</button>`)
	passes(t, walkThrough(t, start, `
steps:
  - click: {text: Far}
  - fill: {label: Password}
    value: words
  - click: {text: Sign in}
  - wait: {element: {role: button, name: In, exact: true}}
  - wait: {element: {role: button, name: There}}
`, onMobile))
}

// TestStepsThatCannotBeDoneSayWhy: the first one that fails ends the flow, and its sentence says what is there instead.
func TestStepsThatCannotBeDoneSayWhy(t *testing.T) {
	start := site.page(t, `<style>#layer{position:fixed;inset:100px 0 auto;height:200px}</style>
<button>Add to basket</button><button disabled>Buy now</button><a href="#a">One</a><a href="#b">One</a><input id=fixed readonly>
<p hidden>Secret offer</p><input type=file id=file><fieldset disabled><input id=set></fieldset><input id=mail>
<select aria-label=Size><option>Small<option>Large</select>
<button style="position:absolute;top:150px">Behind</button><div id=layer>A layer of words</div>
<script>document.querySelector('#file').onclick = () => document.title = 'clicked'</script>`)
	for _, pair := range [][2]string{
		{`click: {role: button, name: Buy it}`, "Button “Buy it” was not found; nearest: “Buy now”."},
		{`click: {role: button, name: Basket for you}`, "Button “Basket for you” was not found; nearest: “Add to basket”."},
		{`click: {role: slider}`, "Slider was not found; the page shows no slider."},
		{`click: [{testid: none}, {role: button, name: my basket}]`,
			"Test id “none” or button “my basket” was not found; nearest: “Add to basket”."},
		{`click: {css: "#none"}`, "The element #none was not found."},
		{`click: {css: "a["}`, "The browser cannot parse the selector a[."},
		{`click: {role: link, name: one}`, "Link “one” matches 2 elements: be more specific, or add nth."},
		{`click: {role: link, name: One, nth: 3}`, "Link “One” (number 3) was not found: there are only 2."},
		{`click: {role: button, name: Buy now}`, "Button “Buy now” is disabled."},
		{`click: {text: Secret offer}`, "Text “Secret offer” is on the page, but is not visible."},
		{`click: {role: button, name: Behind}`, "Button “Behind” is covered by div#layer “A layer of words”."},
		{`click: {css: "#file"}`, "The element #file opens a chooser of files, which flows do not use."},
		{"fill: {css: \"#fixed\"}\n    value: a", "The element #fixed is read-only."},
		{"fill: {css: \"#set\"}\n    value: a", "The element #set is disabled."},
		{"fill: {role: link, name: One, nth: 1}\n    value: a", "Link “One” (number 1) is not a field for text."},
		{"select: {role: combobox}\n    value: Middle", "Combobox has no option “Middle”; it has “Small”, “Large”."},
		{`check: {role: button, name: Add to basket}`, "Button “Add to basket” cannot be checked."},
		{`wait: {text: Thank you}`, "The page does not show “Thank you”."},
		{`wait: {text: add to, gone: true}`, "The page still shows “add to”."},
		{`wait: {address: /thanks}`, "The page has the address " + start + ", not /thanks."},
		{`wait: {element: {role: button, name: Add to basket}, gone: true}`, "Button “Add to basket” is still there."},
		{"assert: text\n    on: {role: button, name: Buy now}\n    contains: later",
			"The text of button “Buy now” is “Buy now”, expected one that contains “later”."},
		{"assert: count\n    on: {role: link}\n    at_least: 3", "Link is visible 2 times, expected at least 3."},
		{"assert: visible\n    on: {role: button, name: Buy now}\n    equals: false", "Button “Buy now” is visible."},
		{`hide: "a["`, "The browser cannot parse the selector a[."},
		{`navigate: http://127.0.0.2:9/`, "The URL leads to a non-public network, which is not captured."},
	} {
		steps, want := pair[0], pair[1]
		walk := func(deadline string) *capture.Walked {
			return walkThrough(t, start, "steps:\n  - "+steps+"\n    deadline: "+deadline+"\n  - checkpoint: After\n")
		}
		walked := walk("1s")
		if failed := walked.Failed(); failed != nil && failed.Sentence == "The step did not finish within 1s." {
			walked = walk("1m") // a busy machine may need more than a second for a single look
		}
		if failed := walked.Failed(); failed == nil || failed.Number != 1 || failed.Sentence != want {
			t.Errorf("%s: %+v, want %s", steps, failed, want)
		} else if len(failed.Picture) == 0 || walked.Steps[1].State != capture.StepSkipped || walked.Steps[1].Shot != nil {
			t.Errorf("%s: %d bytes of picture, then %+v", steps, len(failed.Picture), walked.Steps[1])
		}
	}
}

// A step that changes something asks before it begins, and is not done if it may not.
func TestAStepThatMayNotBegin(t *testing.T) {
	var bought atomic.Bool
	site.handle(t, "order", func(http.ResponseWriter, *http.Request) { bought.Store(true) })
	start := site.page(t, `<button>Look</button><button onclick="fetch('order')">Buy</button>`)
	f, err := flow.Read([]byte("name: Shop\nstart: " + start + `
steps:
  - click: {role: button, name: Look}
  - click: {role: button, name: Buy}
    changes: true
  - checkpoint: Bought
`))
	if err != nil {
		t.Fatal(err)
	}
	stop, asked := errors.New("stop"), 0
	walked, err := pool.Walk(t.Context(), capture.WalkRequest{Flow: f, Request: capture.Request{Device: capture.Desktop},
		Begins: func(step int) error { asked = step; return stop }})
	if !errors.Is(err, stop) || asked != 2 || len(walked.Steps) != 1 || bought.Load() {
		t.Errorf("asked before step %d, walked %+v, bought %t: %v", asked, walked, bought.Load(), err)
	}
}

// TestAPageGoesOnAfterItsPicture: what was stilled moves again, what was made higher or hidden is as before, and the page is where it
// was scrolled to.
func TestAPageGoesOnAfterItsPicture(t *testing.T) {
	start := site.page(t, `<style>
  body { margin: 0; background: linear-gradient(red, blue) fixed }
  @keyframes turn { to { transform: translateX(50px) } }
  #turns { animation: turn 1s linear infinite; width: 20px; height: 20px; background: green }
  #box { height: 150px; width: 300px; overflow: auto }
  #back { position: fixed; inset: 0; z-index: -1 }
  #bar { position: fixed; top: 0; right: 0; width: 300px; background: white }
</style><div id=back></div><div id=bar><button id=ask>Ask</button><p id=said></p></div>
<div id=turns></div>
<svg width=40 height=40><rect width=10 height=10><animate attributeName=x to=30 dur=1s repeatCount=indefinite /></rect></svg>
<p id=ad>Advertisement</p><div id=box>`+strings.Repeat("<p>A line in a box", 40)+`<button id=inner>In the box</button></div>
<div style="height:2500px"></div><button id=low>Further down</button>
<script>
  const state = {}; let frames = 0; let beats = 0; let chained = 0;
  const loop = () => { frames++; requestAnimationFrame(loop) }; loop();
  setInterval(() => { beats++ }, 100);
  const chain = () => { chained++; setTimeout(chain, 50) }; chain();
  const look = () => ({
    box: box.offsetHeight, style: [...document.querySelectorAll('[style]')].map((e) => e.id + e.getAttribute('style')).join(),
    copies: document.querySelectorAll('[data-afterimage-copy]').length, sheets: document.adoptedStyleSheets.length,
    ad: getComputedStyle(ad).visibility, smil: document.querySelectorAll('animate').length, inner: box.scrollTop, top: Math.round(scrollY),
    turning: turns.getAnimations().map((a) => a.playState).join(), attached: getComputedStyle(document.body).backgroundAttachment,
  });
  ask.onclick = () => {
    const now = JSON.stringify(look());
    const moved = [frames, beats, chained].map((n, i) => n > (state.counts?.[i] ?? -1));
    const other = Object.entries(JSON.parse(now)).filter(([name, value]) => JSON.parse(state.before ?? now)[name] !== value);
    said.textContent = (state.before === undefined ? 'first' : other.length === 0 ? 'same' : JSON.stringify(other)) + ' ' + moved;
    state.before ??= now;
    state.counts = [frames, beats, chained];
  };
</script>`)
	walked := walkThrough(t, start, `
steps:
  - hide: "#ad"
  - scroll: {text: In the box}
  - click: {css: "#ask"}
  - wait: {text: first true}
  - checkpoint: One
  - click: {css: "#ask"}
  - assert: text
    on: {css: "#said"}
    equals: same true,true,true
  - checkpoint: Two
  - checkpoint: Box
    on: {css: "#box"}
  - click: {css: "#inner"}
  - click: {css: "#ask"}
  - assert: text
    on: {css: "#said"}
    equals: same true,true,true
  - click: {css: "#low"}
`)
	passes(t, walked)
	shots := shotsOf(walked)
	one, two, box := shots["One"], shots["Two"], shots["Box"]
	if one == nil || two == nil || box == nil {
		t.Fatal("a picture is missing")
	}
	if one.Height < 4000 || two.Height != one.Height || box.Height < 140 {
		t.Errorf("heights %d, %d and %d", one.Height, two.Height, box.Height)
	}
	alone := take(t, capture.Request{URL: start, Hide: []string{"#ad"}})
	if alone.Height != one.Height {
		t.Errorf("alone, the page has %d rows, in a flow %d", alone.Height, one.Height)
	}
}

// TestStepsFollowThePage: it may go on to another document by a click, later by itself, or while its picture is taken.
func TestStepsFollowThePage(t *testing.T) {
	site.handle(t, "slow", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "second", http.StatusSeeOther)
	})
	site.handle(t, "second", serve("text/html", `<h1>Second</h1><script>
setTimeout(() => { location = 'third' }, 200)</script>`))
	site.handle(t, "third", serve("text/html", `<title>Third</title><h1>Third</h1>
<form action=fourth target=result><button>Send</button></form>
<div style="height:2000px"></div><script>onscroll = () => { if (!location.search) location = 'third?scrolled' }</script>`))
	site.handle(t, "fourth", serve("text/html", `<h1>Fourth</h1>
<button onclick="fetch('data').then(() => { location = 'fifth' })">On</button>`))
	site.handle(t, "data", serve("text/plain", "data"))
	site.handle(t, "file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment")
		serve("text/csv", "a,b")(w, r)
	})
	site.handle(t, "fifth", serve("text/html", `<h1>Fifth</h1><script>onbeforeunload = () => 'Stay?'</script>
<button onclick="this.textContent = confirm('Delete it?')">Delete</button>
<button onclick="this.textContent = String(prompt('Name?', 'Nobody'))">Ask</button>
<button onclick="alert('Hello'); this.textContent = 'Greeted'">Greet</button>
<button onclick="this.textContent = String(window.open('/away'))">Window</button><a href=file>File</a>`))
	start := site.handle(t, "page", serve("text/html", `<a href=slow>First</a>`))
	walked := walkThrough(t, start, `
steps:
  - click: {role: link}
  - assert: text
    on: {role: heading}
    equals: Third
  - checkpoint: Third
  - assert: address
    contains: scrolled
  - click: {role: button, name: Send}
  - click: {role: button, name: "On"}
  - click: {text: Delete}
    dialogs: accept
  - wait: {element: {role: button, name: "true"}}
  - click: {text: Ask}
    dialogs: accept
  - wait: {element: {role: button, name: Nobody}}
  - click: {text: Greet}
    dialogs: dismiss
  - wait: {text: Greeted}
  - click: {text: Nobody}
  - wait: {element: {role: button, name: "null"}}
  - click: {text: Window}
  - assert: count
    on: {role: button, name: "null"}
    equals: 2
  - checkpoint: Fifth
  - navigate: page
  - wait: {text: First}
  - navigate: fifth
  - click: {text: File}
`)
	if failed := walked.Failed(); failed == nil || failed.Number != len(walked.Steps) || failed.Reason != capture.ReasonDownload {
		t.Errorf("%+v", failed)
	}
	notes := ""
	for _, step := range walked.Steps {
		notes += strings.Join(step.Notes, "\n")
	}
	for _, want := range []string{
		"The dialog “Delete it?” (confirm) was accepted.", "The dialog “Hello” (alert) was closed.",
		"The dialog “Name?” (prompt) was declined.",
		"The page tried to open a window with " + site.server.URL + "/away; flows cannot open windows.",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
}

// TestAFlowGivesTheSamePicturesEachTime.
func TestAFlowGivesTheSamePicturesEachTime(t *testing.T) {
	start := site.handle(t, "page", serve("text/html", `<style>@keyframes grow { from { width: 10px } to { width: 300px } }
p.new { animation: grow 2s; background: teal }</style>
<input id=in><button>Add</button><div id=list></div><canvas id=c width=200 height=50></canvas>
<script>
  const draw = () => { c.getContext('2d').fillStyle = 'hsl(' + Math.random() * 360 + ' 80% 50%)';
    c.getContext('2d').fillRect(Math.random() * 150, 0, 50, 50) };
  setInterval(draw, 170);
  document.querySelector('button').onclick = () => {
    const clicked = performance.now();
    fetch('data?' + Math.random()).then((r) => r.text()).then((text) => {
      const p = document.createElement('p'); p.className = 'new';
      p.textContent = text + Math.random() + ' ' + clicked + ' ' + performance.now();
      list.append(p);
    });
  };
</script>`))
	site.handle(t, "data", serve("text/plain", "item "))
	runs := 3
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		runs = 20
	}
	for _, device := range []capture.Device{capture.Desktop, capture.Mobile} {
		var first map[string]*capture.Shot
		for n := range runs {
			walked := walkThrough(t, start, `
steps:
  - fill: {css: "#in"}
    value: words
  - click: {role: button}
  - checkpoint: One
  - click: {role: button}
  - wait: {element: {css: "p:nth-of-type(2)"}}
  - checkpoint: Two
  - checkpoint: List
    on: {css: "#list"}
`, func(r *capture.WalkRequest) { r.Request.Device = device })
			passes(t, walked)
			shots := shotsOf(walked)
			if first == nil {
				first = shots
			}
			for name, shot := range shots {
				if !bytes.Equal(shot.PNG, first[name].PNG) {
					t.Errorf("run %d on %s: the picture %s is another one: %q, first %q",
						n+1, device, name, shot.Content.Text, first[name].Content.Text)
				}
			}
		}
		if len(first) != 3 || bytes.Equal(first["One"].PNG, first["Two"].PNG) {
			t.Errorf("on %s, %d pictures, and those of two states are the same", device, len(first))
		}
	}
}
