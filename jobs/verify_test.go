package jobs_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/internal/verify/consult"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// countingFiles counts how often each file is read.
type countingFiles struct {
	vcd.Files
	mu   sync.Mutex
	read map[string]int
}

func (f *countingFiles) Get(ctx context.Context, hash string) ([]byte, error) {
	f.mu.Lock()
	f.read[hash]++
	f.mu.Unlock()
	return f.Files.Get(ctx, hash)
}

// take tells what was read since the last time.
func (f *countingFiles) take() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	read := f.read
	f.read = map[string]int{}
	return read
}

// opinion is a model that always says the same, and remembers what it was shown.
type opinion struct {
	consult.Answer
	mu    sync.Mutex
	shown []consult.Question
}

func (o *opinion) Ask(_ context.Context, q consult.Question) (consult.Answer, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shown = append(o.shown, q)
	return o.Answer, nil
}

// sentence is a page of one paragraph: its text, and a box of a colour where that is.
func sentence(text string, shade color.Color) *capture.Shot {
	picture := image.NewRGBA(image.Rect(0, 0, 400, 300))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(picture, image.Rect(20, 100, 220, 130), image.NewUniform(shade), image.Point{}, draw.Src)
	s := encoded(picture)
	s.Content.Text = text
	s.Content.Elements = []page.Element{
		{Box: page.Box{Width: 400, Height: 300}, Selector: "html > body", Tag: "body", Parent: -1},
		{Box: page.Box{X: 20, Y: 100, Width: 200, Height: 30}, Selector: "html > body > p", Tag: "p", Role: "paragraph", Text: text},
	}
	return s
}

func TestAComparisonIsVerifiedOnWhatItHasDecoded(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	page := sentence("Our services", color.Black)
	model := &opinion{Answer: consult.Answer{Category: verify.AllGood, Sentence: "Another word."}}
	files := &countingFiles{read: map[string]int{}}
	w := newWorldWith(t, func(capture.Request) (*capture.Shot, error) {
		mu.Lock()
		defer mu.Unlock()
		return page, nil
	}, func(c *jobs.Config) {
		c.Model, files.Files = model, c.Service.Config().Files
		c.ProbeEvery = time.Hour // what is learned from repeated runs reads their pictures again
		c.Service = c.Service.With(func(c *app.Config) { c.ModelBudget, c.Files = 10, files })
	})
	_, err := w.service.Accounts.SetPlan(t.Context(), w.actor.Account, account.PlanChange{AIVerification: vcd.Some(true)})
	if err != nil {
		t.Fatal(err)
	}
	group := w.group("https://example.com", inventory.GroupChange{Threshold: vcd.Some(0.0)})
	for _, step := range []struct {
		before, after *capture.Shot
		want          string
		asked         int
	}{
		{sentence("Our services", color.Black), sentence("Our solutions", color.RGBA{R: 200, A: 255}),
			"ok verified 1/0/0 everything_ok", 1},
		{sentence("Welcome", color.Black), sentence("Fatal error: Uncaught Error: call to undefined function", color.RGBA{G: 90, A: 255}),
			"new verified 0/0/1 needs_attention", 1},
		{sentence("Welcome", color.Black), blank(color.White), "new verified 0/0/1 after_blank needs_attention", 1},
		{blank(color.White), sentence("Welcome", color.Black), "ok verified 0/0/0 before_blank everything_ok", 1},
		{blank(color.White), blank(color.White), "ok verified 0/0/0 both_blank everything_ok", 1},
	} {
		mu.Lock()
		page = step.before
		mu.Unlock()
		w.run(group, vcd.QueuePre)
		mu.Lock()
		page = step.after
		mu.Unlock()
		batch, _ := w.run(group, vcd.QueuePost)
		for hash, n := range files.take() {
			if n > 1 {
				t.Errorf("file %s was read %d times for one comparison", hash, n)
			}
		}
		if got := w.verdict(batch); got != step.want {
			t.Errorf("%s, want %s", got, step.want)
		}
		if len(model.shown) != step.asked {
			t.Errorf("the model was asked %d times, want %d", len(model.shown), step.asked)
		}
	}
	for _, picture := range [][]byte{model.shown[0].Before, model.shown[0].After} {
		if kind := http.DetectContentType(picture); kind != "image/jpeg" {
			t.Errorf("the model is shown %s", kind)
		}
	}
	w.checkInvariants()
}

// verdict is what a run's only comparison and its batch say.
func (w *world) verdict(batch vcd.ID) string {
	w.t.Helper()
	list, err := w.service.Reviews.Comparisons(w.t.Context(), w.actor, vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{batch}},
		vcd.Page{Size: 1}, false)
	if err != nil || len(list.Items) != 1 {
		w.t.Fatalf("%v, %v", list, err)
	}
	b, err := w.service.Runs.Batch(w.t.Context(), w.actor, batch)
	if err != nil || b.Summary == nil {
		w.t.Fatalf("%+v, %v", b, err)
	}
	c := list.Items[0]
	counts := c.Verification.Counts()
	text := fmt.Sprintf("%s %s %d/%d/%d %s %s", c.Status, c.Verification.Status, counts.AllGood, counts.NotSure, counts.Alerts,
		c.Verification.Issue, b.Summary.Overall)
	return strings.Join(strings.Fields(text), " ")
}
