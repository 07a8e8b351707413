package main

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// signIn is a site behind a sign-in, which shows the password again.
func signIn() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<title>Sign in</title>
<form method=post action=/session><label>Password <input name=p type=password></label>
<button>Sign in</button></form>`)
	})
	mux.HandleFunc("POST /session", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "in", Value: "1"})
		http.Redirect(w, r, "/account?p="+r.FormValue("p"), http.StatusSeeOther)
	})
	mux.HandleFunc("GET /account", func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("in"); err != nil {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		_, _ = io.WriteString(w, "<title>Hello "+r.FormValue("p")+"</title><h1>Your account</h1><p>Your password is "+r.FormValue("p")+
			"<script>console.log(location.search)</script>")
	})
	return mux
}

// TestFlowRun signs in with a real browser. The secret is in no file and in nothing that is printed.
func TestFlowRun(t *testing.T) {
	site := httptest.NewServer(signIn())
	defer site.Close()
	const canary = "Qz7canaryXw9"
	dir := t.TempDir()
	file, key := filepath.Join(dir, "flow.yaml"), filepath.Join(dir, "key")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(key, canary+"\n")
	const steps = `
steps:
  - fill: {label: Password}
    secret: password
  - checkpoint: Form
  - click: {role: button, name: Sign in}
  - checkpoint: Account
`
	write(file, "name: Account\nstart: "+site.URL+steps)
	host, out := strings.TrimPrefix(site.URL, "http://"), filepath.Join(dir, "out")
	run := func(more ...string) (code int, printed string) {
		return printedBy(t, append([]string{"flow", "run", file, "--out", out, "--allow-hosts", host}, more...)...)
	}
	withKey := "--secret=password=file:" + key
	all := ""
	code, printed := run(withKey)
	if all += printed; code != 0 || !strings.Contains(printed, "passed") || !strings.Contains(printed, "Account.png") {
		t.Errorf("exit code %d\n%s", code, printed)
	}
	write(file, "name: Account\nstart: "+site.URL+steps+"  - assert: text\n    equals: Welcome\n    deadline: 1s\n")
	t.Setenv("TEST_FLOW_SECRET", canary)
	code, printed = run("--secret=password=env:TEST_FLOW_SECRET", "--json", "--device=mobile")
	if all += printed; code != 1 || !strings.Contains(printed, `"state": "failed"`) || !strings.Contains(printed, "failed-step-5.png") {
		t.Errorf("exit code %d\n%s", code, printed)
	}
	for _, wrong := range [][]string{{}, {withKey, withKey}, {"--secret=password=" + canary}, {"--secret=other=file:" + key},
		{"--secret=password=env:TEST_FLOW_NONE"}, {withKey, "--allow-hosts=nonsense:x:y"}} {
		code, printed = run(wrong...)
		if all += printed; code != 2 {
			t.Errorf("%v: exit code %d\n%s", wrong, code, printed)
		}
	}
	site.Close()
	code, printed = run(withKey)
	if all += printed; code != 2 || !strings.Contains(printed, "reason: connect") {
		t.Errorf("exit code %d\n%s", code, printed)
	}
	if strings.Contains(all, canary) {
		t.Errorf("the secret is printed:\n%s", all)
	}
	files := 0
	err := filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if files++; strings.Contains(string(text), canary) {
			t.Errorf("the secret is in %s", path)
		}
		return err
	})
	if err != nil || files != 13 {
		t.Errorf("%d files, %v", files, err)
	}
}

// printedBy runs a command and returns all that it printed.
func printedBy(t *testing.T, args ...string) (code int, printed string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = file, file
	code = execute(args)
	os.Stdout, os.Stderr = stdout, stderr
	text, err := os.ReadFile(file.Name())
	if err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	return code, string(text)
}
