package jobs_test

import (
	"image/color"
	"strings"
	"sync"
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// form is a page that asks for a password, and challenge one that checks for robots.
func form() *capture.Shot {
	s := sentence("This content is password protected. To view it please enter your password below.", color.Black)
	s.Content.Elements = append(s.Content.Elements, page.Element{Tag: "input", Role: "textbox", Parent: 0})
	return s
}

func challenge() *capture.Shot {
	return sentence("Verify you are human by completing the action below.", color.Black)
}

// TestAWallIsSeenWhenItIsCaptured: with status 200, in the picture of the page, and where a site leads to its sign-in.
func TestAWallIsSeenWhenItIsCaptured(t *testing.T) {
	t.Parallel()
	led := sentence("Tea house", color.Black)
	led.FinalURL = "https://example.com/login?next=/"
	var mu sync.Mutex
	var looks *capture.Shot
	w := newWorld(t, func(capture.Request) (*capture.Shot, error) {
		mu.Lock()
		defer mu.Unlock()
		return looks, nil
	})
	group := w.group("https://example.com", inventory.GroupChange{})
	runs := func(kind vcd.QueueType, shot *capture.Shot) []*vcd.QueueEntry {
		mu.Lock()
		looks = shot
		mu.Unlock()
		_, entries := w.run(group, kind)
		return entries
	}
	for _, step := range []struct {
		name          string
		before, after *capture.Shot
		want          string
	}{
		{"a page", sentence("Tea house", color.Black), sentence("Tea house", color.Black), ""},
		{"a form on both sides", form(), form(), "Both screenshots show a sign-in page (“content is password protected"},
		{"a bot check", sentence("Tea house", color.Black), challenge(), "The screenshot shows a bot check (“Verify"},
		{"its end", challenge(), sentence("Tea house", color.Black), "The earlier screenshot shows a bot check"},
		{"a way to the sign-in", sentence("Tea house", color.Black), led, "(“https://example.com/login?next=/”)"},
	} {
		runs(vcd.QueuePre, step.before)
		told := ""
		for _, e := range runs(vcd.QueuePost, step.after) {
			if e.Type == vcd.QueueCompare && e.Status == vcd.QueueFailed {
				told = e.ErrorMsg
			}
		}
		if !strings.Contains(told, step.want) || (step.want == "") != (told == "") {
			t.Errorf("%s: %q, want %q", step.name, told, step.want)
		}
	}
	w.checkInvariants()
}
