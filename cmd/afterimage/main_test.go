package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestOnlySettingsHaveVariables is named after AFTERIMAGE_VERSION, which turned every command into "print the version".
func TestOnlySettingsHaveVariables(t *testing.T) {
	parser := newParser(&commandLine{})
	byCommand := map[string]string{}
	var visit func(path string, node *kong.Node)
	visit = func(path string, node *kong.Node) {
		var names []string
		for _, flag := range node.Flags {
			if len(flag.Envs) > 0 {
				names = append(names, flag.Name)
			}
		}
		byCommand[path] = strings.Join(names, " ")
		for _, child := range node.Children {
			visit(strings.TrimSpace(path+" "+child.Name), child)
		}
	}
	visit("", parser.Model.Node)
	const work = "verify-url verify-key verify-model verify-key-file verify-timeout verify-budget metrics-listen browser captures " +
		"regions " +
		"allow-hosts " +
		"capture-deadline asset-cache host-captures countries proxies user-agent-suffix rescue-after smtp smtp-file mail-from " +
		"mails-per-account mails-per-receiver webhook-pause retry-delay confirm-after keep-events keep-deliveries keep-mails keep-runs " +
		"pause-after"
	want := map[string]string{
		"": "images images-also image-cache database-url database-url-file database-direct-url database-direct-url-file " +
			"database-system-url database-system-url-file data-dir secret-key secret-key-file home-region log-level log-format",
		"serve": work + " listen public-url tls-cert tls-key redirect-from trusted-proxies insecure-http " +
			"oidc-issuer oidc-client-id oidc-client-secret oidc-client-secret-file oidc-name origins rate-limit " +
			"subaccounts-per-hour invitations-per-hour connections-per-token connections-per-account owner-email plans-url " +
			"trigger-window documents documents-only image-redirects no-work",
		"work": work + " public-url",
		"demo": "browser",
		"user": "", "user create": "public-url", "user link": "public-url", "user list": "",
		"migrate": "", "doctor": "", "check": "server token-file",
		"approve": "server token-file", "upload": "server token-file", "account": "", "account create": "", "token": "", "token create": "",
		"account list": "", "account show": "", "account pause": "", "account cancel": "", "account activate": "",
		"account set-email": "", "account set-plan": "",
		"token list": "", "token revoke": "", "diff": "",
		"capture":  "browser proxies allow-hosts user-agent-suffix",
		"import":   "server token-file",
		"flow run": "browser allow-hosts user-agent-suffix",
		"compare":  "browser allow-hosts user-agent-suffix",
	}
	for _, command := range slices.Sorted(maps.Keys(byCommand)) {
		if byCommand[command] != want[command] {
			t.Errorf("%q: the flags with variables are %q, want %q", command, byCommand[command], want[command])
		}
	}
}

func TestATokenDoesNotExpireInThePast(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "untouched")
	if code := execute([]string{"token", "create", "owner@example.com", "--expires-in=-1h", "--data-dir", dir}); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the data folder was opened: %v", err)
	}
}

func TestExitCodesOfMisuse(t *testing.T) {
	for args, want := range map[string]int{
		"":                               1,
		"nonsense":                       1,
		"serve --nonsense":               1,
		"work --regions=xx":              1,
		"diff --nonsense":                2,
		"check --nonsense":               2,
		"check --batch=x --pre":          2,
		"approve":                        2,
		"upload .":                       2,
		"diff --threshold=x a.png b.png": 2,
	} {
		if code := execute(strings.Fields(args)); code != want {
			t.Errorf("afterimage %s: exit code %d, want %d", args, code, want)
		}
	}
}
