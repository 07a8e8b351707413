package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// failure is an answer other than success. Its message may be shown; its cause goes to the log only.
type failure struct {
	status  int
	message string
	reason  string     // a machine-readable word beside the message, where the interface defines one
	fields  fieldTexts // what is wrong with which field; only with status 422
	header  map[string]string
	cause   error
}

func (f *failure) Error() string {
	if f.cause != nil {
		return fmt.Sprintf("%d %s: %v", f.status, f.message, f.cause)
	}
	return fmt.Sprintf("%d %s", f.status, f.message)
}

func (f *failure) Unwrap() error { return f.cause }

// body is the JSON answer: message, errors by field in the order they were found, and the reason if there is one. A
// reason may stand in place of errors.
func (f *failure) body() []byte {
	out := append([]byte(`{"message":`), quoted(f.message)...)
	if f.status == http.StatusUnprocessableEntity && (f.reason == "" || !f.fields.empty()) {
		out = append(out, `,"errors":`...)
		out = f.fields.appendJSON(out)
	}
	if f.reason != "" {
		out = append(out, `,"reason":`...)
		out = append(out, quoted(f.reason)...)
	}
	return append(out, '}')
}

// fieldTexts collects the error texts of a request's fields, first field first. A field is named as the client sent it,
// dotted when nested: urls.0.id.
type fieldTexts struct {
	names []string
	texts map[string][]string
}

// add notes an error text in which {field} stands for the field's name. The same text for the same field counts once.
func (t *fieldTexts) add(name, text string) {
	text = strings.ReplaceAll(text, "{field}", attribute(name))
	if slices.Contains(t.texts[name], text) {
		return
	}
	if t.texts == nil {
		t.texts = map[string][]string{}
	}
	if _, known := t.texts[name]; !known {
		t.names = append(t.names, name)
	}
	t.texts[name] = append(t.texts[name], text)
}

func (t *fieldTexts) empty() bool { return len(t.names) == 0 }

// summary is the first error and how many there are besides.
func (t *fieldTexts) summary() string {
	more := -1
	for _, texts := range t.texts {
		more += len(texts)
	}
	first := t.texts[t.names[0]][0]
	if more == 0 {
		return first
	}
	return fmt.Sprintf("%s (and %d more errors)", first, more)
}

func (t *fieldTexts) appendJSON(out []byte) []byte {
	out = append(out, '{')
	for i, name := range t.names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, quoted(name)...)
		out = append(out, ":["...)
		for j, text := range t.texts[name] {
			if j > 0 {
				out = append(out, ',')
			}
			out = append(out, quoted(text)...)
		}
		out = append(out, ']')
	}
	return append(out, '}')
}

// quoted is s as a JSON string. Markup characters stay readable, because the answer is never served as markup.
func quoted(s string) []byte {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return []byte(`""`) // a string always encodes
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

func invalid(fields fieldTexts) *failure {
	return &failure{status: http.StatusUnprocessableEntity, message: fields.summary(), fields: fields}
}

func unauthenticated() *failure {
	return &failure{
		status: http.StatusUnauthorized, message: "Unauthenticated.",
		header: map[string]string{"WWW-Authenticate": "Bearer"},
	}
}

func modelNotFound(model, id string) *failure {
	return &failure{status: http.StatusNotFound, message: fmt.Sprintf("No query results for model [%s] %s", model, id)}
}

func routeNotFound(path string) *failure {
	return &failure{status: http.StatusNotFound, message: fmt.Sprintf("The route %s could not be found.", path)}
}

func methodNotAllowed(method, path string, allowed []string) *failure {
	list := strings.Join(allowed, ", ")
	return &failure{
		status:  http.StatusMethodNotAllowed,
		message: fmt.Sprintf("The %s method is not supported for route %s. Supported methods: %s.", method, path, list),
		header:  map[string]string{"Allow": list},
	}
}

func badRequest(message string) *failure {
	return &failure{status: http.StatusBadRequest, message: message}
}

func tooLarge(message string) *failure {
	return &failure{status: http.StatusRequestEntityTooLarge, message: message}
}

func serverError(cause error) *failure {
	return &failure{status: http.StatusInternalServerError, message: "Server Error", cause: cause}
}

func unavailable(cause error) *failure {
	return &failure{
		status: http.StatusServiceUnavailable, message: "Service Unavailable",
		header: map[string]string{"Retry-After": "1"}, cause: cause,
	}
}
