package tracing

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Statements traces the database statements of traced work: their verbs, since our statements have their values in their text.
// What polls the database is not part of a trace and adds none.
type Statements struct{}

var _ pgx.QueryTracer = Statements{}

type statementKey struct{}

// TraceQueryStart is pgx.QueryTracer's.
func (Statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if !On() || !trace.SpanContextFromContext(ctx).IsSampled() {
		return ctx
	}
	ctx, span := otel.Tracer(name).Start(ctx, "sql "+verb(data.SQL), trace.WithSpanKind(trace.SpanKindClient))
	return context.WithValue(ctx, statementKey{}, span)
}

// TraceQueryEnd is pgx.QueryTracer's.
func (Statements) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	span, ok := ctx.Value(statementKey{}).(trace.Span)
	if !ok {
		return
	}
	if data.Err != nil {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// verb is the first word of a statement.
func verb(sql string) string {
	for _, known := range []string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"} {
		if word := strings.TrimSpace(sql); len(word) >= len(known) && strings.EqualFold(word[:len(known)], known) {
			return strings.ToLower(known)
		}
	}
	return "other"
}
