package graph

import (
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

// readSent reads a picture, or a form with a picture and its elements.
func readSent(w http.ResponseWriter, r *http.Request) (s sent, err error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // was read before
	limit := int64(maxPicture)
	if kind == formType {
		limit += maxElements + maxFraming
	}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return s, tooLarge(picturePart, maxPicture)
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if kind != formType {
		s.picture, err = readPart(r.Body, picturePart, maxPicture)
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
		if *into[name], err = readPart(part, name, limits[name]); err != nil {
			return s, err
		}
	}
}

func badForm() error {
	return vcd.Invalid(picturePart, "form", `The {field} must be a part "picture" of the form, beside which there may be one part `+
		`"elements", and the form must be complete.`)
}

func readPart(body io.Reader, name string, limit int64) ([]byte, error) {
	file, err := io.ReadAll(io.LimitReader(body, limit+1))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over), int64(len(file)) > limit:
		return nil, tooLarge(name, limit)
	case err != nil:
		return nil, vcd.Invalid(name, "complete", "The {field} ended early, or took longer than 30 seconds. Send it again.")
	}
	return file, nil
}

func tooLarge(name string, limit int64) error {
	return vcd.Invalid(name, "max", fmt.Sprintf("The {field} must not be larger than %d MiB. Take a screenshot of a part of the page.",
		limit>>20))
}
