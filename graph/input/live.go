package input

import (
	"afterimage/vcd"
	"afterimage/vcd/outbound"
)

// LiveReach reads what a live stream is narrowed to. A text that is not an id is refused like an unknown one.
func LiveReach(groupIDs, websiteIDs []string) outbound.LiveReach {
	return outbound.LiveReach{Groups: knownIDs(groupIDs), Websites: knownIDs(websiteIDs)}
}

func knownIDs(raw []string) []vcd.ID {
	ids := make([]vcd.ID, len(raw))
	for i, text := range raw {
		ids[i] = knownID(text)
	}
	return ids
}
