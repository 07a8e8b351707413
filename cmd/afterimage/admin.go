package main

import (
	"context"
	"errors"
	"os"

	"afterimage/vcd"
)

// withBackend runs do with an open database and closes it again.
func withBackend(ctx context.Context, g *globals, n needs, do func(*backend) error) error {
	logger, err := g.Logger(os.Stderr)
	if err != nil {
		return err
	}
	b, err := openBackend(ctx, g, n, logger)
	if err != nil {
		return err
	}
	return errors.Join(do(b), b.close())
}

// plain turns a refusal into what a person at the command line should read.
func plain(err error) error {
	var refusal *vcd.Error
	if !errors.As(err, &refusal) {
		return err
	}
	if len(refusal.Fields) > 0 {
		return errors.New(refusal.Fields[0].Text())
	}
	return errors.New(refusal.Message)
}
