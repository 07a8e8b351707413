package rest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/account"
)

// auditOf is the audit list of an account, newest first: who did what.
func (w *world) auditOf(token string) []string {
	w.t.Helper()
	answer := w.ask(token, "POST", "/graphql",
		`{"query":"{ auditEntries(first: 100) { nodes { actor { kind id name } action subjectType } } }"}`, "application/json")
	var found struct {
		Data struct {
			AuditEntries struct {
				Nodes []struct {
					Actor       struct{ Kind, ID, Name string }
					Action      string
					SubjectType string
				}
			}
		}
	}
	w.check(json.Unmarshal([]byte(answer.body), &found))
	var lines []string
	for _, n := range found.Data.AuditEntries.Nodes {
		if (n.Actor.ID == "") != (n.Actor.Kind == "SYSTEM") {
			w.t.Errorf("%s by %s has the actor's id %q", n.Action, n.Actor.Kind, n.Actor.ID)
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprint(n.Actor.Kind, " ", n.Actor.Name, ": ", n.Action, " ", n.SubjectType)))
	}
	return lines
}

func TestChangesTellWhoMadeThem(t *testing.T) {
	w := newWorld(t)
	owner := w.open("owner")
	group := w.create(owner, "/groups", `{"name":"a"}`)
	made, err := w.use.Accounts.CreateToken(t.Context(), w.use.Accounts.Operator(owner.account.ID, "createToken"), nil,
		account.TokenChange{Name: vcd.Some("ci")})
	w.check(err)
	w.clock.Advance(time.Second)
	w.ask(made.Plain, "GET", BasePath+"/groups", "", "application/json")                                    // reads
	w.ask(made.Plain, "PUT", BasePath+"/groups/"+group, `{"interval_in_h":"never"}`, "application/json")    // is refused
	w.ask(made.Plain, "PUT", BasePath+"/groups/"+string(made.ID), `{"name":"unknown"}`, "application/json") // finds nothing
	w.ask(made.Plain, "PUT", BasePath+"/groups/"+group, `{"name":"b"}`, "application/json")
	w.clock.Advance(time.Second)
	w.ask(made.Plain, "POST", "/graphql",
		`{"query":"mutation { x: deleteGroup(id: \"`+group+`\") { deletedGroupId } }"}`, "application/json")
	w.clock.Advance(time.Second)
	_, err = w.use.Accounts.PauseAccount(t.Context(), owner.account.ID)
	w.check(err)
	want := []string{
		"SYSTEM Afterimage: pauseAccount account", "TOKEN ci: deleteGroup group", "TOKEN ci: updateGroup group",
		"SYSTEM Afterimage: createToken token",
		"TOKEN first token: createGroup group", "SYSTEM Afterimage: createAccount account",
	}
	if got := w.auditOf(owner.token); !slices.Equal(got, want) {
		t.Errorf("the audit list is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
