package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"home.png", "checkout/step 2.png", "checkout/Step 3.PNG", "notes.txt", "home.png.argos.json", "home-diff.png",
		"home-actual.png", "home-expected.png",
		"cart.cy.js/cart -- empty (failed).png", "cart.cy.js/cart -- empty.png", "__diff_output__/home.png", "diff/deep/home.png",
		".cache/home.png", "node_modules/pkg/logo.png", "different/home.png",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "home.png"), filepath.Join(dir, "link.png")); err != nil {
		t.Fatal(err)
	}
	found, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range found.Screenshots {
		names = append(names, s.Name)
		if _, err := os.Stat(s.Path); err != nil {
			t.Error(err)
		}
	}
	want := "[cart.cy.js/cart -- empty checkout/Step 3 checkout/step 2 different/home home]"
	if fmt.Sprint(names) != want || found.Skipped != 6 {
		t.Errorf("found %v and skipped %d", names, found.Skipped)
	}
	if _, err := Find(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there holds nothing")
	}
	if in, err := Find(filepath.Join(dir, "diff")); err != nil || len(in.Screenshots) != 1 {
		t.Errorf("a folder that is named itself: %+v, %v", in, err)
	}
}
