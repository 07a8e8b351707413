package imports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"afterimage/vcd"
)

// argosEnding is put behind the name of a picture, for the file in which Argos' SDKs write what they know of it.
const argosEnding = ".argos.json"

const (
	maxArgosFiles = 20_000
	maxArgosFile  = 1 << 20 // bytes
)

// argosFile is such a file, as far as pages are concerned.
type argosFile struct {
	URL      string `json:"url"`
	Viewport *struct {
		Width  int `json:"width"`
		Height int `json:"height"`
	} `json:"viewport"`
	ColorScheme string    `json:"colorScheme"`
	MediaType   string    `json:"mediaType"`
	Story       *struct{} `json:"story"`
	SDK         *struct{} `json:"sdk"`
	Transient   struct {
		Threshold *float64 `json:"threshold"`
		BaseName  any      `json:"baseName"` // a name or several
	} `json:"transient"`
}

// argosFields matches what only files of Argos' SDKs have.
var argosFields = []byte(`"automationLibrary"`)

// argosCount is how often something was found that cannot be taken over.
type argosCount struct {
	viewports map[string]string // device by size
	shown     map[string]bool   // addresses, and addresses in a viewport
	again     int               // of an address in a viewport that another shows
	without   int               // files without an address
	pictures  int               // without a file
	fields    map[string]int
	stories   int
}

func newArgosCount() *argosCount {
	return &argosCount{viewports: make(map[string]string), shown: make(map[string]bool), fields: make(map[string]int)}
}

// ReadFolder reads the folder of screenshots that Argos' SDKs write, with its subfolders.
func ReadFolder(folder fs.FS, format string) (*Imported, error) {
	if format != "" && format != "argos" {
		return nil, fmt.Errorf("only screenshots by Argos are imported from a folder: name a file of %s", format)
	}
	into, count := new(Imported), newArgosCount()
	pictures, files := make(map[string]bool), 0
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "node_modules":
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		case strings.EqualFold(path.Ext(name), ".png"):
			pictures[name] = true
			return nil
		case !strings.HasSuffix(name, argosEnding):
			return nil
		}
		if files++; files > maxArgosFiles {
			return fmt.Errorf("the folder has more than %d files %s: import parts of it", maxArgosFiles, argosEnding)
		}
		return into.argosFileOf(folder, name, count)
	})
	if err != nil {
		return nil, err
	}
	if files == 0 {
		return nil, fmt.Errorf("the folder has no file that ends with %s, as Argos' SDKs write them beside their screenshots", argosEnding)
	}
	for name := range pictures {
		if _, err := fs.Stat(folder, name+argosEnding); errors.Is(err, fs.ErrNotExist) {
			count.pictures++
		}
	}
	into.tellArgos(count)
	return into, nil
}

func (i *Imported) argosFileOf(folder fs.FS, name string, count *argosCount) error {
	file, err := folder.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxArgosFile+1))
	switch {
	case err != nil:
		return err
	case len(text) > maxArgosFile:
		return fmt.Errorf("%s has more than %d MiB", name, maxArgosFile>>20)
	}
	if err := i.argosScreenshot(text, count); err != nil {
		return fmt.Errorf("%s cannot be read as argos: %w", name, err)
	}
	return nil
}

// argos reads the file of a single screenshot.
func (i *Imported) argos(text []byte) error {
	count := newArgosCount()
	if err := i.argosScreenshot(text, count); err != nil {
		return err
	}
	i.tellArgos(count)
	return nil
}

// argosScreenshot takes over where a screenshot was taken.
func (i *Imported) argosScreenshot(text []byte, count *argosCount) error {
	var file argosFile
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), &file); err != nil {
		return err
	}
	if file.SDK == nil {
		return errors.New("it was not written by Argos: it has no sdk")
	}
	size := ""
	if v := file.Viewport; v != nil {
		size = fmt.Sprintf("%d × %d", v.Width, v.Height)
		count.viewports[size] = i.device(v.Width)
	}
	for field, has := range map[string]bool{
		"colorScheme dark": file.ColorScheme == "dark", "mediaType print": file.MediaType == "print",
		"threshold": file.Transient.Threshold != nil, "baseName": file.Transient.BaseName != nil,
	} {
		if has {
			count.fields[field]++
		}
	}
	if file.Story != nil {
		count.stories++
	}
	if file.URL == "" {
		count.without++
		return nil
	}
	if !count.shown[file.URL] {
		i.Addresses = append(i.Addresses, file.URL)
	} else if count.shown[file.URL+" "+size] {
		count.again++
	}
	count.shown[file.URL], count.shown[file.URL+" "+size] = true, true
	return nil
}

func (i *Imported) tellArgos(count *argosCount) {
	for _, size := range slices.Sorted(maps.Keys(count.viewports)) {
		i.leave("The viewport of %s pixels becomes the device %s, whose size is fixed.", size, count.viewports[size])
	}
	if len(i.Addresses) > 0 {
		i.leave("Actions of the tests before a screenshot are not repeated: each address is captured as it loads.")
	}
	if count.again > 0 {
		i.leave("%s skipped: others show the same address in the same viewport.", vcd.Plural(count.again, "screenshot"))
	}
	if count.without > 0 {
		i.leave("%s without an address skipped.", vcd.Plural(count.without, "screenshot"))
	}
	if count.pictures > 0 {
		i.leave("%s skipped: there is no %s file next to it.", vcd.Plural(count.pictures, "picture"), argosEnding)
	}
	if count.stories > 0 {
		i.leave("%s of stories: use `storybook: true` instead of paths to compare a whole Storybook.",
			vcd.Plural(count.stories, "screenshot"))
	}
	for _, field := range slices.Sorted(maps.Keys(count.fields)) {
		i.leave("%s is not imported (set by %d of the screenshots).", field, count.fields[field])
	}
}
