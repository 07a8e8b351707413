package chrome

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// canary has everything in it that is written in several ways, and no part of it stands anywhere else.
const canary = `Zq7&"<ü'+/ wJx9`

func withSecret(t *testing.T, name, text string) func(*capture.WalkRequest) {
	t.Helper()
	secret, err := capture.NewSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	return func(r *capture.WalkRequest) {
		if r.Secrets == nil {
			r.Secrets = make(map[string]capture.Secret)
		}
		r.Secrets[name] = secret
	}
}

// TestASecretIsSeenNowhere, though the page does all it can to show it.
func TestASecretIsSeenNowhere(t *testing.T) {
	start := site.handle(t, "page", serve("text/html; charset=utf-8", `<meta charset=utf-8><style>body{margin:0}p{margin:8px}</style>
<input id=pass style="width:200px"><p id=echo></p><p id=parts></p><p id=upper style="text-transform:uppercase;font-size:20px"></p>
<p id=shaded style="text-shadow:2px 2px red;-webkit-text-fill-color:blue"></p><p id=pseudo></p>
<style>#pseudo::before{content:attr(data-x);color:red}</style>
<svg width=400 height=40><text id=drawn y=20></text></svg><input id=other><input id=hint><select id=list><option id=option></select>
<textarea id=area></textarea><div id=host></div><p id=long></p><a id=link>Link</a><button>Go</button>
<script>
  host.attachShadow({ mode: 'open' }).innerHTML = '<p></p>';
  pass.oninput = () => {
    const s = pass.value;
    for (const e of [echo, upper, shaded, drawn, option]) e.textContent = s;
    host.shadowRoot.querySelector('p').textContent = s;
    parts.replaceChildren(s.slice(0, 5), Object.assign(document.createElement('b'), { textContent: s.slice(5, 9) }), s.slice(9));
    pseudo.dataset.x = s; other.value = s; hint.placeholder = s; area.value = s;
    long.textContent = '.'.repeat(190) + s; link.href = '?q=' + encodeURIComponent(s); link.className = s; link.title = s;
    document.title = 'Title ' + s;
    const ways = [s, encodeURIComponent(s), btoa(unescape(encodeURIComponent('user:' + s))), JSON.stringify(s), new URLSearchParams({ s }),
      s.replace(/[&<>"']/g, (c) => '&#' + c.charCodeAt(0) + ';').slice(0, 0) + new Option(s).innerHTML, escape(s)];
    ways.forEach((way) => console.log('Said ' + way));
    history.replaceState(null, '', '?s=' + encodeURIComponent(s));
    fetch('missing?s=' + encodeURIComponent(s));
    document.documentElement.style.setProperty('--secret', s);
  };
  document.querySelector('button').onclick = () => alert(pass.value);
</script>`))
	steps := `
steps:
  - fill: {css: "#pass"}
    secret: password
  - checkpoint: One
  - click: {role: button}
  - checkpoint: Part
    on: {css: "#echo"}
  - assert: text
    on: {css: "#echo"}
    equals: something else
    deadline: 1s
`
	walked := walkThrough(t, start, steps, withSecret(t, "password", canary))
	failed := walked.Failed()
	if failed == nil || failed.Number != 5 || failed.Sentence != "The text of #echo is “[secret password]”, expected “something else”." {
		t.Fatalf("%+v", failed)
	}
	told, err := json.Marshal(walked)
	if err != nil {
		t.Fatal(err)
	}
	wantNoCanary(t, string(told)+fmt.Sprintf("%+v", walked))
	for _, want := range []string{"Said [secret password]", "Title [secret password]", "missing?s=[secret password]",
		"“[secret password]” (alert)"} {
		if !strings.Contains(string(told), want) {
			t.Errorf("no %q", want)
		}
	}
	shots := shotsOf(walked)
	one := picture(t, shots["One"])
	for _, id := range []string{"#pass", "#other", "#hint", "#list", "#area"} {
		box := boxIn(t, shots["One"], id)
		if colours := coloursIn(one, box); len(colours) != 1 {
			t.Errorf("%s has the colours %v", id, colours)
		}
	}
	for _, id := range []string{"#echo", "#parts", "#upper", "#shaded"} {
		box := boxIn(t, shots["One"], id)
		for c := range coloursIn(one, box) {
			if c != white && c != (color.RGBA{0x75, 0x75, 0x75, 255}) {
				t.Errorf("%s shows %v", id, c)
			}
		}
	}
	for c, n := range coloursIn(one, one.Bounds()) {
		if c.R > 200 && c.G < 100 && c.B < 100 {
			t.Errorf("%d pixels are %v", n, c) // the text of #pseudo, or the shadow of #shaded
		}
	}
	part, err := png.Decode(bytes.NewReader(shots["Part"].PNG))
	if err != nil || len(coloursIn(part, part.Bounds())) > 2 {
		t.Errorf("the picture of the element has the colours %v, %v", coloursIn(part, part.Bounds()), err)
	}
	last, err := png.Decode(bytes.NewReader(failed.Picture))
	if err != nil {
		t.Fatal(err)
	}
	if colours := coloursIn(last, boxIn(t, shots["One"], "#pass")); len(colours) != 1 {
		t.Errorf("after the failure the field has the colours %v", colours)
	}
	for _, file := range [][]byte{shots["One"].PNG, shots["Part"].PNG, failed.Picture} {
		wantNoCanary(t, string(file))
	}
}

// wantNoCanary looks for pieces of the canary that no encoding changes, and for the encodings that change all of it.
func wantNoCanary(t *testing.T, text string) {
	t.Helper()
	for _, piece := range []string{"Zq7", "zq7", "ZQ7", "wJx9", "WJX9", "5a7137", "WnE3", "d0p4O", "pxNyZ", "acTc"} {
		if i := strings.Index(text, piece); i >= 0 {
			t.Errorf("%q is told: …%s…", piece, text[max(0, i-80):min(len(text), i+80)])
		}
	}
}

func boxIn(t *testing.T, shot *capture.Shot, selector string) image.Rectangle {
	t.Helper()
	for _, e := range shot.Content.Elements {
		if e.Selector == selector {
			return e.Box.Rect()
		}
	}
	t.Errorf("%s is not in the picture", selector)
	return page.Box{}.Rect()
}

func coloursIn(img image.Image, box image.Rectangle) map[color.RGBA]int {
	found := make(map[color.RGBA]int)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, b, a := img.At(x, y).RGBA()
			found[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}]++
		}
	}
	return found
}

// TestASecretStaysWithItsHosts: it is not typed into a page or a frame of another one, and what was typed is not sent there.
func TestASecretStaysWithItsHosts(t *testing.T) {
	var mu sync.Mutex
	received := ""
	site.handle(t, "login", serve("text/html", `<label>Password <input type=password name=p></label>`))
	site.handle(t, "sink", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		received += r.URL.String() + string(body)
		mu.Unlock()
		w.Header().Set("Access-Control-Allow-Origin", "*")
		serve("text/html", "<h1>Received</h1>")(w, r)
	})
	host := strings.Replace(site.hostPort(), "127.0.0.1", "localhost", 1)
	elsewhere := "http://" + host + "/" + t.Name() + "/"
	site.handle(t, "away", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere+"login", http.StatusFound) })
	site.handle(t, "hop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere+"sink", http.StatusTemporaryRedirect)
	})
	start := site.handle(t, "page", serve("text/html", `<iframe src="`+elsewhere+`login"></iframe>
<form method=post><label>Mine <input name=p></label><button formaction="hop">Hop</button><button formaction="sink">Own</button>
<button type=button onclick="fetch('`+elsewhere+`sink?p=' + btoa(document.querySelector('[name=p]').value))">Fetch</button></form>`))
	secret := withSecret(t, "password", canary)
	refusal := "The secret password is for " + site.hostPort() + " and was not given to " + host + "."
	for _, steps := range []string{
		"steps:\n  - navigate: away\n  - fill: {label: Password}\n    secret: password\n",
		"steps:\n  - wait: quiet\n  - fill: {label: Password}\n    secret: password\n",
	} {
		if failed := walkThrough(t, start, steps, secret).Failed(); failed == nil || failed.Number != 2 || failed.Sentence != refusal {
			t.Errorf("%+v, want %s", failed, refusal)
		}
	}
	walked := walkThrough(t, start, `
steps:
  - fill: {label: Mine}
    secret: password
  - click: {text: Fetch}
  - click: {text: Own}
  - assert: text
    contains: Received
  - navigate: page
  - fill: {label: Mine}
    secret: password
  - click: {text: Hop}
`, secret)
	failed := walked.Failed()
	mu.Lock()
	defer mu.Unlock()
	if failed == nil || failed.Number != 7 || strings.Count(received, "Zq7") != 1 || strings.Contains(received, "WnE3") {
		t.Errorf("%+v; received %q", failed, received)
	}
	prevented := "The page tried to send the secret password to " + host + ", which was prevented."
	if notes := walked.Steps[1].Notes; len(notes) != 1 || notes[0] != prevented {
		t.Errorf("notes %q", notes)
	}
	if failed != nil && (len(failed.Notes) != 1 || failed.Notes[0] != prevented) {
		t.Errorf("notes %q", failed.Notes)
	}
}

// TestOneTimeCodesAreTyped from a seed, and hidden like other secrets.
func TestOneTimeCodesAreTyped(t *testing.T) {
	start := site.page(t, `<input id=code oninput="document.title = 'Code ' + this.value">`)
	walked := walkThrough(t, start, `
steps:
  - fill: {css: "#code"}
    secret: code
  - assert: value
    on: {css: "#code"}
    matches: "^[0-9]{6}$"
  - checkpoint: Code
`, withSecret(t, "code", "otpauth://totp/Shop?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
	passes(t, walked)
	if shot := shotsOf(walked)["Code"]; shot == nil || shot.Title != "Code [secret code]" {
		t.Errorf("%+v", shot)
	}
}
