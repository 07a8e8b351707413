package vcd

import (
	"strings"
	"testing"
)

// TestNamesCannotLookLikeOthers: characters that nobody sees, or that turn the text around them, are in no name.
func TestNamesCannotLookLikeOthers(t *testing.T) {
	for _, name := range []string{
		"Shop", "Größe", "日本\u3000語", "a\u00a0b", "👩\u200d💻", "❤\ufe0f", "می\u200cخواهم",
		"🇩🇪", "\u0600١", "a\ufffdb",
	} {
		v := &Validation{}
		if v.Name("name", name, MaxNameLength); v.Err() != nil {
			t.Errorf("%q: %v", name, v.Err())
		}
		if Shown(name) != name {
			t.Errorf("%q is shown as %q", name, Shown(name))
		}
	}
	for name, want := range map[string]struct{ rule, shown string }{
		"": {"required", ""}, " ": {"required", " "}, "\u200d": {"required", "\u200d"}, "a\x00b": {"string", "a\ufffdb"},
		"Kim\u202enimda": {"printable", "Kimnimda"}, "a\nb": {"printable", "a b"}, "a\u2066b\u2069": {"printable", "ab"},
		"a\u200bb": {"printable", "ab"}, "\ufeffa": {"printable", "a"}, "a\u00adb": {"printable", "ab"},
		"a\x1b[31m": {"printable", "a[31m"},
		"a\u3164":   {"printable", "a"}, "a\u2800": {"printable", "a"}, "a\u034fb": {"printable", "ab"}, "a\U000e0041": {"printable", "a"},
		"a\u2028b": {"printable", "ab"}, "a\ue000": {"printable", "a"}, "a\u061cb": {"printable", "ab"},
	} {
		v := &Validation{}
		v.Name("name", name, MaxNameLength)
		if problems := v.Problems(); len(problems) != 1 || problems[0].Rule != want.rule {
			t.Errorf("%q is refused for %+v, want %s", name, problems, want.rule)
		}
		if got := Shown(name); got != want.shown {
			t.Errorf("%q is shown as %q, want %q", name, got, want.shown)
		}
	}
	if got := ShownText("a\r\n\tb\u202ec\u200b"); got != "a\n\tbc" {
		t.Errorf("the text became %q", got)
	}
	if got := PageName(UploadedPrefix + "a%E2%80%AEgnp.b"); got != "agnp.b" {
		t.Errorf("an uploaded page of before is shown as %q", got)
	}
	v := &Validation{}
	if _, address := ParseAddress(v, "url", "example.com/?q=a\u202eb&r=ü"); address != "example.com?q=a%E2%80%AEb&r=ü" || v.Err() != nil {
		t.Errorf("address %q, %v", address, v.Err())
	}
}

func TestPageNames(t *testing.T) {
	for want, page := range map[string][2]string{
		"Visit":                       {"Visit – Botanical garden", "example.com/visit"},
		"Well-known plants":           {" Well-known\n plants | Garden", "example.com/plants"},
		"example.com/untitled":        {" ", "example.com/untitled"},
		"- Garden":                    {"- Garden", "example.com"},
		strings.Repeat("x", 59) + "…": {strings.Repeat("x", 90), "example.com"},
	} {
		if got := NameOfPage(page[0], page[1]); got != want {
			t.Errorf("%q is called %q, want %q", page, got, want)
		}
	}
}
