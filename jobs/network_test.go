package jobs_test

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/internal/egress"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// site plays a server: what it answers at a scheme, nil being a page.
func site(https, http *capture.Failure) func(capture.Request) (*capture.Shot, error) {
	return func(r capture.Request) (*capture.Shot, error) {
		failure := https
		if strings.HasPrefix(r.URL, "http:") {
			failure = http
		}
		if failure != nil {
			return nil, failure
		}
		return shot(color.White), nil
	}
}

// A password learnt later must not travel by the scheme that was found to work before there was one.
func TestAFoundSchemeIsNoLeaveToSendAPasswordInTheOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, site(&capture.Failure{Reason: capture.ReasonNoTLS}, nil))
	group := w.group("example.com", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	_, err := w.service.Inventory.UpdateGroup(t.Context(), w.actor, group, inventory.GroupChange{BasicAuthUser: vcd.Some("user"),
		BasicAuthPassword: vcd.Some("secret")})
	if err != nil {
		t.Fatal(err)
	}
	_, entries := w.run(group, vcd.QueuePre)
	for _, r := range w.browser.asked() {
		if r.Credentials != nil && r.URL != "https://example.com" {
			t.Errorf("the password went to %s", r.URL)
		}
	}
	if entries[0].Status != vcd.QueueFailed || entries[0].Reason != "no_tls" ||
		entries[0].ErrorMsg != (&capture.Failure{Reason: "no_tls"}).Sentence()+" The group has a password, which is sent over https only. "+
			"If it may be sent without encryption, save the URL with http:// in front; otherwise remove the password from the group." {
		t.Errorf("entry %+v, want failed for no_tls, with the remedy", entries[0])
	}
	// The remedy, for a URL that exists.
	if _, err := w.service.Inventory.CreateURL(t.Context(), w.actor, inventory.URLChange{URL: vcd.Some("http://example.com")}); err != nil {
		t.Fatal(err)
	}
	if _, entries = w.run(group, vcd.QueuePre); entries[0].Status != vcd.QueueDone {
		t.Errorf("with http:// in front: %+v", entries[0])
	}
}

// Where the client itself has said http://, https is tried first all the same, and what was said stays.
func TestAPasswordForAGivenHTTPAddress(t *testing.T) {
	t.Parallel()
	secret := inventory.GroupChange{BasicAuthUser: vcd.Some("user"), BasicAuthPassword: vcd.Some("secret")}
	for name, test := range map[string]struct {
		https *capture.Failure
		asked []string
	}{
		"https works": {nil, []string{"https://example.com", "https://example.com"}},
		"no https": {&capture.Failure{Reason: capture.ReasonNoTLS}, []string{"https://example.com", "http://example.com",
			"https://example.com", "http://example.com"}},
		"bad certificate": {&capture.Failure{Reason: capture.ReasonTLS}, []string{"https://example.com", "http://example.com",
			"https://example.com", "http://example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, site(test.https, nil))
			group := w.group("http://example.com", secret)
			for range 2 {
				if _, entries := w.run(group, vcd.QueuePre); entries[0].Status != vcd.QueueDone {
					t.Errorf("entry %+v", entries[0])
				}
			}
			var asked []string
			for _, r := range w.browser.asked() {
				asked = append(asked, r.URL)
			}
			if !slices.Equal(asked, test.asked) {
				t.Errorf("asked for %q, want %q", asked, test.asked)
			}
			list, err := w.service.Inventory.URLs(t.Context(), w.actor, vcd.URLFilter{}, vcd.Page{Size: 1})
			if err != nil || list.Items[0].Scheme != "http" || !list.Items[0].SchemeGiven {
				t.Errorf("the URL is now %+v, %v", list.Items[0], err)
			}
		})
	}
}

func TestTheProxyOfAGroup(t *testing.T) {
	t.Parallel()
	list, err := egress.ReadUpstreams(strings.NewReader("static eu http://u:p@eu.test:1\nresidential de http://u:p@de.test:2"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change inventory.GroupChange
		want   string // proxy and location, or the reason of the failure
	}{
		"none": {inventory.GroupChange{}, ""},
		"of the region": {inventory.GroupChange{ProxyType: vcd.Some(vcd.ProxyStatic), ScreenshotRegion: vcd.Some(vcd.RegionEU)},
			"eu.test:1 static eu"},
		"of a country": {inventory.GroupChange{ProxyType: vcd.Some(vcd.ProxyResidential), ProxyCountry: vcd.Some("DE")},
			"de.test:2 residential de"},
		"other region": {inventory.GroupChange{ProxyType: vcd.Some(vcd.ProxyStatic), ScreenshotRegion: vcd.Some(vcd.RegionUS)},
			"proxy_not_configured"},
		"other type": {inventory.GroupChange{ProxyType: vcd.Some(vcd.ProxyStatic), ProxyCountry: vcd.Some("de")},
			"proxy_not_configured"},
		"country, no proxy": {inventory.GroupChange{ProxyCountry: vcd.Some("de")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorldWith(t, site(nil, nil), func(c *jobs.Config) { c.Upstreams = list })
			_, entries := w.run(w.group("https://example.com", test.change), vcd.QueuePre)
			got, e := "", entries[0]
			if asked := w.browser.asked(); len(asked) == 1 && asked[0].Proxy != nil {
				got = asked[0].Proxy.Upstream.String() + " " + asked[0].Proxy.Type + " " + asked[0].Proxy.Country
			}
			if e.Status == vcd.QueueFailed {
				got = e.Reason
				if e.Attempts != 1 || len(w.browser.asked()) != 0 || !strings.HasPrefix(e.ErrorMsg, "No static proxy in ") {
					t.Errorf("entry %+v, want failed at once with a sentence", e)
				}
			}
			if got != test.want {
				t.Errorf("captured through %q, want %q", got, test.want)
			}
			w.checkInvariants()
		})
	}
}
