package web

import (
	"io/fs"
)

// Report are the parts of a report that the program writes as a single file: a script, its style sheet, and the licenses of the
// libraries in the script.
type Report struct{ Script, Style, Licenses string }

// ReportFiles reads the parts of a report from the build; they are empty without one.
func ReportFiles() (Report, error) { return reportFiles(Files()) }

func reportFiles(build fs.FS) (r Report, err error) {
	for pattern, to := range map[string]*string{
		"report/assets/index-*.js": &r.Script, "report/assets/index-*.css": &r.Style, "report/third-party-licenses.md": &r.Licenses,
	} {
		names, err := fs.Glob(build, pattern)
		if err != nil || len(names) != 1 {
			return Report{}, err
		}
		text, err := fs.ReadFile(build, names[0])
		if err != nil {
			return Report{}, err
		}
		*to = string(text)
	}
	return r, nil
}
