package capture

import (
	_ "embed" // for the rules
	"fmt"
	"strings"
)

//go:embed consent.rules
var consentRules string

// consentScript is the part of our script in the page that clicks buttons and hides elements.
//
//go:embed consent.js
var consentScript string

// consents are the rules in the form that is passed to the page.
var consents = mustParseConsent(consentRules)

// consentTable is the argument of the page's script.
type consentTable struct {
	Managers []consentManager `json:"managers"`
	CSS      string           `json:"css"` // hides elements and unlocks scrolling
}

// consentManager is a paragraph of the rules that has a button.
type consentManager struct {
	Name  string   `json:"name"`
	When  []string `json:"when"`
	Press []string `json:"press"` // in order of preference
}

const (
	hideCSS   = "{display:none!important}"
	unlockCSS = "{overflow:visible!important;position:static!important;height:auto!important;max-height:none!important;" +
		"touch-action:auto!important}"
)

func mustParseConsent(text string) consentTable {
	table, err := parseConsent(text)
	if err != nil {
		panic("capture: consent.rules: " + err.Error()) // a test reads the same file
	}
	return table
}

// parseConsent parses the format that is described at the top of the file.
func parseConsent(text string) (consentTable, error) {
	var table consentTable
	var css strings.Builder
	var open *consentManager
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(line, "["); ok {
			table.Managers = append(table.Managers, consentManager{Name: strings.TrimSuffix(name, "]")})
			open = &table.Managers[len(table.Managers)-1]
			continue
		}
		key, selector, _ := strings.Cut(line, " ")
		selector = strings.TrimSpace(selector)
		if open == nil || selector == "" {
			return table, fmt.Errorf("line %d is not in a paragraph, or has no selector", number+1)
		}
		switch key {
		case "when":
			open.When = append(open.When, selector)
		case "press":
			open.Press = append(open.Press, selector)
		case "hide": // one rule each: a browser that does not know a selector drops that rule only
			css.WriteString(selector + hideCSS)
		case "unlock":
			css.WriteString(selector + unlockCSS)
		default:
			return table, fmt.Errorf("line %d: %q is not one of when, press, hide, unlock", number+1, key)
		}
	}
	table.CSS = css.String()
	return table, table.keepPressable()
}

// keepPressable drops the paragraphs that only hide: their part is in the CSS.
func (t *consentTable) keepPressable() error {
	kept := t.Managers[:0]
	for _, m := range t.Managers {
		if (len(m.When) == 0) != (len(m.Press) == 0) {
			return fmt.Errorf("%s: when and press must be used together", m.Name)
		}
		if len(m.When) > 0 {
			kept = append(kept, m)
		}
	}
	t.Managers = kept
	return nil
}

// consent accepts the banner of a known consent manager, as a visitor would who wants to see the page, and removes from
// the picture what is left of it, what appears later, and advertisements. A page that reloads itself upon acceptance
// starts again like any page that navigates, and then has no banner.
func (r *run) consent() error {
	if !r.req.HideConsent {
		return nil
	}
	var accepted string
	if err := r.ask("consent", scriptBudget, &accepted, consents); err != nil {
		return err
	}
	if accepted != "" {
		r.shot.Manifest.Consent = accepted
	}
	return nil
}
