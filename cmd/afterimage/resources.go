package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"afterimage/graph"
	"afterimage/rest"
	"afterimage/vcd"
)

// resources shows webhooks what the REST interface shows.
type resources struct {
	rest *rest.Resources
	base string // of the addresses that clients reach the service by
}

func newResources(executor *graph.Server) (*resources, error) {
	read, err := rest.NewResources(executor)
	if err != nil {
		return nil, fmt.Errorf("prepare webhook payloads: %w", err)
	}
	return &resources{rest: read, base: strings.TrimSuffix(executor.BaseURL(), "/")}, nil
}

// Resource is jobs.Resources's.
func (r *resources) Resource(ctx context.Context, account vcd.ID, event vcd.EventKind, subject vcd.ID) (json.RawMessage, error) {
	ctx = graph.WithActor(ctx, vcd.Actor{Account: account})
	if vcd.WebhookSubject(event) == vcd.SubjectAccount {
		return r.rest.Checks(ctx)
	}
	data, err := r.rest.Of(ctx, string(vcd.WebhookSubject(event)), string(subject))
	if errors.Is(err, rest.ErrNotFound) {
		return nil, vcd.NotFound("resource", subject)
	}
	return data, err
}

// Gate is jobs.Resources's.
func (r *resources) Gate(ctx context.Context, account, batch vcd.ID) (json.RawMessage, error) {
	verdict, err := r.rest.Read(graph.WithActor(ctx, vcd.Actor{Account: account}), "/batches/"+string(batch)+"/gate")
	if errors.Is(err, rest.ErrNotFound) {
		return nil, vcd.NotFound("batch", batch)
	}
	return verdict, err
}

// Address is jobs.Resources's.
func (r *resources) Address(event vcd.EventKind, subject vcd.ID) string {
	return r.base + r.rest.PathOf(string(vcd.WebhookSubject(event)), string(subject))
}

// Changed is jobs.Resources's.
func (r *resources) Changed(batch vcd.ID) string {
	return r.base + rest.BasePath + "/comparisons?status=new&batch_id=" + string(batch)
}
