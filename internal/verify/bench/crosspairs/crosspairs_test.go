package crosspairs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"afterimage/imgdiff"
)

// The bounds that every pair keeps to.
const (
	mostMemory = 300 << 20       // bytes that a comparison allocates, all together
	mostTime   = 2 * time.Second // of processor time; looked at in the full run
)

// extent is how many pages of each collection are captured, and how many pairs of different pages compared: few in every run,
// more than 5,000 with AFTERIMAGE_SOAK=1.
func extent() (each, crossed int) {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 40, 4600
	}
	return 4, 66
}

// TestEveryPairOfPagesIsCompared: whatever two pages are compared, the comparison comes to an end within its bound, is never
// worse than without alignment, and makes sense.
func TestEveryPairOfPagesIsCompared(t *testing.T) {
	each, crossed := extent()
	pages := album(t, each)
	r := rand.New(rand.NewPCG(12, 12))
	m := &meter{}
	var pairs [][2]int
	for i := range pages {
		for j := range i {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	for n, p := range pairs[:min(len(pairs), crossed)] {
		a, b := pages[p[0]], pages[p[1]]
		m.compare(t, fmt.Sprintf("%s and %s", a.name, b.name), a.file, b.file)
		if n%20 == 0 {
			w := woven(a.pixels(t), b.pixels(t))
			m.compare(t, fmt.Sprintf("%s and it woven with %s", a.name, b.name), a.file, encode(t, w))
			m.compareBounded(t, a.file, b.file)
			m.interrupt(t, r, a.file, b.file)
		}
	}
	for _, p := range pages {
		pixels := p.pixels(t)
		for n, name := range twistNames {
			twisted := encode(t, twists[name](r, pixels))
			m.compare(t, p.name+", "+name, p.file, twisted)
			if n%4 == 0 {
				m.compareBounded(t, twisted, p.file)
			}
		}
	}
	t.Logf("%d pairs of %d pages: at most %.1f of %d pixels looked at for each (%s), %v of processor time (%s), %d MB allocated (%s)",
		m.pairs, len(pages), m.mostWork, imgdiff.DefaultEffort, m.workOf, m.mostTime.Round(time.Millisecond), m.timeOf,
		m.mostMemory>>20, m.memoryOf)
	if m.cut == 0 {
		t.Error("no pair reached the low bound")
	}
}

// meter holds comparisons to their bounds and remembers the most that one of them took.
type meter struct {
	pairs, cut               int
	mostWork                 float64 // for each pixel
	mostTime                 time.Duration
	mostMemory               uint64
	workOf, timeOf, memoryOf string
}

func (m *meter) compare(t *testing.T, name string, before, after []byte) {
	t.Helper()
	m.pairs++
	var was, is runtime.MemStats
	runtime.ReadMemStats(&was)
	began := processorTime(t)
	result, err := imgdiff.Compare(t.Context(), before, after, imgdiff.DefaultOptions())
	took := processorTime(t) - began
	runtime.ReadMemStats(&is)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	check(t, name, result, imgdiff.DefaultEffort)
	if result.AlignmentCut {
		t.Errorf("%s: the bound was reached", name)
	}
	if work := float64(result.AlignmentWork) / pixels(result); work > m.mostWork {
		m.mostWork, m.workOf = work, name
	}
	if took > m.mostTime {
		m.mostTime, m.timeOf = took, name
	}
	allocated := is.TotalAlloc - was.TotalAlloc
	if allocated > m.mostMemory {
		m.mostMemory, m.memoryOf = allocated, name
	}
	if allocated > mostMemory {
		t.Errorf("%s: %d MB allocated", name, allocated>>20)
	}
	if took > mostTime && os.Getenv("AFTERIMAGE_SOAK") != "" {
		t.Errorf("%s: %v of processor time", name, took)
	}
}

// compareBounded compares with a bound that many pairs reach.
func (m *meter) compareBounded(t *testing.T, before, after []byte) {
	t.Helper()
	o := imgdiff.DefaultOptions()
	o.Effort = 3
	result, err := imgdiff.Compare(t.Context(), before, after, o)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "with a low bound", result, o.Effort)
	if result.AlignmentCut {
		m.cut++
	}
}

// interrupt ends a comparison at any moment.
func (m *meter) interrupt(t *testing.T, r *rand.Rand, before, after []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(40))*time.Millisecond)
	defer cancel()
	if _, err := imgdiff.Compare(ctx, before, after, imgdiff.DefaultOptions()); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("interrupted: %v", err)
	}
}

// pixels are those of both pictures.
func pixels(r *imgdiff.Result) float64 {
	return float64(r.Before.X*r.Before.Y + r.After.X*r.After.Y)
}

// check holds a result to what is true of every one.
func check(t *testing.T, name string, r *imgdiff.Result, effort int) {
	t.Helper()
	if limit := float64(effort) * pixels(r); float64(r.AlignmentWork) > limit {
		t.Errorf("%s: %d pixels looked at, the bound is %.0f", name, r.AlignmentWork, limit)
	}
	if r.AlignedPercent > r.Percent || r.AlignedPercent < 0 || r.Percent > 100 || r.Residual > r.Changed {
		t.Errorf("%s: %v %% changed and %v %% when aligned; %d pixels and %d", name, r.Percent, r.AlignedPercent, r.Changed, r.Residual)
	}
	for _, b := range r.Bands {
		inBefore := b.YBefore >= 0 && (b.Kind == imgdiff.BandInserted && b.YBefore <= r.Before.Y || b.YBefore+b.Rows <= r.Before.Y)
		inAfter := b.YAfter >= 0 && (b.Kind == imgdiff.BandDeleted && b.YAfter <= r.After.Y || b.YAfter+b.Rows <= r.After.Y)
		if b.Rows <= 0 || b.X0 < 0 || b.X0 >= b.X1 || b.X1 > r.Width || !inBefore || !inAfter {
			t.Errorf("%s: band %+v in pictures of %v and %v", name, b, r.Before, r.After)
		}
	}
	for _, region := range r.Regions {
		if region.Pixels <= 0 || region.Box.Empty() || !region.Box.In(image.Rect(0, 0, r.Width, r.Height)) {
			t.Errorf("%s: region %+v", name, region)
		}
	}
}

func encode(t *testing.T, page *image.NRGBA) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, page); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
