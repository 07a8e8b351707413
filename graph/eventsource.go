package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// lastEventHeader is sent by a browser's EventSource when it connects again: the last id that it was given.
const lastEventHeader = "Last-Event-ID"

// asEventSource reads the subscription from the URL of a request by a browser's EventSource, which cannot send a body. When
// it connects again, its variable after becomes the last number that it has received.
func asEventSource(r *http.Request) (*http.Request, *gqlerror.Error) {
	query := r.URL.Query()
	params := struct {
		Query         string          `json:"query"`
		OperationName string          `json:"operationName,omitempty"`
		Variables     map[string]any  `json:"variables,omitempty"`
		Extensions    json.RawMessage `json:"extensions,omitempty"`
	}{Query: query.Get("query"), OperationName: query.Get("operationName")}
	if text := query.Get("extensions"); text != "" {
		params.Extensions = json.RawMessage(text)
	}
	if text := query.Get("variables"); text != "" {
		decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
		decoder.UseNumber()
		if err := decoder.Decode(&params.Variables); err != nil {
			return nil, coded(codeBadRequest, "The parameter variables must be a JSON object.")
		}
	}
	if last := r.Header.Get(lastEventHeader); last != "" {
		number, err := strconv.ParseInt(last, 10, 64)
		if err != nil || number < 0 {
			return nil, coded(codeBadRequest, "The header %s must be the number of an event.", lastEventHeader)
		}
		if params.Variables == nil {
			params.Variables = make(map[string]any, 1)
		}
		params.Variables["after"] = number
	}
	body, err := json.Marshal(params)
	if err != nil {
		return nil, coded(codeBadRequest, "The parameters are not a GraphQL request.")
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r, nil
}

// subscriptionsOnly refuses what an address must not do: a link that anybody may make runs no mutation, and what connects
// again by itself needs a place to go on from.
type subscriptionsOnly struct {
	*execution
	again bool // the client connects again
}

// CreateOperationContext lets a subscription in or refuses the operation.
func (s subscriptionsOnly) CreateOperationContext(
	ctx context.Context, params *graphql.RawParams,
) (*graphql.OperationContext, gqlerror.List) {
	rc, refused := s.execution.CreateOperationContext(ctx, params)
	if refused != nil {
		return rc, refused
	}
	switch {
	case rc.Operation.Operation != ast.Subscription:
		refused = gqlerror.List{coded(codeBadRequest, "An event stream by GET must be a subscription.")}
	case s.again && rc.Operation.VariableDefinitions.ForName("after") == nil:
		refused = gqlerror.List{coded(codeBadRequest,
			"The subscription must have a variable $after to continue from %s.", lastEventHeader)}
	}
	return rc, refused
}

// nextEvent is how the transport begins a result.
var nextEvent = []byte("event: next\ndata: ")

// withEventID puts the number of a result before it as the id of the event, for the client to send back. Results without a
// number have none.
func withEventID(event []byte) []byte {
	data, isNext := bytes.CutPrefix(event, nextEvent)
	if !isNext {
		return event
	}
	var result struct {
		Data map[string]struct {
			Number *int64 `json:"number"`
		} `json:"data"`
	}
	if json.Unmarshal(bytes.TrimSpace(data), &result) != nil {
		return event
	}
	for _, field := range result.Data { // a subscription has one
		if field.Number != nil {
			return append([]byte("id: "+strconv.FormatInt(*field.Number, 10)+"\n"), event...)
		}
	}
	return event
}
