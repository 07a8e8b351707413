package vcd

import (
	"strings"
	"testing"
)

func TestNamesOfUploadedPages(t *testing.T) {
	for name, want := range map[string]string{
		"home":                             "upload:///home",
		"checkout/step 2":                  "upload:///checkout/step%202",
		"Über uns":                         "upload:///%C3%9Cber%20uns",
		"a?b=c#d":                          "upload:///a%3Fb=c%23d",
		"100%":                             "upload:///100%25",
		"C:\\shots":                        "upload:///C:%5Cshots",
		strings.Repeat("a", MaxNameLength): "upload:///" + strings.Repeat("a", MaxNameLength),
	} {
		v := &Validation{}
		address := ParseUploadedName(v, "name", name)
		if address != want || v.Err() != nil {
			t.Errorf("%q: %q, %v", name, address, v.Err())
		}
		if !IsUploaded(address) || PageName(address) != name {
			t.Errorf("%q is shown as %q", address, PageName(address))
		}
	}
	for _, name := range []string{
		"", " ", "/", "/home", "home/", "a//b", "a/ /b", ".", "..", "a/../b", "line\nbreak", "nul\x00", "\xff", "a\u0085b", "a\u202eb",
		strings.Repeat("a", MaxNameLength+1), strings.Repeat("😀", MaxNameLength),
	} {
		v := &Validation{}
		if address := ParseUploadedName(v, "name", name); v.Err() == nil {
			t.Errorf("%q is the name of %q", name, address)
		}
	}
	if got := PageName("www.example.com/a%20b"); got != "www.example.com/a%20b" {
		t.Errorf("a captured page is shown as %q", got)
	}
}

// TestNoAddressOfAClientIsUploaded: a captured page cannot be mistaken for an uploaded one.
func TestNoAddressOfAClientIsUploaded(t *testing.T) {
	for _, raw := range []string{"upload:///a", "UPLOAD:///a", "https://upload:///a", "//upload:///a", "upload:/a", " upload:///a"} {
		v := &Validation{}
		if _, address := ParseAddress(v, "url", raw); IsUploaded(address) || v.Err() == nil && strings.Contains(address, ":///") {
			t.Errorf("%q has the address %q", raw, address)
		}
	}
}
