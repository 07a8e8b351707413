package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shopOf is a shop with a price and a word on its button.
func shopOf(price, word string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<title>Shop</title><body style="margin:0;height:300px"><h1>Ferns</h1>
<button onclick="document.querySelector('p').textContent = 'Basket: %s'">%s</button><p>Basket: empty</p>`, price, word)
	}))
}

// TestCompareFlow compares the checkpoints of a flow on two sites, with a real browser.
func TestCompareFlow(t *testing.T) {
	before, same, dearer, broken := shopOf("5.00", "Buy"), shopOf("5.00", "Buy"), shopOf("9.00", "Buy"), shopOf("5.00", "Order")
	for _, server := range []*httptest.Server{before, same, dearer, broken} {
		defer server.Close()
	}
	file := filepath.Join(t.TempDir(), "flow.yaml")
	text := "name: Shop\nstart: https://shop.example.com/\nsteps:\n  - checkpoint: Front\n" +
		"  - click: {role: button, name: Buy}\n    deadline: 2s\n" +
		"  - checkpoint: Basket filled\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		before, after *httptest.Server
		code          int
		words         []string
	}{
		{before, same, 0, []string{"Front", "Basket filled"}},
		{before, dearer, 1, []string{"9.00"}},
		{before, broken, 1, []string{"Step 2 of the flow (click button “Buy”) fails: Button “Buy” was not found; nearest: “Order”."}},
		{broken, before, 2, []string{"Basket filled on desktop: " + broken.URL + ": step 2 (click button “Buy”) failed"}},
	} {
		report := filepath.Join(t.TempDir(), "report")
		code, printed := printedBy(t, "compare", test.before.URL, test.after.URL, "--flow", file, "--report", report, "--concurrency", "2")
		written, err := os.ReadFile(filepath.Join(report, "report.json"))
		if err != nil || code != test.code {
			t.Errorf("exit code %d, want %d; %v\n%s", code, test.code, err, printed)
		}
		for _, words := range test.words {
			if !strings.Contains(printed+string(written), words) {
				t.Errorf("no %q in\n%s", words, printed)
			}
		}
	}
	code, printed := printedBy(t, "compare", before.URL, same.URL, "--secret", "a=env:B")
	if code != 2 || !strings.Contains(printed, "--flow") {
		t.Errorf("exit code %d: %s", code, printed)
	}
}
