package chrome

import (
	"image"
	"image/color"
	"net/http"
	"strings"
	"testing"

	"afterimage/capture"
)

// banners mimic what the consent managers put into pages, by the names that stand in the manifest when their banner was
// accepted. PRESS is what the button does. Those without a name are only hidden.
var banners = []struct{ manager, lock, html string }{
	{"OneTrust", "ot-overflow-hidden",
		`<div id=onetrust-consent-sdk><div class="onetrust-pc-dark-filter red"></div><div id=onetrust-banner-sdk class=red role=dialog>` +
			`<button id=onetrust-pc-btn-handler>Settings</button><button id=onetrust-accept-btn-handler PRESS>Accept All</button>` +
			`</div></div>`},
	{"Cookiebot", "", `<div id=CybotCookiebotDialogBodyUnderlay class=red></div><div id=CybotCookiebotDialog class=red>` +
		`<button id=CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll PRESS>Allow all</button></div>`},
	{"Usercentrics", "overflowHidden",
		`<div id=usercentrics-root></div><script>document.querySelector('#usercentrics-root').attachShadow({mode:'open'}).innerHTML = ` +
			`'<div style="position:fixed;inset:0;background:red"><button data-testid="uc-deny-all-button">Deny</button>` +
			`<button data-testid="uc-accept-all-button" PRESS>Accept All</button></div>'</script>`},
	{"Didomi", "didomi-popup-open",
		`<div id=didomi-host><div class="didomi-popup-backdrop red"></div><div id=didomi-notice class=red>` +
			`<button id=didomi-notice-agree-button PRESS>Agree</button></div></div>`},
	{"InMobi Choice", "qc-cmp-ui-showing",
		`<div class="qc-cmp2-container red" id=qc-cmp2-container><div id=qc-cmp2-ui><div class=qc-cmp2-summary-buttons>` +
			`<button mode=secondary>More</button><button mode=primary PRESS>Agree</button></div></div></div>`},
	{"TrustArc", "", `<div id=consent_blackbar><div id=truste-consent-track class=red><button id=truste-consent-button ` +
		`PRESS>Accept</button></div></div>`},
	{"", "sp-message-open", `<div id=sp_message_container_123456 class=red><iframe title="SP Consent Message"></iframe></div>`},
	{"Google Funding Choices", "",
		`<div class=fc-consent-root><div class="fc-dialog-overlay red"></div><div class=fc-dialog-container>` +
			`<button class="fc-button fc-cta-consent" PRESS>Consent</button></div></div>`},
	{"consentmanager", "",
		`<div id=cmpbox class="cmpbox red"><a class="cmpboxbtn cmpboxbtnyes" PRESS>Accept</a></div><div id=cmpbox2 class=red></div>`},
	{"CookieYes", "", `<div class="cky-overlay red"></div><div class="cky-consent-container red">` +
		`<button class="cky-btn cky-btn-reject">Reject</button><button class="cky-btn cky-btn-accept" PRESS>Accept All</button></div>`},
	{"Cookie Law Info", "cli-barmodal-open",
		`<div id=cookie-law-info-bar class=red><a id=cookie_action_close_header PRESS>Accept</a></div>` +
			`<div class="cli-popupbar-overlay red"></div>`},
	{"Complianz", "", `<div id=cmplz-cookiebanner-container><div class="cmplz-cookiebanner red">` +
		`<button class="cmplz-btn cmplz-accept" PRESS>Accept</button></div></div>`},
	{"Borlabs Cookie", "borlabs-position-fix", `<div id=BorlabsCookieBox class=red><a data-cookie-accept-all PRESS>Accept all</a></div>`},
	{"Cookie Notice", "", `<div id=cookie-notice class="cookie-notice-visible red"><button id=cn-accept-cookie PRESS>Ok</button></div>`},
	{"Moove GDPR", "", `<div id=moove_gdpr_cookie_info_bar class=red><button class="mgbutton moove-gdpr-infobar-allow-all" ` +
		`PRESS>Accept</button></div>`},
	{"Osano", "", `<div class="osano-cm-window red"><div class="osano-cm-dialog osano-cm-dialog--type_bar">` +
		`<button class="osano-cm-accept-all" PRESS>Accept</button></div></div>`},
	{"Cookie Consent by Insites", "", `<div class="cc-window cc-banner red"><a class="cc-btn cc-dismiss" PRESS>Got it!</a></div>`},
	{"CookieConsent", "",
		`<div id=cc-main><div class="cm-wrapper"><div class="cm cm--box red"><button class=cm__btn data-role=all PRESS>Accept ` +
			`all</button></div></div></div>`},
	{"Klaro", "", `<div id=klaro class=klaro><div class="cookie-notice red"><button class="cm-btn cm-btn-danger">No</button>` +
		`<button class="cm-btn cm-btn-success" PRESS>Ok</button></div></div>`},
	{"tarteaucitron", "tarteaucitron-modal-open",
		`<div id=tarteaucitronRoot><div id=tarteaucitronAlertBig class=red><button id=tarteaucitronPersonalize2 PRESS>OK, accept ` +
			`all</button></div></div>`},
	{"Axeptio", "", `<div id=axeptio_overlay></div><script>document.querySelector('#axeptio_overlay').attachShadow({mode:'open'}` +
		`).innerHTML = '<div style="position:fixed;inset:0;background:red"><button id=axeptio_btn_acceptAll PRESS>OK</button>` +
		`</div>'</script>`},
	{"iubenda", "iubenda-cs-overlay-open",
		`<div id=iubenda-cs-banner class=red><button class="iubenda-cs-accept-btn iubenda-cs-btn-primary" PRESS>Accept</button></div>`},
	{"Termly", "", `<div id=termly-code-snippet-support><div class="termly-styles-root red"><button data-tid=banner-accept ` +
		`PRESS>Accept</button></div></div>`},
	{"CookieFirst", "", `<div class="cookiefirst-root red"><button data-cookiefirst-action=accept PRESS>Accept all</button></div>`},
	{"Cookie-Script", "", `<div id=cookiescript_injected class=red><div id=cookiescript_accept PRESS>Accept all</div></div>`},
	{"Civic Cookie Control", "",
		`<div id=ccc><div id=ccc-notify class=red><button id=ccc-notify-accept PRESS>I Accept</button></div></div>`},
	{"CCM19", "", `<div class=ccm-root><div id=ccm-widget class="ccm-modal ccm--is-blocking red">` +
		`<button class="button ccm--save-settings" data-full-consent=true PRESS>Accept all</button></div></div>`},
	{"", "", `<div id=transcend-consent-manager class=red></div>`},
	{"", "", `<div id=lanyard_root class=red></div>`},
	{"HubSpot", "", `<div id=hs-banner-parent><div id=hs-eu-cookie-confirmation class=red><button id=hs-eu-confirmation-button ` +
		`PRESS>Accept</button></div></div>`},
	{"Shopify", "", `<div id=shopify-pc__banner class=red><button id=shopify-pc__banner__btn-accept PRESS>Accept</button></div>`},
	{"Squarespace", "", `<div class="sqs-cookie-banner-v2 red"><button class=sqs-cookie-banner-v2-accept PRESS>Accept</button></div>`},
	{"Wix", "", `<div data-hook=consent-banner-root class=red><button data-hook=consent-banner-apply-button PRESS>Accept</button></div>`},
	{"Drupal EU Cookie Compliance", "",
		`<div id=sliding-popup class=red><div class=eu-cookie-compliance-banner><button class=agree-button PRESS>OK, I agree</button>` +
			`</div></div>`},
}

const (
	bannerStyle = `<style>body{margin:0;background:#008000}.red{position:fixed;inset:0;background:red;z-index:9999}</style>`
	bannerPress = `onclick="document.title=\'accepted\'"`
	contentBox  = `<div style="height:1200px"></div>` // more than a window
)

// bannerPage is a page of 1,200 pixels under a banner that hides it, keeps it from scrolling and stays when its button is pressed.
func bannerPage(lock, html string) string {
	press := bannerPress
	if !strings.Contains(html, "<script>") {
		press = strings.ReplaceAll(press, `\'`, "'")
	}
	locked := ""
	if lock != "" {
		locked = `<style>.` + lock +
			`{overflow:hidden;height:100vh}</style><script>document.documentElement.className = document.body.className = '` +
			lock + `'</script>`
	}
	return "<!doctype html><title>new</title>" + bannerStyle + contentBox + locked + strings.ReplaceAll(html, "PRESS", press)
}

func TestConsentBanners(t *testing.T) {
	for _, banner := range banners {
		name := banner.manager
		if name == "" {
			name = banner.html[:strings.IndexByte(banner.html, '>')]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shot := take(t, capture.Request{URL: site.handle(t, "page", serve("text/html", bannerPage(banner.lock, banner.html))),
				HideConsent: true})
			if shot.Manifest.Consent != banner.manager {
				t.Errorf("accepted %q, want %q", shot.Manifest.Consent, banner.manager)
			}
			if want := map[bool]string{true: "accepted", false: "new"}[banner.manager != ""]; shot.Title != want {
				t.Errorf("title is %q, want %q", shot.Title, want)
			}
			if shot.Height != 1200 {
				t.Errorf("height is %d, want 1200: the page was not unlocked", shot.Height)
			}
			wantOnly(t, picture(t, shot), green)
		})
	}
}

// wantOnly checks a grid of pixels.
func wantOnly(t *testing.T, img image.Image, want color.RGBA) {
	t.Helper()
	for y := 5; y < img.Bounds().Dy(); y += 50 {
		for x := 5; x < img.Bounds().Dx(); x += 100 {
			if r, g, b, _ := img.At(x, y).RGBA(); (color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}) != want {
				t.Fatalf("pixel %d,%d is %d %d %d, want %v", x, y, r>>8, g>>8, b>>8, want)
			}
		}
	}
}

// TestConsentCanBeSwitchedOff: then nothing is pressed and nothing hidden.
func TestConsentCanBeSwitchedOff(t *testing.T) {
	shot := take(t, capture.Request{URL: site.page(t, bannerPage("", banners[0].html))})
	if shot.Manifest.Consent != "" || shot.Title != "new" {
		t.Errorf("accepted %q, title %q", shot.Manifest.Consent, shot.Title)
	}
	wantColour(t, picture(t, shot), 700, 400, red)
}

// TestConsentThatComesLateOrReloads: a banner after the stage is hidden by the same rules; a page that reloads itself when
// it is accepted has none afterwards; and what only resembles a banner stays.
func TestConsentThatComesLateOrReloads(t *testing.T) {
	late := `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div id=CybotCookiebotDialog class=red>` +
		`<button>x</button></div>'), 700); document.body.setAttribute('aria-busy', 'true'); setTimeout(() => ` +
		`document.body.removeAttribute('aria-busy'), 900)</script>`
	shot := take(t, capture.Request{URL: site.handle(t, "late", serve("text/html", "<!doctype html>"+bannerStyle+contentBox+late)),
		HideConsent: true})
	wantOnly(t, picture(t, shot), green)

	reloads := site.handle(t, "reloads", func(w http.ResponseWriter, r *http.Request) {
		body := "<!doctype html><title>first</title>" + bannerStyle + contentBox
		if _, err := r.Cookie("consent"); err == nil {
			serve("text/html", body+"<script>document.title = 'second'</script>")(w, r)
			return
		}
		serve("text/html", body+`<div id=cookie-notice class="cookie-notice-visible red"><button id=cn-accept-cookie `+
			`onclick="document.cookie='consent=1'; location.reload()">Ok</button></div>`)(w, r)
	})
	shot = take(t, capture.Request{URL: reloads, HideConsent: true})
	if shot.Title != "second" || shot.Manifest.Consent != "Cookie Notice" {
		t.Errorf("title %q, accepted %q", shot.Title, shot.Manifest.Consent)
	}
	wantOnly(t, picture(t, shot), green)

	article := `<div id=cookie class="cookie-notice consent banner" style="height:200px;background:#00f">All about cookies <button ` +
		`onclick="document.title='pressed'">Accept all cookies</button></div>`
	shot = take(t, capture.Request{URL: site.handle(t, "article",
		serve("text/html", "<!doctype html><title>article</title>"+bannerStyle+article)), HideConsent: true})
	if shot.Title != "article" || shot.Manifest.Consent != "" {
		t.Errorf("title %q, accepted %q", shot.Title, shot.Manifest.Consent)
	}
	wantColour(t, picture(t, shot), 1000, 100, blue)
}

func TestAdvertisementsAreHidden(t *testing.T) {
	var body strings.Builder
	for _, slot := range []string{
		`<ins class=adsbygoogle data-ad-client=ca-pub-1 data-ad-slot=1 STYLE></ins>`, `<div id=div-gpt-ad-1234-0 STYLE></div>`,
		`<iframe id=google_ads_iframe_/1234/top_0 STYLE></iframe>`, `<div data-google-query-id=abc STYLE></div>`, `<amp-ad STYLE></amp-ad>`,
		`<div id=taboola-below-article STYLE></div>`, `<div class=trc_rbox_container STYLE></div>`,
		`<div class=OUTBRAIN data-widget-id=AR_1 STYLE></div>`,
		`<div class=adthrive-ad STYLE></div>`, `<span class=ezoic-ad STYLE></span>`, `<div class=mv-ad-box STYLE></div>`,
		`<div id=bsa-zone_1-2_3 STYLE></div>`, `<div id=carbonads STYLE></div>`,
	} {
		body.WriteString(strings.Replace(slot, "STYLE", `style="display:block;height:100px;background:red"`, 1))
	}
	page := bannerStyle + body.String() + `<div class="header load shadow adv" id=adidas style="height:50px"></div>`
	shot := take(t, capture.Request{URL: site.page(t, page), HideConsent: true})
	wantOnly(t, picture(t, shot), green)
}
