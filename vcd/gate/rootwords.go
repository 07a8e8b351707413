package gate

import (
	"fmt"
	"strings"
)

// rootWords say a root in a sentence.
func rootWords(r *Reason) string {
	on, what := r.extent(), strings.Join(r.what.names, ", ")
	has := func(one, many string) string {
		return fmt.Sprintf("%s%s %s.", capital(on), r.strictly(), plural(r.Pages, one, many))
	}
	if what == "" {
		return "Also, on " + on + r.strictly() + ": " + others[r.Kind] + "."
	}
	switch r.Kind {
	case StyleSheet:
		return r.lost("style sheet")
	case Script:
		return r.lost("script")
	case ScriptError:
		return "A new uncaught script error on " + on + r.strictly() + ": " + what + in(r.what.because) + "."
	case ErrorText:
		return has("shows "+what+" that it did not show before", "show "+what+" that they did not show before")
	case Theme:
		return has("uses the theme "+what, "use the theme "+what)
	case Language:
		return has("is in the language "+what, "are in the language "+what)
	case Host:
		return has("leads to "+what, "lead to "+what)
	default:
		return has("now loads something from "+what+" without encryption (mixed content)",
			"now load something from "+what+" without encryption (mixed content)")
	}
}

// others are roots that are too many to be told apart.
var others = map[Kind]string{
	StyleSheet: "other style sheets that do not load", Script: "other scripts that do not load",
	ScriptError: "other new uncaught script errors", MixedContent: "other mixed content", ErrorText: "other error messages",
	Theme: "other themes than before", Language: "other languages than before", Host: "other hosts than before",
}

// extent is on how many pages a root is.
func (r *Reason) extent() string {
	switch total := max(r.total, r.Pages); {
	case total == 1:
		return "one page"
	case r.Pages == 1:
		return fmt.Sprintf("one of %d pages", total)
	default:
		return fmt.Sprintf("%d of %d pages", r.Pages, total)
	}
}

func (r *Reason) strictly() string {
	switch {
	case r.what.strict == 0:
		return ""
	case r.Pages == 1:
		return ", which must be fine"
	case r.what.strict == 1:
		return ", one of which must be fine"
	}
	return fmt.Sprintf(", %d of which must be fine", r.what.strict)
}

// maxParts is how many of the parts that are lost together are named.
const maxParts = 3

func (r *Reason) lost(part string) string {
	names, parts, loads := r.what.names, part, "loads"
	if len(names) > 1 {
		parts, loads = part+"s", "load"
	}
	list := strings.Join(names[:min(len(names), maxParts)], ", ")
	if more := len(names) - maxParts; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	no := "no longer " + loads
	if !r.what.known {
		no = plural(len(names), "does", "do") + " not load"
	}
	return fmt.Sprintf("The %s %s %s on %s%s%s.", parts, list, no, r.extent(), r.strictly(), in(r.what.because))
}

// in puts a text in brackets; "" for none.
func in(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
