package verify

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Model is something that sees pictures and can be asked what it thinks of a change.
type Model interface {
	// Ask may fail with ErrModelAnswer, or with whatever the way there fails with.
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Question is one region, for a model. The pictures and the description hold what the page shows, which may be written to
// mislead: a model is told so, and Consult bounds what its answer can do.
type Question struct {
	Before, After []byte // crops, JPEG or PNG; empty where that picture has nothing there
	Description   string
}

// Answer is what a model thinks.
type Answer struct {
	Category Category
	Sentence string
}

// ErrModelAnswer says that a model answered, but not in the agreed form.
var ErrModelAnswer = errors.New("the model's answer is not in the required format")

// maxSentence is how much of a model's sentence is kept, in characters.
const maxSentence = 200

// Budget bounds the questions about one comparison. The caller counts what a batch may still ask.
type Budget struct {
	Questions int           // at most so many
	Timeout   time.Duration // for each; 0 = DefaultTimeout
	Total     time.Duration // for all together; 0 = no bound but the context
}

// DefaultTimeout is for one question.
const DefaultTimeout = 20 * time.Second

// maxFailures is how many questions may fail in a row before no more are asked.
const maxFailures = 2

// Consultation tells what became of the questions to a model.
type Consultation struct {
	Open     int   // regions that the rules were not sure of
	Asked    int   // of them
	Answered int   // in the agreed form
	Err      error // of the last question that failed; nil when none did
}

// Crops cuts a region out of both pictures; box in the after picture, beforeBox in the before picture.
type Crops func(ctx context.Context, regionID int) (before, after []byte, err error)

// Consult asks the model about the regions that the rules are not sure of, in their order, within the budget. A question
// that fails leaves its region as it is: nothing is lost but an opinion. The verdicts that a model changed say so.
func (r *Result) Consult(ctx context.Context, model Model, crops Crops, b Budget) Consultation {
	var c Consultation
	if b.Total > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Total)
		defer cancel()
	}
	failures := 0
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Category != NotSure {
			continue
		}
		c.Open++
		if c.Asked >= b.Questions || failures >= maxFailures || ctx.Err() != nil {
			continue
		}
		c.Asked++
		answer, err := ask(ctx, model, crops, v, b.Timeout)
		if err != nil {
			c.Err = fmt.Errorf("ask the model about region %d: %w", v.RegionID, err)
			failures++
			continue
		}
		failures = 0
		c.Answered++
		v.apply(answer)
	}
	r.Tally()
	return c
}

func ask(ctx context.Context, model Model, crops Crops, v *Verdict, timeout time.Duration) (Answer, error) {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	before, after, err := crops(ctx, v.RegionID)
	if err != nil {
		return Answer{}, fmt.Errorf("cut it out: %w", err)
	}
	answer, err := model.Ask(ctx, Question{Before: before, After: after, Description: v.Description})
	if err != nil {
		return Answer{}, err
	}
	switch answer.Category {
	case AllGood, NotSure, Alert:
	default:
		return Answer{}, fmt.Errorf("%w: category %q", ErrModelAnswer, oneLine(string(answer.Category), maxQuoted))
	}
	answer.Sentence = oneLine(answer.Sentence, maxSentence)
	if answer.Sentence == "" {
		return Answer{}, fmt.Errorf("%w: there is no sentence", ErrModelAnswer)
	}
	return answer, nil
}

// modelConfidence is that of a verdict by a model: it may have been misled by the page.
const modelConfidence = 0.6

// apply takes a model's opinion over. What the rules are certain of stays an alert.
func (v *Verdict) apply(a Answer) {
	if v.Certain && a.Category.rank() < v.Category.rank() {
		return
	}
	v.Category, v.Confidence, v.Code, v.ByModel = a.Category, modelConfidence, CodeModel, true
	v.Reason = "A model compared the images: " + a.Sentence
}
