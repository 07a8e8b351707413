package chrome

import (
	"slices"
	"strings"

	"afterimage/internal/egress"
)

// disabledFeatures contact their vendor, upgrade addresses without our knowledge, or show prompts.
var disabledFeatures = []string{
	"Translate", "OptimizationHints", "OptimizationGuideModelDownloading", "MediaRouter", "DialMediaRouteProvider",
	"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "InterestFeedContentSuggestions",
	"HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LocalNetworkAccessChecks", "Prerender2", "PaintHolding",
	"AsyncDns", "DnsOverHttpsUpgrade",
}

// captureFlags lists the switches of a browser that captures. It does not and must never contain --no-sandbox.
func captureFlags(proxyAddr string, realTime bool, insecure *egress.Insecure) []string {
	flags := slices.Concat(egressFlags(proxyAddr), sameEveryTimeFlags, quietFlags)
	if keys := insecure.Keys(); len(keys) > 0 {
		flags = append(flags, "--ignore-certificate-errors-spki-list="+strings.Join(keys, ","))
	}
	if !realTime {
		flags = append(flags, "--deterministic-mode") // makes the headless shell paint on command only, and complete frames
	}
	return append(flags, "--disable-features="+strings.Join(disabledFeatures, ","))
}

// egressFlags leave the filtering proxy as the only way to the network. Each closes a hole that the others leave open:
// loopback addresses bypass proxies by default, WebRTC and QUIC use UDP, and the resolver would query DNS servers
// itself.
func egressFlags(proxyAddr string) []string {
	return []string{
		"--proxy-server=http://" + proxyAddr,
		"--proxy-bypass-list=<-loopback>",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",       // full Chromium
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", // the headless shell, which ignores the other
		"--disable-quic",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--dns-prefetch-disable",
		"--no-pings",
	}
}

// sameEveryTimeFlags make the pixels independent of the machine, the monitor and randomness.
var sameEveryTimeFlags = []string{
	"--js-flags=--random-seed=1", // Math.random() returns the same sequence in every capture
	"--font-render-hinting=none",
	"--disable-lcd-text",
	"--force-color-profile=srgb",
	"--force-device-scale-factor=1",
	"--disable-skia-runtime-opts",
	"--disable-partial-raster",
	"--disable-gpu",
	"--hide-scrollbars",
	"--blink-settings=imageAnimationPolicy=1", // GIF, WebP and APNG play once, SMIL for three seconds
	"--disable-background-timer-throttling",
	"--disable-renderer-backgrounding",
	"--disable-backgrounding-occluded-windows",
	"--run-all-compositor-stages-before-draw",
	"--lang=en-US",
}

// quietFlags disable what a browser does for an interactive user.
var quietFlags = []string{
	"--mute-audio",
	"--no-first-run",
	"--no-default-browser-check",
	"--no-service-autorun",
	"--disable-background-networking",
	"--disable-breakpad",
	"--disable-crash-reporter",
	"--disable-client-side-phishing-detection",
	"--disable-component-update",
	"--disable-default-apps",
	"--disable-dev-shm-usage",
	"--disable-domain-reliability",
	"--disable-extensions",
	"--disable-hang-monitor",
	"--disable-ipc-flooding-protection",
	"--disable-search-engine-choice-screen",
	"--disable-sync",
	"--metrics-recording-only",
	"--block-new-web-contents", // popups fail; those that get through are closed
	"--password-store=basic",
	"--use-mock-keychain",
	"--log-level=3",
}
