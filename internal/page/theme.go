package page

import (
	"regexp"
	"slices"
	"strings"
)

// compareLanguage compares the languages that documents say they are in. A page that says nothing is in any.
func compareLanguage(before, after string) *Change {
	was, is := strings.ToLower(before), strings.ToLower(after)
	if was == "" || is == "" || was == is {
		return nil
	}
	severity := SeverityNotice
	if primary(was) != primary(is) {
		severity = SeverityWarning
	}
	before, after = Ellipsis(before, maxLanguage), Ellipsis(after, maxLanguage)
	return &Change{
		Kind: ChangedLanguage, Before: before, After: after, Severity: severity,
		Sentence: "The page declares the language “" + after + "” instead of “" + before + "”.",
	}
}

const maxLanguage = 40 // bytes

// primary is the language of a tag without region and script, see https://www.rfc-editor.org/rfc/rfc5646.
func primary(tag string) string {
	language, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	return language
}

// compareTheme compares the themes of two visits, where both tell theirs in the same way.
func compareTheme(before, after *Visit) *Change {
	was, is := classThemes(before.Content), classThemes(after.Content)
	differ := !slices.Equal(was, is)
	if len(was) == 0 || len(is) == 0 {
		was, is = loadedThemes(before.Content), loadedThemes(after.Content)
		// One of several is a child, or loads nothing on this page.
		differ = !slices.ContainsFunc(was, func(theme string) bool { return slices.Contains(is, theme) })
	}
	if len(was) == 0 || len(is) == 0 || !differ {
		return nil
	}
	c := &Change{Kind: ChangedTheme, Before: themeNames(was), After: themeNames(is), Severity: SeverityWarning}
	c.Sentence = "The page uses the theme " + c.After + " instead of " + c.Before + "."
	return c
}

func themeNames(themes []string) string { return Ellipsis(strings.Join(themes, ", "), maxPageTitle) }

// themeClass is a class that WordPress gives the body: of a child theme, and of the theme itself.
var themeClass = regexp.MustCompile(`^wp-(?:child-)?theme-([\w-]+)$`)

// classThemes are the themes that the body names, sorted.
func classThemes(c *Content) []string {
	var themes []string
	for i := range c.Elements {
		if e := &c.Elements[i]; e.Tag == "body" {
			for class := range strings.FieldsSeq(e.Classes) {
				if m := themeClass.FindStringSubmatch(class); m != nil {
					themes = append(themes, m[1])
				}
			}
			break
		}
	}
	slices.Sort(themes)
	return slices.Compact(themes)
}

// themeFolder is where content management systems keep a theme: WordPress and Drupal below themes, Joomla below templates.
var themeFolder = regexp.MustCompile(`/(?:wp-content/themes|themes(?:/(?:custom|contrib))?|media/templates/site|templates)/([\w.-]+)/`)

// loadedThemes are the themes of which the page loaded style sheets, sorted.
func loadedThemes(c *Content) []string {
	var themes []string
	for _, a := range c.Assets {
		address, _, _ := strings.Cut(a.URL, "?")
		if m := themeFolder.FindStringSubmatch(address); a.Kind == "style" && m != nil {
			themes = append(themes, m[1])
		}
	}
	slices.Sort(themes)
	return slices.Compact(themes)
}
