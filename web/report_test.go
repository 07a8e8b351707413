package web

import (
	"testing"
	"testing/fstest"
)

func TestThePartsOfAReport(t *testing.T) {
	build := fstest.MapFS{
		"report/assets/index-1a2b.js": {Data: []byte("script")}, "report/assets/index-3c4d.css": {Data: []byte("style")},
		"report/third-party-licenses.md": {Data: []byte("licenses")},
	}
	if r, err := reportFiles(build); err != nil || r != (Report{"script", "style", "licenses"}) {
		t.Errorf("%+v (%v)", r, err)
	}
	if r, err := reportFiles(fstest.MapFS{}); err != nil || r != (Report{}) {
		t.Errorf("without a build: %+v (%v)", r, err)
	}
	if r, err := ReportFiles(); Built() && (err != nil || r.Script == "" || r.Style == "" || r.Licenses == "") {
		t.Errorf("the pages were built without that of reports (%v)", err)
	}
}
