package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// heldSite is a site that answers only while nobody holds it.
type heldSite struct {
	site
	hold sync.RWMutex
}

func (s *heldSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.hold.RLock()
	defer s.hold.RUnlock()
	s.site.ServeHTTP(w, r)
}

// command is one of the program that speaks to the service.
func (s *service) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.t.Context(), binary, args...)
	cmd.Env = append(os.Environ(), "AFTERIMAGE_SERVER="+s.url, "AFTERIMAGE_TOKEN="+s.token)
	return cmd
}

// called runs a command to its end.
func called(t *testing.T, cmd *exec.Cmd) (code int, stdout, stderr string) {
	t.Helper()
	var out, told strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &told
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), told.String()
}

// says runs a command and expects an exit code and words.
func (s *service) says(code int, words string, args ...string) {
	s.t.Helper()
	if is, out, told := called(s.t, s.command(args...)); is != code || !strings.Contains(out+told, words) {
		s.t.Errorf("%q: exit code %d, want %d and %q\n%s%s", args, is, code, words, out, told)
	}
}

// TestAGroupIsCheckedFromTheCommandLine checks a group before and after a change and accepts what it finds, on a server that runs
// known documents only.
func TestAGroupIsCheckedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	shop := &heldSite{}
	host := pages(t, shop)
	s := lodge(t, "--documents-only")
	s.group(nil, siteURLs(host)...)
	name := t.Name()

	s.says(2, "with --pre", "check", "--group", name)
	s.says(0, "8 of 8 screenshots", "check", "--group", name, "--pre")
	s.says(0, "4 pages compared on desktop and mobile: 8 equal.", "check", "--group", name)

	shop.after.Store(true)
	dir := t.TempDir()
	cmd := s.command("check", "--group", name, "--report", dir)
	c := finishComparison(t, dir, cmd)
	t.Logf("%s\n%s", c.stdout, c.stderr)
	if c.code != 1 || len(c.report.Pages) != 8 {
		t.Fatalf("after the change: exit code %d, %d pages", c.code, len(c.report.Pages))
	}
	for _, p := range c.report.Pages {
		if still := strings.HasSuffix(p.Path, "/still"); still != (p.Verdict == "equal") {
			t.Errorf("%s on %s is %s", p.Path, p.Device, p.Verdict)
		}
	}
	for _, file := range []string{"index.html", "junit.xml", "report.sarif", "summary.md", "gl-code-quality-report.json"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	if pictures, _ := filepath.Glob(filepath.Join(dir, "pictures", "*.png")); len(pictures) != 12 {
		t.Errorf("%d pictures, want 12", len(pictures))
	}
	id := c.stderr[strings.LastIndex(c.stderr, "approve ")+len("approve "):]
	s.accept(strings.TrimSpace(id), c.report)
	s.interrupt(shop, name)
	s.check()
}

// accept accepts a change of a run and then all of it, after which the same run has nothing that anybody would have to look at.
func (s *service) accept(batch string, found sitesReport) {
	s.t.Helper()
	s.says(2, "no run", "approve", "01999999-0000-7000-8000-000000000000")
	s.says(2, "nothing was approved", "approve", batch, "no such change")
	if len(found.Changes) == 0 {
		s.t.Fatal("the report lists no changes")
	}
	s.says(0, "2 approved, 0 still open.", "approve", batch, found.Changes[0].ID) // on both devices
	s.says(0, "4 approved, 0 still open.", "approve", batch)
	s.says(0, "6 harmless", "check", "--batch", batch)
}

// interrupt ends a check in the middle, which leaves the run to the server.
func (s *service) interrupt(shop *heldSite, group string) {
	s.t.Helper()
	shop.hold.Lock()
	cmd := s.command("check", "--group", group)
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	var told []string
	for lines.Scan() {
		if told = append(told, lines.Text()); strings.HasPrefix(lines.Text(), "The run is ") {
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	s.says(2, "already in progress", "check", "--group", group, "--no-wait")
	shop.hold.Unlock()
	last := told[len(told)-1]
	_, id, ok := strings.Cut(last, "the run continues: follow it with afterimage check --batch ")
	if !ok || cmd.ProcessState.ExitCode() != 2 {
		s.t.Fatalf("exit code %d: %s", cmd.ProcessState.ExitCode(), last)
	}
	if code, out, told := called(s.t, s.command("check", "--batch", id)); code == 2 {
		s.t.Errorf("the run that was left: exit code %d\n%s%s", code, out, told)
	}
}

// TestACheckThatCannotBeMadeSaysWhy: a clear sentence and exit code 2.
func TestACheckThatCannotBeMadeSaysWhy(t *testing.T) {
	t.Parallel()
	other := pages(t, http.NotFoundHandler())
	s := lodge(t)
	must[data[struct{ ID string }]](s, http.MethodPost, "/groups", map[string]any{"name": t.Name()})
	for _, c := range []struct {
		args, env []string
		want      string
	}{
		{[]string{"check", "--group", "Shop"}, nil, `no group has the name or the id "Shop"; there are "TestACheck`},
		{[]string{"check", "--group", t.Name()}, nil, "nothing to capture"},
		{[]string{"check"}, nil, "--group is missing"},
		{[]string{"check", "--batch", "nonsense"}, nil, "no run"},
		{[]string{"check", "--group", "Shop"}, []string{"AFTERIMAGE_TOKEN="}, "set AFTERIMAGE_TOKEN"},
		{[]string{"check", "--group", "Shop"}, []string{"AFTERIMAGE_TOKEN=nonsense"}, "does not know the API token"},
		{[]string{"check", "--group", "Shop", "--server", "http://" + closedPort(t)}, nil, "cannot be reached"},
		{[]string{"check", "--group", "Shop", "--server", "http://" + other}, nil, "HTTP status 404 instead of GraphQL"},
		{[]string{"check", "--group", "Shop", "--server", "ftp://example.com"}, nil, "is not the address of a server"},
		{[]string{"check", "--group", "Shop", "--timeout", "1ms"}, nil, "--timeout must be at least 1s"},
	} {
		cmd := s.command(c.args...)
		cmd.Env = append(cmd.Env, c.env...)
		if code, _, told := called(t, cmd); code != 2 || !strings.Contains(told, c.want) {
			t.Errorf("%q: exit code %d, want %q:\n%s", c.args, code, c.want, told)
		}
	}
}

// TestPagesAreImportedIntoAGroup of a server that runs known documents only: those of all sites, but for what is no address.
func TestPagesAreImportedIntoAGroup(t *testing.T) {
	t.Parallel()
	host := pages(t, http.NotFoundHandler())
	s := lodge(t, "--documents-only")
	s.group(nil, "http://"+host+"/a")
	list := filepath.Join(t.TempDir(), "pages.txt")
	lines := fmt.Sprintf("http://%[1]s/a\nhttp://%[1]s/b\n# a comment\nhttps://example.com/c\nhttp://%[1]s/b\nhttps://\n", host)
	if err := os.WriteFile(list, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	s.says(0, "3 pages can be added to "+t.Name()+", 1 cannot.", "import", list, "--group", t.Name(), "--dry-run")
	s.says(0, "2 pages added to "+t.Name()+", 1 already in it, 1 cannot be added.", "import", list, "--group", t.Name())
	s.says(0, "0 pages added", "import", list, "--group", t.Name())
	s.says(1, "no group has the name or the id", "import", list, "--group", "Other")
	s.says(1, "--dry-run needs --group", "import", list, "--dry-run")
}
