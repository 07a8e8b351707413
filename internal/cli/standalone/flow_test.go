package standalone

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"afterimage/internal/flow"
)

// TestTheFlowOfTheDocumentIsUnderstood, as its steps are printed.
func TestTheFlowOfTheDocumentIsUnderstood(t *testing.T) {
	document, err := os.ReadFile("../../../docs/flows.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(document)
	if example == nil {
		t.Fatal("docs/flows.md has no example")
	}
	name := filepath.Join(t.TempDir(), "checkout.yaml")
	if err := os.WriteFile(name, example[1], 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := readFlow(name)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	printFlow(&out, f)
	for _, words := range []string{
		"Checkout, from https://shop.example.com/\n", "3     fill field “Password” with the secret password",
		"8     click test id “buy” or button “Add to basket”", "picture “Basket”",
		"Needs the secret password, for pages of shop.example.com.",
	} {
		if !strings.Contains(out.String(), words) {
			t.Errorf("no %q in\n%s", words, out.String())
		}
	}
	for _, kind := range flow.Kinds {
		if !bytes.Contains(document, []byte("| `"+string(kind)+":")) {
			t.Errorf("docs/flows.md has no row for %s", kind)
		}
	}
}

func TestAFlowThatIsNotThereIsToldShortly(t *testing.T) {
	_, err := readFlow(filepath.Join(t.TempDir(), "none.yaml"))
	if err == nil || !strings.HasSuffix(err.Error(), "none.yaml: it cannot be read: no such file or directory") {
		t.Errorf("%v", err)
	}
}
