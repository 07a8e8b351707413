package hostile

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"sync"

	"afterimage/capture"
)

// sized are pages that attack by how much of something there is.
var sized = []Page{
	tall("very-tall", html(`<title>hostile</title><div style="height:10000000px;background:linear-gradient(red,blue)">`)),
	page("very-wide", html(`<title>hostile</title><meta name=viewport content="width=100000">`+
		`<div style="width:1000000px;height:100px;background:red">`)),
	tall("grows-on-scroll",
		html(`<title>hostile</title><div id=d></div><script>addEventListener('scroll', () => { d.style.height = d.offsetHeight + 5000 + `+
			`'px' })</script><p style="height:2000px">`)),
	tall("grows-by-itself", script(`setInterval(() => { document.body.style.height = document.body.offsetHeight + 5000 + 'px' }, 10)`)),
	refused("memory", script(`for (const kept = [];;) kept.push(new Uint8Array(64 << 20).fill(1))`), capture.ReasonCrashed),
	heavy("memory-of-objects", script(`for (const kept = [];;) kept.push({ kept, text: 'x' + kept.length })`), capture.ReasonCrashed),
	heavy("memory-of-canvases",
		script(`for (let i = 0; i < 30; i++) { const c = document.createElement('canvas'); c.width = c.height = 8000; `+
			`c.getContext('2d').fillRect(0, 0, 8000, 8000); document.body.append(c) }`), capture.ReasonCrashed),
	heavy("deep-tree", script(`let at = document.body; for (let i = 0; i < 100000; i++) at = `+
		`at.appendChild(document.createElement('div'))`), capture.ReasonCrashed),
	heavy("wide-tree", script(`document.body.innerHTML = '<b>x</b>'.repeat(300000)`), capture.ReasonCrashed, capture.ReasonTooLarge),
	hiding("i", heavy("half-a-million-matches", script(`document.body.innerHTML = '<i></i>'.repeat(500000)`), capture.ReasonCrashed)),
	heavy("frames-of-frames", html(`<title>hostile</title>`+forks), capture.ReasonCrashed),
	heavy("huge-picture", html(`<title>hostile</title><img src="huge.png">`), capture.ReasonCrashed),
	heavy("picture-bomb", html(`<title>hostile</title><img src="bomb.png" style="width:100%">`), capture.ReasonCrashed),
	heavy("svg-bomb", html(`<title>hostile</title>`+laughs()), capture.ReasonCrashed),
	heavy("css-bomb", html(cssBomb()), capture.ReasonCrashed),
	heavy("animations",
		html(`<title>hostile</title><style>@keyframes k{to{transform:rotate(1turn)}} `+
			`i{display:inline-block;width:9px;height:9px;background:red;will-change:transform;animation:k 1s infinite}</style>`+
			strings.Repeat("<i></i>", 5000))),
	page("title", script(`document.title = 'x'.repeat(50 << 20)`)),
	heavy("gzip-bomb", gzipBomb, capture.ReasonCrashed, capture.ReasonTooLarge),
}

const forks = `<script>const depth = +new URLSearchParams(location.search).get('depth'); if (depth < 9) for (let i = 0; i < 3; i++) {
	const f = document.createElement('iframe'); f.src = 'frames-of-frames?depth=' + (depth + 1) + '&n=' + Math.random(); ` +
	`document.body.append(f) }</script>`

// laughs is a picture that doubles itself forty times.
func laughs() string {
	var svg strings.Builder
	svg.WriteString(`<svg><defs><g id="g0"><circle r="5"/></g>`)
	name := func(i int) string { return "g" + string(rune('a'+i/10)) + string(rune('0'+i%10)) }
	previous := "g0"
	for i := range 40 {
		svg.WriteString(`<g id="` + name(i) + `"><use href="#` + previous + `"/><use href="#` + previous + `"/></g>`)
		previous = name(i)
	}
	return svg.String() + `</defs><use href="#` + previous + `"/></svg>`
}

// cssBomb doubles a value forty times and stacks filters.
func cssBomb() string {
	var css strings.Builder
	previous := "x"
	for i := range 40 {
		name := "a" + string(rune('a'+i/10)) + string(rune('0'+i%10))
		css.WriteString("--" + name + ":var(--" + previous + ") var(--" + previous + ");")
		previous = name
	}
	return `<title>hostile</title><style>:root{--x:` + strings.Repeat("x ", 100) + `;` + css.String() +
		`} body{font-family:var(--` + previous + `)}
		div{filter:blur(500px) drop-shadow(0 0 500px red);backdrop-filter:blur(300px);width:1000px;height:1000px;` +
		`background:red;box-shadow:` +
		strings.TrimSuffix(strings.Repeat("0 0 900px 300px blue,", 50), ",") + `}</style>` + strings.Repeat("<div>", 60)
}

// parts are what the pages load.
var parts = map[string]http.HandlerFunc{
	"/huge.png":   picture(12_000, 12_000),
	"/bomb.png":   picture(22_000, 22_000),
	"/flood.css":  drip("text/css", "a{}", 0),
	"/events":     drip("text/event-stream", "data: "+strings.Repeat("x", 8000)+"\n\n", 0),
	"/service.js": text("text/javascript", serviceWorker),
}

// picture is a PNG of one colour: small as a file, four bytes for each pixel in memory.
func picture(width, height int) http.HandlerFunc {
	file := sync.OnceValue(func() []byte { return monochrome(width, height) })
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(file())
	}
}

// monochrome encodes a black picture of one bit for each pixel (PNG specification, sections 5 and 11). The standard library
// would ask for the colour of every single one.
func monochrome(width, height int) []byte {
	var pixels bytes.Buffer
	packed := zlib.NewWriter(&pixels)
	row := make([]byte, 1+(width+7)/8) // filter "none" and the pixels
	for range height {
		_, _ = packed.Write(row) // into memory
	}
	_ = packed.Close()
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = append(binary.BigEndian.AppendUint32(header, uint32(height)), 1, 0, 0, 0, 0) // depth 1, grey, and the only methods there are
	file := []byte("\x89PNG\r\n\x1a\n")
	for _, chunk := range []struct {
		kind string
		data []byte
	}{{"IHDR", header}, {"IDAT", pixels.Bytes()}, {"IEND", nil}} {
		file = binary.BigEndian.AppendUint32(file, uint32(len(chunk.data)))
		body := append([]byte(chunk.kind), chunk.data...)
		file = append(file, body...)
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(body))
	}
	return file
}

// gzipBomb is a document of a gigabyte that arrives as one megabyte.
func gzipBomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Content-Encoding", "gzip")
	packed := gzip.NewWriter(w)
	line := []byte(strings.Repeat("<p>hostile</p>", 5000))
	_, _ = io.WriteString(packed, "<!doctype html><title>hostile</title>")
	for range 1 << 30 / len(line) {
		if _, err := packed.Write(line); err != nil {
			return
		}
	}
	_ = packed.Close()
}
