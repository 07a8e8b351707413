package rest

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"afterimage/vcd"
	"afterimage/vcd/account"
)

// The matrix of scopes: who may do what by the scopes of a token, told here apart from the schema, so that a mutation that
// changes hands there fails the test. What is in no list needs the scope read, which every token has.
var fieldsByScope = map[vcd.Scope][]string{
	vcd.ScopeRead: {"signOut", "deletePasskey"}, // of the viewer's own
	vcd.ScopeRun: {
		"cancelBatch", "retryFailed", "storeUpdateResults", "takeScreenshots", "triggerMonitoring", "extendMonitoringTrigger",
		"beginUpload", "finishUpload",
	},
	vcd.ScopeReview: {
		"createAiFeedbackRule", "updateAiFeedbackRule", "deleteAiFeedbackRule", "renewPublicLink", "setComparisonStatus",
		"setComparisonStatuses", "setStatusOfComparisons", "setStatusOfChange", "correctLearnedNoise", "reopenComparisons", "undoReview",
		"addComment", "editComment", "deleteComment", "shareBatch", "unshareBatch",
	},
	vcd.ScopeManage: {
		"invitations", "inviteUser", "resendInvitation", "revokeInvitation", "changeRole", "removeUser", "signOutUser",
		"tokens", "auditEntries", "renameBatch", "deleteBatch",
		"pingWebhook", "redeliver", "redeliverMany", "createGroup", "updateGroup",
		"deleteGroup", "addUrlsToGroup", "addAddressesToGroup", "changeUrlsInGroup", "removeUrlsFromGroup", "updateUrlInGroup",
		"selectAllUrls", "editUrlsOfGroup", "tagUrls", "renameTag", "deleteTag", "createUrl", "updateUrl", "deleteUrl",
		"addUrlsFromSitemap", "syncUrls", "startSync", "createWebhook", "updateWebhook", "deleteWebhook", "createWebsite", "updateWebsite",
		"deleteWebsite", "createFlow", "updateFlow", "deleteFlow", "tryFlow", "cancelFlowTrial",
		"updateAccount", "updateRetention", "updateBrand", "reactivateAccount", "rotateWebhookSecret", "createSubaccount",
		"updateSubaccount",
		"deleteSubaccount", "createToken", "updateToken", "revokeToken",
	},
}

func scopeOf(field string) vcd.Scope {
	for scope, fields := range fieldsByScope {
		if slices.Contains(fields, field) {
			return scope
		}
	}
	return vcd.ScopeRead
}

func TestEveryMutationNeedsAScope(t *testing.T) {
	for _, field := range loadSchema(t).Mutation.Fields {
		if scopeOf(field.Name) == vcd.ScopeRead && !slices.Contains(fieldsByScope[vcd.ScopeRead], field.Name) {
			t.Errorf("the matrix of scopes does not name the mutation %s", field.Name)
		}
		if field.Directives.ForName("requires") == nil {
			t.Errorf("the mutation %s lacks @requires(permission: …)", field.Name)
		}
	}
}

// TestAuthorizationByScopes asks every row of the authorization matrix, of both interfaces, by a token of each scope.
func TestAuthorizationByScopes(t *testing.T) {
	c := newCast(t)
	operations, tree := loadRoutes(t, c.schema)
	fieldOf := func(p probe) string {
		if _, field, ok := strings.Cut(p.name, "."); ok && !strings.Contains(p.name, " ") {
			return field
		}
		name, _ := bindProbe(t, tree, p.fill(func(string) string { return idB }, func(string) string { return idA }))
		return rootField(operations[name].document, name)
	}
	probes := append(graphqlProbes(t, c.schema), restProbes()...)
	for _, scope := range vcd.Scopes() {
		token := c.tokenFor(scope)
		c.ask(token, "GET", BasePath+"/account", "", "application/json") // notes when it was used
		before := c.fingerprint(c.owner)
		for _, p := range probes {
			if needed := scopeOf(fieldOf(p)); needed != vcd.ScopeRead && needed != scope {
				c.wantByScope(t, token, scope, p, true)
			}
		}
		if c.fingerprint(c.owner) != before {
			t.Errorf("a token with the scope %s changed what it may not", scope)
		}
		for _, p := range probes {
			if needed := scopeOf(fieldOf(p)); needed == vcd.ScopeRead || needed == scope {
				c.wantByScope(t, token, scope, p, false)
			}
		}
	}
}

func (c *cast) tokenFor(scopes ...vcd.Scope) string {
	c.t.Helper()
	token, err := c.use.Accounts.CreateToken(c.t.Context(), c.owner.actor, nil, account.TokenChange{
		Name: vcd.Some("scoped"), Scopes: vcd.Some(scopes),
	})
	c.check(err)
	return token.Plain
}

// wantByScope asks with ids that nothing has, so that nothing is taken away from the rows that follow.
func (c *cast) wantByScope(t *testing.T, token string, scope vcd.Scope, p probe, refused bool) {
	t.Helper()
	answer := c.send(token, p.fill(c.of(c.owner), c.nothing))
	if got := p.outcome(answer); (got == "forbidden") != refused || got == "unauthenticated" {
		t.Errorf("%s with the scope %s: %s, refused should be %t: %d %s", p, scope, got, refused, answer.status, answer.body)
	}
}

// rootField is the field of Query or Mutation that a stored operation asks.
func rootField(document *ast.QueryDocument, operation string) string {
	for _, selection := range document.Operations.ForName(operation).SelectionSet {
		if field, ok := selection.(*ast.Field); ok {
			return field.Name
		}
	}
	return ""
}

func TestAccountHidesItsSecretsFromReaders(t *testing.T) {
	c := newCast(t)
	secret := func(token string) string {
		return c.ask(token, "GET", BasePath+"/account", "", "application/json").body
	}
	if body := secret(c.owner.token); !strings.Contains(body, `"magic_login_secret":""`) || strings.Contains(body, `"webhook_secret":""`) {
		t.Errorf("the owner does not see the secrets that there are: %s", body)
	}
	for _, scope := range []vcd.Scope{vcd.ScopeRead, vcd.ScopeRun, vcd.ScopeReview} {
		if body := secret(c.tokenFor(scope)); !strings.Contains(body, `"magic_login_secret":""`) ||
			!strings.Contains(body, `"webhook_secret":""`) {
			t.Errorf("a token with the scope %s sees secrets: %s", scope, body)
		}
	}
}
