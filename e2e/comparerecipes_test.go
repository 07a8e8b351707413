package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheRecipesRun runs the scripts of the recipes as a pipeline does: with the program on the PATH and their inputs as environment
// variables.
func TestTheRecipesRun(t *testing.T) {
	t.Parallel()
	production, preview := openShop(t, false), openShop(t, true)
	list := pathList(t, 3)
	run := func(env []string, script string, args ...string) sitesCompared {
		t.Helper()
		report := filepath.Join(t.TempDir(), "report")
		path, err := filepath.Abs(filepath.Join("../integrations", script))
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "bash", append([]string{path}, args...)...)
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"), "REPORT="+report)
		cmd.Env = append(cmd.Env, env...)
		return finishComparison(t, report, cmd)
	}
	shell := func(after string) sitesCompared {
		return run([]string{"PRODUCTION=" + production, "PREVIEW=" + after}, "compare.example.sh", "--paths", list, "--devices", "mobile")
	}
	if c := shell(preview); c.code != 1 || !strings.Contains(c.stdout, "There are changes") || len(c.report.Pages) != 1 {
		t.Errorf("shell: exit code %d\n%s%s", c.code, c.stdout, c.stderr)
	}
	if c := shell(openShop(t, false)); c.code != 0 || !strings.Contains(c.stdout, "deploy") {
		t.Errorf("shell, equal: exit code %d\n%s%s", c.code, c.stdout, c.stderr)
	}
	output, summary := filepath.Join(t.TempDir(), "output"), filepath.Join(t.TempDir(), "summary")
	github := []string{"GITHUB_ACTIONS=true", "GITHUB_OUTPUT=" + output, "GITHUB_STEP_SUMMARY=" + summary, "BEFORE=" + production}
	arguments := "ARGUMENTS=--paths=" + list + "\n\n--devices=desktop\n--ignore=p.delivery, p.price"
	c := run(append(github, "AFTER="+preview, arguments), "github/compare.sh")
	told, err := os.ReadFile(output)
	if err != nil || c.code != 1 || !strings.Contains(string(told), "exit-code=1\nreport=") ||
		!strings.Contains(c.stdout, "::warning title=") {
		t.Errorf("GitHub: exit code %d, output %q (%v)\n%s%s", c.code, told, err, c.stdout, c.stderr)
	}
	if strings.Contains(c.stdout, "€") {
		t.Errorf("what is ignored was found:\n%s", c.stdout)
	}
	if text, err := os.ReadFile(summary); err != nil || !strings.Contains(string(text), "1 page compared") {
		t.Errorf("the job summary is %q (%v)", text, err)
	}
	if c := run(append(github, "AFTER="+closedAddress(), arguments), "github/compare.sh"); c.code != 2 {
		t.Errorf("GitHub, unreachable: exit code %d\n%s%s", c.code, c.stdout, c.stderr)
	}
}
