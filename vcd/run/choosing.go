package run

import (
	"context"
	"fmt"
	"slices"
	"time"

	"afterimage/vcd"
)

// maxURLsPerTake is how many URLs, or flows, one call can choose.
const maxURLsPerTake = 10_000

// narrow keeps the selected URLs that the input chooses. A URL or flow that no group of the run has selected is an error at its
// position.
func (in *TakeInput) narrow(selected []*vcd.Selection) ([]*vcd.Selection, error) {
	selected, err := choose(selected, "urlIds", in.URLIDs, func(sel *vcd.Selection) vcd.ID { return sel.URLID })
	if err != nil {
		return nil, err
	}
	return choose(selected, "flowIds", in.FlowIDs, func(sel *vcd.Selection) vcd.ID {
		if sel.FlowID == nil {
			return ""
		}
		return *sel.FlowID
	})
}

// choose keeps what belongs to one of the ids of a field; everything if that is nil.
func choose(selected []*vcd.Selection, field string, ids []string, of func(*vcd.Selection) vcd.ID) ([]*vcd.Selection, error) {
	if ids == nil {
		return selected, nil
	}
	v := &vcd.Validation{}
	v.Check(len(ids) > 0, field, "required", "The {field} field is required.")
	v.Check(len(ids) <= maxURLsPerTake, field, "max", fmt.Sprintf("The {field} field must not have more than %d items.", maxURLsPerTake))
	if err := v.Err(); err != nil {
		return nil, err
	}
	chosen := make(map[vcd.ID]bool, len(ids))
	known := make(map[vcd.ID]bool, len(selected))
	for _, sel := range selected {
		known[of(sel)] = true
	}
	for i, raw := range ids {
		id, ok := vcd.ParseID(raw)
		v.Check(ok, vcd.Indexed(field, i), "uuid", "The {field} field must be a valid UUID.")
		v.Check(!ok || known[id], vcd.Indexed(field, i), "exists", "The selected {field} is invalid.")
		chosen[id] = true
	}
	return slices.DeleteFunc(slices.Clone(selected), func(sel *vcd.Selection) bool { return !chosen[of(sel)] }), v.Err()
}

// checkKnown refuses tags that the account does not have: a run of nothing would be a mistake that nobody sees.
func checkKnown(ctx context.Context, tx Tx, tags []string) error {
	if tags == nil {
		return nil
	}
	known, err := tx.LockTags(ctx, tags)
	if err != nil {
		return err
	}
	v := &vcd.Validation{}
	for i, tag := range known {
		v.Check(tag != "", vcd.Indexed("tags", i), "exists", "The selected {field} is invalid.")
	}
	return v.Err()
}

// devices are the devices of a selected URL that the input chooses.
func (in *TakeInput) devices(sel *vcd.Selection) []vcd.Device {
	if in.Devices == nil {
		return sel.Devices()
	}
	return slices.DeleteFunc(slices.Clone(sel.Devices()), func(d vcd.Device) bool { return !slices.Contains(in.Devices, d) })
}

// nameBatches names each batch after its groups, its kind and the account's time to the second, which tells runs apart.
func (r *run) nameBatches(zone *time.Location) {
	for _, b := range r.taken.Batches {
		var groups []string
		for _, id := range r.taken.GroupIDs {
			if r.taken.ByGroup[id] == b.ID {
				groups = append(groups, r.groups[id].Name)
			}
		}
		name := groups[0]
		if more := len(groups) - 1; more > 0 {
			name += fmt.Sprintf(" and %d more", more)
		}
		suffix := " · " + kindNames[b.Type] + " · " + r.now.In(zone).Format("2006-01-02 15:04:05")
		room := vcd.MaxNameLength - len(suffix)
		if letters := []rune(name); len(letters) > room {
			name = string(letters[:room-1]) + "…"
		}
		b.Name = name + suffix
	}
}

var kindNames = map[vcd.QueueType]string{vcd.QueuePre: "before", vcd.QueuePost: "after", vcd.QueueAuto: "monitoring"}
