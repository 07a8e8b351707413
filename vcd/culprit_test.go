package vcd

import (
	"fmt"
	"strings"
	"testing"

	"afterimage/internal/page"
)

func version(v string) *string { return &v }

func updated(slug, name, from, to string, success bool) PackageUpdate {
	return PackageUpdate{Slug: slug, Name: &name, Success: success, UpdateOutcome: UpdateOutcome{FromVersion: &from, ToVersion: &to}}
}

// summer is an update of four things.
func summer() *UpdateResults {
	return &UpdateResults{Updates: Updates{
		Core: &CoreUpdate{Attempted: true, Success: true, UpdateOutcome: UpdateOutcome{FromVersion: version("6.5"), ToVersion: version("6.6")}},
		Plugins: []PackageUpdate{
			updated("woocommerce/woocommerce.php", "WooCommerce", "9.1.0", "9.2.0", true),
			updated("contact-form-7", "Contact Form 7", "5.8", "5.9", true),
		},
		Themes: []PackageUpdate{updated("astra", "Astra", "4.7", "4.8", true)},
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
	fault := func(text, url string) *TracedPage {
		return &TracedPage{ComparisonID: "1", Console: []DifferentEntry{{ConsoleEntry: page.ConsoleEntry{Text: text, Type: "error", URL: url}}}}
	}
	marked := func(marks ...string) *TracedPage {
		return &TracedPage{ComparisonID: "1", Changed: true, Traces: &Traces{Regions: []RegionMarks{{Region: 3, Marks: marks}}}}
	}
	asset := func(changed bool, before, after string) *TracedPage {
		return &TracedPage{ComparisonID: "1", Changed: changed, Traces: &Traces{Assets: []AssetChange{{"style", before, after}}}}
	}
	silenced := fault("Uncaught Error: x", plugins("woocommerce/a.js"))
	silenced.Console[0].Rule = new(ID)
	silenced.Changed = true
	for name, c := range map[string]struct {
		pages []*TracedPage
		want  string
	}{
		"nothing changed":      {[]*TracedPage{asset(false, plugins("woocommerce/a.css?ver=9.1.0"), plugins("woocommerce/a.css?ver=9.2.0"))}, ""},
		"nothing is known":     {[]*TracedPage{{Changed: true}}, ""},
		"an error":             {[]*TracedPage{fault("Uncaught TypeError: x", plugins("woocommerce/a.js?ver=9.2.0"))}, "woocommerce 0.85 [console]"},
		"an error in a stack":  {[]*TracedPage{fault("Uncaught TypeError: x at "+plugins("contact-form-7/b.js")+":1:2", site)}, "contact-form-7 0.85 [console]"},
		"a report":             {[]*TracedPage{fault("oops", plugins("contact-form-7/b.js"))}, "contact-form-7 0.60 [console]"},
		"a missing file":       {[]*TracedPage{fault("Failed to load resource: the server responded with a status of 404", site+"wp-content/themes/astra/s.css")}, "astra 0.80 [console]"},
		"the core's error":     {[]*TracedPage{fault("Uncaught Error: x", site+"wp-includes/js/a.js")}, "core 0.85 [console]"},
		"another plugin":       {[]*TracedPage{fault("Uncaught Error: x", plugins("woocommerce-extra/a.js"))}, ""},
		"a silenced error":     {[]*TracedPage{silenced}, ""},
		"an element":           {[]*TracedPage{marked("site-main", "woocommerce-message")}, "woocommerce 0.55 [region]"},
		"a short prefix":       {[]*TracedPage{marked("wc-block-grid")}, "woocommerce 0.35 [region]"},
		"a known prefix":       {[]*TracedPage{marked("#wpcf7-f12-o1")}, "contact-form-7 0.55 [region]"},
		"a block":              {[]*TracedPage{marked("wp-block-group")}, "core 0.35 [region]"},
		"no word of its own":   {[]*TracedPage{marked("astrazeneca", "broadcast", "woocommercial")}, ""},
		"a new version":        {[]*TracedPage{asset(true, plugins("woocommerce/a.css?ver=9.1.0"), plugins("woocommerce/a.css?ver=9.2.0"))}, "woocommerce 0.40 [asset]"},
		"another address":      {[]*TracedPage{asset(true, plugins("woocommerce/a.css?ver=77"), plugins("woocommerce/a.css?ver=78"))}, "woocommerce 0.30 [asset]"},
		"the core's version":   {[]*TracedPage{asset(true, plugins("woocommerce/a.css?ver=6.5"), plugins("woocommerce/a.css?ver=6.6"))}, ""},
		"on quiet pages too":   {[]*TracedPage{asset(true, plugins("woocommerce/a.css?ver=9.1.0"), plugins("woocommerce/a.css?ver=9.2.0")), asset(false, plugins("woocommerce/a.css?ver=9.1.0"), plugins("woocommerce/a.css?ver=9.2.0"))}, "woocommerce 0.20 [asset]"},
		"on half of the pages": {[]*TracedPage{marked("wpcf7"), {Changed: true}}, "contact-form-7 0.44 [region]"},
		"several signs": {[]*TracedPage{{Changed: true, Traces: &Traces{
			Assets:  []AssetChange{{"script", plugins("woocommerce/a.js?ver=9.1.0"), plugins("woocommerce/a.js?ver=9.2.0")}, {"script", plugins("contact-form-7/a.js?ver=5.8"), plugins("contact-form-7/a.js?ver=5.9")}},
			Regions: []RegionMarks{{Region: 1, Sources: []string{plugins("woocommerce/cart.png")}}},
		}}}, "woocommerce 0.76 [region asset]; contact-form-7 0.40 [asset]"},
	} {
		if got := told(RankCulprits(summer(), c.pages)); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAnUpdateByItselfIsSuspicious(t *testing.T) {
	message := "Could not copy file."
	broken := updated("woocommerce", "WooCommerce", "9.1.0", "9.2.0", false)
	broken.Error = &message
	results := &UpdateResults{Updates: Updates{Plugins: []PackageUpdate{broken}}}
	got := RankCulprits(results, []*TracedPage{{ComparisonID: "1", Changed: true}})
	if told(got) != "woocommerce 0.48 [alone failure]" || got[0].Evidence[1].Sentence != "Its update failed: “Could not copy file.”." {
		t.Errorf("%+v", got)
	}
	if none := RankCulprits(&UpdateResults{}, []*TracedPage{{Changed: true}}); none == nil || len(none) != 0 {
		t.Errorf("of nothing: %v", none)
	}
}

func TestACulpritIsToldInWords(t *testing.T) {
	page := func(id ID) *TracedPage {
		return &TracedPage{
			ComparisonID: id, Changed: true, Traces: &Traces{
				Assets:  []AssetChange{{"script", plugins("woocommerce/js/a.js?ver=9.1.0"), plugins("woocommerce/js/a.js?ver=9.2.0")}},
				Regions: []RegionMarks{{Region: 2, Marks: []string{"woocommerce-cart"}}},
			},
			Console: []DifferentEntry{{ConsoleEntry: page.ConsoleEntry{Text: "Uncaught TypeError: cart is\n null", Type: "error", URL: plugins("woocommerce/js/a.js?ver=9.2.0")}}},
		}
	}
	got := RankCulprits(summer(), []*TracedPage{page("1"), page("2"), {ComparisonID: "3", Changed: true}, {ComparisonID: "4"}})
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
	if all := strings.Join(evidence, "\n"); all != "console 1 ×2: plugins/woocommerce/js/a.js stopped with an error: “Uncaught TypeError: cart is null”.\n"+
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
