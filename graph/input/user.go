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
	return vcd.InvitationFilter{Search: f.Search.Value(), Roles: optionalList(f.Roles, same).Value}
}

// Users says which users to list.
func Users(f *model.UserFilter) vcd.UserFilter {
	if f == nil {
		return vcd.UserFilter{}
	}
	return vcd.UserFilter{Search: f.Search.Value(), Roles: optionalList(f.Roles, same).Value}
}
