package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

const maxQuery = 64 << 10 // bytes of a query string

// readQuery reads the parameters behind the question mark.
func readQuery(r *http.Request) (values, *failure) {
	if len(r.URL.RawQuery) > maxQuery {
		return nil, &failure{status: http.StatusRequestURITooLong,
			message: fmt.Sprintf("The query must not be larger than %d bytes.", maxQuery)}
	}
	query, err := parseForm(r.URL.RawQuery)
	if err != nil {
		return nil, unreadable(err, "The query")
	}
	return query, nil
}

// readBody reads a JSON object or a form. No body at all is the same as an empty object, because old clients send their
// content type on every request.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) (values, *failure) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var oversize *http.MaxBytesError
	switch {
	case errors.As(err, &oversize):
		return nil, tooLarge(fmt.Sprintf("The request body must not be larger than %d bytes.", limit))
	case err != nil:
		return nil, badRequest("The request body is incomplete.")
	}
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))) // some clients begin with a byte order mark
	if len(raw) == 0 {
		return values{}, nil
	}
	var form values
	kind, boundary := bodyKind(r.Header.Get("Content-Type"), raw)
	switch kind {
	case jsonBody:
		return parseJSONBody(raw)
	case formBody:
		form, err = parseForm(string(raw))
	case multipartBody:
		form, err = parseMultipart(raw, boundary)
	default:
		return nil, &failure{
			status:  http.StatusUnsupportedMediaType,
			message: "The content type must be application/json, application/x-www-form-urlencoded or multipart/form-data.",
			header:  map[string]string{"Accept-Post": "application/json, application/x-www-form-urlencoded, multipart/form-data"},
		}
	}
	if err != nil {
		return nil, unreadable(err, "The request body")
	}
	return form, nil
}

type kind int

const (
	otherBody kind = iota
	jsonBody
	formBody
	multipartBody
)

// bodyKind tells how a body is to be read, and the boundary of its parts where it has any. A client that names no type is
// taken at the first byte.
func bodyKind(contentType string, raw []byte) (k kind, boundary string) {
	if strings.TrimSpace(contentType) == "" {
		if raw[0] == '{' || raw[0] == '[' {
			return jsonBody, ""
		}
		return formBody, ""
	}
	mediaType, parameters, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return otherBody, ""
	}
	switch {
	case mediaType == "application/json" || strings.HasPrefix(mediaType, "application/") && strings.HasSuffix(mediaType, "+json"):
		return jsonBody, ""
	case mediaType == "application/x-www-form-urlencoded":
		return formBody, ""
	case mediaType == "multipart/form-data":
		return multipartBody, parameters["boundary"]
	}
	return otherBody, ""
}

func parseJSONBody(raw []byte) (values, *failure) {
	value, err := parseJSON(raw)
	if err != nil {
		return nil, unreadable(err, "The request body")
	}
	switch value := value.(type) {
	case values:
		return value, nil
	case []any:
		if len(value) == 0 { // what PHP makes of an empty object
			return values{}, nil
		}
	}
	return nil, badRequest("The request body must be a JSON object.")
}

// unreadable answers data that is malformed (400) or over a limit (413).
func unreadable(err error, what string) *failure {
	switch {
	case errors.Is(err, errFormTooDeep):
		return badRequest(fmt.Sprintf("%s must not be nested deeper than %d levels.", what, maxFormDepth))
	case errors.Is(err, errTooDeep):
		return badRequest(fmt.Sprintf("%s must not be nested deeper than %d levels.", what, maxDepth))
	case errors.Is(err, errTooMany):
		return tooLarge(fmt.Sprintf("%s must not contain more than %d values.", what, maxValues))
	case errors.Is(err, errFile):
		return badRequest(what + " must not contain files.")
	case errors.Is(err, errMultipart):
		return badRequest(what + " is not valid multipart/form-data.")
	case errors.Is(err, errFormEncoding):
		return badRequest(what + " is not valid application/x-www-form-urlencoded data.")
	}
	return badRequest(what + " is not valid JSON.")
}

// parseJSON reads one JSON text within the limits of depth and number. Numbers keep their spelling; of equal keys the
// last wins; bytes that are not UTF-8 become the replacement character.
func parseJSON(raw []byte) (any, error) {
	p := &jsonReader{decoder: json.NewDecoder(bytes.NewReader(raw))}
	p.decoder.UseNumber()
	value, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := p.decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("data follows the JSON text")
	}
	return value, nil
}

type jsonReader struct {
	decoder *json.Decoder
	count   int
}

func (p *jsonReader) value(depth int) (any, error) {
	token, err := p.decoder.Token()
	if err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	if p.count++; p.count > maxValues {
		return nil, errTooMany
	}
	delimiter, composite := token.(json.Delim)
	if !composite {
		return token, nil
	}
	if depth == maxDepth {
		return nil, errTooDeep
	}
	if delimiter == '[' {
		return p.list(depth + 1)
	}
	return p.object(depth + 1)
}

func (p *jsonReader) list(depth int) (any, error) {
	list := []any{}
	for p.decoder.More() {
		item, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, p.end()
}

func (p *jsonReader) object(depth int) (any, error) {
	object := values{}
	for p.decoder.More() {
		key, err := p.decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("reading JSON: %w", err)
		}
		name, ok := key.(string)
		if !ok {
			return nil, fmt.Errorf("reading JSON: %v in place of a key", key)
		}
		if object[name], err = p.value(depth); err != nil {
			return nil, err
		}
	}
	return object, p.end()
}

// end reads the closing bracket.
func (p *jsonReader) end() error {
	if _, err := p.decoder.Token(); err != nil {
		return fmt.Errorf("reading JSON: %w", err)
	}
	return nil
}
