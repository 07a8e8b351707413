package e2e

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sort"
	"strings"

	"pgregory.net/rapid"
)

// spoil gives an attempt its body: the object, spoiled by the attempt's flaw.
func (g *generator) spoil(t *rapid.T, a *attempt, object map[string]any) {
	schema := g.document.Resolve(g.op.Body)
	switch a.flaw {
	case beyondLimit:
		a.refused = g.exceed(t, schema, object)
	case confusedType:
		setOne(t, schema, object, wrong(t))
	case hugeValue:
		setOne(t, schema, object, rapid.SampledFrom([]any{
			strings.Repeat("a", 1<<20), strings.Repeat("ü", 1<<18), repeated(60_000, "x"), repeated(60_000, map[string]any{}),
			json.Number(strings.Repeat("9", 5000)),
		}).Draw(t, "huge"))
	case strangeText:
		setOne(t, schema, object, strange(t))
	case nulByte:
		setOne(t, schema, object, "a\x00b")
	case missingField:
		for _, name := range keysOf(object) {
			delete(object, name)
			break
		}
	}
	if a.flaw == flawless && rapid.Bool().Draw(t, "as a form") {
		a.contentType, a.body = "application/x-www-form-urlencoded", []byte(form(object))
		return
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	a.body = text
	switch a.flaw {
	case duplicateKeys:
		a.body = fmt.Appendf(nil, "%s,%s", text[:len(text)-1], text[1:])
		if len(object) == 0 {
			a.body = []byte(`{"a":1,"a":[],"a":{}}`)
		}
	case deepNesting:
		depth := rapid.IntRange(2, 20_000).Draw(t, "depth")
		name := drawName(t, schema)
		open, end := "[", "]"
		if rapid.Bool().Draw(t, "objects") {
			open, end = `{"a":`, "}"
		}
		a.body = fmt.Appendf(nil, "{%q:%s1%s}", name, strings.Repeat(open, depth), strings.Repeat(end, depth))
	case brokenSyntax:
		a.body = text[:rapid.IntRange(0, len(text)).Draw(t, "cut")]
	case wrongType:
		a.contentType = rapid.SampledFrom([]string{
			"text/plain", "multipart/form-data; boundary=x", "application/xml", "application/x-www-form-urlencoded", "", ";;;",
			"application/json; charset=\xff",
		}).Draw(t, "content type")
	}
}

// exceed puts one field beyond a limit that the document states, and tells whether there was one.
func (g *generator) exceed(t *rapid.T, schema, object map[string]any) bool {
	properties, _ := schema["properties"].(map[string]any)
	var limited []string
	beyond := map[string]any{}
	for _, name := range keysOf(properties) {
		if value, ok := g.beyond(properties[name]); ok {
			limited = append(limited, name)
			beyond[name] = value
		}
	}
	if len(limited) == 0 {
		return false
	}
	name := rapid.SampledFrom(limited).Draw(t, "beyond its limit")
	object[name] = beyond[name]
	return true
}

// beyond is the nearest value that a schema does not allow.
func (g *generator) beyond(raw any) (any, bool) {
	schema := g.document.Resolve(raw)
	if list, ok := schema["anyOf"].([]any); ok {
		return g.beyond(list[0])
	}
	if _, ok := schema["enum"]; ok {
		if kindsOf(schema)[0] == "string" {
			return "none-of-these", true
		}
		return 4711.25, true
	}
	switch {
	case schema["maxLength"] != nil:
		return strings.Repeat("a", bound(schema, "maxLength", 0)+1), true
	case schema["maximum"] != nil:
		return bound(schema, "maximum", 0) + 1, true
	case schema["minimum"] != nil:
		return bound(schema, "minimum", 0) - 1, true
	case schema["maxItems"] != nil:
		item := any("a@example.com")
		if g.document.Resolve(schema["items"])["format"] == "uuid" {
			item = "0190a1b2-c3d4-7e5f-8a6b-9c0d1e2f3a4b"
		}
		return repeated(bound(schema, "maxItems", 0)+1, item), true
	}
	return nil, false
}

func repeated(n int, item any) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = item
	}
	return list
}

func setOne(t *rapid.T, schema, object map[string]any, value any) {
	object[drawName(t, schema)] = value
}

// drawName is one of the fields that a schema has.
func drawName(t *rapid.T, schema map[string]any) string {
	properties, _ := schema["properties"].(map[string]any)
	if len(properties) == 0 {
		return "a"
	}
	return rapid.SampledFrom(keysOf(properties)).Draw(t, "spoiled")
}

func keysOf(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// form writes an object as old clients do: nested names, 1 and 0, and nothing for null and empty lists.
func form(object map[string]any) string {
	values := url.Values{}
	addPairs(values, "", object)
	return values.Encode()
}

func addPairs(values url.Values, name string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, item := range value {
			inner := key
			if name != "" {
				inner = name + "[" + key + "]"
			}
			addPairs(values, inner, item)
		}
	case []any:
		for i, item := range value {
			addPairs(values, fmt.Sprintf("%s[%d]", name, i), item)
		}
	case bool:
		if value {
			values.Add(name, "1")
		} else {
			values.Add(name, "0")
		}
	case nil:
	default:
		values.Add(name, fmt.Sprint(value))
	}
}
