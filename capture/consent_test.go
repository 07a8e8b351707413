package capture

import (
	"slices"
	"strings"
	"testing"
)

// TestConsentRules reads the rules that are built in: every paragraph does something, and no name stands twice.
func TestConsentRules(t *testing.T) {
	table, err := parseConsent(consentRules)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range table.Managers {
		if m.Name == "" || slices.Contains(names, m.Name) {
			t.Errorf("the name %q is empty or stands twice", m.Name)
		}
		names = append(names, m.Name)
	}
	if len(names) < 25 || strings.Count(table.CSS, hideCSS) < 35 || !strings.Contains(table.CSS, unlockCSS) {
		t.Errorf("%d managers, CSS %.80q…", len(names), table.CSS)
	}
}

func TestConsentRulesThatAreNotUnderstood(t *testing.T) {
	for _, text := range []string{"hide #a", "[a]\nhide", "[a]\nerase #a", "[a]\nwhen #a", "[a]\npress #a"} {
		if _, err := parseConsent(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
