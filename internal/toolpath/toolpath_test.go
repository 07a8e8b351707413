package toolpath_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"afterimage/internal/toolpath"
)

// The set-up script and the program must mean the same folder.
func TestTheSetUpScriptUsesOneOfTheFolders(t *testing.T) {
	for _, named := range []string{"", "/somewhere/else"} {
		t.Setenv("AFTERIMAGE_TOOLS_DIR", named)
		out, err := exec.Command("../../scripts/setup", "--print-tools").Output()
		if err != nil {
			t.Fatal(err)
		}
		if folder := strings.TrimSpace(string(out)); !slices.Contains(toolpath.Folders(), folder) {
			t.Errorf("the script uses %s, the program looks in %q", folder, toolpath.Folders())
		}
	}
}
