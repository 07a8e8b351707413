package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"afterimage/internal/openapitest"
)

// TestParity asks REST and GraphQL for the same and wants the same, but for the spelling: for each endpoint, with drawn
// values, through the public GraphQL endpoint.
func TestParity(t *testing.T) {
	t.Parallel()
	s := newPopulated(t)
	operations := readStored(t)
	drawEach(t, max(10, requestsPerOperation()/5))
	all := slices.Clone(s.document().Operations)
	slices.SortStableFunc(all, func(a, b openapitest.Operation) int { return rank(a) - rank(b) })
	for _, op := range all {
		name := strings.ToUpper(op.ID[:1]) + op.ID[1:]
		if operations.operation[name] == nil { // the same endpoint under its second method
			continue
		}
		t.Run(name, func(t *testing.T) {
			own := *s
			own.t = t
			p := &parity{service: &own, stored: operations, name: name, generator: generator{document: s.document(), op: op,
				ids: own.knownIDs()}}
			rapid.Check(t, p.compare)
			t.Logf("%d equal answers, %d equal refusals", p.equal, p.refused)
		})
	}
}

// parity compares one endpoint with its operation.
type parity struct {
	*service
	generator
	stored         *stored
	name           string
	equal, refused int
}

func (p *parity) compare(t *rapid.T) {
	path, fields, a := p.drawRequest(t)
	variables := p.variables(path, fields)
	restAnswer := p.send(t, a)
	graphAnswer, err := p.raw(http.MethodPost, "/graphql", map[string]any{"query": p.stored.text[p.name], "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	var result struct {
		Data   map[string]any
		Errors []struct {
			Extensions struct {
				Code   string
				Fields []struct{ Rule string }
			}
		}
	}
	if err := json.Unmarshal(graphAnswer.body, &result); err != nil {
		t.Fatalf("%s: %v", graphAnswer.body, err)
	}
	var code string
	if len(result.Errors) > 0 {
		code = result.Errors[0].Extensions.Code
	}
	what := fmt.Sprintf("%s\nvariables %v\nREST: %d %.1500s\nGraphQL: %.1500s", a, variables, restAnswer.status, restAnswer.body,
		graphAnswer.body)
	if restAnswer.status >= 400 {
		if !p.samerefusal(restAnswer.status, code, result.Data) {
			t.Fatalf("refused differently: %s", what)
		}
		p.refused++
		return
	}
	gone := p.op.Method == http.MethodDelete && code == "NOT_FOUND"
	taken := p.op.Method == http.MethodPost && code == "INVALID" && result.Errors[0].Extensions.Fields[0].Rule == "unique"
	switch {
	case gone || taken: // what the first request has deleted or made
		return
	case code != "":
		t.Fatalf("GraphQL refuses alone: %s", what)
	}
	if !p.repeatable() {
		return
	}
	var got any
	if len(restAnswer.body) > 0 {
		if err := json.Unmarshal(restAnswer.body, &got); err != nil {
			t.Fatal(err)
		}
	}
	want := p.asREST(p.stored.operation[p.name].SelectionSet, result.Data)
	if diff := cmp.Diff(p.flat(want, true), p.flat(got, false)); diff != "" {
		t.Fatalf("(-GraphQL +REST):\n%s\n%s", diff, what)
	}
	p.equal++
}

// repeatable reports whether the answer to a second request is like that to the first.
func (p *parity) repeatable() bool {
	return p.op.Method != http.MethodDelete && !strings.Contains(p.op.Path, "-urls")
}

func (p *parity) samerefusal(status int, code string, data map[string]any) bool {
	switch status {
	case http.StatusNotFound:
		for _, value := range data {
			if code == "" && value == nil {
				return true
			}
		}
		return code == "NOT_FOUND" || p.op.Method == http.MethodDelete
	case http.StatusUnprocessableEntity:
		return code == "INVALID" || code == "GRAPHQL_VALIDATION_FAILED"
	case http.StatusConflict:
		return code == "CONFLICT"
	case http.StatusPaymentRequired:
		return code == "CHECKS_EXHAUSTED"
	case http.StatusForbidden:
		return code == "FORBIDDEN"
	}
	return false
}

// drawRequest draws a valid request: what is in its path, its other fields, and how it is sent.
func (p *parity) drawRequest(t *rapid.T) (path, fields map[string]any, a attempt) {
	path, fields = map[string]any{}, map[string]any{}
	a = attempt{method: p.op.Method, path: "/api/v2" + p.drawPath(t, flawless), flaw: flawless}
	sent := strings.Split(strings.TrimPrefix(a.path, "/api/v2"), "/")
	for i, part := range strings.Split(p.op.Path, "/") {
		if strings.HasPrefix(part, "{") {
			path[strings.Trim(part, "{}")] = sent[i]
		}
	}
	query := url.Values{}
	for _, parameter := range p.op.Parameters {
		if parameter.In != "query" || !p.names()[parameter.Name] || rapid.Bool().Draw(t, "without "+parameter.Name) {
			continue
		}
		value := p.value(t, parameter.Schema, parameter.Name, 0)
		if parameter.Name == "per_page" {
			value = rapid.IntRange(1, 90).Draw(t, "per_page of both") // a hundred queue entries cost more than a query of anybody may
		}
		fields[parameter.Name] = value
		query.Set(parameter.Name, spell(value))
	}
	if len(query) > 0 {
		a.path += "?" + query.Encode()
	}
	if p.op.Body != nil {
		fields, _ = p.value(t, p.op.Body, "", 0).(map[string]any)
		for name := range fields {
			if !p.names()[name] && p.spread() == nil {
				delete(fields, name)
			}
		}
		body, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		a.body, a.contentType = body, "application/json"
	}
	return path, fields, a
}

// names are REST's first names of the operation's variables.
func (p *parity) names() map[string]bool {
	names := map[string]bool{}
	for _, name := range p.stored.names[p.name] {
		names[name] = true
	}
	return names
}

// spread is the variable that takes the request as a whole, nil without one.
func (p *parity) spread() *ast.VariableDefinition {
	v := p.stored.operation[p.name].VariableDefinitions.ForName("input")
	if v == nil || p.stored.schema.Types[v.Type.Name()].Kind != ast.InputObject {
		return nil
	}
	return v
}

// variables are the operation's, out of what the REST request says.
func (p *parity) variables(path, fields map[string]any) map[string]any {
	variables := map[string]any{}
	op := p.stored.operation[p.name]
	for _, v := range op.VariableDefinitions {
		name := p.stored.names[p.name][v.Variable]
		value, given := path[snake(v.Variable)]
		if !given {
			value, given = fields[name]
		}
		switch {
		case v == p.spread():
			whole := map[string]any{}
			for _, source := range []map[string]any{fields, path} {
				for key, value := range source {
					whole[key] = value
				}
			}
			variables[v.Variable], _ = p.asGraphQL(v.Type, whole, false)
		case given && value != true && p.stored.onlyTrue[p.name+" "+v.Variable]:
		case given:
			if converted, set := p.asGraphQL(v.Type, value, v.DefaultValue != nil); set {
				variables[v.Variable] = converted
			}
		case p.stored.ofHeader[p.name+" "+v.Variable]:
			variables[v.Variable] = false // no request here has such a header
		case v.Variable == "page":
			variables["page"] = 1
		case v.Variable == "perPage":
			variables["perPage"] = 15
		}
	}
	return variables
}

// asGraphQL spells a value of REST in GraphQL: names in camel case, enums in upper case, an empty text as null.
func (p *parity) asGraphQL(typ *ast.Type, value any, hasDefault bool) (any, bool) {
	text, isText := value.(string)
	if isText && strings.TrimSpace(text) == "" {
		value = nil
	}
	if value == nil {
		return nil, !(typ.NonNull && hasDefault) && p.op.Method != http.MethodGet
	}
	if typ.Elem != nil {
		list, _ := value.([]any)
		converted := []any{}
		for _, item := range list {
			if text, ok := item.(string); ok && text == "" {
				continue // an empty item is none
			}
			one, _ := p.asGraphQL(typ.Elem, item, false)
			converted = append(converted, one)
		}
		return converted, p.op.Method != http.MethodGet || len(converted) > 0
	}
	definition := p.stored.schema.Types[typ.Name()]
	switch {
	case definition.Kind == ast.Enum && isText:
		return strings.ToUpper(text), true
	case definition.Kind == ast.InputObject:
		object, _ := value.(map[string]any)
		converted := map[string]any{}
		for _, field := range definition.Fields {
			if inner, given := object[snake(field.Name)]; given {
				if field.Name == "basicAuthPassword" && inner == "" {
					converted[field.Name] = ""
				} else if one, set := p.asGraphQL(field.Type, inner, field.DefaultValue != nil); set {
					converted[field.Name] = one
				}
			}
		}
		return converted, true
	}
	return value, true
}

// asREST spells a result of GraphQL as REST does: enums in lower case, moments without a zone.
func (p *parity) asREST(selections ast.SelectionSet, object map[string]any) map[string]any {
	out := map[string]any{}
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			value, ok := object[selection.Alias]
			switch {
			case !ok, value == nil && selection.Directives.ForName("orOmit") != nil:
			case value == nil && selection.Directives.ForName("orEmpty") != nil:
				out[selection.Alias] = ""
			default:
				out[selection.Alias] = p.asRESTValue(selection, selection.Definition.Type, value)
			}
		case *ast.FragmentSpread:
			for name, value := range p.asREST(selection.Definition.SelectionSet, object) {
				out[name] = value
			}
		}
	}
	return out
}

func (p *parity) asRESTValue(field *ast.Field, typ *ast.Type, value any) any {
	switch value := value.(type) {
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = p.asRESTValue(field, typ.Elem, item)
		}
		return list
	case map[string]any:
		if len(field.SelectionSet) > 0 {
			return p.asREST(field.SelectionSet, value)
		}
	case string:
		if p.stored.schema.Types[typ.Name()].Kind == ast.Enum {
			return strings.ToLower(value)
		}
		moment, err := time.Parse(time.RFC3339, value)
		switch {
		case err == nil && typ.Name() == "ScheduleTime":
			return float64(moment.Unix())
		case err == nil && typ.Name() == "DateTime":
			return moment.Format(time.DateTime)
		}
	}
	return value
}

var (
	newIDs     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	newSecrets = regexp.MustCompile(`^[A-Za-z0-9]{40}$`)
	newMoments = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?`)
)

// flat takes the wrappers off a result: GraphQL's root field and connection, REST's data and the paging in its meta. Of
// changes, ids and moments do not count: the second of two makes others.
func (p *parity) flat(value any, isGraphQL bool) map[string]any {
	object, _ := value.(map[string]any)
	if inner, ok := object["data"].(map[string]any); isGraphQL && !ok && len(object) == 1 {
		for _, only := range object {
			object, _ = only.(map[string]any)
		}
	} else if isGraphQL && inner["nodes"] != nil {
		object = map[string]any{"data": inner["nodes"]}
		for name, figure := range inner {
			if name != "nodes" {
				object[name] = figure
			}
		}
	}
	if meta, ok := object["meta"].(map[string]any); ok && !isGraphQL {
		for _, paging := range []string{"current_page", "from", "last_page", "links", "path", "per_page", "to"} {
			delete(meta, paging)
		}
		delete(object, "meta")
		delete(object, "links")
		for name, figure := range meta {
			object[name] = figure
		}
	}
	if data, isObject := object["data"].(map[string]any); isObject && len(object) == 1 {
		object = data
	}
	if p.answersMessage() {
		return map[string]any{}
	}
	if p.op.Method != http.MethodGet {
		object, _ = masked(object).(map[string]any)
	}
	return object
}

// answersMessage reports whether REST makes a message of the result, which holds none of its values.
func (p *parity) answersMessage() bool { return p.generator.document.Answers(p.op, "message") }

func masked(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, item := range value {
			out[newIDs.ReplaceAllString(name, "id")] = masked(item)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = masked(item)
		}
		return out
	case string:
		value = newSecrets.ReplaceAllString(value, "secret")
		return newMoments.ReplaceAllString(newIDs.ReplaceAllString(value, "id"), "moment")
	}
	return value
}
