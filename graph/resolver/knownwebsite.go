package resolver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/vcd"
)

// knownWebsite reads the id of a website that is to be changed. A site's own plug-in does not know those that a tool manages; what
// manages a website never changes, so that what is so before the change is so in it.
func (r *Resolver) knownWebsite(ctx context.Context, raw string, unmanaged bool) (vcd.ID, error) {
	id, err := parseID(kindWebsite, raw)
	if err != nil || !unmanaged {
		return id, err
	}
	_, err = r.Service.Inventory.UnmanagedWebsite(ctx, actor(ctx), id)
	return id, err
}

// manager is the tool that manages a website of which a client speaks; none, whatever the input says, for a site's own plug-in.
func manager(given graphql.Omittable[*string], unmanaged bool) *string {
	if unmanaged {
		return nil
	}
	return given.Value()
}

// text is what a client gave; empty for null and for nothing.
func text(given graphql.Omittable[*string]) string {
	if value := given.Value(); value != nil {
		return *value
	}
	return ""
}
