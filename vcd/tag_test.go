package vcd

import (
	"slices"
	"strings"
	"testing"
)

func TestNamesOfTags(t *testing.T) {
	for name, want := range map[string]string{
		" Blog \t posts ": "Blog posts", "Größe": "Größe", "日本": "日本", "👩‍💻": "👩‍💻", "a/b: c!": "a/b: c!",
		strings.Repeat("ä", MaxTagLength): strings.Repeat("ä", MaxTagLength),
	} {
		v := &Validation{}
		if got := CheckTag(v, "name", name); got != want || v.Err() != nil {
			t.Errorf("%q became %q: %v", name, got, v.Err())
		}
	}
	for name, rule := range map[string]string{
		"": "required", " \n ": "required", "a,b": "tag", "a\u202eb": "tag", "a\x1bb": "tag", "\u200bb": "tag", "\x00": "string",
		"\xff": "string", strings.Repeat("ä", MaxTagLength+1): "max",
	} {
		v := &Validation{}
		CheckTag(v, "name", name)
		if problems := v.Problems(); len(problems) != 1 || problems[0].Rule != rule {
			t.Errorf("%q is refused for %+v, want %s", name, problems, rule)
		}
	}
	v := &Validation{}
	if got := CheckTags(v, "add", slices.Repeat([]string{"a"}, 21), 20); got != nil || len(v.Problems()) != 1 {
		t.Errorf("21 tags came to %v: %v", got, v.Err())
	}
}
