package reach_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/capture/reach"
	"afterimage/capture/zoo"
	"afterimage/internal/egress"
	"afterimage/internal/page"
)

// markScript marks every text of a page that a person could bring on the screen.
//
//go:embed marks.js
var markScript string

// mark is one text of a page.
type mark struct {
	ID     int
	Colour uint32
	Text   string
	By     []string // elements that have to be scrolled
	Around []string // all elements around it
	X, Y   int      // on the page
}

// marked is what the script tells of a page.
type marked struct {
	Page  string
	Marks []mark
}

// marking adds the script to every document of a site, and keeps what it tells.
type marking struct {
	http.Handler

	mu    sync.Mutex
	pages map[string]marked
}

func (m *marking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/marks" {
		var told marked
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<20)).Decode(&told); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.pages[told.Page] = told
		return
	}
	answer := httptest.NewRecorder()
	r.Header.Del("If-Modified-Since")
	r.Header.Del("Range")
	m.Handler.ServeHTTP(answer, r)
	body := answer.Body.String()
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	if strings.HasPrefix(answer.Header().Get("Content-Type"), "text/html") {
		// The doctype has to stay first.
		at := strings.Index(body, "<head>") + len("<head>")
		if at < len("<head>") {
			at = max(strings.Index(body, ">")+1, 0)
		}
		body = body[:at] + "<script>" + markScript + "</script>" + body[at:]
		w.Header().Del("Content-Length")
		w.Header().Del("Content-Security-Policy")
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write([]byte(body))
}

// tally is what became of the marks of pages.
type tally struct{ marks, shown, told, lost int }

func (sum *tally) add(t tally) {
	sum.marks, sum.shown, sum.told, sum.lost = sum.marks+t.marks, sum.shown+t.shown, sum.told+t.told, sum.lost+t.lost
}

// count looks for the marks of a page in its picture. What is not there has to be told.
func (m *marking) count(t *testing.T, shot *capture.Shot, at string) (sum tally) {
	t.Helper()
	m.mu.Lock()
	told, ok := m.pages[strings.TrimSuffix(at, "index.html")] // where the server of files leads
	m.mu.Unlock()
	if !ok {
		t.Logf("%s told of no marks", at)
		return sum
	}
	img := pixels(t, shot)
	pixelsOf, blocks := coloursOf(img), blocksOf(img)
	var lost []string
	for _, mark := range told.Marks {
		sum.marks++
		c := color.RGBA{uint8(mark.Colour >> 16), uint8(mark.Colour >> 8), uint8(mark.Colour), 255}
		switch {
		case pixelsOf[c] >= 2 || shaded(blocks, c):
			sum.shown++
		case slices.ContainsFunc(shot.Manifest.Missing, mark.in(shot)):
			sum.told++
			t.Logf("%s: told, not shown: %q %v", at, mark.Text, mark.By)
		default:
			sum.lost++
			lost = append(lost, fmt.Sprintf("%q %v", mark.Text, mark.By))
		}
	}
	if len(lost) > 0 {
		t.Errorf("%s: %d of %d marks are neither shown nor told: %s", at, len(lost), sum.marks,
			strings.Join(lost[:min(len(lost), 5)], ", "))
	}
	t.Logf("%s: %d marks, %d shown, %d told (%v)", at, sum.marks, sum.shown, sum.told, shot.Manifest.Missing)
	return sum
}

// coloursOf counts the pixels of each colour, run by run.
func coloursOf(img *image.RGBA) map[color.RGBA]int {
	counts := make(map[color.RGBA]int)
	for begin, end := 0, 0; begin < len(img.Pix); begin = end {
		for end = begin; end < len(img.Pix) && [4]byte(img.Pix[end:]) == [4]byte(img.Pix[begin:]); {
			end += 4
		}
		counts[color.RGBA{img.Pix[begin], img.Pix[begin+1], img.Pix[begin+2], 255}] += (end - begin) / 4
	}
	return counts
}

// blocksOf are the colours of squares of a picture that are as large as a mark is at least.
func blocksOf(img *image.RGBA) map[color.RGBA]bool {
	blocks := make(map[color.RGBA]bool)
	var last color.RGBA // most squares have the colour of the one before
	for y := range img.Rect.Dy() - 2 {
		row, below, under := img.Pix[y*img.Stride:], img.Pix[(y+1)*img.Stride:], img.Pix[(y+2)*img.Stride:]
		for x := 0; x < 4*(img.Rect.Dx()-2); x += 4 {
			c := [4]byte(row[x:])
			if rgba(c) == last {
				continue
			}
			if c == [4]byte(under[x+8:]) && c == [4]byte(row[x+8:]) && c == [4]byte(under[x:]) && c == [4]byte(below[x+4:]) {
				last = rgba(c)
				blocks[last] = true
			}
		}
	}
	return blocks
}

func rgba(c [4]byte) color.RGBA { return color.RGBA{c[0], c[1], c[2], c[3]} }

// in reports whether the part of a page that its picture does not show is one with the mark. Characters without a font, and files that
// were still loading, are other matters.
func (m *mark) in(shot *capture.Shot) func(part page.Missing) bool {
	return func(part page.Missing) bool {
		inside := slices.Contains(m.Around, part.Element)
		switch part.Kind {
		case page.MissingScrolled, page.MissingFrame:
			return inside
		case page.MissingHidden:
			return inside || strings.HasPrefix(part.Text, m.Text) || part.Element == "" && m.Y >= shot.Height
		case page.MissingCut, page.MissingAside:
			return m.Y >= shot.Height || m.X < 0 || m.X >= shot.Width
		case page.MissingGlyphs, page.MissingLoading, page.MissingPlaying:
		}
		return false
	}
}

// mostShade is how much darker or lighter a mark may be, in each channel, on which the shadow of another part falls.
const mostShade = 12

func shaded(blocks map[color.RGBA]bool, mark color.RGBA) bool {
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= mostShade }
	for c := range blocks {
		if near(c.R, mark.R) && near(c.G, mark.G) && near(c.B, mark.B) {
			return true
		}
	}
	return false
}

// zooPages are the pages of the zoo that are about scrolling and layout: others replace their texts.
var zooPages = []string{"reveal", "infinite-scroll", "parallax", "sticky-header", "fixed-bars", "smooth-scroll", "hero",
	"content-visibility", "dialog", "popover", "frame-same", "frame-cross", "shadow-open", "shadow-closed"}

// TestEveryTextIsShownOrTold marks the texts of pages and looks for the marks: of the pages of this package and of the zoo, and of
// the HTML files below the folder AFTERIMAGE_TEMPLATES, see templates.sh. Of our own a third will do each day, of which
// TestAPageIsSeenWholeOrSaidNotToBe leaves most out; AFTERIMAGE_SOAK=1 takes all.
func TestEveryTextIsShownOrTold(t *testing.T) {
	var sum tally
	sites := map[string]http.Handler{"reach": reachHandler(), "zoo": zooHandler(t)}
	addresses := map[string][]string{}
	outOfReach := make(map[string]bool) // pages of which no picture shows all
	for _, p := range reach.Pages() {
		if hasMarks(p) {
			addresses["reach"] = append(addresses["reach"], "/"+p.Name+"/19.50")
			outOfReach["/"+p.Name+"/19.50"] = p.Told
		}
	}
	for i, name := range zooPages {
		if i%3 == 0 || soak {
			addresses["zoo"] = append(addresses["zoo"], "/"+name)
		}
	}
	all := soak
	if folder := os.Getenv("AFTERIMAGE_TEMPLATES"); folder != "" {
		all = true
		sites = map[string]http.Handler{"templates": http.FileServer(http.Dir(folder))}
		addresses = map[string][]string{"templates": templates(t, folder)}
	}
	for name, handler := range sites {
		marks := &marking{Handler: handler, pages: make(map[string]marked)}
		server := httptest.NewServer(marks)
		t.Cleanup(server.Close)
		for _, page := range addresses[name] {
			found := marks.capture(t, server, page)
			if outOfReach[page] { // 99.5 % is asked of the others
				found.marks -= found.told
			}
			sum.add(found)
		}
	}
	t.Logf("%d marks, %d shown (%.2f %%), %d told, %d lost", sum.marks, sum.shown,
		100*float64(sum.shown)/float64(max(sum.marks, 1)), sum.told, sum.lost)
	least := 100
	if all {
		least = 300
	}
	if sum.marks < least {
		t.Errorf("only %d marks were planted", sum.marks)
	}
	if 1000*sum.shown < 995*sum.marks {
		t.Errorf("%d of %d marks are shown, want 99.5 %%", sum.shown, sum.marks)
	}
}

// hasMarks reports whether the texts of a page of this package are marked today. What is drawn loses its marks.
func hasMarks(p reach.Page) bool {
	pages := slices.DeleteFunc(reach.Pages(), func(p reach.Page) bool { return p.Drawn || p.Tall })
	at := slices.IndexFunc(pages, func(other reach.Page) bool { return other.Name == p.Name })
	return at >= 0 && (at%3 == 0 || soak)
}

var marksPool struct {
	once sync.Once
	pool *chrome.Pool
}

func (m *marking) capture(t *testing.T, server *httptest.Server, page string) tally {
	t.Helper()
	marksPool.once.Do(func() {
		policy, err := egress.NewPolicy("127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		if marksPool.pool, err = chrome.Start(t.Context(), chrome.Config{Lanes: 1, Policy: policy}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := marksPool.pool.Close(); err != nil {
				t.Error(err)
			}
		})
	})
	shot, err := marksPool.pool.Capture(t.Context(), capture.Request{
		URL: server.URL + page, Device: capture.Desktop, Deadline: 3 * time.Minute, // on a busy machine
	})
	if err != nil {
		t.Errorf("%s: %v", page, err)
		return tally{}
	}
	if folder := os.Getenv("AFTERIMAGE_REACH_KEEP"); folder != "" {
		name := strings.ReplaceAll(strings.Trim(page, "/"), "/", "_") + ".png"
		if err := os.WriteFile(filepath.Join(folder, name), shot.PNG, 0o600); err != nil {
			t.Error(err)
		}
	}
	return m.count(t, shot, page)
}

// templates are the HTML files of a folder that stand for whole pages, as paths of a site.
func templates(t *testing.T, folder string) []string {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(folder, "pages.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	for _, name := range strings.Fields(string(list)) {
		pages = append(pages, "/"+path.Clean(name))
	}
	return pages
}

func reachHandler() http.Handler {
	pages := http.NewServeMux()
	for _, p := range reach.Pages() {
		pages.HandleFunc("/"+p.Name+"/{price}", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, p.HTML(r.PathValue("price")))
		})
	}
	return pages
}

// zooHandler serves the zoo, with the parts that its pages load from elsewhere.
func zooHandler(t *testing.T) http.Handler {
	t.Helper()
	site, err := zoo.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	handler, err := zoo.Handler(site.OtherURL)
	if err != nil {
		t.Fatal(err)
	}
	return handler
}
