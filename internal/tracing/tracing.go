// Package tracing sends what a request leads to as OpenTelemetry traces: from the operation through the jobs to the webhook. It
// is off unless the standard variables name a receiver. Spans hold names of ours, ids and numbers: no SQL, no addresses, nothing
// that a client sent, see decision 71.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// The variables that turn traces on, and those that say how they are sent.
const (
	endpointVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesVariable   = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	protocolVariable = "OTEL_EXPORTER_OTLP_PROTOCOL"
	tracesProtocol   = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
	disabledVariable = "OTEL_SDK_DISABLED"
	serviceVariable  = "OTEL_SERVICE_NAME"
)

// name is that of our spans' library, and the service's unless OTEL_SERVICE_NAME gives another.
const name = "afterimage"

// flushTimeout limits sending what is left when the process ends.
const flushTimeout = 3 * time.Second

var on atomic.Bool

// On reports whether this process traces.
func On() bool { return on.Load() }

// Start traces if the environment says where to. What it returns sends what is left and ends.
func Start(ctx context.Context, version string, logger *slog.Logger) (stop func() error, err error) {
	nothing := func() error { return nil }
	if os.Getenv(endpointVariable) == "" && os.Getenv(tracesVariable) == "" || strings.EqualFold(os.Getenv(disabledVariable), "true") {
		return nothing, nil
	}
	for _, variable := range []string{tracesProtocol, protocolVariable} {
		if protocol := os.Getenv(variable); protocol != "" && protocol != "http/protobuf" {
			return nil, fmt.Errorf("%s is %q, but traces are sent by http/protobuf only: set it so, with the port of OTLP over HTTP "+
				"(usually 4318) in %s", variable, protocol, endpointVariable)
		}
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the OTEL_ variables: %w", err)
	}
	service := os.Getenv(serviceVariable)
	if service == "" {
		service = name
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(resource.NewSchemaless(
		attribute.String("service.name", service), attribute.String("service.version", version))))
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { logger.Warn("traces could not be sent", "cause", err) }))
	otel.SetTracerProvider(provider)
	on.Store(true)
	return func() error {
		on.Store(false)
		ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			logger.Warn("the last traces could not be sent", "cause", err)
		}
		return nil
	}, nil
}

// Begin starts a span. The caller calls end with the error of what was done.
func Begin(ctx context.Context, what string, attributes ...attribute.KeyValue) (_ context.Context, end func(err error)) {
	if !On() {
		return ctx, func(error) {}
	}
	ctx, span := otel.Tracer(name).Start(ctx, what, trace.WithAttributes(attributes...))
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "") // the cause is in the log: it may hold what no trace should
		}
		span.End()
	}
}

// Note adds attributes to the present span.
func Note(ctx context.Context, attributes ...attribute.KeyValue) {
	if On() {
		trace.SpanFromContext(ctx).SetAttributes(attributes...)
	}
}

// Carry returns what continues the present span elsewhere, in the form of the traceparent header; empty when it is not traced.
func Carry(ctx context.Context) string {
	if !On() || !trace.SpanContextFromContext(ctx).IsSampled() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier["traceparent"]
}

// Continue makes what follows part of the trace that was carried here. An empty or damaged one begins no trace.
func Continue(ctx context.Context, carried string) context.Context {
	if !On() || carried == "" {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": carried})
}
