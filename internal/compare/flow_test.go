package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"afterimage/internal/flow"
)

// TestAFlowMovesToAnotherSite: its start and all addresses on the same host do; other hosts, patterns and texts stay.
func TestAFlowMovesToAnotherSite(t *testing.T) {
	f, err := flow.Read([]byte(`
name: Checkout
start: https://www.example.com/shop?a=b
secrets: {pay: pay.example.com}
steps:
  - navigate: https://www.example.com/cart
  - navigate: https://www.example.com.test/cart
  - navigate: /plants
  - navigate: plants
  - wait: {address: "https://www.example.com*"}
  - wait: {address: "/thanks*"}
  - wait: {text: https://www.example.com/}
  - assert: address
    equals: https://www.example.com/end
  - assert: address
    contains: /end
  - checkpoint: End
`))
	if err != nil {
		t.Fatal(err)
	}
	for site, want := range map[string][]string{
		"http://localhost:3000": {"http://localhost:3000/shop?a=b", "http://localhost:3000/cart", "https://www.example.com.test/cart",
			"/plants", "plants", "http://localhost:3000*", "/thanks*", "https://www.example.com/", "http://localhost:3000/end", "/end"},
		"https://preview.example.com/main/": {"https://preview.example.com/main/shop?a=b", "https://preview.example.com/main/cart",
			"https://www.example.com.test/cart", "/main/plants", "plants", "https://preview.example.com/main*", "/main/thanks*",
			"https://www.example.com/", "https://preview.example.com/main/end", "/end"},
	} {
		s, err := ParseSite(site)
		if err != nil {
			t.Fatal(err)
		}
		moved, err := moveFlow(f, s)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{moved.Start}
		for _, step := range moved.Steps {
			if step.Value+step.Assertion.Expected != "" {
				got = append(got, step.Value+step.Assertion.Expected)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", site, diff)
		}
		if hosts := moved.HostsOf("pay"); len(hosts) != 1 || hosts[0] != "pay.example.com" {
			t.Errorf("the secret for another host goes to %v", hosts)
		}
		if hosts := moved.HostsOf("own"); len(hosts) != 1 || hosts[0] != s.host {
			t.Errorf("the secret for the start goes to %v", hosts)
		}
	}
	if f.Start != "https://www.example.com/shop?a=b" || f.Steps[0].Value != "https://www.example.com/cart" {
		t.Error("the flow itself has changed")
	}
}
