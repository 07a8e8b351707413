package web

import (
	"net/http"
	"testing"
	"testing/fstest"
)

func TestTheFilesOfPublicPagesAreFound(t *testing.T) {
	files := fstest.MapFS{"guest/index.html": {}, "guest/assets/index-1a2b.js": {}, "guest/assets/index-3c4d.css": {}}
	if script, style := guestFile(files, "js"), guestFile(files, "css"); script != "/guest/assets/index-1a2b.js" ||
		style != "/guest/assets/index-3c4d.css" {
		t.Errorf("script %q, style sheet %q", script, style)
	}
	if script := guestFile(fstest.MapFS{}, "js"); script != "" {
		t.Errorf("without a build: %q", script)
	}
	if script, style := GuestFiles(); script != "" {
		for _, address := range []string{script, style} {
			if got := get(t, Guest(), address); got.StatusCode != http.StatusOK || got.Header.Get("Cache-Control") != immutable {
				t.Errorf("%s: status %d, Cache-Control %q", address, got.StatusCode, got.Header.Get("Cache-Control"))
			}
		}
	} else if Built() {
		t.Error("the pages were built without that of guests")
	}
}
