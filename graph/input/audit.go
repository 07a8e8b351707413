package input

import (
	"afterimage/graph/model"
	"afterimage/vcd"
)

// Audit says which audit entries to list.
func Audit(f *model.AuditFilter) vcd.AuditFilter {
	if f == nil {
		return vcd.AuditFilter{}
	}
	filter := vcd.AuditFilter{Action: f.Action.Value(), SubjectIDs: ids(f.SubjectIds)}
	if kind := f.ActorKind.Value(); kind != nil {
		one := vcd.ActorKind(*kind)
		filter.ActorKind = &one
	}
	return filter
}
