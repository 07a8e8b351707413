package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"afterimage/graph"
	"afterimage/rest"
	"afterimage/vcd"
)

// resources shows webhooks what the REST interface shows.
type resources struct {
	rest *rest.Resources
}

func newResources(executor *graph.Server) (*resources, error) {
	read, err := rest.NewResources(executor)
	if err != nil {
		return nil, fmt.Errorf("prepare webhook payloads: %w", err)
	}
	return &resources{read}, nil
}

// Resource is jobs.Resources's.
func (r *resources) Resource(ctx context.Context, account vcd.ID, event vcd.EventKind, subject vcd.ID) (json.RawMessage, error) {
	data, err := r.rest.Of(graph.WithActor(ctx, vcd.Actor{Account: account}), string(vcd.WebhookSubject(event)), string(subject))
	if errors.Is(err, rest.ErrNotFound) {
		return nil, vcd.NotFound("resource", subject)
	}
	return data, err
}
