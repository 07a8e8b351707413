package standalone

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"

	"afterimage/capture"
	"afterimage/internal/compare"
	"afterimage/internal/compare/settings"
)

// readSettings reads the file that --config names, or afterimage.yaml if it is in the current folder.
func (c *Compare) readSettings() error {
	name := cmp.Or(c.Config, settings.DefaultName)
	file, err := settings.Read(name, os.LookupEnv)
	if errors.Is(err, fs.ErrNotExist) && c.Config == "" {
		file, err = &settings.File{}, nil
	}
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	c.merge(file)
	return nil
}

// merge takes from a file what no flag says. Lists of both count together.
func (c *Compare) merge(f *settings.File) {
	if c.Baseline = cmp.Or(c.Baseline, f.Baseline); c.Baseline != "" { // it takes the place of the first site
		c.Before, c.After = "", cmp.Or(c.After, c.Before, f.After)
	} else {
		c.Before, c.After = cmp.Or(c.Before, f.Before), cmp.Or(c.After, f.After)
	}
	if c.Paths == "" && !c.Sitemap && c.Crawl == 0 && !c.Storybook && c.Flow == "" {
		c.Paths, c.Sitemap, c.Crawl, c.paths, c.Storybook = f.PathsFile, f.Sitemap, f.Crawl, f.Paths, f.Storybook
	}
	if len(c.Devices) == 0 {
		c.Devices = f.Devices
	}
	if c.MaxPercent == nil {
		c.MaxPercent = f.MaxPercent
	}
	if c.Date.IsZero() {
		c.Date = f.Date
	}
	c.Report, c.PicturesURL = cmp.Or(c.Report, f.Report), cmp.Or(c.PicturesURL, f.PicturesURL)
	c.FailOn = cmp.Or(c.FailOn, f.FailOn, string(compare.FailOnUnsure))
	c.BasicAuth, c.KeepConsent = cmp.Or(c.BasicAuth, f.BasicAuth), c.KeepConsent || f.KeepConsent
	c.Concurrency = cmp.Or(c.Concurrency, f.Concurrency, min(4, runtime.NumCPU()))
	c.Deadline = cmp.Or(c.Deadline, f.Deadline, capture.DefaultDeadline)
	c.Ignore, c.AllowHosts = slices.Concat(f.Ignore, c.Ignore), slices.Concat(f.AllowHosts, c.AllowHosts)
	c.InsecureTLS = slices.Concat(f.InsecureTLS, c.InsecureTLS)
	c.CSS, c.JS = slices.Concat(f.CSS, c.CSS), slices.Concat(f.JS, c.JS)
	for _, name := range slices.Sorted(maps.Keys(f.Headers)) {
		c.Header = append(c.Header, name+": "+f.Headers[name])
	}
	for _, name := range slices.Sorted(maps.Keys(f.Cookies)) {
		c.Cookie = append(c.Cookie, name+"="+f.Cookies[name])
	}
}
