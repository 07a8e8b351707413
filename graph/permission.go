package graph

import (
	"context"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/graph/resolver"
	"afterimage/vcd"
)

// requiresDirective names the permission of a field in the schema.
const requiresDirective = "requires"

// permit refuses an operation of which the actor may not do a part. It is asked once for every operation, by each
// carrier and for REST, before anything is resolved: nothing is half done.
func (e *execution) permit(ctx context.Context, operation *ast.OperationDefinition) *gqlerror.Error {
	who, _ := resolver.ActorOf(ctx)
	lacking, ok := firstLacking(who, operation.SelectionSet)
	if !ok {
		return nil
	}
	return coded(string(vcd.CodeForbidden), "This needs the permission %s: use a token or a user that has it.",
		strings.ToUpper(string(lacking)))
}

// firstLacking is the permission that the actor lacks for the first field that it may not select.
func firstLacking(who vcd.Actor, selections ast.SelectionSet) (lacking vcd.Permission, found bool) {
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			if needed := permissionFor(selection.ObjectDefinition, selection.Definition); !who.May(needed) {
				return needed, true
			}
		case *ast.InlineFragment:
			lacking, found = firstLacking(who, selection.SelectionSet)
		case *ast.FragmentSpread:
			lacking, found = firstLacking(who, selection.Definition.SelectionSet)
		}
		if found {
			return lacking, true
		}
	}
	return "", false
}

// permissionFor is what the schema says of a field of Query, Mutation or Subscription. A mutation of which it says nothing
// needs all that there is; __typename, which clients add everywhere, is none.
func permissionFor(root *ast.Definition, field *ast.FieldDefinition) vcd.Permission {
	if strings.HasPrefix(field.Name, "__") {
		return vcd.PermissionRead
	}
	if directive := field.Directives.ForName(requiresDirective); directive != nil {
		return vcd.Permission(strings.ToLower(directive.Arguments.ForName("permission").Value.Raw))
	}
	if root.Name == "Mutation" {
		return vcd.PermissionOwn
	}
	return vcd.PermissionRead
}
