// Package consult asks a vision model about the regions that the rules are not sure of. It limits how often the model is asked, and what
// its answers can do.
package consult

import (
	"context"
	"errors"
	"fmt"
	"time"

	"afterimage/internal/verify"
	"afterimage/internal/verify/wording"
)

// Model is a vision model that can be asked about a change.
type Model interface {
	// Ask may fail with ErrModelAnswer or any error of the connection to the model.
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Question is a question about one region. The pictures and the description contain content of the page, which may be
// crafted to mislead: the model is told so, and [Ask] limits the effect of its answer.
type Question struct {
	Before, After []byte // crops, JPEG or PNG; empty if that picture has no part there
	Description   string
}

// Answer is the answer of a model.
type Answer struct {
	Category verify.Category
	Sentence string
}

// ErrModelAnswer means that a model answered, but not in the required format.
var ErrModelAnswer = errors.New("the model's answer is not in the required format")

// maxSentence limits the length of a model's sentence that is kept, in characters.
const maxSentence = 200

// Budget limits the questions about one comparison. The caller tracks how many a batch may still ask.
type Budget struct {
	Questions int           // maximum number
	Timeout   time.Duration // for each question; 0 = DefaultTimeout
	Total     time.Duration // for all questions together; 0 = no limit but the context
}

// DefaultTimeout is the time limit for one question.
const DefaultTimeout = 20 * time.Second

// maxFailures is the number of consecutive failures after which no more questions are asked.
const maxFailures = 2

// Consultation reports the outcome of the questions to a model.
type Consultation struct {
	Open     int   // regions that the rules were not sure of
	Asked    int   // regions asked about
	Answered int   // answers in the required format
	Err      error // of the last question that failed; nil if none did
}

// Crops returns the parts of both pictures that show a region: its Box in the after picture, its BeforeBox in the before
// picture.
type Crops func(ctx context.Context, regionID int) (before, after []byte, err error)

// Ask asks the model about the regions that the rules are not sure of, in order, within the budget. If a question
// fails, the verdict on its region stays as it is. Verdicts changed by the model are marked.
func Ask(ctx context.Context, r *verify.Result, model Model, crops Crops, b Budget) Consultation {
	var c Consultation
	if b.Total > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Total)
		defer cancel()
	}
	failures := 0
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Category != verify.NotSure {
			continue
		}
		c.Open++
		if c.Asked >= b.Questions || failures >= maxFailures || ctx.Err() != nil {
			continue
		}
		c.Asked++
		answer, err := askAbout(ctx, v, model, crops, b.Timeout)
		if err != nil {
			c.Err = fmt.Errorf("ask the model about region %d: %w", v.RegionID, err)
			failures++
			continue
		}
		failures = 0
		c.Answered++
		adopt(v, answer)
	}
	r.Tally()
	return c
}

func askAbout(ctx context.Context, v *verify.Verdict, model Model, crops Crops, timeout time.Duration) (Answer, error) {
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
	case verify.AllGood, verify.NotSure, verify.Alert:
	default:
		return Answer{}, fmt.Errorf("%w: category %q", ErrModelAnswer, wording.OneLine(string(answer.Category), wording.MaxQuoted))
	}
	answer.Sentence = wording.OneLine(answer.Sentence, maxSentence)
	if answer.Sentence == "" {
		return Answer{}, fmt.Errorf("%w: there is no sentence", ErrModelAnswer)
	}
	return answer, nil
}

// modelConfidence is the confidence of a model's verdict: the page may have misled the model.
const modelConfidence = 0.6

// adopt takes over a model's answer. Alerts that the rules are certain of stay alerts.
func adopt(v *verify.Verdict, a Answer) {
	if v.Certain && v.Category.WorseThan(a.Category) {
		return
	}
	v.Category, v.Confidence, v.Code, v.ByModel = a.Category, modelConfidence, verify.CodeModel, true
	v.Reason = "A model compared the images: " + a.Sentence
}
