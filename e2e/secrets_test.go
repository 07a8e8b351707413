package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestSecretsStaySecret uses every kind of secret and looks for each, in all forms that it could have, in the logs of all
// processes at their most talkative, in every table of the database and in the files of the data folder.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	host := pages(t, hostileSite())
	told := pages(t, receivers())
	telling := pages(t, &tellingSite{})
	s := serveAlone(t, dataDir(t), []string{host, told, telling},
		"--captures=1", "--log-level=debug", "--retry-delay=100ms", "--proxies="+proxiesFile(t),
		"--plans-url=https://plans.example.test/")
	secrets := s.useSecrets(host)
	secrets["new webhook secret"] = s.tellReceivers(told)
	s.captureThroughProxies(host)
	secrets["password of a proxy"], secrets["password that a proxy refuses"] = proxyPassword, refusedPassword
	ofFlow, places := s.signInWithSecrets(telling)
	maps.Copy(secrets, ofFlow)
	checkTold(t, places[toldOfFlow])

	dumped := dumpDatabase(t, s.dir)
	if !bytes.Contains(dumped, []byte("guest")) { // the user of basic authentication is no secret
		t.Fatal("the dump does not hold what is stored: the test shows nothing")
	}
	s.stop()
	places["the database"], places["the log"] = dumped, []byte(s.text())
	for name, content := range filesOf(t, s.dir) {
		places["the file "+name] = content
	}
	checkSecrets(t, secrets, places)
}

// checkSecrets requires that no secret stands in any place, in any form.
func checkSecrets(t *testing.T, secrets map[string]string, places map[string][]byte) {
	t.Helper()
	for what, secret := range secrets {
		if len(secret) < 8 {
			t.Fatalf("the %s %q is too short to look for", what, secret)
		}
		for form, spelled := range formsOf(secret) {
			for place, content := range places {
				if bytes.Contains(content, spelled) {
					t.Errorf("%s holds the %s (%s)", place, what, form)
				}
			}
		}
	}
}

// useSecrets does something with every kind of secret, and returns them by what they are.
func (s *service) useSecrets(host string) map[string]string {
	s.t.Helper()
	const password, replaced = "pass word", "an older Passw0rd"
	secrets := map[string]string{"first token": s.token, "password of basic authentication": password, "replaced password": replaced}

	account := must[data[struct {
		WebhookSecret    string `json:"webhook_secret"`
		MagicLoginSecret string `json:"magic_login_secret"`
	}]](s, http.MethodGet, "/account", nil)
	secrets["webhook secret"], secrets["magic login secret"] = account.Data.WebhookSecret, account.Data.MagicLoginSecret

	made := query[struct{ CreateToken struct{ PlainText string } }](s,
		`mutation { createToken(input: {name: "second"}) { plainText } }`, nil)
	secrets["second token"] = made.CreateToken.PlainText
	secrets["session"] = s.signIn(made.CreateToken.PlainText)

	sub := must[data[struct {
		APIToken string `json:"api_token"`
	}]](s, http.MethodPost, "/subaccounts", map[string]any{"name_first": "A", "name_last": "B", "email": "sub@example.com",
		"limit_checks": 10})
	secrets["subaccount's token"] = sub.Data.APIToken

	group := s.group(map[string]any{"basic_auth_user": "guest", "basic_auth_password": replaced}, "http://"+host+"/secret")
	s.must200(http.MethodPut, "/groups/"+group, map[string]any{"basic_auth_password": password})
	for _, e := range s.await(s.take(group, "pre")) {
		if e.Status != "done" {
			s.t.Errorf("the protected page is %s: %s", e.Status, deref(e.ErrorMsg))
		}
	}
	// Requests that fail must not put their secrets into the log either.
	s.call(http.MethodPut, "/groups/"+group, map[string]any{"basic_auth_password": password, "interval_in_h": 7})
	wrong := *s
	wrong.token = strings.Repeat("wrong0token", 4)[:40]
	wrong.call(http.MethodGet, "/account", nil)
	secrets["token that nobody has"] = wrong.token
	k := s.subscribe("subscription { events { number } }", nil)
	k.close()
	return secrets
}

func (s *service) must200(method, path string, body any) {
	s.t.Helper()
	if a := s.call(method, path, body); a.status != http.StatusOK {
		s.t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
}

// signIn signs a browser in with a token and uses its session once. It returns the cookie's value.
func (s *service) signIn(token string) string {
	s.t.Helper()
	body, err := json.Marshal(map[string]string{"token": token})
	if err != nil {
		s.t.Fatal(err)
	}
	response, err := http.Post(s.url+"/session", "application/json", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	_ = response.Body.Close()
	if len(response.Cookies()) != 1 {
		s.t.Fatalf("signing in: %s, %d cookies", response.Status, len(response.Cookies()))
	}
	cookie := response.Cookies()[0]
	page, _ := get(s.t, http.DefaultClient, s.url+"/graphiql/", http.Header{"Cookie": {cookie.Name + "=" + cookie.Value}})
	if page.Request.URL.Path != "/graphiql/" {
		s.t.Errorf("the session leads to %s", page.Request.URL.Path)
	}
	return cookie.Value
}

// formsOf are the ways in which a secret could stand in a place.
func formsOf(secret string) map[string][]byte {
	quoted, err := json.Marshal(secret)
	if err != nil {
		quoted = []byte(secret)
	}
	pair := "guest:" + secret // as basic authentication sends it
	return map[string][]byte{
		"plain": []byte(secret), "JSON": bytes.Trim(quoted, `"`), "URL": []byte(url.QueryEscape(secret)),
		"HTML":       []byte(html.EscapeString(secret)),
		"hex":        []byte(hex.EncodeToString([]byte(secret))),
		"base64":     []byte(strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(secret)), "=")),
		"basic auth": []byte(base64.StdEncoding.EncodeToString([]byte(pair))),
	}
}

// dumpDatabase is every row of every table of the private database, as its superuser sees it.
func dumpDatabase(t *testing.T, dir string) []byte {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), superuser(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), `select format('%I.%I', schemaname, tablename) from pg_tables
		where schemaname not in ('pg_catalog', 'information_schema') order by 1`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 10 {
		t.Fatalf("%d tables: %v", len(tables), err)
	}
	var out bytes.Buffer
	for _, table := range tables {
		if _, err := conn.PgConn().CopyTo(t.Context(), &out, "copy "+table+" to stdout"); err != nil {
			t.Fatalf("dump %s: %v", table, err)
		}
	}
	return out.Bytes()
}

// superuser is the address of the private database for its superuser, whom row level security does not bind.
func superuser(t *testing.T, dir string) string {
	t.Helper()
	return fmt.Sprintf("postgres://postgres@/afterimage?host=%s&port=5432&sslmode=disable", url.QueryEscape(socketOf(t, dir)))
}

// socketOf is the folder of the private database's socket.
func socketOf(t *testing.T, dir string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "postgres", "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(content), "\n")[4] // see "postmaster.pid" in miscadmin.h of Postgres
}

// filesOf are the files of the data folder, the database's own log among them, but not the tables, which were dumped, and
// not the key, which is one.
func filesOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "data" || entry.Name() == "socket"):
			return filepath.SkipDir
		case entry.Type().IsRegular() && entry.Name() != "secret.key":
			files[name], err = os.ReadFile(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
