package compare

import (
	"errors"
	"fmt"
	"time"

	"afterimage/capture"
	"afterimage/internal/assetcache"
)

// MaxConcurrency is the largest number of captures at the same time.
const MaxConcurrency = 16

// Options say what is compared, and how.
type Options struct {
	Before, After Site
	Stored        Stored   // captures of the side before; nil if it is to be captured
	Paths         []string // of pages on both sides, see Site.Address; the checkpoints of a flow
	Flow          *Flow    // nil for none
	Listed        bool     // the site itself lists them: what turns out to be no page is left out
	Devices       []capture.Device

	Styles, Scripts []string // CSS and JavaScript for both sides
	Headers         []capture.Header
	Cookies         []capture.Cookie
	Credentials     *capture.Credentials // for both sides; nil for none
	KeepConsent     bool                 // keep cookie banners and advertisements
	Deadline        time.Duration        // for one capture
	UserAgentSuffix string
	// Assets lets the pages of one side share styles, scripts, fonts and pictures; nil shares nothing. What confirms a change
	// shares nothing.
	Assets *assetcache.Cache

	Ignore Ignore
	// MaxPercent is the percentage of a page, after row alignment, up to which changed pixels are passed over.
	MaxPercent  float64
	Concurrency int       // captures at the same time
	Date        time.Time // at which all pages begin
	Seed        uint32    // of all pages' random numbers
}

// Check says which option is wrong, by its name on the command line.
func (o *Options) Check() error {
	switch {
	case len(o.Paths) == 0:
		return errors.New("there is no page to compare: name some with --paths, --sitemap or --crawl")
	case len(o.Paths) > MaxPaths:
		return fmt.Errorf("there are %d pages, at most %d are supported: compare them in several runs", len(o.Paths), MaxPaths)
	case len(o.Devices) == 0:
		return errors.New("--devices: name desktop, mobile or both")
	case !(o.MaxPercent >= 0 && o.MaxPercent <= 100): // not a number is neither
		return fmt.Errorf("--max-percent must be from 0 to 100, not %v", o.MaxPercent)
	case o.Concurrency < 1 || o.Concurrency > MaxConcurrency:
		return fmt.Errorf("--concurrency must be from 1 to %d, not %d", MaxConcurrency, o.Concurrency)
	case o.Deadline < time.Second || o.Deadline > 10*time.Minute:
		return fmt.Errorf("--deadline must be from 1s to 10m, not %s", o.Deadline)
	}
	for _, h := range o.Headers {
		if err := h.Check(); err != nil {
			return fmt.Errorf("--header %q: %w", h.Name, err)
		}
	}
	for _, c := range o.Cookies {
		if err := c.Check(); err != nil {
			return fmt.Errorf("--cookie %q: %w", c.Name, err)
		}
	}
	return nil
}

// request is that of a page on one side.
func (o *Options) request(side Site, path string, device capture.Device) capture.Request {
	return capture.Request{
		URL: side.Address(path), Device: device, Styles: o.Styles, Scripts: o.Scripts, Headers: o.Headers, Cookies: o.Cookies,
		Hide: o.Ignore.Selectors, Credentials: o.Credentials, HideConsent: !o.KeepConsent, Deadline: o.Deadline,
		UserAgentSuffix: o.UserAgentSuffix, Date: o.Date, Seed: o.Seed,
	}
}
