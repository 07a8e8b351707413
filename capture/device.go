package capture

import (
	"fmt"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// Device is the kind of device as which a page is captured.
type Device string

// The devices. Their settings are in the table below.
const (
	Desktop Device = "desktop"
	Mobile  Device = "mobile"
)

// preset holds everything by which a page can distinguish devices.
type preset struct {
	Width, Height int     // CSS pixels of the viewport
	PixelRatio    float64 // picture pixels per CSS pixel; with 1, boxes, limits and pictures use the same unit
	Mobile, Touch bool
	FormFactor    string // user agent client hint
	Platform      string // user agent client hint
	PlatformVer   string
	Model         string
	UserAgent     string // %s is the engine's major version
	NavPlatform   string // navigator.platform
}

var devices = map[Device]preset{
	Desktop: {
		Width: 1440, Height: 900, PixelRatio: 1, FormFactor: "Desktop", Platform: "Linux", NavPlatform: "Linux x86_64",
		UserAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Safari/537.36",
	},
	Mobile: {
		Width: 390, Height: 844, PixelRatio: 1, Mobile: true, Touch: true, FormFactor: "Mobile",
		Platform: "Android", PlatformVer: "14.0.0", Model: "Pixel 8", NavPlatform: "Linux armv8l",
		UserAgent: "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0 Mobile Safari/537.36",
	},
}

// emulation lists the commands that make the tab emulate this device. The suffix, if any, ends the user agent: it lets
// the owner of a site distinguish our visits from others.
func (d preset) emulation(engine Engine, suffix string) []proto.Request {
	agent := fmt.Sprintf(d.UserAgent, engine.major())
	if suffix != "" {
		agent += " " + suffix
	}
	return []proto.Request{
		d.metrics(),
		proto.EmulationSetTouchEmulationEnabled{Enabled: d.Touch, MaxTouchPoints: new(5)},
		userAgentOverride{
			EmulationSetUserAgentOverride: proto.EmulationSetUserAgentOverride{
				UserAgent: agent, Platform: d.NavPlatform, AcceptLanguage: "en-US,en",
			},
			Metadata: userAgentMetadata{EmulationUserAgentMetadata: d.clientHints(engine), FormFactors: []string{d.FormFactor}},
		},
	}
}

func (d preset) metrics() proto.EmulationSetDeviceMetricsOverride {
	return proto.EmulationSetDeviceMetricsOverride{
		Width: d.Width, Height: d.Height, ScreenWidth: &d.Width, ScreenHeight: &d.Height, DeviceScaleFactor: d.PixelRatio, Mobile: d.Mobile,
	}
}

// userAgentOverride is the command with the client hint that is missing in rod's protocol.
type userAgentOverride struct {
	proto.EmulationSetUserAgentOverride
	Metadata userAgentMetadata `json:"userAgentMetadata"`
}

type userAgentMetadata struct {
	*proto.EmulationUserAgentMetadata
	FormFactors []string `json:"formFactors"`
}

// clientHints are the Sec-CH-UA fields. The "Not A Brand" entry is what Chrome itself sends.
func (d preset) clientHints(engine Engine) *proto.EmulationUserAgentMetadata {
	brands := func(version, grease string) []*proto.EmulationUserAgentBrandVersion {
		return []*proto.EmulationUserAgentBrandVersion{
			{Brand: "Not A(Brand", Version: grease},
			{Brand: "Chromium", Version: version},
			{Brand: "Google Chrome", Version: version},
		}
	}
	hints := &proto.EmulationUserAgentMetadata{
		Brands: brands(engine.major(), "24"), FullVersionList: brands(engine.Version, "24.0.0.0"),
		Platform: d.Platform, PlatformVersion: d.PlatformVer, Architecture: "x86", Bitness: "64", Model: d.Model, Mobile: d.Mobile,
	}
	if d.Mobile {
		hints.Architecture, hints.Bitness = "", ""
	}
	return hints
}

// Engine is the browser that renders: its product name and full version, "HeadlessChrome" and "156.0.8078.79", and a
// fingerprint of the fonts that it finds.
type Engine struct{ Product, Version, Fonts string }

func (e Engine) major() string {
	major, _, _ := strings.Cut(e.Version, ".")
	return major
}

func (e Engine) String() string { return e.Product + "/" + e.Version }
