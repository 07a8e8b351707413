package graph

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"afterimage/vcd"
	"afterimage/vcd/run"
)

// maxElements limits the elements of a picture, in bytes, and maxFraming what a form adds to its parts.
const (
	maxElements = 4 << 20
	maxFraming  = 4 << 10
)

// Media types of a screenshot, and the parts of a form.
const (
	pngType      = "image/png"
	formType     = "multipart/form-data"
	picturePart  = "picture"
	elementsPart = "elements"
)

// sent is the body of a request.
type sent struct{ picture, elements []byte }

// readUploaded reads what a request says of its picture.
func readUploaded(r *http.Request) (in run.UploadedInput, err error) {
	if len(r.URL.RawQuery) > maxUploadQuery {
		return in, vcd.Invalid("name", "max", "The {field} is too long: use a shorter name.")
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != pngType && kind != formType {
		return in, vcd.Invalid("picture", "png", "The {field} must be a PNG file, sent with the content type image/png or as a part of "+
			"multipart/form-data.")
	}
	q := r.URL.Query()
	return run.UploadedInput{Name: q.Get("name"), Device: vcd.Device(q.Get("device"))}, nil
}

// bodyLimit is how long the body of a request may be, by its media type, which is read elsewhere.
func bodyLimit(r *http.Request) (kind string, limit int64) {
	kind, _, _ = mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == formType {
		return kind, maxPicture + maxElements + maxFraming
	}
	return kind, maxPicture
}

// expected is how much of a body will be read at most.
func expected(r *http.Request) int64 {
	_, limit := bodyLimit(r)
	if r.ContentLength < 0 {
		return limit
	}
	return min(r.ContentLength, limit)
}

// readSent reads a picture, or a form with a picture and its elements.
func readSent(w http.ResponseWriter, r *http.Request) (s sent, err error) {
	kind, limit := bodyLimit(r)
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return s, tooLarge(picturePart, maxPicture)
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if kind != formType {
		s.picture, err = readPart(r.Body, picturePart, maxPicture, r.ContentLength)
		return s, err
	}
	parts, err := r.MultipartReader()
	if err != nil {
		return s, badForm()
	}
	return readForm(parts)
}

// readForm reads the parts of a form, each of which may be there once.
func readForm(parts *multipart.Reader) (s sent, err error) {
	into := map[string]*[]byte{picturePart: &s.picture, elementsPart: &s.elements}
	limits := map[string]int64{picturePart: maxPicture, elementsPart: maxElements}
	for {
		part, err := parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF) && s.picture != nil:
			return s, nil
		case err != nil:
			return s, badForm()
		}
		name := part.FormName()
		if into[name] == nil || *into[name] != nil {
			return s, badForm()
		}
		if *into[name], err = readPart(part, name, limits[name], -1); err != nil {
			return s, err
		}
	}
}

func badForm() error {
	return vcd.Invalid(picturePart, "form", `The {field} must be the part "picture" of a complete form, which may contain `+
		`one other part, "elements".`)
}

// readPart reads a part of a length that may be known; otherwise it is negative. A buffer of that length never grows, which would take
// up to the double.
func readPart(body io.Reader, name string, limit, length int64) ([]byte, error) {
	var read bytes.Buffer
	if length >= 0 {
		read.Grow(int(min(length, limit)) + bytes.MinRead)
	}
	_, err := read.ReadFrom(io.LimitReader(body, limit+1))
	file := read.Bytes()
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over), int64(len(file)) > limit:
		return nil, tooLarge(name, limit)
	case err != nil:
		return nil, vcd.Invalid(name, "complete", "The {field} ended early, or took longer than 30 seconds. Send it again.")
	}
	return file, nil
}

// tooLongError refuses a body of which no more is read.
type tooLongError struct{ error }

// Unwrap returns the refusal, which names the part.
func (e tooLongError) Unwrap() error { return e.error }

func tooLarge(name string, limit int64) error {
	return tooLongError{vcd.Invalid(name, "max", fmt.Sprintf(
		"The {field} must not be larger than %d MiB. Take a screenshot of a part of the page.", limit>>20))}
}
