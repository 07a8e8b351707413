package run

import (
	"errors"
	"slices"
	"testing"
	"time"

	"afterimage/vcd"
)

func TestGroupsOfATakeKeepTheirPlaces(t *testing.T) {
	a, b := vcd.RandomIDs{}.NewID(), vcd.RandomIDs{}.NewID()
	in := TakeInput{GroupIDs: []string{string(a), string(a), string(b)}, Type: vcd.QueuePre}
	ids, places, err := in.validate()
	if err != nil || !slices.Equal(ids, []vcd.ID{a, b}) || places[b] != 2 || in.Source != vcd.SourceManual {
		t.Errorf("ids %v, places %v, source %s, %v", ids, places, in.Source, err)
	}
}

func TestATakeRefusesTooManyGroupsWithoutLookingAtThem(t *testing.T) {
	in := TakeInput{GroupIDs: make([]string, maxGroupsPerTake+1), Type: vcd.QueuePre}
	_, _, err := in.validate()
	var e *vcd.Error
	if !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Rule != "max" {
		t.Errorf("error %v, want one about the number", err)
	}
}

func TestValidTime(t *testing.T) {
	for text, want := range map[string]bool{
		"0000-12-31T23:59:59Z": false, "0001-01-01T00:00:00Z": true, "0001-01-01T00:00:00+05:00": false,
		"9999-12-31T23:59:59Z": true, "9999-12-31T23:59:59-05:00": false,
	} {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil || vcd.ValidTime(at) != want {
			t.Errorf("%s: %v, want %v (%v)", text, !want, want, err)
		}
	}
}
