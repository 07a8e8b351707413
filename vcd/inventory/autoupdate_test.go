package inventory

import (
	"errors"
	"testing"

	"afterimage/vcd"
)

func TestTimesOfDay(t *testing.T) {
	for text, want := range map[string]string{
		"00:00": "00:00", "23:59": "23:59", "9:05": "09:05", " 07:30 ": "07:30", "12:30:45": "12:30",
		"24:00": "", "12:60": "", "12": "", "12:5": "", "": "", "-1:00": "", "+1:00": "", "1:2:3:4": "", "ab:cd": "",
		"012:00": "", "12:00:61": "",
	} {
		got, ok := parseTimeOfDay(text)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}

func TestASiteIsRefusedFieldByField(t *testing.T) {
	in := WebsiteChange{
		Domain: vcd.Some(""), ManualGroupID: vcd.Some("x"), AutoGroupID: vcd.Null[string](),
		SyncURLTypes: vcd.Some([]vcd.SyncURLType{{PostTypeName: string(make([]rune, vcd.MaxNameLength+1))}}),
		AutoUpdate: vcd.Some(AutoUpdateChange{From: vcd.Some("25:00"), To: vcd.Some("x"),
			Emails: vcd.Some([]string{"a@example.com", "b"})}),
		Allowances: vcd.Some(map[string]any{"a": "maybe"}),
	}
	_, err := in.validate(true)
	var refused *vcd.Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range refused.Fields {
		got[f.Path] = f.Rule
	}
	want := map[string]string{
		"domain": "required", "manualDetectionGroupId": "uuid", "autoDetectionGroupId": "required",
		"syncUrlTypes.0.postTypeName":                 "string",
		"autoUpdateSettings.autoUpdateChecksFrom":     "dateFormat",
		"autoUpdateSettings.autoUpdateChecksTo":       "dateFormat",
		"autoUpdateSettings.autoUpdateChecksEmails.1": "email",
		"allowances": "boolean",
	}
	for path, rule := range want {
		if got[path] != rule {
			t.Errorf("%s: %q, want %q", path, got[path], rule)
		}
	}
	if len(got) != len(want) {
		t.Errorf("fields %v", got)
	}
	if _, err := (WebsiteChange{}).validate(false); err != nil {
		t.Errorf("a change of nothing: %v", err)
	}
}
