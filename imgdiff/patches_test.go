package imgdiff

import (
	"context"
	"errors"
	"image"
	"testing"
)

func TestPatchesHoldEveryPixelOnce(t *testing.T) {
	for seed := range uint64(40) {
		r := newRand(seed)
		m := scattered(seed, 1+r.IntN(300), 1+r.IntN(80))
		most := r.IntN(6)
		found, omitted, pixels, err := m.Patches(t.Context(), most)
		if err != nil || len(found) > most || omitted > 0 && len(found) < most {
			t.Fatalf("seed %d: %d patches of at most %d, %d omitted, %v", seed, len(found), most, omitted, err)
		}
		rest := m.Clone()
		for i, p := range found {
			pixels += p.Pixels
			if i > 0 && p.Pixels > found[i-1].Pixels || p.Pixels > m.CountIn(p.Box) || p.Fingerprint == 0 {
				t.Errorf("seed %d: patch %d is %+v", seed, i, p)
			}
			rest.ClearRect(p.Box)
		}
		if pixels != m.Count() || omitted == 0 && rest.Count() != 0 {
			t.Errorf("seed %d: patches have %d of %d pixels, %d lie beside them", seed, pixels, m.Count(), rest.Count())
		}
	}
}

func TestPatchesHearTheirContext(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := scattered(1, 200, 200).Patches(gone, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestClearedBoxesAreEmpty(t *testing.T) {
	for seed := range uint64(40) {
		r := newRand(seed)
		m := scattered(seed, 1+r.IntN(300), 1+r.IntN(40))
		box := image.Rect(r.IntN(340)-20, r.IntN(60)-10, r.IntN(340)-20, r.IntN(60)-10)
		want := m.Count() - m.CountIn(box)
		m.ClearRect(box)
		if m.CountIn(box) != 0 || m.Count() != want {
			t.Errorf("seed %d: %d pixels are left, %d in %v", seed, m.Count(), m.CountIn(box), box)
		}
	}
}
