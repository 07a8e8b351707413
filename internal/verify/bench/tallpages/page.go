package main

import (
	"fmt"
	"net/http"
	"strings"
)

const (
	sectionRows = 200
	lines       = 53 // of a section: together with the section and its heading about 28,000 elements on 100,000 rows
	mark        = 40 // width of what changes in the last row, in pixels
)

// serve serves a page of the height in the address, before or after the change of its last row.
func serve(w http.ResponseWriter, r *http.Request) {
	var height int
	var side string
	if _, err := fmt.Sscanf(r.URL.Path, "/%d/%s", &height, &side); err != nil || height <= 0 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(document(height, side == "after")))
}

// document is a long list of parts, each with a heading and numbered entries, and a mark at the left end of the last row.
func document(height int, changed bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Register</title><style>body { margin: 0; position: relative; height: %dpx; overflow-x: hidden; font: 12px/16px sans-serif }
section { height: %dpx; overflow: hidden; border-top: 1px solid #ccc; box-sizing: border-box } h2 { font-size: 14px; margin: 4px }
span { display: inline-block; width: 60px; margin: 0 2px } i { position: absolute; left: 0; bottom: 0; width: %dpx; height: 1px }
</style>`, height, sectionRows, mark)
	for section := range height / sectionRows {
		fmt.Fprintf(&b, "<section><h2>Part %d of the register</h2>", section+1)
		for line := range lines {
			fmt.Fprintf(&b, "<span>%d-%d</span>", section+1, line*line*(section+7)%9973)
		}
		b.WriteString("</section>\n")
	}
	colour := "#ffffff"
	if changed {
		colour = "#cc0000"
	}
	fmt.Fprintf(&b, `<i style="background: %s"></i>`, colour)
	return b.String()
}
