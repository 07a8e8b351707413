package rest

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// enumAliases are other names that clients send for a value; they count in the enums that have the value and not the
// other name.
var enumAliases = map[string]string{"COMPARISON": "COMPARE"}

// enum reads a value in any case: in REST enums are lower case.
func (c *coercer) enum(t target, definition *ast.Definition, raw any) (any, bool) {
	text, _ := raw.(string)
	name := strings.ToUpper(strings.TrimSpace(text))
	values := valuesOf(definition)
	for _, known := range []string{name, enumAliases[name]} {
		if values.ForName(known) != nil {
			return known, true
		}
	}
	return c.refuse(t, textSelected)
}

// newerValues are the enum values that GraphQL has got since and version 2 of this interface does not have.
var newerValues = map[string][]string{
	"SelectionOrder": {"ADDRESS", "TITLE", "LAST_CRAWLED_AT", "LAST_CHANGED_AT", "TAG"},
}

// valuesOf are the values of an enum in this interface.
func valuesOf(definition *ast.Definition) ast.EnumValueList {
	return slices.DeleteFunc(slices.Clone(definition.EnumValues), func(value *ast.EnumValueDefinition) bool {
		return slices.Contains(newerValues[definition.Name], value.Name)
	})
}

// scalar reads a leaf by the name of its type. Scalars without a rule here take any value and check it themselves.
func (c *coercer) scalar(t target, raw any) (any, bool) {
	switch t.typ.Name() {
	case "ID", "UUID":
		return c.id(t, raw)
	case "Boolean":
		return c.boolean(t, raw)
	case "Int":
		return c.integer(t, raw)
	case "Float":
		return c.number(t, raw)
	case "String":
		return c.text(t, raw)
	case "Date", "DateTime":
		return c.date(t, raw)
	case "ScheduleDay":
		return c.scheduleDay(t, raw)
	case "Map":
		return c.mapping(t, raw)
	}
	return c.any(t, raw)
}

func (c *coercer) id(t target, raw any) (any, bool) {
	text, _ := raw.(string)
	text = strings.TrimSpace(text)
	switch {
	case isUUID(text):
		return strings.ToLower(text), true
	case c.filter:
		return noID, true
	}
	return c.refuse(t, textUUID)
}

// isUUID accepts the 36 characters of the canonical form, in either case.
func isUUID(s string) bool {
	if len(s) != len(noID) {
		return false
	}
	for i, c := range []byte(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return false
		}
	}
	return true
}

func (c *coercer) boolean(t target, raw any) (any, bool) {
	if value, ok := raw.(bool); ok {
		return value, true
	}
	text, _ := asText(raw)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return c.refuse(t, textBoolean)
}

// decimal is a number as JSON and PHP clients write it. It leaves out what strconv also takes: hexadecimal, underscores,
// Inf and NaN.
var decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?$`)

const maxNumberLength = 64

func asNumber(raw any) (float64, bool) {
	text, ok := asText(raw)
	text = strings.TrimSpace(text)
	if !ok || len(text) > maxNumberLength || !decimal.MatchString(text) {
		return 0, false
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

func (c *coercer) integer(t target, raw any) (any, bool) {
	value, ok := asNumber(raw)
	if !ok || value != math.Trunc(value) || math.Abs(value) > math.MaxInt32 {
		return c.refuse(t, textInteger)
	}
	return int64(value), true
}

func (c *coercer) number(t target, raw any) (any, bool) {
	value, ok := asNumber(raw)
	if !ok {
		return c.refuse(t, textNumber)
	}
	return value, true
}

func (c *coercer) text(t target, raw any) (any, bool) {
	text, ok := asText(raw)
	switch {
	case !ok:
		return c.refuse(t, textString)
	case strings.ContainsRune(text, 0):
		return c.refuse(t, textNUL)
	}
	return text, true
}

// asText is a string as it stands, or a number in the spelling of the client.
func asText(raw any) (string, bool) {
	switch value := raw.(type) {
	case string:
		return value, true
	case json.Number:
		return value.String(), true
	}
	return "", false
}

// momentLayouts are the spellings of a moment; without a zone it is in UTC.
var momentLayouts = []string{time.DateTime, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04"}

// date reads a day or a moment. The scalars know moments by RFC 3339 only.
func (c *coercer) date(t target, raw any) (any, bool) {
	text, _ := raw.(string)
	text = strings.TrimSpace(text)
	if _, err := time.Parse(time.DateOnly, text); err == nil && t.typ.Name() == "Date" {
		return text, true
	}
	for _, layout := range append([]string{time.DateOnly}, momentLayouts...) {
		if moment, err := time.Parse(layout, text); err == nil {
			return moment.Format(time.RFC3339), true
		}
	}
	return c.refuse(t, textDate)
}

// scheduleDay reads a number in any spelling, or a word, which is left to the scalar.
func (c *coercer) scheduleDay(t target, raw any) (any, bool) {
	text, ok := asText(raw)
	if !ok {
		return c.refuse(t, textSelected)
	}
	if _, isNumber := asNumber(text); isNumber {
		return c.integer(t, text)
	}
	return c.text(t, strings.ToLower(strings.TrimSpace(text)))
}

// mapping reads an object with names of the client's own.
func (c *coercer) mapping(t target, raw any) (any, bool) {
	object, ok := asObject(raw)
	if !ok {
		return c.refuse(t, textObject)
	}
	return c.any(t, object)
}

// any passes a value on to a scalar that reads it by itself, with numbers as numbers.
func (c *coercer) any(t target, raw any) (any, bool) {
	switch value := raw.(type) {
	case string:
		return c.text(t, value)
	case json.Number:
		return c.anyNumber(t, value)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i], _ = c.any(t, item)
		}
		return out, true
	case values:
		out := make(values, len(value))
		for name, item := range value {
			if strings.ContainsRune(name, 0) {
				return c.refuse(t, textNUL)
			}
			out[name], _ = c.any(t, item)
		}
		return out, true
	}
	return raw, true
}

func (c *coercer) anyNumber(t target, number json.Number) (any, bool) {
	if whole, err := strconv.ParseInt(number.String(), 10, 64); err == nil {
		return whole, true
	}
	value, ok := asNumber(number)
	if !ok {
		return c.refuse(t, textNumber)
	}
	return value, true
}
