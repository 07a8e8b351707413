package rest

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/vektah/gqlparser/v2/ast"
)

// input is the schema of a field of a request, with the limits that its description tells.
func (d *describer) input(typ *ast.Type, description string, standard *ast.Value) ordered {
	schema := withDescription(d.inputType(typ, description), d.speak(description, typ))
	if standard == nil {
		return schema
	}
	value, err := standard.Value(nil)
	if err != nil {
		return schema
	}
	if text, ok := value.(string); ok && standard.Kind == ast.EnumValue {
		value = strings.ToLower(text)
	}
	return append(schema, yaml.MapItem{Key: "default", Value: value})
}

func (d *describer) inputType(typ *ast.Type, description string) ordered {
	var schema ordered
	definition := d.schema.Types[typ.Name()]
	switch {
	case typ.Elem != nil:
		schema = append(with("type", "array", "items", d.inputType(typ.Elem, itemLimits(description))), listLimits(description)...)
	case definition.Kind == ast.InputObject:
		schema = d.inputObject(definition)
	default:
		schema = append(ordered{}, d.leaf(typ.Name())...)
		schema = append(schema, limits(typ.Name(), description)...)
	}
	if typ.NonNull {
		return schema
	}
	return nullable(schema)
}

// inputObject is the component of an input type.
func (d *describer) inputObject(definition *ast.Definition) ordered {
	return d.component(definition.Name, definition, func() ordered {
		o := newObjectSchema()
		d.addFields(o, definition, nil)
		return withDescription(o.schema(), definition.Description)
	})
}

// addFields adds the fields of an input type, without those that the path fills.
func (d *describer) addFields(o *objectSchema, definition *ast.Definition, inPath map[string]bool) {
	for _, f := range definition.Fields {
		if !inPath[f.Name] {
			o.add(snakeCase(f.Name), d.input(f.Type, f.Description, f.DefaultValue), f.Type.NonNull && f.DefaultValue == nil)
		}
	}
}

// The schema tells limits in its descriptions, in fixed phrases: "at most 255 characters", "at most 64 KiB", "7 to 60",
// "0.25, 0.5 or 3". That these are the limits which hold is what the requests of the end-to-end tests show.
var (
	atMostCharacters = regexp.MustCompile(`at most ([\d,]+) characters`)
	atMostKiB        = regexp.MustCompile(`at most ([\d,]+) KiB`)
	atMostItems      = regexp.MustCompile(`at most ([\d,]+)(?: items)?(?:[.;,]|$| (?:each|of))`)
	fromTo           = regexp.MustCompile(`(-?[\d,.]*\d) to ([\d,.]*\d)`)
	oneOfNumbers     = regexp.MustCompile(`: ((?:[\d.]*\d, )*[\d.]*\d or [\d.]*\d)`)
)

func limits(typeName, description string) ordered {
	switch typeName {
	case "String":
		if n, ok := limit(atMostCharacters, description); ok {
			return with("maxLength", n)
		}
		if n, ok := limit(atMostKiB, description); ok {
			return with("maxLength", n<<10)
		}
	case "Int", "Float":
		if m := oneOfNumbers.FindStringSubmatch(description); m != nil {
			return with("enum", numbers(m[1]))
		}
		if m := fromTo.FindStringSubmatch(description); m != nil {
			return with("minimum", number(m[1]), "maximum", number(m[2]))
		}
	}
	return nil
}

// listLimits are those of the length of a list.
func listLimits(description string) ordered {
	if m := fromTo.FindStringSubmatch(description); m != nil {
		return with("minItems", number(m[1]), "maxItems", number(m[2]))
	}
	if n, ok := limit(atMostItems, description); ok {
		return with("maxItems", n)
	}
	return nil
}

// itemLimits is the part of a list's description that speaks of its items: what is said of characters.
func itemLimits(description string) string { return atMostCharacters.FindString(description) }

func limit(phrase *regexp.Regexp, description string) (int, bool) {
	m := phrase.FindStringSubmatch(description)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	return n, err == nil
}

func numbers(list string) []any {
	var all []any
	for part := range strings.SplitSeq(strings.Replace(list, " or ", ", ", 1), ", ") {
		all = append(all, number(part))
	}
	return all
}

// number is a whole number where it is one.
func number(text string) any {
	text = strings.ReplaceAll(text, ",", "")
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return f
}
