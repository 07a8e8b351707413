package chrome

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"afterimage/capture"
	"afterimage/internal/flow"
)

// looks collects what a walk shows of the window.
type looks struct {
	after    []int
	pictures [][]byte
}

func (l *looks) watch(r *capture.WalkRequest) {
	r.Looks = func(stepsDone int, picture []byte) error {
		l.after, l.pictures = append(l.after, stepsDone), append(l.pictures, picture)
		return nil
	}
}

// A page does not notice that the window is looked at before each step: it goes on with menus, scrolling and animations.
func TestAPageIsLookedAtBeforeEachStep(t *testing.T) {
	start := site.handle(t, "shop", serve("text/html", stall+`<div style="height:3000px"></div><button id=end>End</button>
<script>
  const seen = [];
  for (const type of ['resize', 'scroll', 'visibilitychange']) addEventListener(type, () => seen.push(type), true);
  new MutationObserver((list) => list.forEach((one) => seen.push(one.attributeName))).observe(document,
    { attributes: true, subtree: true, attributeFilter: ['style', 'class'] });
  end.onclick = () => log('seen ' + seen.filter((type) => type !== 'scroll').join());
</script>`))
	site.handle(t, "catalogue", serve("text/html", `<title>Catalogue</title><h1>Catalogue</h1>`))
	l := &looks{}
	walked := walkThrough(t, start, `
steps:
  - fill: {label: E-mail}
    value: reader@example.com
  - select: {label: Size}
    value: Huge
  - hover: {text: Menu}
  - assert: text
    contains: Entry
  - click: {testid: buy}
  - scroll: bottom
  - click: {text: End}
  - assert: text
    on: {css: "#log"}
    contains: bought true;seen ;
  - checkpoint: Shop
  - click: {text: Catalogue}
  - wait: {address: "*/catalogue"}
`, l.watch)
	passes(t, walked)
	want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	if !slices.Equal(l.after, want) {
		t.Fatalf("the window was looked at after %v steps", l.after)
	}
	for _, change := range [][2]int{{0, 1}, {2, 3}, {5, 6}, {9, 10}} {
		if bytes.Equal(l.pictures[change[0]], l.pictures[change[1]]) {
			t.Errorf("the pictures after %d and %d steps are equal", change[0], change[1])
		}
	}
	if !bytes.Equal(l.pictures[3], l.pictures[4]) || !bytes.Equal(l.pictures[8], l.pictures[9]) {
		t.Error("steps that do nothing to the page change the picture of the window")
	}
}

// The window is shown without secrets, typed or repeated by the page: whatever they are, the pictures are the same.
func TestAWindowIsShownWithoutSecrets(t *testing.T) {
	start := site.handle(t, "page", serve("text/html", `<style>*{font:16px monospace}</style><label>Password <input id=pass></label>
<p id=echo></p><button>Go</button><script>pass.oninput = () => { echo.textContent = 'You typed ' + pass.value }</script>`))
	var shown [2]looks
	for i, text := range []string{"correct horse", "battery staple"[:13]} {
		walked := walkThrough(t, start, `
steps:
  - fill: {label: Password}
    secret: password
  - click: {text: Go}
  - click: {text: Missing}
    deadline: 1s
`, withSecret(t, "password", text), shown[i].watch)
		if failed := walked.Failed(); failed == nil || failed.Number != 3 {
			t.Fatalf("%+v", failed)
		}
	}
	if !slices.Equal(shown[0].after, []int{0, 1, 2, 3}) {
		t.Fatalf("the window was looked at after %v steps", shown[0].after)
	}
	for i := range shown[0].pictures {
		if !bytes.Equal(shown[0].pictures[i], shown[1].pictures[i]) {
			t.Errorf("the picture after %d steps depends on the secret", i)
		}
	}
	if bytes.Equal(shown[0].pictures[0], shown[0].pictures[1]) {
		t.Error("the test shows nothing where the secret is")
	}
}

// Whoever looks can end the walk: no further step is done.
func TestALookCanEndAWalk(t *testing.T) {
	start := site.handle(t, "shop", serve("text/html", stall))
	stop := errors.New("stop")
	done := 0
	f, err := flow.Read([]byte("name: Test\nstart: " + start + "\nsteps: [{click: {testid: buy}}, {click: {text: Menu}}]"))
	if err != nil {
		t.Fatal(err)
	}
	walked, err := pool.Walk(t.Context(), capture.WalkRequest{
		Flow: f, Request: capture.Request{Device: capture.Desktop},
		Looks: func(stepsDone int, _ []byte) error {
			done = stepsDone
			if stepsDone == 1 {
				return stop
			}
			return nil
		},
	})
	if !errors.Is(err, stop) || done != 1 || len(walked.Steps) != 0 {
		t.Errorf("after %d steps: %v, %+v", done, err, walked)
	}
}
