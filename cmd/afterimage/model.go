package main

import (
	"errors"
	"fmt"
	"time"

	"afterimage/internal/verify/consult"
	"afterimage/internal/verify/vision"
)

// modelFlags say which model is asked about changes. The flag of its key is not shown: command lines can be read by others.
type modelFlags struct {
	VerifyURL     string        `name:"verify-url" help:"Base URL of an OpenAI-compatible endpoint that judges changes the rules are unsure of, such as https://models.example.com/v1. Its key: AFTERIMAGE_VERIFY_KEY or --verify-key-file." placeholder:"URL"`
	VerifyKey     string        `secret:"" hidden:"" help:"API key of that endpoint; can only be set as an environment variable."`
	VerifyModel   string        `help:"Name of the vision model at that endpoint." placeholder:"NAME"`
	VerifyKeyFile string        `help:"File with the API key of that endpoint, if it needs one." type:"path" placeholder:"FILE"`
	VerifyTimeout time.Duration `help:"Timeout for one answer of the model, at most 60s." default:"20s"`
	VerifyBudget  int           `help:"Maximum number of changes per run that the model is asked about." default:"100"`
}

// model is nil where none is configured.
func (f *modelFlags) model() (consult.Model, error) {
	if f.VerifyURL == "" {
		if f.VerifyModel != "" {
			return nil, errors.New("--verify-model needs --verify-url")
		}
		return nil, nil
	}
	if f.VerifyTimeout < time.Second || f.VerifyTimeout > time.Minute {
		return nil, fmt.Errorf("--verify-timeout must be between 1s and 60s, got %s", f.VerifyTimeout)
	}
	if f.VerifyBudget < 1 || f.VerifyBudget > 1_000_000 {
		return nil, fmt.Errorf("--verify-budget must be between 1 and 1000000, got %d", f.VerifyBudget)
	}
	client, err := vision.New(vision.Config{BaseURL: f.VerifyURL, Model: f.VerifyModel, Key: f.VerifyKey, Timeout: f.VerifyTimeout}, nil)
	if err != nil {
		return nil, fmt.Errorf("--verify-url, --verify-model: %w", err)
	}
	return client, nil
}
