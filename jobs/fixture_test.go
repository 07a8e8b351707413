package jobs_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"afterimage/capture"
	"afterimage/db"
	"afterimage/internal/blob"
	"afterimage/internal/egress"
	"afterimage/internal/page"
	"afterimage/internal/secret"
	"afterimage/internal/sitemap"
	"afterimage/internal/vcdtest"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(victimURL); url != "" {
		fmt.Fprintln(os.Stderr, victim(url, os.Getenv(victimURL+"_DIR")))
		os.Exit(1)
	}
	if mode := os.Getenv(comparerMode); mode != "" {
		beComparer(mode)
	}
	goleak.VerifyTestMain(m)
}

// browser is a Capturer whose pages are made by a function. It remembers what was asked of it.
type browser struct {
	page func(capture.Request) (*capture.Shot, error)

	mu       sync.Mutex
	requests []capture.Request
}

func (b *browser) Capture(_ context.Context, r capture.Request) (*capture.Shot, error) {
	b.mu.Lock()
	b.requests = append(b.requests, r)
	b.mu.Unlock()
	return b.page(r)
}

func (b *browser) asked() []capture.Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]capture.Request{}, b.requests...)
}

// shot is a page of one colour with a line on it, of another colour for each.
func shot(c color.Color) *capture.Shot {
	picture := filled(c)
	r, g, b, _ := c.RGBA()
	line := color.RGBA{R: uint8(r>>8) ^ 64, G: uint8(g>>8) ^ 64, B: uint8(b>>8) ^ 64, A: 255}
	draw.Draw(picture, image.Rect(0, 20, 40, 21), image.NewUniform(line), image.Point{}, draw.Src)
	return encoded(picture)
}

// blank is a page without anything on it.
func blank(c color.Color) *capture.Shot { return encoded(filled(c)) }

func filled(c color.Color) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, 40, 30))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	return picture
}

func encoded(picture image.Image) *capture.Shot {
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		panic(err) // a small picture in memory can always be encoded
	}
	size := picture.Bounds().Size()
	return &capture.Shot{PNG: file.Bytes(), Width: size.X, Height: size.Y, Visit: page.Visit{Title: "A page", Status: 200,
		Content: &page.Content{}}}
}

// stripes is a page whose rows all differ; with banner a plain band of 20 rows is inserted on top.
func stripes(banner bool) *capture.Shot {
	const width, height, inserted = 60, 300, 20
	top := 0
	if banner {
		top = inserted
	}
	picture := image.NewRGBA(image.Rect(0, 0, width, height+top))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(color.RGBA{R: 250, G: 200, A: 255}), image.Point{}, draw.Src)
	for y := range height {
		shade := color.RGBA{R: uint8(y * 37), G: uint8(y * 91), B: uint8(y * 53), A: 255}
		draw.Draw(picture, image.Rect(0, y+top, width, y+top+1), image.NewUniform(shade), image.Point{}, draw.Src)
	}
	return encoded(picture)
}

// photo is a page that hardly compresses, with or without a black box on it.
func photo(box bool) *capture.Shot {
	picture := image.NewRGBA(image.Rect(0, 0, 300, 400))
	noise := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < len(picture.Pix); i += 4 {
		picture.Pix[i], picture.Pix[i+1], picture.Pix[i+2], picture.Pix[i+3] = uint8(noise.Uint32()), uint8(noise.Uint32()),
			uint8(noise.Uint32()), 255
	}
	if box {
		draw.Draw(picture, image.Rect(50, 60, 90, 80), image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	return encoded(picture)
}

// patience is far more than what tests wait for takes on a busy machine.
const patience = 5 * time.Minute

// world is a database with one account, and workers on it.
type world struct {
	t       *testing.T
	db      *db.DB
	service *app.Service
	actor   vcd.Actor
	files   *blob.Folder
	browser *browser
	runner  *jobs.Runner
	mailbox mailbox
}

// sitemaps reads sites on this machine.
func (w *world) sitemaps() *sitemap.Reader {
	w.t.Helper()
	policy, err := egress.NewPolicy("127.0.0.1")
	if err != nil {
		w.t.Fatal(err)
	}
	r := sitemap.New(&egress.Dialer{Policy: policy}, "test")
	w.t.Cleanup(r.Close)
	return r
}

func newWorld(t *testing.T, page func(capture.Request) (*capture.Shot, error)) *world {
	t.Helper()
	return newWorldWith(t, page, func(*jobs.Config) {})
}

// newWorldWith is newWorld with other settings of its workers.
func newWorldWith(t *testing.T, page func(capture.Request) (*capture.Shot, error), change func(*jobs.Config)) *world {
	t.Helper()
	return newWorldAt(t, db.Config{URL: vcdtest.Database(t), Reach: patience}, page, change)
}

// conns is the size of a test's pool. Workers that begin at the same moment open as many as they may, and the first query of a
// connection costs PostgreSQL more than ten others.
const conns = 5

// newWorldAt is newWorldWith on a database that is reached in its own way.
func newWorldAt(
	t *testing.T, at db.Config, page func(capture.Request) (*capture.Shot, error), change func(*jobs.Config),
) *world {
	t.Helper()
	w := &world{t: t, browser: &browser{page: page}, mailbox: make(mailbox, 100)}
	inserter, err := jobs.NewInserter(vcd.RegionEU, vcd.SystemClock{})
	if err != nil {
		t.Fatal(err)
	}
	at.Queue, at.MaxConns = inserter.Queue, conns
	w.db = vcdtest.OpenWith(t, at)
	if w.files, err = blob.Open(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	w.service = app.New(app.Config{
		Store:  w.db,
		Config: vcd.Config{Feed: w.db, Clock: vcd.SystemClock{}, IDs: vcd.RandomIDs{}, Sealer: box, Files: w.files},
	})
	owner, _, err := w.service.Accounts.CreateAccount(t.Context(), account.Input{Email: "owner@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	// The pages of most tests have no elements: nothing for verification.
	_, err = w.service.Accounts.SetPlan(t.Context(), owner.ID, account.PlanChange{
		AIVerification: vcd.Some(false), BrowserConsole: vcd.Some(false),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.actor = vcd.Actor{Account: owner.ID}
	w.work(change)
	return w
}

// work starts the workers; they stop with the test.
func (w *world) work(change func(*jobs.Config)) {
	w.t.Helper()
	config := jobs.Config{
		Pool: w.db.SystemPool(), Listen: w.db.ListenPool(), Service: w.service, Images: w.db, Files: w.files,
		Capturer: w.browser, Sitemaps: w.sitemaps(),
		Sender: w.sender(), Resources: told{}, RetryPlan: soon,
		Mail:   jobs.MailConfig{Transport: w.mailbox, From: "alerts@example.com", BaseURL: "https://afterimage.example.com"},
		Logger: slog.New(slog.NewTextHandler(w.t.Output(), nil)), Regions: []vcd.Region{vcd.RegionEU, vcd.RegionUS},
		Captures: 2, Compares: 1, Deadline: time.Second, Home: vcd.RegionEU,
		Comparer: []string{"/proc/self/exe"}, ComparerEnv: []string{comparerMode + "=honest"},
	}
	change(&config)
	w.service = config.Service
	runner, err := jobs.Start(w.t.Context(), config)
	if err != nil {
		w.t.Fatal(err)
	}
	w.runner = runner
	w.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := runner.Stop(ctx); err != nil {
			w.t.Error(err)
		}
	})
}

// group makes a group with one URL, desktop only.
func (w *world) group(address string, change inventory.GroupChange) vcd.ID {
	w.t.Helper()
	change.Name = vcd.Some(w.t.Name())
	g, err := w.service.Inventory.CreateGroup(w.t.Context(), w.actor, change)
	if err != nil {
		w.t.Fatal(err)
	}
	w.add(g.ID, address)
	return g.ID
}

func (w *world) add(group vcd.ID, address string) {
	w.t.Helper()
	u, err := w.service.Inventory.CreateURL(w.t.Context(), w.actor, inventory.URLChange{URL: vcd.Some(address)})
	if err != nil {
		w.t.Fatal(err)
	}
	sel := inventory.SelectionChange{URLID: string(u.ID), Mobile: vcd.Some(false)}
	if _, err := w.service.Inventory.AddURLs(w.t.Context(), w.actor, group, []inventory.SelectionChange{sel}); err != nil {
		w.t.Fatal(err)
	}
}

// run takes screenshots, waits for the batch to finish, by its events, and returns its entries.
func (w *world) run(group vcd.ID, kind vcd.QueueType) (vcd.ID, []*vcd.QueueEntry) {
	w.t.Helper()
	return w.runFrom(group, kind, vcd.SourceManual)
}

// runFrom is run of another source.
func (w *world) runFrom(group vcd.ID, kind vcd.QueueType, source vcd.BatchSource) (vcd.ID, []*vcd.QueueEntry) {
	w.t.Helper()
	last, err := w.service.Outbound.LastEvent(w.t.Context(), w.actor)
	if err != nil {
		w.t.Fatal(err)
	}
	taken, err := w.service.Runs.TakeScreenshots(w.t.Context(), w.actor, run.TakeInput{GroupIDs: []string{string(group)}, Type: kind,
		Source: source})
	if err != nil {
		w.t.Fatal(err)
	}
	batch := taken.Batches[0].ID
	return batch, w.awaitEnd(batch, last)
}

// awaitEnd waits for an event after the given one that tells the end of a batch, and returns its entries.
func (w *world) awaitEnd(batch vcd.ID, last int64) []*vcd.QueueEntry {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	events, err := w.service.Outbound.Stream(ctx, w.actor, &last, &batch)
	if err != nil {
		w.t.Fatal(err)
	}
	finished := false
	for e := range events {
		finished = e.Kind == vcd.EventBatchFinished
	}
	if !finished {
		w.t.Fatalf("the batch did not finish within %s", patience)
	}
	list, err := w.service.Runs.QueueEntries(w.t.Context(), w.actor, vcd.QueueFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 100}, false)
	if err != nil {
		w.t.Fatal(err)
	}
	return list.Items
}

func (w *world) checkInvariants() {
	w.t.Helper()
	broken, err := w.db.CheckInvariants(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, violation := range broken {
		w.t.Error(violation)
	}
}
