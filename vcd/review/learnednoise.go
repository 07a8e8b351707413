package review

import (
	"context"
	"errors"
	"slices"

	"afterimage/internal/noise"
	"afterimage/vcd"
)

// LearnedNoise returns what is known about the parts of a page that vary on their own.
func (s *Service) LearnedNoise(ctx context.Context, actor vcd.Actor, url vcd.ID, device vcd.Device) (*vcd.LearnedNoise, error) {
	return vcd.Read(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (*vcd.LearnedNoise, error) {
		if _, err := tx.URL(ctx, url); err != nil {
			return nil, err
		}
		return tx.LearnedNoise(ctx, url, device)
	})
}

// NoiseCorrection is what a person says about a part of a page.
type NoiseCorrection string

// The corrections.
const (
	CorrectForget  NoiseCorrection = "forget"  // what is known about it is wrong
	CorrectContent NoiseCorrection = "content" // each of its changes counts
	CorrectVarying NoiseCorrection = "varying" // it varies on its own
	CorrectUnmark  NoiseCorrection = "unmark"  // what was said before no longer holds
)

var noiseCorrections = []NoiseCorrection{CorrectForget, CorrectContent, CorrectVarying, CorrectUnmark}

// NoiseCorrectionInput is a correction of what is known of a page.
type NoiseCorrectionInput struct {
	URL        vcd.ID
	Device     vcd.Device
	Selector   *string // nil for all parts, which can only be forgotten
	Correction NoiseCorrection
}

// CorrectLearnedNoise corrects what is known of a page, and returns it.
func (s *Service) CorrectLearnedNoise(ctx context.Context, actor vcd.Actor, in NoiseCorrectionInput) (*vcd.LearnedNoise, error) {
	v := &vcd.Validation{}
	v.Check(slices.Contains(noiseCorrections, in.Correction), "correction", "in", "The selected {field} is invalid.")
	switch {
	case in.Selector != nil:
		v.Required("selector", *in.Selector, noise.MaxSelector)
	case in.Correction != CorrectForget:
		v.Add("selector", "required", "The {field} field is required unless everything is to be forgotten.")
	}
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.Rules(), actor, func(ctx context.Context, tx RuleTx) (*vcd.LearnedNoise, error) {
		if _, err := tx.LockURL(ctx, in.URL); err != nil { // nobody learns meanwhile
			return nil, err
		}
		n, err := tx.LearnedNoise(ctx, in.URL, in.Device)
		if err != nil {
			return nil, err
		}
		if in.Selector == nil {
			if err := tx.ForgetLearnedNoise(ctx, in.URL, in.Device); err != nil {
				return nil, err
			}
			return tx.LearnedNoise(ctx, in.URL, in.Device)
		}
		if err := in.apply(n.Knowledge); err != nil {
			return nil, err
		}
		n.UpdatedAt = s.clock.Now()
		if _, err := tx.KeepLearnedNoise(ctx, n); err != nil {
			return nil, err
		}
		return tx.LearnedNoise(ctx, in.URL, in.Device)
	})
}

func (in *NoiseCorrectionInput) apply(k *noise.Knowledge) error {
	mark := noise.MarkNone
	switch in.Correction {
	case CorrectForget:
		k.Forget(*in.Selector)
		return nil
	case CorrectContent:
		mark = noise.MarkContent
	case CorrectVarying:
		mark = noise.MarkVarying
	}
	err := k.SetMark(*in.Selector, mark)
	if errors.Is(err, noise.ErrTooManyMarks) {
		return &vcd.Error{Code: vcd.CodeConflict, Message: "Too many parts of this page are marked: remove some of the marks first."}
	}
	return err
}
