package input

import (
	"afterimage/graph/model"
	"afterimage/vcd"
)

// Invitations reads a filter of invitations.
func Invitations(f *model.InvitationFilter) vcd.InvitationFilter {
	if f == nil {
		return vcd.InvitationFilter{}
	}
	filter := vcd.InvitationFilter{Search: f.Search.Value()}
	if roles, set := f.Roles.ValueOK(); set && roles != nil {
		filter.Roles = &roles
	}
	return filter
}

// Users says which users to list.
func Users(f *model.UserFilter) vcd.UserFilter {
	if f == nil {
		return vcd.UserFilter{}
	}
	filter := vcd.UserFilter{Search: f.Search.Value()}
	if roles, set := f.Roles.ValueOK(); set && roles != nil {
		filter.Roles = &roles
	}
	return filter
}
