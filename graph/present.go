package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/vcd"
)

// Codes of errors that are not the domain's.
const (
	codeBadRequest = "BAD_REQUEST"    // the request is not GraphQL over HTTP
	codeTooLarge   = "TOO_LARGE"      // the request is longer than the limit
	codeTooMuch    = "LIMIT_EXCEEDED" // the operation asks for more than the limits
	codeTooMany    = "TOO_MANY_STREAMS"

	codeTooManyConnections = "TOO_MANY_CONNECTIONS" // WebSockets and event streams of a token or of an account

	codeRateLimited = string(vcd.CodeRateLimited) // the token asks too often; extensions.retryAfter tells the seconds to wait
)

// gqlgen keeps one table of codes for the whole program. Operations that are refused for their shape or their number are
// answered like those that are not valid.
func init() {
	errcode.RegisterErrorType(codeTooMuch, errcode.KindProtocol)
	errcode.RegisterErrorType(codeRateLimited, errcode.KindProtocol)
}

// presenter makes the errors that clients see. What is not meant for them goes to the log with the id of the request.
type presenter struct {
	logger *slog.Logger
}

// present is called for every error of an operation.
func (p *presenter) present(ctx context.Context, err error) *gqlerror.Error {
	shown := &gqlerror.Error{Path: graphql.GetPath(ctx)}
	var located *gqlerror.Error
	if errors.As(err, &located) {
		shown.Locations = located.Locations
		if located.Path != nil {
			shown.Path = located.Path
		}
	}
	var refused *vcd.Error
	switch {
	case errors.As(err, &refused):
		p.refuse(ctx, shown, refused)
	case located != nil && located.Extensions["code"] != nil:
		shown.Message, shown.Extensions = located.Message, located.Extensions
	case errors.Is(err, context.DeadlineExceeded):
		p.unavailable(ctx, shown, "The operation timed out. Request less data at once.", err)
	case errors.Is(err, context.Canceled):
		p.unavailable(ctx, shown, "The operation was stopped.", nil)
	case located != nil && located.Err != nil && len(argumentPath(ctx, located.Path)) > 0:
		invalidArgument(ctx, shown, located)
	default:
		p.fault(ctx, shown, err)
	}
	return shown
}

// refuse shows a refusal of the domain.
func (p *presenter) refuse(ctx context.Context, shown *gqlerror.Error, refused *vcd.Error) {
	shown.Message = refused.Message
	shown.Extensions = map[string]any{"code": string(refused.Code)}
	switch refused.Code {
	case vcd.CodeInternal:
		p.fault(ctx, shown, refused)
	case vcd.CodeUnavailable:
		p.unavailable(ctx, shown, refused.Message, refused)
		if refused.Reason != "" {
			shown.Extensions["reason"] = refused.Reason
		}
	case vcd.CodeRateLimited:
		shown.Extensions["retryAfter"] = int(math.Ceil(refused.RetryAfter.Seconds()))
	case vcd.CodeNotFound:
		shown.Extensions["resource"], shown.Extensions["id"] = refused.Resource, refused.ID
	case vcd.CodeInvalid:
		if len(refused.Fields) > 0 {
			shown.Message = refused.Fields[0].Text()
			shown.Extensions["fields"] = fieldErrors(refused.Fields)
		}
		if refused.Reason != "" {
			shown.Extensions["reason"] = refused.Reason
		}
	}
}

func fieldErrors(fields []vcd.FieldError) []map[string]any {
	shown := make([]map[string]any, len(fields))
	for i, f := range fields {
		shown[i] = map[string]any{"path": f.Path, "rule": f.Rule, "message": f.Text(), "template": f.Message}
	}
	return shown
}

// fault shows that something of ours went wrong; what it was is for the log.
func (p *presenter) fault(ctx context.Context, shown *gqlerror.Error, cause error) {
	id := requestID(ctx)
	shown.Message = "Server Error"
	shown.Extensions = map[string]any{"code": string(vcd.CodeInternal), "requestId": id}
	p.logger.ErrorContext(ctx, "a GraphQL operation failed", "request_id", id, "path", shown.Path.String(), "cause", cause)
}

// unavailable shows that a dependency is away. The cause is nil when the client went away itself.
func (p *presenter) unavailable(ctx context.Context, shown *gqlerror.Error, message string, cause error) {
	id := requestID(ctx)
	shown.Message = message
	shown.Extensions = map[string]any{"code": string(vcd.CodeUnavailable), "requestId": id}
	if cause != nil {
		p.logger.Log(ctx, levelOf(cause), "a GraphQL operation could not be carried out", "request_id", id, "path",
			shown.Path.String(), "cause", cause)
	}
}

// levelOf is that of a fault of our surroundings: most pass by themselves, but somebody has to make room on a disk.
func levelOf(cause error) slog.Level {
	var refused *vcd.Error
	if errors.As(cause, &refused) && refused.Reason == vcd.ReasonDiskFull {
		return slog.LevelError
	}
	return slog.LevelWarn
}

// recovered turns a panic into an error that may be shown as it is.
func (p *presenter) recovered(ctx context.Context, value any) error {
	shown := &gqlerror.Error{}
	p.fault(ctx, shown, fmt.Errorf("panic: %v\n%s", value, debug.Stack()))
	return shown
}

// argumentPath is where inside the arguments of the present field an error lies; empty when it does not.
func argumentPath(ctx context.Context, path ast.Path) ast.Path {
	field := graphql.GetFieldContext(ctx)
	if field == nil {
		return nil
	}
	outer := field.Path()
	if len(path) <= len(outer) {
		return nil
	}
	return path[len(outer):]
}

// invalidArgument shows that an argument could not be read as its type. Its field is named as the domain names fields:
// from within the input object.
func invalidArgument(ctx context.Context, shown, located *gqlerror.Error) {
	var names []string
	for _, part := range argumentPath(ctx, located.Path) {
		switch part := part.(type) {
		case ast.PathName:
			names = append(names, string(part))
		case ast.PathIndex:
			names = append(names, strconv.Itoa(int(part)))
		}
	}
	if len(names) > 1 && (names[0] == "input" || names[0] == "filter") {
		names = names[1:]
	}
	field := vcd.FieldError{
		Path: strings.Join(names, "."), Rule: "type", Message: "The {field} field is invalid: it " + located.Err.Error() + ".",
	}
	shown.Path = graphql.GetFieldContext(ctx).Path()
	shown.Message = field.Text()
	shown.Extensions = map[string]any{"code": string(vcd.CodeInvalid), "fields": fieldErrors([]vcd.FieldError{field})}
}

// coded is an error of ours with its code.
func coded(code, format string, args ...any) *gqlerror.Error {
	return &gqlerror.Error{Message: fmt.Sprintf(format, args...), Extensions: map[string]any{"code": code}}
}
