package verify

import (
	"fmt"
	"image"
	"testing"
	"time"

	"afterimage/internal/noise"
)

// What a page did by itself in earlier visits is silent, unless a rule alarms or a person has said otherwise.
func TestEarlierVisitsExplainChanges(t *testing.T) {
	with := func(source string) Page {
		return withElements(append(section(100, "x1", "Our rooms"), picture(140, source))...)
	}
	box := image.Rect(100, 150, 500, 290)
	learned := func(change func(*noise.Knowledge)) *noise.Knowledge {
		k := &noise.Knowledge{}
		for i := range 4 {
			k.Observe(&noise.Pair{
				Visit:  noise.Visit{At: time.Unix(int64(i), 0), Source: noise.FromMonitoring},
				Before: with(fmt.Sprintf("/rooms/%d.jpg", i)).Elements, After: with(fmt.Sprintf("/rooms/%d.jpg", i+1)).Elements,
			})
		}
		change(k)
		return k
	}
	const room = "html > body > section > img"
	for name, c := range map[string]struct {
		known    *noise.Knowledge
		next     string
		category Category
		code     Code
	}{
		"nothing known":    {nil, "/rooms/2.jpg", NotSure, CodeUnknown},
		"varies":           {learned(func(*noise.Knowledge) {}), "/rooms/2.jpg", AllGood, CodeLearned},
		"varies otherwise": {learned(func(*noise.Knowledge) {}), "/rooms/missing.svg", NotSure, CodeUnknown},
		"marked as content": {learned(func(k *noise.Knowledge) { k.Find(room).Mark = noise.MarkContent }), "/rooms/2.jpg", NotSure,
			CodeLearned},
		"forgotten": {learned(func(k *noise.Knowledge) { k.Forget(room) }), "/rooms/2.jpg", NotSure, CodeUnknown},
	} {
		p := &Pair{Before: with("/rooms/4.jpg"), After: with(c.next), Noise: c.known}
		p.Regions = []Region{{ID: 1, Box: box, BeforeBox: box, Pixels: area(box) / 3, MeanDelta: 0.4, SSIM: 0.3}}
		if v := verified(t, p).Verdicts[0]; v.Category != c.category || v.Code != c.code || v.Reason == "" {
			t.Errorf("%s: %s by %s: %s", name, v.Category, v.Code, v.Reason)
		}
	}
}
