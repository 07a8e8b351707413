package capture

import (
	"fmt"
	"strings"
)

// Device is the form in which a page is captured.
type Device string

// The devices. Their settings stand in one table below.
const (
	Desktop Device = "desktop"
	Mobile  Device = "mobile"
)

// preset is everything by which a page can tell one device from another.
type preset struct {
	Width, Height int // CSS pixels of the viewport; the device pixel ratio is always 1, so a picture has page size
	Mobile, Touch bool
	Platform      string // user agent client hint
	PlatformVer   string
	Model         string
	UserAgent     string // %s is the engine's major version
	NavPlatform   string // navigator.platform
}

var devices = map[Device]preset{
	Desktop: {
		Width: 1440, Height: 900, Platform: "Linux", NavPlatform: "Linux x86_64",
		UserAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Safari/537.36",
	},
	Mobile: {
		Width: 390, Height: 844, Mobile: true, Touch: true, Platform: "Android", PlatformVer: "14.0.0", Model: "Pixel 8", NavPlatform: "Linux armv8l",
		UserAgent: "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Mobile Safari/537.36",
	},
}

// emulation lists the commands that make the tab this device.
func (d preset) emulation(engine Engine) []Command {
	return []Command{
		{"Emulation.setDeviceMetricsOverride", params{
			"width": d.Width, "height": d.Height, "screenWidth": d.Width, "screenHeight": d.Height,
			"deviceScaleFactor": 1, "mobile": d.Mobile,
		}},
		{"Emulation.setTouchEmulationEnabled", params{"enabled": d.Touch, "maxTouchPoints": 5}},
		{"Emulation.setUserAgentOverride", params{
			"userAgent": fmt.Sprintf(d.UserAgent, engine.major()), "platform": d.NavPlatform,
			"acceptLanguage": "en-US,en", "userAgentMetadata": d.clientHints(engine),
		}},
	}
}

// clientHints are the Sec-CH-UA fields. The "Not A Brand" entry is what Chrome itself sends.
func (d preset) clientHints(engine Engine) params {
	brands := func(version, grease string) []params {
		return []params{
			{"brand": "Not A(Brand", "version": grease},
			{"brand": "Chromium", "version": version},
			{"brand": "Google Chrome", "version": version},
		}
	}
	hints := params{
		"brands": brands(engine.major(), "24"), "fullVersionList": brands(engine.Version, "24.0.0.0"),
		"platform": d.Platform, "platformVersion": d.PlatformVer, "architecture": "x86", "bitness": "64",
		"model": d.Model, "mobile": d.Mobile, "wow64": false,
	}
	if d.Mobile {
		hints["architecture"], hints["bitness"] = "", ""
	}
	return hints
}

// Engine is the browser that paints: its product name and full version, "HeadlessChrome" and "156.0.8078.79".
type Engine struct{ Product, Version string }

func (e Engine) major() string {
	major, _, _ := strings.Cut(e.Version, ".")
	return major
}

func (e Engine) String() string { return e.Product + "/" + e.Version }
