// Package webtest runs the browser tests of web/e2e from the Go tests that serve what they look at.
package webtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"afterimage/internal/toolpath"
)

// page is how much of the page of a failed test is told, in bytes.
const page = 6000

// Run runs the tests of a folder of web/e2e in the installed browser. They find what to look at under SERVICE_URL; environment holds
// further variables as NAME=VALUE. If they fail, the test fails with what they printed and the pages as they were then.
func Run(t *testing.T, folder, serviceURL string, environment ...string) {
	t.Helper()
	browser, err := toolpath.Browser()
	if err != nil {
		t.Fatal(err)
	}
	web := folderOfWeb(t)
	runner := filepath.Join(web, "node_modules", ".bin", "playwright")
	if _, err := os.Stat(runner); err != nil {
		t.Fatalf("the packages of %s are not installed: run make web: %v", web, err)
	}
	tests := exec.CommandContext(t.Context(), runner, "test", "--config", filepath.Join("e2e", folder, "playwright.config.ts"))
	tests.Dir = web
	tests.Env = append(append(os.Environ(), "SERVICE_URL="+serviceURL, "CHROMIUM="+browser), environment...)
	output, err := tests.CombinedOutput()
	if err != nil {
		t.Errorf("%v:\n%s%s", err, output, failedPages(filepath.Join(web, "node_modules", "."+folder+"-results")))
		return
	}
	t.Logf("%s", output)
}

// folderOfWeb is the folder web, wherever the test runs.
func folderOfWeb(t *testing.T) string {
	t.Helper()
	for _, above := range []string{"..", "../.."} {
		if _, err := os.Stat(filepath.Join(above, "web", "e2e")); err == nil {
			web, err := filepath.Abs(filepath.Join(above, "web"))
			if err != nil {
				t.Fatal(err)
			}
			return web
		}
	}
	t.Fatal("the folder web is not beside the test")
	return ""
}

// failedPages are the beginnings of the pages of failed tests, as the runner described them.
func failedPages(results string) string {
	found, _ := filepath.Glob(filepath.Join(results, "*", "error-context.md"))
	var all strings.Builder
	for _, path := range found {
		text, _ := os.ReadFile(path)
		all.WriteString("\n" + filepath.Base(filepath.Dir(path)) + "\n" + string(text[:min(len(text), page)]) + "\n")
	}
	return all.String()
}
