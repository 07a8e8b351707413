package web

import (
	"io/fs"
	"net/http"
	"strings"
)

// guestPolicy is for files that pages load: as documents of their own they show nothing.
var guestPolicy = strings.Join([]string{"default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"}, "; ")

// Guest serves the script and the style sheet of the public pages, which the program writes itself. Mount it at /guest/
// without stripping the prefix; everybody may have them.
func Guest() http.Handler {
	return newPage(Files(), "guest", guestPolicy)
}

// GuestFiles are the addresses of the script and the style sheet; empty without a build.
func GuestFiles() (script, style string) {
	return guestFile(Files(), "js"), guestFile(Files(), "css")
}

func guestFile(build fs.FS, ending string) string {
	found, err := fs.Glob(build, "guest/assets/index-*."+ending)
	if err != nil || len(found) != 1 {
		return ""
	}
	return "/" + found[0]
}
