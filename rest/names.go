package rest

import "strings"

// snakeCase spells a GraphQL name the way REST does: hourOfDay becomes hour_of_day.
func snakeCase(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// camelCase spells a REST name the way GraphQL does: hour_of_day becomes hourOfDay. It is the inverse of snakeCase for
// names whose words start with a letter, which loading an operation makes sure of.
func camelCase(name string) string {
	var b strings.Builder
	upper := false
	for i := range len(name) {
		c := name[i]
		if c == '_' {
			upper = true
			continue
		}
		if upper && c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper = false
		b.WriteByte(c)
	}
	return b.String()
}

// attribute is how a field is called inside an error text: the words of its dotted name, with spaces.
func attribute(field string) string {
	return strings.ReplaceAll(field, "_", " ")
}

func snakeCases(names []string) []string {
	spelled := make([]string, len(names))
	for i, name := range names {
		spelled[i] = snakeCase(name)
	}
	return spelled
}
