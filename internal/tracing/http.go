package tracing

import (
	"net/http"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Handler begins a trace for each request. That of the client, who may be anybody, is linked and not continued: it must not
// decide what we record. Streams have none, since they last for hours; what they do is traced for itself.
func Handler(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !On() || r.Header.Get("Upgrade") != "" || strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
			next.ServeHTTP(w, r)
			return
		}
		options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer), trace.WithNewRoot(), trace.WithAttributes(
			attribute.String("http.request.method", method(r.Method)), attribute.String("http.route", route))}
		theirs := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header)))
		if theirs.IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: theirs}))
		}
		ctx, span := otel.Tracer(name).Start(r.Context(), method(r.Method)+" "+route, options...)
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// method keeps words of clients out of names.
func method(given string) string {
	switch given {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return given
	}
	return "OTHER"
}
