package jobs

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"time"

	"afterimage/imgdiff"
	"afterimage/internal/noise"
	"afterimage/internal/subprocess"
	"afterimage/internal/verify"
	"afterimage/vcd"
)

// Limits of a process that compares. Two of the largest screenshots, of 144 million pixels each, take about two thirds of
// the memory and a third of the time, usual ones a hundredth.
const (
	compareMemory = 2 << 30          // bytes
	compareTime   = 30 * time.Second // processor time, for one answer
)

// CompareLimits are the limits of a process that compares; they appear in messages to users.
var CompareLimits = subprocess.Limits{Memory: compareMemory, Time: compareTime}

// question is a request to a comparer. Exactly one part is set: to compare two pictures; to judge what was just
// compared; to check whether a picture is blank.
type question struct {
	Compare *pictureQuestion
	Judge   *judgeQuestion
	Blank   []byte
}

// pictureQuestion requests the difference of two pictures.
type pictureQuestion struct {
	Before, After []byte
	Ignore        []image.Rectangle
	Keep          bool // keep the decoded pictures, to crop what a model is shown
	Mask          bool
}

// judgeQuestion requests a judgment of the regions of the difference.
type judgeQuestion struct {
	Before, After verify.Page
	Crops         bool             // of the regions that the rules are not sure of
	Noise         *noise.Knowledge // of the page; nil for none
	Learn         *noise.Visit     // the pair of visits, if it adds to what is known of the page
}

// answer is the result of a comparer; Refused is set instead when a retry cannot fix the error.
type answer struct {
	Refused  imgdiffError
	Picture  pictureAnswer
	Judgment judgment
	Blank    bool
}

// pictureAnswer is the difference of two pictures.
type pictureAnswer struct {
	Difference              vcd.Difference
	BlankBefore, BlankAfter bool
	Equal                   bool
	AlignmentCut            bool   // see imgdiff.Result
	Mask                    []byte // a PNG, if requested and the pictures are not equal
}

// judgment is the rules' result for the regions, with what a model may be asked.
type judgment struct {
	Findings  []vcd.Finding
	Unlisted  vcd.Unlisted
	Explained bool
	LeftOut   int
	Refused   int              // see [verify.Result]
	Verdicts  []verify.Verdict // without the data they are based on
	Crops     map[int][2][]byte
	Learned   *noise.Knowledge // what is known of the page now; nil when the visits add nothing
}

// imgdiffError is an error of package imgdiff in a form that can be passed between processes.
type imgdiffError struct {
	Text     string
	TooLarge bool
}

func (e imgdiffError) err() error {
	switch {
	case e.Text == "":
		return nil
	case e.TooLarge:
		return fmt.Errorf("%w: %s", imgdiff.ErrTooLarge, e.Text)
	}
	return errors.New(e.Text)
}

// comparer answers the questions about one comparison at a time.
type comparer interface {
	ask(ctx context.Context, q *question) (*answer, error)
	release()
}

// calculator is a comparer in this process. It keeps the last result until it is released or compares anew.
type calculator struct{ found *imgdiff.Result }

func (c *calculator) ask(ctx context.Context, q *question) (*answer, error) {
	var a answer
	var err error
	switch {
	case q.Compare != nil:
		a.Picture, err = c.compare(ctx, q.Compare)
	case q.Judge != nil && c.found != nil:
		a.Judgment, err = judge(ctx, q.Judge, c.found)
	default:
		a.Blank, err = imgdiff.Blank(ctx, q.Blank)
	}
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		a.Refused = imgdiffError{Text: err.Error(), TooLarge: errors.Is(err, imgdiff.ErrTooLarge)}
	}
	return &a, nil
}

func (c *calculator) release() {
	if c.found != nil {
		c.found.Release()
		c.found = nil
	}
}

func (c *calculator) compare(ctx context.Context, q *pictureQuestion) (a pictureAnswer, err error) {
	c.release()
	options := imgdiff.DefaultOptions()
	options.Ignore, options.Keep = q.Ignore, true // the rules compare elements at other places
	c.found, err = imgdiff.Compare(ctx, q.Before, q.After, options)
	if err != nil {
		c.found = nil
		return a, err
	}
	a = pictureAnswer{
		Difference: difference(c.found), BlankBefore: c.found.BlankBefore, BlankAfter: c.found.BlankAfter,
		Equal: c.found.Equal, AlignmentCut: c.found.AlignmentCut,
	}
	if q.Mask && !a.Equal {
		a.Mask, err = c.found.MaskPNG(ctx)
	}
	return a, err
}

// comparers provides comparers: processes if a command is configured, otherwise this process.
type comparers struct{ pool *subprocess.Pool }

func newComparers(command, env []string, limits subprocess.Limits) comparers {
	if len(command) == 0 {
		return comparers{}
	}
	return comparers{subprocess.NewPool(subprocess.Config{Command: command, Env: env, Limits: limits})}
}

func (c comparers) take(ctx context.Context) (comparer, error) {
	if c.pool == nil {
		return &calculator{}, nil
	}
	process, err := c.pool.Take(ctx)
	if err != nil {
		return nil, err
	}
	return remote{process}, nil
}

func (c comparers) close() {
	if c.pool != nil {
		c.pool.Close()
	}
}

// remote is a comparer in a separate process.
type remote struct{ process *subprocess.Process }

func (r remote) ask(ctx context.Context, q *question) (*answer, error) {
	a := new(answer)
	if err := r.process.Ask(ctx, q, a); err != nil {
		return nil, err
	}
	return a, nil
}

func (r remote) release() { r.process.Release() }

// ServeComparisons is the other side: it compares for the program that started this process, until the input ends.
func ServeComparisons(in io.Reader, out io.Writer) error {
	var c calculator
	return subprocess.Serve(in, out, func(q *question) *answer {
		a, err := c.ask(context.Background(), q)
		if err != nil {
			panic(err) // unreachable: the context never ends
		}
		return a
	})
}
