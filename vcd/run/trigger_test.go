package run

import (
	"errors"
	"strings"
	"testing"
	"time"

	"afterimage/vcd"
)

func TestTriggerLimits(t *testing.T) {
	some := func(s string) *string { return &s }
	urls := func(n int) []TriggeredURL {
		list := make([]TriggeredURL, n)
		for i := range list {
			list[i].URL = "example.com"
		}
		return list
	}
	all, one, below := vcd.TriggerScopeAll, vcd.TriggerScopeURL, -1
	const id = "0190a1b2-0000-7000-8000-0000000000aa"
	for _, c := range []struct {
		in   TriggerInput
		path string // empty when valid
	}{
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave, URLs: urls(1)}, ""},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave, URLs: urls(50), Scope: &one}, ""},
		{TriggerInput{GroupID: id, Type: vcd.TriggerManual, Scope: &all}, ""},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave, URLs: urls(1), Editor: some(strings.Repeat("é", 100))}, ""},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave,
			URLs: []TriggeredURL{{URL: "example.com", Title: some(strings.Repeat("é", 255))}}}, ""},
		{TriggerInput{GroupID: "7", Type: vcd.TriggerPostSave, URLs: urls(1)}, "groupId"},
		{TriggerInput{GroupID: id, Type: "post_delete", URLs: urls(1)}, "type"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave}, "urls"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave, URLs: urls(51)}, "urls"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerManual}, "urls"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerManual, Scope: &one}, "urls"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave, URLs: urls(1), Scope: &all}, "scope"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave, URLs: urls(1), Editor: some(strings.Repeat("é", 101))}, "editor"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave,
			URLs: []TriggeredURL{{URL: "example.com", Title: some(strings.Repeat("é", 256))}}}, "urls.0.title"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave, URLs: []TriggeredURL{{URL: "ftp://example.com"}}}, "urls.0.url"},
		{TriggerInput{GroupID: id, Type: vcd.TriggerPostSave, URLs: []TriggeredURL{{URL: "example.com", PostID: &below}}}, "urls.0.postId"},
	} {
		_, _, err := c.in.validate(time.Time{})
		var refused *vcd.Error
		switch {
		case c.path == "" && err != nil:
			t.Errorf("%+v: %v", c.in, err)
		case c.path != "" && (!errors.As(err, &refused) || refused.Fields[0].Path != c.path):
			t.Errorf("%+v: %v, want an error of %s", c.in, err, c.path)
		}
	}
}
