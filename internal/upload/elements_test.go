package upload

import (
	"fmt"
	"strings"
	"testing"

	"afterimage/internal/page"
)

const box = `"box": {"x": 1, "y": 2, "width": 3, "height": 4}`

func TestElements(t *testing.T) {
	long := strings.Repeat("ü", 150)
	content, err := readElements([]byte(`[
		{"box": {"x": -5, "y": 0, "width": 500, "height": 20}, "selector": "body", "tag": "BODY", "parent": -1},
		{`+box+`, "tag": "p", "text": " Open  now ", "parent": 0, "color": "#112233"},
		{`+box+`, "tag": "img", "text": "A kettle", "source": "/a.png", "parent": 0},
		{`+box+`, "tag": "p", "text": "`+long+`", "selector": "`+strings.Repeat("a", 600)+`", "parent": 0}]`), 40, 30)
	if err != nil {
		t.Fatal(err)
	}
	body, p, last := content.Elements[0], content.Elements[1], content.Elements[3]
	if body.Box != (page.Box{Width: 40, Height: 20}) || body.Tag != "body" || body.Parent != -1 || p.Text != "Open now" || p.Number != 1 {
		t.Errorf("read %+v", content.Elements)
	}
	if last.Text != strings.Repeat("ü", 100) || last.Selector != "" || content.Text != "Open now\n"+last.Text {
		t.Errorf("read %+v and the text %q", last, content.Text)
	}
	if none, err := readElements([]byte(" [] "), 40, 30); err != nil || !none.Empty() {
		t.Errorf("an empty list: %+v, %v", none, err)
	}
}

func TestElementsThatAreNoneAreRefused(t *testing.T) {
	for file, want := range map[string]string{
		``:                          "must be a JSON array",
		`{}`:                        "must be a JSON array",
		`[{` + box + `}]`:           "entry 0 has none",
		`[{` + box + `, "tag": 1}]`: "\"tag\" is a number",
		`[{` + box + `, "tag": "p", "onload": 1}]`:  "unknown field \"onload\"",
		`[{` + box + `, "tag": "p", "parent": 0}]`:  "the parent of entry 0 is 0",
		`[{` + box + `, "tag": "p", "parent": -2}]`: "the parent of entry 0 is -2",
		`[{"tag": "p"}]`: "entry 0 does not",
		`[{"box": {"x": 40, "y": 0, "width": 9, "height": 9}, "tag": "p"}]`:        "which has 40 × 30 pixels; entry 0 does not",
		`[{"box": {"x": 100000000, "y": 0, "width": 9, "height": 9}, "tag": "p"}]`: "the box of entry 0 is invalid",
		`[{"box": {"x": 9, "y": 0, "width": -9, "height": 9}, "tag": "p"}]`:        "the box of entry 0 is invalid",
		`[{"box": {"x": 1.5, "y": 0, "width": 9, "height": 9}, "tag": "p"}]`:       "is a number",
		`[] []`:                      "there is more text",
		`[{` + box + `, "tag": "p"}`: "its end is missing",
		strings.Repeat("[", 1<<20):   "entry 0 is not an element",
		`[` + strings.Repeat(`{`+box+`, "tag": "p"},`, maxElements+1) + `null]`: fmt.Sprintf("at most %d", maxElements),
	} {
		if _, err := readElements([]byte(file), 40, 30); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", file, err, want)
		}
	}
}
