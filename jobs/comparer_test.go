package jobs

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// honestComparer is how this test's program compares for itself, see overrun_test.go.
var honestComparer = []string{"JOBS_TEST_COMPARER=honest"}

// pairs are pictures of real pages, and one that does not compress.
func pairs(t testing.TB) map[string]*question {
	t.Helper()
	found := map[string]*question{}
	for _, name := range []string{"full-width-column", "empty-column"} {
		q := &pictureQuestion{Mask: true}
		for side, to := range map[string]*[]byte{"before": &q.Before, "after": &q.After} {
			data, err := os.ReadFile(filepath.Join("../imgdiff/testdata/align", name, side+".png"))
			if err != nil {
				t.Fatal(err)
			}
			*to = data
		}
		found[name] = &question{Compare: q}
	}
	noise := image.NewNRGBA(image.Rect(0, 0, 1000, 700))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(r.Uint32()) | map[bool]uint8{true: 255}[i&3 == 3]
	}
	q := &pictureQuestion{Mask: true}
	for i, to := range []*[]byte{&q.Before, &q.After} {
		var file bytes.Buffer
		for x := range 400 * i {
			noise.Pix[noise.PixOffset(x, 350)] ^= 128
		}
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, noise); err != nil {
			t.Fatal(err)
		}
		*to = file.Bytes()
	}
	found["noise"] = &question{Compare: q}
	return found
}

// TestBothComparersAgree: a process answers what this one does.
func TestBothComparersAgree(t *testing.T) {
	remotes := newComparers([]string{"/proc/self/exe"}, honestComparer, CompareLimits)
	defer remotes.close()
	for name, q := range pairs(t) {
		var answers [2]*answer
		for i, from := range []comparers{{}, remotes} {
			c, err := from.take(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if answers[i], err = c.ask(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			c.release()
		}
		here, there := answers[0].Picture, answers[1].Picture
		if !bytes.Equal(here.Mask, there.Mask) {
			t.Errorf("%s: the masks differ", name)
		}
		if diff := cmp.Diff(here.Difference, there.Difference, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: here (-) and there (+) differ:\n%s", name, diff)
		}
	}
	c, err := remotes.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.release()
	a, err := c.ask(t.Context(), &question{Blank: []byte("no picture")})
	if err != nil || a.Refused.err() == nil {
		t.Errorf("%+v, %v", a, err)
	}
}

// BenchmarkComparers measures what a comparison costs more in a process of its own: both in turn, medians.
func BenchmarkComparers(b *testing.B) {
	remotes := newComparers([]string{"/proc/self/exe"}, honestComparer, CompareLimits)
	defer remotes.close()
	for name, q := range pairs(b) {
		b.Run(name, func(b *testing.B) {
			var took [2][]time.Duration
			for b.Loop() {
				for i, from := range []comparers{{}, remotes} {
					start := time.Now()
					c, err := from.take(b.Context())
					if err != nil {
						b.Fatal(err)
					}
					if _, err := c.ask(b.Context(), q); err != nil {
						b.Fatal(err)
					}
					c.release()
					took[i] = append(took[i], time.Since(start))
				}
			}
			var medians [2]float64
			for i := range took {
				slices.Sort(took[i])
				medians[i] = float64(took[i][len(took[i])/2].Microseconds()) / 1000
			}
			b.ReportMetric(medians[0], "here-ms")
			b.ReportMetric(medians[1], "process-ms")
			b.ReportMetric(medians[1]-medians[0], "more-ms")
		})
	}
}
