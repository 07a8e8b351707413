// Package packaging_test checks what packages are made of, in seconds; make test-packages installs and starts them.
package packaging_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// run runs a program and returns what it printed on standard output.
func run(t *testing.T, input []byte, name string, args ...string) []byte {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Stdin = bytes.NewReader(input)
	var failed bytes.Buffer
	command.Stderr = &failed
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, failed.Bytes())
	}
	return out
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestUnitsAreConfinedAndKeepTheSandboxOfTheBrowser(t *testing.T) {
	for _, unit := range []string{"afterimage", "afterimage-work"} {
		file := filepath.Join("systemd", unit+".service")
		said := run(t, nil, "systemd-analyze", "security", "--offline=true", "--no-pager", file)
		match := regexp.MustCompile(`Overall exposure level for \S+: (\d+\.\d+)`).FindSubmatch(said)
		if match == nil {
			t.Fatalf("systemd-analyze said nothing of an exposure:\n%s", said)
		}
		if exposure, err := strconv.ParseFloat(string(match[1]), 64); err != nil || exposure > 3 {
			t.Errorf("%s is exposed %s, more than 3.0:\n%s", unit, match[1], said)
		}
		text := read(t, file)
		// Without these Chromium would not start its renderers, and captures would fail.
		for _, needed := range []string{"\nRestrictNamespaces=user pid net\n", "\nSystemCallFilter=@system-service chroot seccomp\n"} {
			if !strings.Contains(text, needed) {
				t.Errorf("%s lacks %s", unit, needed)
			}
		}
		// The program need not be installed here.
		verified := filepath.Join(t.TempDir(), unit+".service")
		text = regexp.MustCompile(`/usr/bin/afterimage\b`).ReplaceAllString(text, "/bin/true")
		if err := os.WriteFile(verified, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		command := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", verified)
		if said, err := command.CombinedOutput(); err != nil || strings.Contains(string(said), unit+".service:") {
			t.Errorf("systemd-analyze verify: %v\n%s", err, said)
		}
	}
}

func TestManifestsAreWhatKubernetesAccepts(t *testing.T) {
	kustomize := strings.TrimSpace(string(run(t, nil, "../.ci/tool", "--path", "kustomize")))
	kubeconform := strings.TrimSpace(string(run(t, nil, "../.ci/tool", "--path", "kubeconform")))
	for _, component := range []string{"keda", "hpa", "seccomp-unconfined"} {
		folder := filepath.Join(t.TempDir(), "kubernetes")
		if err := os.CopyFS(folder, os.DirFS("kubernetes")); err != nil {
			t.Fatal(err)
		}
		settings := filepath.Join(folder, "example", "kustomization.yaml")
		text := strings.Replace(read(t, settings), "../components/keda", "../components/"+component, 1)
		if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		manifests := run(t, nil, kustomize, "build", filepath.Join(folder, "example"))
		run(t, manifests, kubeconform, "-strict", "-schema-location", "kubernetes/schemas/{{.ResourceKind}}{{.KindSuffix}}.json", "-")
		if unconfined := bytes.Contains(manifests, []byte("Unconfined")); unconfined != (component == "seccomp-unconfined") {
			t.Errorf("with %s, Unconfined is there: %t", component, unconfined)
		}
		broken := bytes.Replace(manifests, []byte("livenessProbe:"), []byte("livenessProbes:"), 1)
		command := exec.CommandContext(t.Context(), kubeconform, "-strict", "-schema-location",
			"kubernetes/schemas/{{.ResourceKind}}{{.KindSuffix}}.json", "-")
		command.Stdin = bytes.NewReader(broken)
		if said, err := command.CombinedOutput(); err == nil {
			t.Errorf("a misspelled probe was accepted:\n%s", said)
		}
	}
}

func TestScalingAsksForAFigureThatIsThere(t *testing.T) {
	figures := read(t, "../docs/metrics.md")
	for _, file := range []string{"kubernetes/components/keda/scaledobject.yaml", "kubernetes/components/hpa/autoscaler.yaml"} {
		names := regexp.MustCompile(`afterimage_turns_\w+`).FindAllString(read(t, file), -1)
		if len(names) == 0 {
			t.Errorf("%s asks for no figure", file)
		}
		for _, name := range names {
			if !strings.Contains(figures, "`"+name+"`") {
				t.Errorf("%s asks for %s, which docs/metrics.md does not have", file, name)
			}
		}
	}
}

// TestTheSeccompProfileAddsNamespacesOnly: Docker and Kubernetes must not be told to allow mounts, or what else containers escape by.
func TestTheSeccompProfileAddsNamespacesOnly(t *testing.T) {
	var profile struct {
		DefaultAction string `json:"defaultAction"`
		Syscalls      []struct {
			Names  []string `json:"names"`
			Action string   `json:"action"`
			Args   []struct {
				Value uint64 `json:"value"`
				Op    string `json:"op"`
			} `json:"args"`
		} `json:"syscalls"`
	}
	if err := json.Unmarshal([]byte(read(t, "container/seccomp.json")), &profile); err != nil {
		t.Fatal(err)
	}
	if profile.DefaultAction != "SCMP_ACT_ERRNO" {
		t.Errorf("what is not named is %s", profile.DefaultAction)
	}
	// Namespaces of mounts, control groups, host names and System V objects.
	const closed = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000
	for _, rule := range profile.Syscalls {
		for _, name := range rule.Names {
			switch name {
			case "mount", "umount2", "pivot_root", "setns", "bpf", "init_module", "finit_module", "kexec_load", "open_by_handle_at",
				"perf_event_open", "userfaultfd", "fsopen", "move_mount", "add_key", "keyctl", "io_uring_setup":
				t.Errorf("%s is named with %s", name, rule.Action)
			case "clone", "unshare":
				if len(rule.Args) != 1 || rule.Args[0].Op != "SCMP_CMP_MASKED_EQ" || rule.Args[0].Value != closed {
					t.Errorf("%s is allowed with %v", name, rule.Args)
				}
			}
		}
	}
}
