package culprit

import (
	"fmt"
	"strings"
	"testing"

	"afterimage/internal/page"
	"afterimage/vcd"
)

func version(v string) *string { return &v }

func updated(slug, name, from, to string, success bool) vcd.PackageUpdate {
	return vcd.PackageUpdate{Slug: slug, Name: &name, Success: success, UpdateOutcome: vcd.UpdateOutcome{FromVersion: &from,
		ToVersion: &to}}
}

// summer returns an update of four components.
func summer() *vcd.UpdateResults {
	return &vcd.UpdateResults{Updates: vcd.Updates{
		Core: &vcd.CoreUpdate{Attempted: true, Success: true, UpdateOutcome: vcd.UpdateOutcome{FromVersion: version("6.5"),
			ToVersion: version("6.6")}},
		Plugins: []vcd.PackageUpdate{
			updated("woocommerce/woocommerce.php", "WooCommerce", "9.1.0", "9.2.0", true),
			updated("contact-form-7", "Contact Form 7", "5.8", "5.9", true),
		},
		Themes: []vcd.PackageUpdate{updated("astra", "Astra", "4.7", "4.8", true)},
	}}
}

const site = "https://example.test/"

func plugins(path string) string { return site + "wp-content/plugins/" + path }

func told(culprits []*Culprit) string {
	var list []string
	for _, c := range culprits {
		kinds := []string{}
		for _, e := range c.Evidence {
			kinds = append(kinds, string(e.Kind))
		}
		list = append(list, fmt.Sprintf("%s %.2f %v", c.Slug, c.Score, kinds))
	}
	return strings.Join(list, "; ")
}

func TestUpdatesAreAccusedByWhatTheyLeave(t *testing.T) {
	fault := func(text, url string) *vcd.TracedPage {
		return &vcd.TracedPage{ComparisonID: "1", Console: []vcd.DifferentEntry{{ConsoleEntry: page.ConsoleEntry{Text: text,
			Type: "error", URL: url}}}}
	}
	marked := func(marks ...string) *vcd.TracedPage {
		return &vcd.TracedPage{ComparisonID: "1", Changed: true, Traces: &vcd.Traces{Regions: []vcd.RegionMarks{{Region: 3, Marks: marks}}}}
	}
	asset := func(changed bool, before, after string) *vcd.TracedPage {
		return &vcd.TracedPage{ComparisonID: "1", Changed: changed,
			Traces: &vcd.Traces{Assets: []vcd.AssetChange{{Kind: "style", Before: before, After: after}}}}
	}
	silenced := fault("Uncaught Error: x", plugins("woocommerce/a.js"))
	silenced.Console[0].Rule = new(vcd.ID)
	silenced.Changed = true
	for name, c := range map[string]struct {
		pages []*vcd.TracedPage
		want  string
	}{
		"nothing changed": {[]*vcd.TracedPage{asset(false, plugins("woocommerce/a.css?ver=9.1.0"),
			plugins("woocommerce/a.css?ver=9.2.0"))}, ""},
		"nothing is known": {[]*vcd.TracedPage{{Changed: true}}, ""},
		"an error": {[]*vcd.TracedPage{fault("Uncaught TypeError: x", plugins("woocommerce/a.js?ver=9.2.0"))},
			"woocommerce 0.85 [console]"},
		"an error in a stack": {[]*vcd.TracedPage{fault("Uncaught TypeError: x at "+plugins("contact-form-7/b.js")+":1:2", site)},
			"contact-form-7 0.85 [console]"},
		"a report": {[]*vcd.TracedPage{fault("oops", plugins("contact-form-7/b.js"))}, "contact-form-7 0.60 [console]"},
		"a missing file": {[]*vcd.TracedPage{fault("Failed to load resource: the server responded with a status of 404",
			site+"wp-content/themes/astra/s.css")}, "astra 0.80 [console]"},
		"the core's error":   {[]*vcd.TracedPage{fault("Uncaught Error: x", site+"wp-includes/js/a.js")}, "core 0.85 [console]"},
		"another plugin":     {[]*vcd.TracedPage{fault("Uncaught Error: x", plugins("woocommerce-extra/a.js"))}, ""},
		"a silenced error":   {[]*vcd.TracedPage{silenced}, ""},
		"an element":         {[]*vcd.TracedPage{marked("site-main", "woocommerce-message")}, "woocommerce 0.55 [region]"},
		"a short prefix":     {[]*vcd.TracedPage{marked("wc-block-grid")}, "woocommerce 0.35 [region]"},
		"a known prefix":     {[]*vcd.TracedPage{marked("#wpcf7-f12-o1")}, "contact-form-7 0.55 [region]"},
		"a block":            {[]*vcd.TracedPage{marked("wp-block-group")}, "core 0.35 [region]"},
		"no word of its own": {[]*vcd.TracedPage{marked("astrazeneca", "broadcast", "woocommercial")}, ""},
		"a new version": {[]*vcd.TracedPage{asset(true, plugins("woocommerce/a.css?ver=9.1.0"),
			plugins("woocommerce/a.css?ver=9.2.0"))}, "woocommerce 0.40 [asset]"},
		"another address": {[]*vcd.TracedPage{asset(true, plugins("woocommerce/a.css?ver=77"), plugins("woocommerce/a.css?ver=78"))},
			"woocommerce 0.30 [asset]"},
		"the core's version": {[]*vcd.TracedPage{asset(true, plugins("woocommerce/a.css?ver=6.5"), plugins("woocommerce/a.css?ver=6.6"))},
			""},
		"on quiet pages too": {[]*vcd.TracedPage{asset(true, plugins("woocommerce/a.css?ver=9.1.0"),
			plugins("woocommerce/a.css?ver=9.2.0")), asset(false, plugins("woocommerce/a.css?ver=9.1.0"),
			plugins("woocommerce/a.css?ver=9.2.0"))}, "woocommerce 0.20 [asset]"},
		"on half of the pages": {[]*vcd.TracedPage{marked("wpcf7"), {Changed: true}}, "contact-form-7 0.44 [region]"},
		"several signs": {[]*vcd.TracedPage{{Changed: true, Traces: &vcd.Traces{
			Assets: []vcd.AssetChange{{Kind: "script", Before: plugins("woocommerce/a.js?ver=9.1.0"),
				After: plugins("woocommerce/a.js?ver=9.2.0")}, {Kind: "script", Before: plugins("contact-form-7/a.js?ver=5.8"),
				After: plugins("contact-form-7/a.js?ver=5.9")}},
			Regions: []vcd.RegionMarks{{Region: 1, Sources: []string{plugins("woocommerce/cart.png")}}},
		}}}, "woocommerce 0.76 [region asset]; contact-form-7 0.40 [asset]"},
	} {
		if got := told(Rank(summer(), c.pages)); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAnUpdateByItselfIsSuspicious(t *testing.T) {
	message := "Could not copy file."
	broken := updated("woocommerce", "WooCommerce", "9.1.0", "9.2.0", false)
	broken.Error = &message
	results := &vcd.UpdateResults{Updates: vcd.Updates{Plugins: []vcd.PackageUpdate{broken}}}
	got := Rank(results, []*vcd.TracedPage{{ComparisonID: "1", Changed: true}})
	if told(got) != "woocommerce 0.48 [alone failure]" || got[0].Evidence[1].Sentence != "Its update failed: “Could not copy file.”." {
		t.Errorf("%+v", got)
	}
	if none := Rank(&vcd.UpdateResults{}, []*vcd.TracedPage{{Changed: true}}); none == nil || len(none) != 0 {
		t.Errorf("of nothing: %v", none)
	}
}

func TestACulpritIsToldInWords(t *testing.T) {
	page := func(id vcd.ID) *vcd.TracedPage {
		return &vcd.TracedPage{
			ComparisonID: id, Changed: true, Traces: &vcd.Traces{
				Assets: []vcd.AssetChange{{Kind: "script", Before: plugins("woocommerce/js/a.js?ver=9.1.0"),
					After: plugins("woocommerce/js/a.js?ver=9.2.0")}},
				Regions: []vcd.RegionMarks{{Region: 2, Marks: []string{"woocommerce-cart"}}},
			},
			Console: []vcd.DifferentEntry{{ConsoleEntry: page.ConsoleEntry{Text: "Uncaught TypeError: cart is\n null", Type: "error",
				URL: plugins("woocommerce/js/a.js?ver=9.2.0")}}},
		}
	}
	got := Rank(summer(), []*vcd.TracedPage{page("1"), page("2"), {ComparisonID: "3", Changed: true}, {ComparisonID: "4"}})
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	want := "WooCommerce (9.1.0 → 9.2.0) very likely caused changes in 2 of 3 changed comparisons. " +
		"plugins/woocommerce/js/a.js stopped with an error: “Uncaught TypeError: cart is null”."
	if got[0].Sentence != want {
		t.Errorf("%s", got[0].Sentence)
	}
	var evidence []string
	for _, e := range got[0].Evidence {
		evidence = append(evidence, fmt.Sprintf("%s %s ×%d: %s", e.Kind, *e.ComparisonID, e.Comparisons, e.Sentence))
	}
	if all := strings.Join(evidence,
		"\n"); all != "console 1 ×2: plugins/woocommerce/js/a.js stopped with an error: “Uncaught TypeError: cart is null”.\n"+
		"region 1 ×2: Region 2 is in an element with the class woocommerce-cart.\n"+
		"asset 1 ×2: plugins/woocommerce/js/a.js went from version 9.1.0 to 9.2.0." {
		t.Error(all)
	}
}

func TestVersionsAreFoundInAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"/a.js?ver=9.1": true, "/a-9.1.min.js": true, "/9.1/a.js": true, "/a.9.1.js": true, "/a.js?ver=9.1&x=1": true, "/v9.1": true,
		"/a.js?ver=9.1.2": false, "/a.js?ver=19.1": false, "/a.js?ver=3.9.1": false, "/a.js?ver=9.10": false, "": false,
	} {
		if names(address, "9.1") != want {
			t.Errorf("%s: %t", address, !want)
		}
	}
}
