package verify

import (
	"image"
	"strings"
	"testing"

	"afterimage/imgdiff"
)

// toldOf lists what is said of two sketches that somebody has to look at.
func toldOf(t *testing.T, before, after *sketch) []string {
	t.Helper()
	options := imgdiff.DefaultOptions()
	options.Keep = true
	found, err := imgdiff.Compare(t.Context(), before.picture(t), after.picture(t), options)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Release()
	p := &Pair{Before: before.page, After: after.page}
	p.Measure(found)
	var told []string
	for _, f := range verified(t, p).Findings {
		if f.Ruling.Category != AllGood {
			told = append(told, string(f.Change)+": "+f.Description)
		}
	}
	return told
}

// TestCellsAreAsWideAsTheirColumn: a text or a padding in one row makes the cells of all others wider, which is no entry of theirs. Without
// either, that they are wider is.
func TestCellsAreAsWideAsTheirColumn(t *testing.T) {
	const tag = "td"
	schedule := func(width int, text string, styles ...string) *sketch {
		s := newSketch(400, 120)
		table := s.add(0, "table", "", "#ffffff", image.Rect(0, 0, 300, 60))
		for i, day := range []string{"Monday", "Tuesday", "Friday"} {
			row := s.add(table, "tr", "", "#ffffff", image.Rect(0, 20*i, 300, 20*i+20))
			if i == 1 {
				s.add(row, tag, text, "#e8eef4", image.Rect(0, 20*i, width, 20*i+20), styles...)
			} else {
				s.add(row, tag, day, "#e8eef4", image.Rect(0, 20*i, width, 20*i+20))
			}
			s.add(row, tag, "closed", "#f4eee8", image.Rect(width, 20*i, 300, 20*i+20))
		}
		return s
	}
	for name, c := range map[string]struct {
		after *sketch
		says  string
	}{
		"a longer text":     {schedule(160, "Tuesday and Wednesday"), "Wednesday"},
		"a padding":         {schedule(160, "Tuesday", "padding: 0px 30px"), "padding"},
		"nothing but width": {schedule(160, "Tuesday"), "changed its size"},
	} {
		told := toldOf(t, schedule(100, "Tuesday"), c.after)
		if len(told) == 0 || !strings.Contains(strings.Join(told, "\n"), c.says) ||
			c.says != "changed its size" && len(told) != 1 {
			t.Errorf("%s: %q", name, told)
		}
	}
}

// TestWhatIsSwallowedDidNotCome: what is in a part without a height that cuts it off cannot be seen, so it is not new when the part is
// recorded in one page only. What such a part does not cut off is.
func TestWhatIsSwallowedDidNotCome(t *testing.T) {
	menu := func(height int, open bool, styles ...string) *sketch {
		s := newSketch(300, 200)
		s.add(0, "p", "Harbour", "#ffffff", image.Rect(0, 100, 200, 120))
		if open {
			body := s.add(0, "div", "", "#f4f4e8", image.Rect(0, 40, 200, 40+height), styles...)
			s.page.Elements[body].Exact = [4]float64{0, 40, 200, float64(height)}
			s.add(body, "a", "Timetable of the ferries", "#e0e0ff", image.Rect(0, 40, 120, 60))
		}
		return s
	}
	for name, c := range map[string]struct {
		after *sketch
		told  bool
	}{
		"in a part without a height":   {menu(0, true, "overflow: hidden"), false},
		"in one that cuts off nothing": {menu(0, true), true},
		"in a part that can be seen":   {menu(30, true, "overflow: hidden"), true},
		"where nothing is":             {menu(0, false), false},
	} {
		told := strings.Contains(strings.Join(toldOf(t, menu(0, false), c.after), "\n"), "is new")
		if told != c.told {
			t.Errorf("%s: it is told: %t, want %t", name, told, c.told)
		}
	}
}

// TestPlaceholdersOfFieldsWithALabel: another placeholder is told, also where it was the label, which captures do not record a second time;
// not where the field looks as before, since older captures recorded none.
func TestPlaceholdersOfFieldsWithALabel(t *testing.T) {
	field := func(hint, shows string) *sketch {
		s := newSketch(300, 120)
		s.add(0, "p", "Register here", "#ffffff", image.Rect(0, 0, 200, 20))
		at := s.add(0, "input", shows, "#f4f4f4", image.Rect(0, 40, 200, 70))
		s.page.Elements[at].Hint, s.page.Elements[at].Role = hint, "textbox"
		return s
	}
	for name, c := range map[string]struct {
		was, is, shows string
		says           string
	}{
		"another one":               {"Your name", "Write here", "Wrote", "“Your name” → “Write here”"},
		"one that was the label":    {"", "Write here", "Wrote", "now shows “Write here” while it is empty"},
		"one that is the label":     {"Write here", "", "Wrote", "no longer shows “Write here” while it is empty"},
		"one that was not recorded": {"", "Write here", "Name", ""},
	} {
		before, after := field(c.was, "Name"), field(c.is, c.shows)
		pictures := [2][]byte{before.picture(t), after.picture(t)}
		after.page.Elements[len(after.page.Elements)-1].Text = "Name" // the label, whatever the field shows
		options := imgdiff.DefaultOptions()
		options.Keep = true
		found, err := imgdiff.Compare(t.Context(), pictures[0], pictures[1], options)
		if err != nil {
			t.Fatal(err)
		}
		p := &Pair{Before: before.page, After: after.page}
		p.Measure(found)
		says := ""
		for _, f := range verified(t, p).Findings {
			says += f.Description + "\n"
		}
		if found.Release(); !strings.Contains(says, c.says) || c.says == "" && says != "" {
			t.Errorf("%s: %q, want %q", name, says, c.says)
		}
	}
}
