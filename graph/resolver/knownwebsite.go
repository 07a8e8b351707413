package resolver

import (
	"context"

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
