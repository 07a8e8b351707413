package graph_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/graph"
	"afterimage/internal/blob"
	"afterimage/internal/page"
	"afterimage/internal/upload"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// gate is a server that takes uploads, with an open one.
type gate struct {
	*world
	at    *site
	files *blob.Folder
	batch string
}

func newGate(t *testing.T) *gate {
	t.Helper()
	w := newWorld(t)
	files, err := blob.Open(t.TempDir())
	w.check(err)
	at := serve(t, w.use, func(c *graph.Config) { c.Pictures = upload.New(w.store, files) })
	at.token = w.token
	return w.gate(t, at, files)
}

// beside is the same server for another account.
func (g *gate) beside(t *testing.T, email string) *gate {
	t.Helper()
	_, token, _ := g.open(email)
	w, at := *g.world, *g.at
	w.site, at.token = w.as(token), token
	return w.gate(t, &at, g.files)
}

// gate begins an upload to a server.
func (w *world) gate(t *testing.T, at *site, files *blob.Folder) *gate {
	t.Helper()
	group, _ := w.group("shop")
	batch := w.must(`mutation ($group: ID!) { beginUpload(input: {groupId: $group, scType: PRE, build: "1", shards: 2, name: "main"}) {
		batchId open shards finishedShards batch { name type groups { id } } } }`, vars{"group": group})
	want(t, "name", batch.at(t, "beginUpload", "batch", "name"), "main")
	want(t, "group", batch.at(t, "beginUpload", "batch", "groups", 0, "id"), group)
	want(t, "shards", batch.at(t, "beginUpload", "shards"), 2)
	return &gate{w, at, files, batch.text(t, "beginUpload", "batchId")}
}

func (g *gate) address(name, device string) string {
	return g.at.url + graph.UploadPrefix + g.batch + "?" + url.Values{"name": {name}, "device": {device}}.Encode()
}

// send sends a picture; changes are made to the request.
func (g *gate) send(name, device string, file io.Reader, changes ...func(*http.Request)) *answer {
	g.t.Helper()
	r, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.address(name, device), file)
	g.check(err)
	r.Header.Set("Authorization", "Bearer "+g.token)
	r.Header.Set("Content-Type", "image/png")
	for _, change := range changes {
		change(r)
	}
	return g.at.do(r)
}

func drawn(t *testing.T, width, height int, c color.Color) *bytes.Buffer {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	img.Set(width/2, height/2, c)
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	return &file
}

func (g *gate) wants(what string, a *answer, status int, code, field string) {
	g.t.Helper()
	path := ""
	if len(a.Errors) > 0 && len(a.Errors[0].Extensions.Fields) > 0 {
		path = a.Errors[0].Extensions.Fields[0].Path
	}
	if a.status != status || a.code() != code || path != field {
		g.t.Errorf("%s: status %d, want %d %s %q: %s", what, a.status, status, code, field, a.body)
	}
}

func TestAScreenshotIsUploaded(t *testing.T) {
	g := newGate(t)
	file := drawn(t, 40, 30, color.Black)
	hash := blob.Hash(file.Bytes())
	g.wants("a new screenshot", g.send("checkout/step 2", "desktop", bytes.NewReader(file.Bytes())), 201, "", "")
	g.wants("the same again", g.send("checkout/step 2", "desktop", bytes.NewReader(file.Bytes())), 200, "", "")
	g.wants("another device", g.send("checkout/step 2", "mobile", bytes.NewReader(file.Bytes())), 201, "", "")
	g.wants("another picture", g.send("checkout/step 2", "desktop", drawn(t, 40, 30, color.White)), 409, "CONFLICT", "")
	if kept, err := g.files.Get(t.Context(), hash); err != nil || !bytes.Equal(kept, file.Bytes()) {
		t.Errorf("the picture was not kept as it is: %v", err)
	}
	const finish = `mutation ($id: ID!, $shard: Int) { finishUpload(batchId: $id, shard: $shard) { open finishedShards
		batch { finishedAt queuesCount { done } scVersion } } }`
	want(t, "after one", g.must(finish, vars{"id": g.batch}).at(t, "finishUpload", "open"), true)
	done := g.must(finish, vars{"id": g.batch, "shard": 2})
	want(t, "after both", done.at(t, "finishUpload", "open"), false)
	want(t, "screenshots", done.at(t, "finishUpload", "batch", "queuesCount", "done"), 2)
	want(t, "version", done.at(t, "finishUpload", "batch", "scVersion"), "upload")
	g.wants("too late", g.send("late", "desktop", file), 409, "CONFLICT", "")
	shots := g.must(`query ($id: ID!) { screenshots(filter: {batchIds: [$id]}) { nodes { link width height htmlTitle content { text }
		url { address href domain scheme } } } }`, vars{"id": g.batch})
	want(t, "title", shots.at(t, "screenshots", "nodes", 0, "htmlTitle"), "checkout/step 2")
	want(t, "width", shots.at(t, "screenshots", "nodes", 0, "width"), 40)
	want(t, "content", shots.at(t, "screenshots", "nodes", 0, "content"), nil)
	want(t, "href", shots.at(t, "screenshots", "nodes", 0, "url", "href"), "upload:///checkout/step%202")
}

func TestUploadsAreLimited(t *testing.T) {
	g := newGate(t)
	good := func() io.Reader { return drawn(t, 40, 30, color.Black) }
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	path := func(path string) func(*http.Request) {
		return func(r *http.Request) { r.URL.Path = graph.UploadPrefix + path }
	}
	method := func(r *http.Request) { r.Method = http.MethodPut }
	flipped := drawn(t, 40, 30, color.Black)
	flipped.Bytes()[60] ^= 1
	long := strings.Repeat("a", 9000)
	for _, c := range []struct {
		what, name, device string
		file               io.Reader
		change             func(*http.Request)
		status             int
		code, field        string
	}{
		{"no name", "", "desktop", good(), nil, 422, "INVALID", "name"},
		{"a path out of it", "../a", "desktop", good(), nil, 422, "INVALID", "name"},
		{"a long name", long, "desktop", good(), nil, 422, "INVALID", "name"},
		{"no device", "a", "", good(), nil, 422, "INVALID", "device"},
		{"another device", "a", "watch", good(), nil, 422, "INVALID", "device"},
		{"no picture", "a", "desktop", http.NoBody, nil, 422, "INVALID", "picture"},
		{"a text", "a", "desktop", strings.NewReader("<svg onload=alert(1)>"), nil, 422, "INVALID", "picture"},
		{"a damaged picture", "a", "desktop", flipped, nil, 422, "INVALID", "picture"},
		{"another type", "a", "desktop", good(), header("Content-Type", "image/jpeg"), 422, "INVALID", "picture"},
		{"a form", "a", "desktop", good(), header("Content-Type", "text/plain"), 422, "INVALID", "picture"},
		{"a huge file", "a", "desktop", io.LimitReader(zeros{}, 16<<20+1), nil, 413, "INVALID", "picture"},
		{"no token", "a", "desktop", good(), header("Authorization", ""), 401, "UNAUTHENTICATED", ""},
		{"an unknown token", "a", "desktop", good(), header("Authorization", "Bearer nonsense"), 401, "UNAUTHENTICATED", ""},
		{"no id", "a", "desktop", good(), path("nonsense"), 404, "NOT_FOUND", ""},
		{"an unknown run", "a", "desktop", good(), path("01999999-0000-7000-8000-000000000000"), 404, "NOT_FOUND", ""},
		{"another method", "a", "desktop", good(), method, 405, "BAD_REQUEST", ""},
	} {
		change := c.change
		if change == nil {
			change = func(*http.Request) {}
		}
		g.wants(c.what, g.send(c.name, c.device, c.file, change), c.status, c.code, c.field)
	}
	if b, err := g.use.Runs.Batch(t.Context(), g.actor, vcd.ID(g.batch)); err != nil || b.Counts.Total() != 0 {
		t.Errorf("after refusals the run is %+v, %v", b, err)
	}
}

// form is a form with parts in the order given: a name and a content each.
func form(parts ...string) (body io.Reader, contentType func(*http.Request)) {
	var file bytes.Buffer
	w := multipart.NewWriter(&file)
	for i := 0; i+1 < len(parts); i += 2 {
		part, err := w.CreateFormField(parts[i])
		if err == nil {
			_, err = io.WriteString(part, parts[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	_ = w.Close()
	return &file, func(r *http.Request) { r.Header.Set("Content-Type", w.FormDataContentType()) }
}

// TestAScreenshotIsUploadedWithItsElements, by which changes can be told in words.
func TestAScreenshotIsUploadedWithItsElements(t *testing.T) {
	g := newGate(t)
	file := drawn(t, 40, 30, color.Black).String()
	element := `[{"box":{"x":1,"y":2,"width":3,"height":4},"selector":"h1","tag":"h1","role":"heading","text":"Checkout","parent":-1}]`
	for _, c := range []struct {
		what        string
		parts       []string
		status      int
		code, field string
	}{
		{"no picture", []string{"elements", element}, 422, "INVALID", "picture"},
		{"nothing", nil, 422, "INVALID", "picture"},
		{"another part", []string{"picture", file, "script", "x"}, 422, "INVALID", "picture"},
		{"two pictures", []string{"picture", file, "picture", file}, 422, "INVALID", "picture"},
		{"no elements", []string{"picture", file, "elements", "{}"}, 422, "INVALID", "elements"},
		{"many elements", []string{"picture", file, "elements", strings.Repeat(" ", 4<<20+1)}, 413, "INVALID", "elements"},
		{"no PNG file", []string{"picture", "x", "elements", element}, 422, "INVALID", "picture"},
		{"both", []string{"elements", element, "picture", file}, 201, "", ""},
		{"the same picture with others", []string{"picture", file, "elements", "[]"}, 200, "", ""},
	} {
		body, contentType := form(c.parts...)
		g.wants(c.what, g.send("checkout", "desktop", body, contentType), c.status, c.code, c.field)
	}
	body, contentType := form("picture", file)
	broken := io.LimitReader(body, 60)
	g.wants("a broken form", g.send("broken", "desktop", broken, contentType), 422, "INVALID", "picture")
	kept := page.Content{Text: "Checkout", Elements: []page.Element{{
		Box: page.Box{X: 1, Y: 2, Width: 3, Height: 4}, Selector: "h1", Tag: "h1", Role: "heading", Text: "Checkout", Parent: -1,
	}}}
	stored, err := kept.Encode()
	g.check(err)
	if held, err := g.files.Holds(t.Context(), blob.Hash(stored)); err != nil || !held {
		t.Errorf("the elements were not kept: %v", err)
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestPixelBomb: a small file that claims to be a huge picture is refused before a pixel of it is read.
func TestPixelBomb(t *testing.T) {
	g := newGate(t)
	bomb := drawn(t, 1, 1, color.Black).Bytes()
	bomb[16], bomb[20] = 0x7f, 0x7f // of width and height
	g.wants("a wrong checksum", g.send("a", "desktop", bytes.NewReader(bomb)), 422, "INVALID", "picture")
	g.wants("too many pixels", g.send("a", "desktop", drawn(t, 12_000, 9_000, color.Black)), 422, "INVALID", "picture")
}

func TestUploadsNeedTheScopeRun(t *testing.T) {
	g := newGate(t)
	for _, scope := range vcd.Scopes() {
		token, err := g.use.Accounts.CreateToken(t.Context(), g.actor, nil, account.TokenChange{
			Name: vcd.Some("scoped"), Scopes: vcd.Some([]vcd.Scope{scope}),
		})
		g.check(err)
		as := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token.Plain) }
		if scope == vcd.ScopeRun {
			g.wants(string(scope), g.send("a", "desktop", drawn(t, 4, 4, color.Black), as), 201, "", "")
			continue
		}
		g.wants(string(scope), g.send("a", "desktop", drawn(t, 4, 4, color.Black), as), 403, "FORBIDDEN", "")
	}
	_, stranger, _ := g.open("eve@example.com")
	as := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+stranger) }
	g.wants("another account", g.send("b", "desktop", drawn(t, 4, 4, color.Black), as), 404, "NOT_FOUND", "")
}

// TestSlowUploadsDoNotFillTheMemory: of screenshots that begin to arrive, one more than an account may send at once is refused,
// whichever comes last, by a sentence that says what to do. Another account's are taken meanwhile, the others are once they arrive, and
// their places are free again.
func TestSlowUploadsDoNotFillTheMemory(t *testing.T) {
	file := drawn(t, 4, 4, color.Black).Bytes()
	for what, c := range map[string]struct {
		length int64 // that is announced; -1 for none
		places int
		words  string
	}{
		"places":           {int64(len(file)), 8, "8 screenshots of the account are being received. Send fewer at the same time."},
		"unknown length":   {-1, 2, "with this one they exceed 32 MiB. Send fewer at the same time."},
		"the largest":      {16 << 20, 2, "with this one they exceed 32 MiB. Send fewer at the same time."},
		"several of 7 MiB": {7 << 20, 4, "with this one they exceed 32 MiB. Send fewer at the same time."},
	} {
		t.Run(what, func(t *testing.T) {
			g := newGate(t)
			slow := g.sendSlowly(slices.Concat(file, make([]byte, max(0, c.length-int64(len(file))))), c.length, c.places+1)
			if last := slow.next(t); last.status != http.StatusTooManyRequests || last.header.Get("Retry-After") != "1" ||
				!strings.Contains(last.body, c.words) {
				t.Errorf("one too many: %d %v %s", last.status, last.header, last.body)
			}
			other := g.beside(t, "eve@example.com")
			for i := range 3 {
				other.wants("another account", other.send(fmt.Sprint("fast ", i), "desktop", bytes.NewReader(file)), 201, "", "")
			}
			others := other.sendSlowly(file, -1, 1)
			close(others.arrive)
			if a := others.next(t); a.status != http.StatusCreated {
				t.Errorf("another account, without a length: %d %s", a.status, a.body)
			}
			close(slow.arrive)
			for range c.places {
				// Zeros behind a picture are none of it.
				if a := slow.next(t); a.status != http.StatusCreated && (c.length <= int64(len(file)) || a.status != 422) {
					t.Errorf("one of those that came first: %d %s", a.status, a.body)
				}
			}
			g.wants("afterwards", g.send("afterwards", "desktop", bytes.NewReader(file)), 201, "", "")
		})
	}
}

// slowly is screenshots of which nothing arrives before arrive is closed.
type slowly struct {
	arrive  chan struct{}
	answers chan *answer
	failed  chan error
	over    <-chan struct{} // closed when no answer is expected any more
}

// sendSlowly begins to send a body n times, with a length that is announced, or without one if that is -1.
func (g *gate) sendSlowly(body []byte, length int64, n int) *slowly {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), time.Minute)
	g.t.Cleanup(cancel)
	s := &slowly{make(chan struct{}), make(chan *answer, n), make(chan error, n), ctx.Done()}
	for i := range n {
		arriving, rest := io.Pipe()
		g.t.Cleanup(func() { _ = rest.CloseWithError(io.ErrUnexpectedEOF) }) // otherwise a test that failed would wait for it
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.address(fmt.Sprint("slow ", i), "desktop"), arriving)
		g.check(err)
		r.Header.Set("Authorization", "Bearer "+g.token)
		r.Header.Set("Content-Type", "image/png")
		r.ContentLength = length
		go func() {
			<-s.arrive
			_, err := rest.Write(body) // fails for the one that was refused
			_ = rest.CloseWithError(err)
		}()
		go func() {
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				s.failed <- err
				return
			}
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if err != nil {
				s.failed <- err
				return
			}
			s.answers <- &answer{status: response.StatusCode, header: response.Header, body: string(text)}
		}()
	}
	return s
}

// next is the next answer to any of them.
func (s *slowly) next(t *testing.T) *answer {
	t.Helper()
	select {
	case a := <-s.answers:
		return a
	case err := <-s.failed:
		t.Fatal(err)
	case <-s.over: // a request whose body does not come may not hear of it
		t.Fatal("no answer")
	}
	return nil
}

// TestNoCookieUploads: a page of another site can make a browser send a cookie, but no token.
func TestNoCookieUploads(t *testing.T) {
	g := newGate(t)
	token := strings.NewReader(`{"token":"` + g.token + `"}`)
	signIn, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.at.url+"/session", token)
	g.check(err)
	signIn.Header.Set("Content-Type", "application/json")
	cookie := g.at.do(signIn).header.Get("Set-Cookie")
	if cookie == "" {
		t.Fatal("no cookie")
	}
	by := func(r *http.Request) {
		r.Header.Del("Authorization")
		r.Header.Set("Cookie", strings.Split(cookie, ";")[0])
		r.Header.Set("X-Afterimage-Client", "test")
	}
	g.wants("by cookie", g.send("a", "desktop", drawn(t, 4, 4, color.Black), by), 401, "UNAUTHENTICATED", "")
}
