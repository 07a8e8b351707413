package packaging_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// release packs a small program in the given folder, which has a copy of the repository, as somebody with other habits would, and
// returns where the files are.
func release(t *testing.T, repository, key string, environment ...string) string {
	t.Helper()
	out := t.TempDir()
	command := exec.CommandContext(t.Context(), "packaging/release", out)
	command.Dir = repository
	command.Env = append(os.Environ(), "VERSION=v1.2.3", "SOURCE_DATE_EPOCH=1700000000", "AFTERIMAGE_MAIN=./packaging/testdata/program",
		"AFTERIMAGE_SIGNING_KEY="+key)
	command.Env = append(command.Env, environment...)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("packaging/release: %v\n%s", err, said)
	}
	return out
}

func signingKey(t *testing.T) string {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	run(t, nil, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key)
	return key
}

// copied is what packaging/release reads, in another folder, with other times and modes.
func copied(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		".ci", "scripts", "docs", "packaging", "integrations", "go.mod", "go.sum", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md",
		"web/package.json", "web/package-lock.json",
	} {
		to := filepath.Join(folder, filepath.Dir(name))
		if err := os.MkdirAll(to, 0o700); err != nil {
			t.Fatal(err)
		}
		run(t, nil, "cp", "-R", filepath.Join("..", name), to)
	}
	run(t, nil, "chmod", "-R", "g+w,o-rx", folder)
	return folder
}

// TestAReleaseIsTheSameAnywhere with a small program; make test-packages does the same with the real one.
func TestAReleaseIsTheSameAnywhere(t *testing.T) {
	key := signingKey(t)
	here := release(t, "..", key)
	there := release(t, copied(t), key, "TZ=Asia/Tokyo", "LC_ALL=C.UTF-8", "GOFLAGS=-mod=mod", "GOAMD64=v3")
	sums := read(t, filepath.Join(here, "SHA256SUMS"))
	if other := read(t, filepath.Join(there, "SHA256SUMS")); sums != other {
		t.Errorf("two builds differ:\n%s\n%s", sums, other)
	}
	if files := strings.Count(sums, "\n"); files != 7 {
		t.Errorf("%d files instead of 7:\n%s", files, sums)
	}
	holds(t, here)
	signed(t, here, key)
}

// holds: an archive and a package have what an operator needs.
func holds(t *testing.T, folder string) {
	t.Helper()
	archive := string(run(t, nil, "tar", "-tzf", filepath.Join(folder, "afterimage-v1.2.3-linux-arm64.tar.gz")))
	for _, name := range []string{
		"afterimage", "LICENSE", "README.md", "docs/install.md", "systemd/afterimage.service", "prometheus/dashboard.json",
		"kubernetes/base/work.yaml", "container/Containerfile", "container/seccomp.json",
	} {
		if !strings.Contains(archive, "/"+name+"\n") {
			t.Errorf("the archive lacks %s:\n%s", name, archive)
		}
	}
	deb := string(run(t, nil, "dpkg-deb", "--info", filepath.Join(folder, "afterimage_1.2.3_arm64.deb")))
	for _, line := range []string{"Version: 1.2.3\n", "Architecture: arm64\n", "chromium-headless-shell (>= 148)"} {
		if !strings.Contains(deb, line) {
			t.Errorf("the package does not say %q:\n%s", line, deb)
		}
	}
	var bom struct {
		Format     string `json:"bomFormat"`
		Components []struct {
			Name string `json:"name"`
		} `json:"components"`
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(folder, "afterimage-v1.2.3-web.cdx.json"))), &bom); err != nil {
		t.Fatal(err)
	}
	if bom.Format != "CycloneDX" || len(bom.Components) < 20 {
		t.Errorf("the list of the web pages is %s with %d components", bom.Format, len(bom.Components))
	}
}

// signed: the command of docs/install.md accepts the release, and not a changed one.
func signed(t *testing.T, folder, key string) {
	t.Helper()
	_, after, found := strings.Cut(read(t, "../docs/install.md"), "<!-- run: signature -->\n```console\n")
	commands, _, ended := strings.Cut(after, "```")
	if !found || !ended {
		t.Fatal("docs/install.md does not say how to check a signature")
	}
	run(t, nil, "cp", key+".pub", filepath.Join(folder, "releases.pub"))
	check := func() ([]byte, error) {
		command := exec.CommandContext(t.Context(), "bash", "-e", "-c", commands)
		command.Dir = folder
		return command.CombinedOutput()
	}
	if said, err := check(); err != nil || !bytes.Contains(said, []byte("Good")) {
		t.Errorf("the signature: %v\n%s", err, said)
	}
	sums, err := os.OpenFile(filepath.Join(folder, "SHA256SUMS"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = sums.WriteString("\n")
	if closed := sums.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	if said, err := check(); err == nil {
		t.Errorf("changed sums were accepted:\n%s", said)
	}
}
