package capture

import (
	"encoding/json"
	"fmt"
	"image"
	"strings"
	"testing"
)

func describeJSON(t *testing.T, text string) (*Shot, error) {
	t.Helper()
	var result domSnapshot
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	shot := newShot()
	shot.Width, shot.Height = 1000, 1000
	return shot, shot.describe(&result, section{area: image.Rect(0, 0, 1000, 1000)})
}

// TestInconsistentSnapshots: nothing that a browser sends may make us read beyond a table or go round in circles.
func TestInconsistentSnapshots(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(bodySnapshot) }
	for name, text := range map[string]string{
		"no documents":   `{"documents":[]}`,
		"null document":  `{"documents":[null]}`,
		"no tables":      `{"documents":[{}]}`,
		"short table":    replace(`"nodeType":[9,1,3]`, `"nodeType":[9,1]`),
		"no names":       replace(`"nodeName":[0,1,4],`, ``),
		"circle":         replace(`[-1,0,1]`, `[1,0,1]`),
		"own parent":     replace(`[-1,0,1]`, `[-1,1,1]`),
		"layout beyond":  replace(`"nodeIndex":[1,2]`, `"nodeIndex":[1,3]`),
		"layout before":  replace(`"nodeIndex":[1,2]`, `"nodeIndex":[1,-1]`),
		"missing bounds": replace(`"bounds":[[0,0,900,400000],[0,0,90,20]]`, `"bounds":[]`),
	} {
		if shot, err := describeJSON(t, text); err == nil {
			t.Errorf("%s: described as %+v", name, shot.Content.Elements)
		}
	}
	for name, text := range map[string]string{
		"strings beyond":    replace(`[0,1,4]`, `[99,1,99]`, `[-1,5]`, `[-1,99]`),
		"styles missing":    replace(`[[2,3],[]]`, `[[],[]]`),
		"bounds of another": replace(`[0,0,900,400000]`, `[0]`),
		"huge bounds":       replace(`[0,0,900,400000]`, `[-1e300,-1e300,1e301,1e301]`),
		"odd attributes":    replace(`"attributes":[[],[],[]]`, `"attributes":[[],[-7],[1,2,3]]`),
		"shadow beyond":     replace(`"nodes":{`, `"nodes":{"shadowRootType":{"index":[77,-1],"value":[99,-9]},`),
	} {
		if _, err := describeJSON(t, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestElementsAreBounded builds a page that is as deep and as wordy as pages should not be.
func TestElementsAreBounded(t *testing.T) {
	const n = 10_000
	table := func(first, other string) string { return "[" + first + strings.Repeat(","+other, n-1) + "]" }
	parents, rows := make([]string, n), make([]string, n)
	for i := range n {
		parents[i], rows[i] = fmt.Sprint(i-1), fmt.Sprint(i)
	}
	shot, err := describeJSON(t, `{"strings":["DIV","visible","1","`+strings.Repeat("w", 5000)+`","aria-label"],"documents":[{"nodes":{
		"parentIndex":[`+strings.Join(parents, ",")+`],"nodeType":`+table("1", "1")+`,"nodeName":`+table("0",
		"0")+`,"attributes":`+table("[4,3]", "[]")+`},
		"layout":{"nodeIndex":[`+strings.Join(rows, ",")+`],"bounds":`+table("[0,0,9,9]", "[0,0,9,9]")+`,"text":`+table("-1",
		"-1")+`,"styles":`+table("[1,2]", "[1,2]")+`}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if len(shot.Content.Elements) != maxElements || len(shot.Content.Elements[0].Text) != maxElementText {
		t.Errorf("%d elements, the first with a text of %d bytes", len(shot.Content.Elements), len(shot.Content.Elements[0].Text))
	}
	for _, e := range shot.Content.Elements {
		if len(e.Selector) > maxSelector {
			t.Fatalf("selector has %d bytes", len(e.Selector))
		}
	}
}
