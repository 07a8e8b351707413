package vcd

// RunsOn tells whether a trigger makes the group run.
func (g *Group) RunsOn(t TriggerType) bool {
	if !g.Monitoring || !g.Enabled {
		return false
	}
	for _, has := range g.Triggers {
		if has.Type == string(t) {
			return true
		}
	}
	return t == TriggerManual
}
