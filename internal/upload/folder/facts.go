package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Facts are what a tool knows of a screenshot besides its pixels. They are in a file beside it: home.afterimage.json for home.png.
type Facts struct {
	Name     string          `json:"name,omitempty"`     // of the page, instead of the path
	Device   string          `json:"device,omitempty"`   // on which it was taken, "desktop" or "mobile"
	Elements json.RawMessage `json:"elements,omitempty"` // what it shows, see docs/upload.md
}

// maxFacts limits the file, in bytes.
const maxFacts = 5 << 20

// factsEnding replaces the ending of a picture.
const factsEnding = ".afterimage.json"

func factsOf(picture string) (*Facts, error) {
	path := strings.TrimSuffix(picture, filepath.Ext(picture)) + factsEnding
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFacts+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFacts {
		return nil, fmt.Errorf("%s is larger than %d MiB: list fewer elements", path, maxFacts>>20)
	}
	facts, decoder := &Facts{}, json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(facts); err != nil {
		return nil, fmt.Errorf("%s: it must be a JSON object with name, device and elements: %w", path, err)
	}
	return facts, nil
}
