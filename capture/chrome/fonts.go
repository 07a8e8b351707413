package chrome

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	fontConfig = "/etc/fonts"
	// fontsLength is how many hex digits identify a set of fonts.
	fontsLength = 12
)

// fontFolders are the folders that fontconfig reads without a configuration. They do not include users' own folders:
// the browser's home is its profile folder, which is empty.
var fontFolders = []string{"/usr/share/fonts", "/usr/local/share/fonts"}

var fontEndings = []string{
	".ttf", ".otf", ".ttc", ".otc", ".pfa", ".pfb", ".pcf", ".pcf.gz", ".bdf", ".woff", ".woff2",
}

// fontsFingerprint is equal on machines with the same fonts and the same rules for choosing among them: a hash of the
// contents of the font files and of fontconfig's configuration, below a folder like /etc/fonts. Names and times of
// files are ignored.
func fontsFingerprint(config string) (string, error) {
	var sums []string
	rules, err := filepath.Glob(filepath.Join(config, "conf.d", "*.conf"))
	if err != nil {
		return "", err
	}
	for _, name := range append(rules, filepath.Join(config, "fonts.conf")) {
		sum, err := sumOf(name)
		if os.IsNotExist(err) {
			continue // a machine without fontconfig, or a dangling link
		}
		if err != nil {
			return "", fmt.Errorf("read the fonts' configuration: %w", err)
		}
		sums = append(sums, filepath.Base(name)+" "+sum) // rules apply in the order of their file names
	}
	for _, folder := range configuredFolders(filepath.Join(config, "fonts.conf")) {
		found, err := sumsBelow(folder)
		if err != nil {
			return "", fmt.Errorf("read the fonts: %w", err)
		}
		sums = append(sums, found...)
	}
	slices.Sort(sums)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(sums), "\n")))
	return hex.EncodeToString(sum[:])[:fontsLength], nil
}

// configuredFolders lists the absolute folders of fontconfig's main file.
func configuredFolders(file string) []string {
	raw, err := os.ReadFile(file)
	var document struct {
		Folders []string `xml:"dir"`
	}
	if err != nil || xml.Unmarshal(raw, &document) != nil {
		return fontFolders
	}
	return slices.DeleteFunc(document.Folders, func(folder string) bool { return !filepath.IsAbs(folder) })
}

func sumsBelow(folder string) ([]string, error) {
	var sums []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return err
		case !isFont(path):
			return nil
		}
		sum, err := sumOf(path)
		if os.IsNotExist(err) {
			return nil
		}
		sums = append(sums, sum)
		return err
	})
	return sums, err
}

func isFont(path string) bool {
	name := strings.ToLower(path)
	return slices.ContainsFunc(fontEndings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

func sumOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
