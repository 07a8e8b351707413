package outbound

import (
	"testing"

	"afterimage/vcd"
)

// Two websites may have flows of the same name: when one fails, what the checkpoints of the other have to tell is told.
func TestCheckpointsOfTheFailedFlowOnlyAreLeftOut(t *testing.T) {
	t.Parallel()
	group, failed, other := &vcd.Group{ID: "g"}, vcd.ID("failed"), vcd.ID("other")
	entry := func(id vcd.ID, address string, leader *vcd.ID) *vcd.QueueEntry {
		return &vcd.QueueEntry{ID: id, GroupID: "g", Type: vcd.QueuePre, Device: vcd.Desktop, URLAddress: address, LeaderID: leader}
	}
	digest := GroupDigest{Group: group}
	digest.addFailures(
		[]*vcd.FlowRun{{GroupID: "g", EntryID: failed, FlowName: "Checkout", Device: vcd.Desktop}},
		[]*vcd.QueueEntry{
			entry(failed, "shop.example.com/#flow:Checkout/Basket", &failed), entry("2", "shop.example.com/#flow:Checkout/Paid", &failed),
			entry(other, "blog.example.com/#flow:Checkout/Basket", &other), entry("4", "shop.example.com/about", nil),
		})
	var told []vcd.ID
	for _, e := range digest.Failures {
		told = append(told, e.ID)
	}
	if len(digest.Flows) != 1 || len(told) != 2 || told[0] != other || told[1] != "4" {
		t.Errorf("told of %v and %d flows", told, len(digest.Flows))
	}
}
