package diffcli

import (
	"encoding/json"
	"fmt"
	"image"
	"io"

	"afterimage/imgdiff"
)

// Report is one pair as JSON. Boxes and rows are in pixels of the union of
// both pictures, percentages 0 to 100.
type Report struct {
	ID     json.RawMessage `json:"id,omitempty"`   // of the request, when resident
	Name   string          `json:"name,omitempty"` // below both folders, when folders are compared
	Before string          `json:"before"`
	After  string          `json:"after"`

	Different  bool `json:"different"` // a changed pixel, or unequal sizes
	Equal      bool `json:"equal"`     // every pixel is equal, ignoring the options
	Width      int  `json:"width"`
	Height     int  `json:"height"`
	BeforeSize Size `json:"before_size"`
	AfterSize  Size `json:"after_size"`

	Changed        int      `json:"changed"`
	AntiAliased    int      `json:"antialiased"`
	Percent        float64  `json:"percent"`
	Regions        []Region `json:"regions"`
	RegionsLeftOut int      `json:"regions_left_out"`
	MinSSIM        float64  `json:"min_ssim"`

	Aligned        bool    `json:"aligned"` // alignment was asked for and ran
	Bands          []Band  `json:"bands"`
	Residual       int     `json:"residual"`
	AlignedPercent float64 `json:"aligned_percent"`
	AlignmentCut   bool    `json:"alignment_cut"` // alignment reached its bound: bands are what was found until then

	BlankBefore bool `json:"blank_before"`
	BlankAfter  bool `json:"blank_after"`
}

// Size is the size of one picture.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Region is one cluster of changed pixels, heaviest first.
type Region struct {
	X           int     `json:"x"`
	Y           int     `json:"y"`
	W           int     `json:"w"`
	H           int     `json:"h"`
	Pixels      int     `json:"pixels"`
	MeanDelta   float64 `json:"mean_delta"` // 0 to 1
	SSIM        float64 `json:"ssim"`
	Fingerprint string  `json:"fingerprint"`
}

// Band is a run of rows, of the columns x to x+w, from top to bottom.
type Band struct {
	Kind    imgdiff.BandKind `json:"kind"`
	YBefore int              `json:"y_before"`
	YAfter  int              `json:"y_after"`
	Rows    int              `json:"rows"`
	X       int              `json:"x"`
	W       int              `json:"w"`
}

// failure stands for a pair that could not be compared.
type failure struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Name   string          `json:"name,omitempty"`
	Before string          `json:"before,omitempty"`
	After  string          `json:"after,omitempty"`
	Error  string          `json:"error"`
}

// single is a file without a counterpart.
type single struct {
	Name      string `json:"name"`
	Only      string `json:"only"` // "before" or "after"
	Path      string `json:"path"`
	Different bool   `json:"different"`
}

// isDifferent is what the exit code tells.
func isDifferent(r *imgdiff.Result) bool { return r.Changed > 0 || r.Before != r.After }

// newReport copies what is printed, so that the result's masks and files can
// be freed.
func newReport(p pair, r *imgdiff.Result) *Report {
	report := &Report{
		ID: p.id, Name: p.name, Before: p.before, After: p.after,
		Different: isDifferent(r), Equal: r.Equal,
		Width: r.Width, Height: r.Height, BeforeSize: sizeOf(r.Before), AfterSize: sizeOf(r.After),
		Changed: r.Changed, AntiAliased: r.AntiAliased, Percent: r.Percent,
		Regions: make([]Region, len(r.Regions)), RegionsLeftOut: r.RegionsLeftOut, MinSSIM: r.MinSSIM,
		Aligned: r.Aligned, Bands: make([]Band, len(r.Bands)), Residual: r.Residual, AlignedPercent: r.AlignedPercent,
		AlignmentCut: r.AlignmentCut,
		BlankBefore:  r.BlankBefore, BlankAfter: r.BlankAfter,
	}
	for i, g := range r.Regions {
		report.Regions[i] = Region{X: g.Box.Min.X, Y: g.Box.Min.Y, W: g.Box.Dx(), H: g.Box.Dy(), Pixels: g.Pixels,
			MeanDelta: g.MeanDelta, SSIM: g.SSIM, Fingerprint: g.Fingerprint.String()}
	}
	for i, b := range r.Bands {
		report.Bands[i] = Band{Kind: b.Kind, YBefore: b.YBefore, YAfter: b.YAfter, Rows: b.Rows, X: b.X0, W: b.X1 - b.X0}
	}
	return report
}

func sizeOf(p image.Point) Size { return Size{Width: p.X, Height: p.Y} }

// writeJSON writes one line in one call, so that a reader never sees half.
func writeJSON(w io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}
