package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"sort"
	"strings"

	"pgregory.net/rapid"

	"afterimage/internal/openapitest"
)

// flaw is what is wrong with a generated request.
type flaw string

const (
	flawless      flaw = "valid"
	beyondLimit   flaw = "one field beyond its limit" // must be refused
	confusedType  flaw = "a field of another type"
	hugeValue     flaw = "a huge value"
	strangeText   flaw = "strange Unicode"
	nulByte       flaw = "a NUL"
	duplicateKeys flaw = "duplicate keys"
	deepNesting   flaw = "deep nesting"
	wrongType     flaw = "another content type"
	brokenSyntax  flaw = "a body cut short"
	missingField  flaw = "a missing field"
)

var flaws = []flaw{
	flawless, flawless, flawless, beyondLimit, beyondLimit, confusedType, hugeValue, strangeText, nulByte, duplicateKeys,
	deepNesting, wrongType, brokenSyntax, missingField,
}

// attempt is a generated request.
type attempt struct {
	method, path, contentType string
	body                      []byte
	flaw                      flaw
	refused                   bool // whether it must not succeed
}

func (a attempt) String() string {
	return fmt.Sprintf("%s %.300s (%s, %s) %.200q", a.method, a.path, a.flaw, a.contentType, a.body)
}

// generator draws requests to one operation out of the document.
type generator struct {
	document *openapitest.Document
	op       openapitest.Operation
	ids      map[string][]string // by the list that they are from: /groups
}

func (g *generator) draw(t *rapid.T) attempt {
	a := attempt{method: g.op.Method, flaw: rapid.SampledFrom(flaws).Draw(t, "flaw")}
	a.path = "/api/v2" + g.drawPath(t, a.flaw) + g.drawQuery(t, a.flaw)
	if g.op.Body == nil {
		return a
	}
	object, _ := g.value(t, g.op.Body, "", 0).(map[string]any)
	a.contentType = "application/json"
	g.spoil(t, &a, object)
	return a
}

// drawPath fills the placeholders with ids of the lists that they belong to, or with strange ones.
func (g *generator) drawPath(t *rapid.T, f flaw) string {
	var filled strings.Builder
	var before string
	for part := range strings.SplitSeq(strings.Trim(g.op.Path, "/"), "/") {
		filled.WriteString("/")
		if !strings.HasPrefix(part, "{") {
			before = "/" + part
			filled.WriteString(part)
			continue
		}
		id := g.drawID(t, before)
		switch f {
		case strangeText, hugeValue:
			if rapid.Bool().Draw(t, "in the path") {
				id = strange(t)
			}
		case nulByte:
			if rapid.Bool().Draw(t, "in the path") {
				id += "\x00"
			}
		}
		filled.WriteString(url.PathEscape(id))
	}
	return filled.String()
}

func (g *generator) drawID(t *rapid.T, list string) string {
	known := g.ids[list]
	if len(known) == 0 || rapid.IntRange(0, 9).Draw(t, "a stranger's id") == 0 {
		return rapid.StringMatching(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}`).Draw(t, "id")
	}
	if rapid.Bool().Draw(t, "the oldest") { // those that the fixture made, which belong together
		return known[len(known)-1]
	}
	return rapid.SampledFrom(known).Draw(t, "id")
}

// anyID is an id of anything, for fields of which the document does not tell what they name.
func (g *generator) anyID(t *rapid.T, field string) string {
	for list := range g.ids {
		if strings.HasPrefix(strings.TrimPrefix(list, "/"), strings.TrimSuffix(strings.TrimSuffix(field, "_ids"), "_id")) {
			return g.drawID(t, list)
		}
	}
	lists := make([]string, 0, len(g.ids))
	for list := range g.ids {
		lists = append(lists, list)
	}
	sort.Strings(lists)
	return g.drawID(t, rapid.SampledFrom(lists).Draw(t, "list"))
}

func (g *generator) drawQuery(t *rapid.T, f flaw) string {
	var pairs []string
	for _, p := range g.op.Parameters {
		if p.In != "query" || !rapid.Bool().Draw(t, p.Name) {
			continue
		}
		text := spell(g.value(t, p.Schema, p.Name, 0))
		switch f {
		case confusedType, strangeText, hugeValue:
			text = strange(t)
		case nulByte:
			text += "\x00"
		case deepNesting:
			pairs = append(pairs, url.QueryEscape(p.Name)+strings.Repeat("[a]", rapid.IntRange(1, 40).Draw(t, "depth"))+"=1")
			continue
		case duplicateKeys:
			pairs = append(pairs, url.QueryEscape(p.Name)+"[]=1")
		}
		pairs = append(pairs, url.QueryEscape(p.Name)+"="+url.QueryEscape(text))
	}
	if f == brokenSyntax {
		pairs = append(pairs, "a=%zz", "[=", "&&")
	}
	if len(pairs) == 0 {
		return ""
	}
	return "?" + strings.Join(pairs, "&")
}

// spell writes a value as a query has it.
func spell(value any) string {
	if list, ok := value.([]any); ok {
		parts := make([]string, len(list))
		for i, item := range list {
			parts[i] = spell(item)
		}
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(value)
}

// samples are values of fields that no random text would fit.
var samples = map[string][]string{
	"url":           {"example.com/page", "https://example.com/a?b=c", "http://shop.example.com:8080/ü", "not a url", "example.com"},
	"domain":        {"example.com", "shop.example.com:8080", "example.com/blog", "no domain"},
	"email":         {"owner@example.com", "not a mail"},
	"alert_emails":  {"owner@example.com", "a@example.com", "not a mail"},
	"_emails":       {"owner@example.com"},
	"cms":           {"wordpress", "other"},
	"proxy_country": {"de", "US", "xx"},
	"event":         {"batch_finished", "comparison_status_new", "nonsense"},
	"token":         {"abc"},
	"type":          {"post", "page"},
	"timezone":      {"Europe/Berlin", "Mars/Base"},
}

// value draws a value that fits a schema.
func (g *generator) value(t *rapid.T, raw any, field string, depth int) any {
	schema := g.document.Resolve(raw)
	for _, key := range []string{"anyOf", "oneOf"} {
		if list, ok := schema[key].([]any); ok {
			return g.value(t, rapid.SampledFrom(list).Draw(t, "variant"), field, depth)
		}
	}
	if values, ok := schema["enum"].([]any); ok {
		return rapid.SampledFrom(values).Draw(t, field)
	}
	kinds := kindsOf(schema)
	if len(kinds) == 0 {
		return map[string]any{"a": 1}
	}
	switch rapid.SampledFrom(kinds).Draw(t, field+" kind") {
	case "object":
		return g.object(t, schema, depth)
	case "array":
		least, most := bound(schema, "minItems", 0), bound(schema, "maxItems", 3)
		list := make([]any, rapid.IntRange(least, max(least, min(most, 3))).Draw(t, field+" length"))
		for i := range list {
			list[i] = g.value(t, schema["items"], field, depth+1)
		}
		return list
	case "integer":
		return rapid.IntRange(bound(schema, "minimum", -10), bound(schema, "maximum", 1000)).Draw(t, field)
	case "number":
		return rapid.Float64Range(float64(bound(schema, "minimum", -10)), float64(bound(schema, "maximum", 1000))).Draw(t, field)
	case "boolean":
		return rapid.Bool().Draw(t, field)
	case "null":
		return nil
	}
	if schema["format"] == "uuid" {
		return g.anyID(t, field)
	}
	if known, ok := samples[field]; ok {
		return rapid.SampledFrom(known).Draw(t, field)
	}
	if pattern, ok := schema["pattern"].(string); ok {
		return rapid.StringMatching(strings.Trim(pattern, "^$")).Draw(t, field)
	}
	return rapid.StringN(0, min(bound(schema, "maxLength", 20), 40), -1).Draw(t, field)
}

func (g *generator) object(t *rapid.T, schema map[string]any, depth int) any {
	properties, _ := schema["properties"].(map[string]any)
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	sort.Strings(names)
	required, _ := schema["required"].([]any)
	object := map[string]any{}
	for _, name := range names {
		if depth < 6 && (slices.Contains(required, any(name)) || rapid.IntRange(0, 2).Draw(t, "with "+name) == 0) {
			object[name] = g.value(t, properties[name], name, depth+1)
		}
	}
	return object
}

func kindsOf(schema map[string]any) []string {
	switch kinds := schema["type"].(type) {
	case string:
		return []string{kinds}
	case []any:
		var all []string
		for _, kind := range kinds {
			all = append(all, fmt.Sprint(kind))
		}
		return all
	}
	return nil
}

// bound reads a limit; numbers of the document come as json.Number or float64.
func bound(schema map[string]any, key string, otherwise int) int {
	switch value := schema[key].(type) {
	case float64:
		return int(value)
	case json.Number:
		n, err := value.Float64()
		if err == nil {
			return int(n)
		}
	}
	return otherwise
}

// strange draws a text that nobody expects.
func strange(t *rapid.T) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"\u202e\u0000\ufeff", "\U0001F600\u200d\U0001F600", "ﷺ", "'; DROP TABLE groups; --", "%00", "../../etc/passwd", "${jndi:x}",
			"-1", "1e999", "NaN", "Infinity", "0x10", "true", "null", "[]", "{}", strings.Repeat("9", 400), "\xff\xfe",
			"2026-02-30", "0000-00-00",
			"9999-99-99 99:99:99", "-9999-01-01", "１２３", " ", "\t\n", strings.Repeat("ä", 3000), "1,2,,,3", ",", "\\u0000",
		}),
		rapid.StringN(0, 200, -1),
	).Draw(t, "strange")
}

// wrong draws a value of any type.
func wrong(t *rapid.T) any {
	return rapid.OneOf(
		rapid.SampledFrom([]any{
			nil, true, 0, -1, 1.5, 1e300, math.MaxInt64, math.MinInt64, "", "1", "x", []any{}, []any{nil}, []any{[]any{}}, map[string]any{},
			map[string]any{"0": "a", "2": "b"}, map[string]any{"": ""}, []any{map[string]any{"id": 1}}, []any{1, "2", false},
		}),
		rapid.Map(rapid.String(), func(s string) any { return s }),
	).Draw(t, "wrong")
}
