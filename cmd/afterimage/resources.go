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

// folderOf is where the interface shows what an event is about.
var folderOf = map[vcd.EventKind]string{
	vcd.EventBatchFinished:       "/batches/",
	vcd.EventComparisonStatusNew: "/comparisons/",
	vcd.EventQueueStatusDone:     "/queues/",
	vcd.EventQueueStatusFailed:   "/queues/",
	vcd.EventPing:                "/webhooks/",
}

// Resource is jobs.Resources's.
func (r *resources) Resource(ctx context.Context, account vcd.ID, event vcd.EventKind, subject vcd.ID) (json.RawMessage, error) {
	folder, ok := folderOf[event]
	if !ok {
		return nil, fmt.Errorf("webhooks are not sent for %s", event)
	}
	data, err := r.rest.Read(graph.WithActor(ctx, vcd.Actor{Account: account}), folder+string(subject))
	if errors.Is(err, rest.ErrNotFound) {
		return nil, vcd.NotFound("resource", subject)
	}
	return data, err
}
