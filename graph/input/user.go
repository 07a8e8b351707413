package input

import (
	"afterimage/graph/model"
	"afterimage/vcd"
)

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
