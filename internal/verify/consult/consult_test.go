package consult

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"afterimage/internal/verify"
)

// modelFunc is a model made of a function.
type modelFunc func(ctx context.Context, q Question) (Answer, error)

func (f modelFunc) Ask(ctx context.Context, q Question) (Answer, error) { return f(ctx, q) }

func noCrops(context.Context, int) (before, after []byte, err error) { return nil, nil, nil }

// open is a result with one region of each category, the alert certain, and two more that the rules are not sure of.
func open() *verify.Result {
	r := &verify.Result{Verdicts: []verify.Verdict{
		{RegionID: 1, Category: verify.AllGood, Description: "a"}, {RegionID: 2, Category: verify.NotSure, Description: "b"},
		{RegionID: 3, Category: verify.Alert, Certain: true, Description: "c"},
		{RegionID: 4, Category: verify.NotSure, Description: "d"}, {RegionID: 5, Category: verify.NotSure, Certain: true, Description: "e"},
	}}
	r.Tally()
	return r
}

func TestConsult(t *testing.T) {
	r := open()
	var asked []string
	model := modelFunc(func(_ context.Context, q Question) (Answer, error) {
		asked = append(asked, q.Description)
		return Answer{verify.AllGood, "Looks\x00 fine\u202e\n to me. " + strings.Repeat("x", 500)}, nil
	})
	c := Ask(t.Context(), r, model, noCrops, Budget{Questions: 10})
	if c.Open != 3 || c.Asked != 3 || c.Answered != 3 || c.Err != nil || strings.Join(asked, "") != "bde" {
		t.Errorf("%+v, asked %q", c, asked)
	}
	if r.AllGood != 3 || r.NotSure != 1 || r.Alerts != 1 {
		t.Errorf("%+v", r)
	}
	v := r.Verdicts[1]
	if !v.ByModel || v.Code != verify.CodeModel || !strings.HasPrefix(v.Reason, "A model compared the images: Looks fine to me. xxx") ||
		len([]rune(v.Reason)) > maxSentence+40 {
		t.Errorf("%+v", v)
	}
	if v := r.Verdicts[4]; v.ByModel || v.Category != verify.NotSure {
		t.Errorf("what the rules are certain of was lowered: %+v", v)
	}
}

// TestModelsThatFail: nothing is lost but an opinion, and a model that fails twice in a row is not asked again.
func TestModelsThatFail(t *testing.T) {
	down := errors.New("down")
	for name, test := range map[string]struct {
		model  modelFunc
		budget Budget
		asked  int
		err    error
	}{
		"down": {func(context.Context, Question) (Answer, error) { return Answer{}, down }, Budget{Questions: 10}, 2, down},
		"unknown category": {func(context.Context, Question) (Answer, error) { return Answer{"fine", "x"}, nil }, Budget{Questions: 10}, 2,
			ErrModelAnswer},
		"no sentence": {func(context.Context, Question) (Answer, error) { return Answer{verify.AllGood, "\x00\n"}, nil },
			Budget{Questions: 10}, 2, ErrModelAnswer},
		"no budget": {func(context.Context, Question) (Answer, error) { return Answer{verify.AllGood, "x"}, nil }, Budget{}, 0, nil},
	} {
		r := open()
		c := Ask(t.Context(), r, test.model, noCrops, test.budget)
		if c.Asked != test.asked || c.Answered != 0 || !errors.Is(c.Err, test.err) || r.NotSure != 3 {
			t.Errorf("%s: %+v, %+v", name, c, r)
		}
	}
}

func TestSlowModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		slow := modelFunc(func(ctx context.Context, _ Question) (Answer, error) { <-ctx.Done(); return Answer{}, ctx.Err() })
		c := Ask(t.Context(), open(), slow, noCrops, Budget{Questions: 9, Timeout: 5 * time.Second})
		if took := time.Since(begin); c.Asked != 2 || took != 10*time.Second || !errors.Is(c.Err, context.DeadlineExceeded) {
			t.Errorf("%+v after %s", c, took)
		}
		c = Ask(t.Context(), open(), slow, noCrops, Budget{Questions: 9, Timeout: 5 * time.Second, Total: 3 * time.Second})
		if c.Asked != 1 || c.Open != 3 {
			t.Errorf("%+v", c)
		}
	})
}

func TestCropsThatFail(t *testing.T) {
	gone := errors.New("gone")
	r := open()
	c := Ask(t.Context(), r, modelFunc(func(context.Context, Question) (Answer, error) { return Answer{}, nil }),
		func(context.Context, int) ([]byte, []byte, error) { return nil, nil, gone }, Budget{Questions: 1})
	if !errors.Is(c.Err, gone) || r.NotSure != 3 {
		t.Errorf("%+v", c)
	}
}
