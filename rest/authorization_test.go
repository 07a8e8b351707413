package rest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// The authorization matrix: each operation of both interfaces is asked by each kind of caller, for things of its own and of
// others. Its rows are in authorization_rest_test.go and authorization_graphql_test.go; a route, an argument or an input
// field that takes an id and has no row there fails the test.

// verdict is what a caller meets with.
type verdict string

const (
	granted   verdict = "granted"
	absent    verdict = "absent"    // like an id that nothing has, byte for byte but for cursors
	forbidden verdict = "forbidden" // whatever the id
	atRest    verdict = "conflict"  // the state of the account forbids it
	inUse     verdict = "conflict"  // the state of the thing forbids it
	unfitting verdict = "not found" // another id of the request is not of the thing
)

// permission is who may do something with whose things.
type permission struct {
	owner    verdict // a full account, with its own
	paused   verdict // such an account that is paused, with its own
	parent   verdict // a full account, with those of its subaccount
	child    verdict // a subaccount, with those of the account above it
	sibling  verdict // a subaccount, with those of another one beside it
	stranger verdict // a full account, with those of another one
}

var (
	anybody       = permission{granted, granted, granted, granted, granted, granted}      // concerns the caller alone
	fullAccounts  = permission{granted, granted, granted, forbidden, forbidden, granted}  // the same, but for subaccounts
	itsOwner      = permission{granted, granted, absent, absent, absent, absent}          // whoever has the thing
	itsOwnerAwake = permission{granted, atRest, absent, absent, absent, absent}           // … and may have it captured
	itsFamily     = permission{granted, granted, granted, absent, absent, absent}         // is the account, or is above it
	accountAbove  = permission{granted, granted, granted, forbidden, forbidden, absent}   // is above the subaccount
	emptiesFirst  = permission{granted, granted, inUse, forbidden, forbidden, absent}     // … which must be empty
	hasBoth       = permission{granted, granted, unfitting, forbidden, forbidden, absent} // … and the token is its
	ofNoEffect    = permission{absent, absent, absent, absent, absent, absent}            // is not looked at
)

// The callers that nothing is granted to, and the outcome that they all meet with.
var shutOut = map[string]string{
	"no token":      "unauthenticated",
	"unknown token": "unauthenticated",
	"revoked token": "unauthenticated",
	"expired token": "unauthenticated",
	"cancelled":     "forbidden",
	"not activated": "activate account",
}

// probe is a row of the matrix: a request that holds at most one id in question. {group} stands for the caller's own
// group; <group> for the one in question, which may be somebody else's.
type probe struct {
	name, detail                 string // the operation, and where the id stands in it
	who                          permission
	absent                       string // the outcome for an id that nothing has
	method, target, body, accept string
	header                       http.Header // beside the token
	outcome                      func(recorded) string
}

func (p probe) String() string { return p.name + " " + p.detail }

var slot = regexp.MustCompile(`\{[a-z0-9]+\}|<[a-z0-9]+>`)

// fill puts ids in the places of a request.
func (p probe) fill(own, inQuestion func(kind string) string) probe {
	put := func(text string) string {
		return slot.ReplaceAllStringFunc(text, func(place string) string {
			kind := place[1 : len(place)-1]
			if place[0] == '<' {
				return inQuestion(kind)
			}
			return own(kind)
		})
	}
	p.target, p.body = put(p.target), put(p.body)
	return p
}

// kind is that of the id in question; empty without one.
func (p probe) kind() string {
	for _, place := range slot.FindAllString(p.target+p.body, -1) {
		if place[0] == '<' {
			return place[1 : len(place)-1]
		}
	}
	return ""
}

// cast are the callers of the matrix.
type cast struct {
	*world
	owner, paused, child, sibling, stranger *caller
	shutOut                                 map[string]string // their tokens
	unique                                  int
}

// column is a kind of caller with whose things it asks for.
type column struct {
	name    string
	caller  *caller
	of      *caller
	permits func(permission) verdict
}

func newCast(t *testing.T) *cast {
	t.Helper()
	c := newAccounts(t)
	c.reviewAndComment(c.owner, c.stranger, c.paused, c.child, c.sibling)
	for _, who := range []*caller{c.owner, c.stranger, c.paused, c.child, c.sibling} {
		c.furnishFlow(who)
		upload, err := c.use.Runs.BeginUpload(t.Context(), who.actor, run.UploadInput{GroupID: who.things["group"], Type: vcd.QueuePre})
		c.check(err)
		who.things["upload"] = string(upload.Batch)
		who.things["tag"] = "of " + who.name
		_, err = c.use.Inventory.TagURLs(t.Context(), who.actor, []string{who.things["url"]},
			inventory.TagChange{Add: []string{who.things["tag"]}})
		c.check(err)
	}
	c.addPeople(c.owner, c.stranger, c.paused, c.child, c.sibling)
	for _, who := range []*caller{c.owner, c.stranger, c.paused} {
		c.adopt(who, c.openBelow(who, "below-"+who.name))
	}
	c.adopt(c.child, c.child)
	c.shutOut = c.turnAway()
	return c
}

// newAccounts are the callers with what they have through REST.
func newAccounts(t *testing.T) *cast {
	t.Helper()
	c := &cast{world: newWorld(t)}
	c.owner, c.stranger, c.paused = c.open("owner"), c.open("stranger"), c.open("paused")
	c.child, c.sibling = c.openBelow(c.owner, "child"), c.openBelow(c.owner, "sibling")
	for _, who := range []*caller{c.owner, c.stranger, c.paused, c.child, c.sibling} {
		c.furnish(who)
	}
	c.writeMails(c.owner, c.stranger, c.paused, c.child, c.sibling)
	return c
}

// adopt lets the probes about subaccounts ask for this one.
func (c *cast) adopt(above, below *caller) {
	c.t.Helper()
	token, err := c.use.Accounts.CreateToken(c.t.Context(), below.actor, nil, account.TokenChange{Name: vcd.Some("below")})
	c.check(err)
	above.things["subaccount"], above.things["subtoken"] = string(below.account.ID), string(token.ID)
}

// reviewAndComment has each account review its comparison and comment on it, and take screenshots that it can delete.
func (c *cast) reviewAndComment(accounts ...*caller) {
	c.t.Helper()
	for _, who := range accounts {
		comparison := who.things["comparison"]
		actor, _, err := c.use.Accounts.Authenticate(c.t.Context(), who.token)
		c.check(err)
		verdict, err := c.use.Reviews.SetComparisonStatuses(c.t.Context(), actor, []string{comparison}, vcd.ComparisonToFix)
		c.check(err)
		comment, err := c.use.Reviews.AddComment(c.t.Context(), actor, vcd.ID(comparison), "A comment.")
		c.check(err)
		who.things["oldbatch"] = c.run(who, "pre", "again", 0) // that nothing is compared with
		c.addChange(who)
		who.things["review"], who.things["comment"] = string(*verdict.Review), string(comment.ID)
	}
}

// addChange has the caller's batch show a change.
func (c *cast) addChange(who *caller) {
	c.t.Helper()
	c.check(pgx.BeginFunc(c.t.Context(), c.store.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(c.t.Context(), "SELECT set_config('afterimage.account', $1, true)", string(who.account.ID)); err != nil {
			return err
		}
		_, err := tx.Exec(c.t.Context(), `INSERT INTO batch_changes (account_id, id, batch_id, fingerprint, kind, description, comparisons,
			desktop, all_good, not_sure, alerts, created_at) SELECT account_id, id, id, 'f00d', 'moved', 'A lamp moved', 1, 1, 0, 1, 0,
			created_at FROM batches WHERE id = $1`, who.things["batch"])
		return err
	}))
}

// turnAway makes the tokens that do not work.
func (c *cast) turnAway() map[string]string {
	c.t.Helper()
	ctx := c.t.Context()
	revoked, err := c.use.Accounts.CreateToken(ctx, c.owner.actor, nil, account.TokenChange{Name: vcd.Some("revoked")})
	c.check(err)
	_, err = c.use.Accounts.RevokeToken(ctx, c.owner.actor, nil, revoked.ID)
	c.check(err)
	expired, err := c.use.Accounts.CreateToken(ctx, c.owner.actor, nil, account.TokenChange{
		Name: vcd.Some("expired"), ExpiresAt: vcd.Some(c.clock.Now().Add(time.Minute)),
	})
	c.check(err)
	c.clock.Advance(time.Minute)
	cancelled := c.open("cancelled")
	_, err = c.use.Accounts.CancelAccount(ctx, cancelled.account.ID)
	c.check(err)
	_, invited, err := c.use.Accounts.CreateAccount(ctx, account.Input{Email: "invited@example.com", Invited: true})
	c.check(err)
	return map[string]string{
		"no token": "", "unknown token": unknownToken, "revoked token": revoked.Plain, "expired token": expired.Plain,
		"cancelled": cancelled.token, "not activated": invited.Plain,
	}
}

func (c *cast) columns() []column {
	return []column{
		{"owner", c.owner, c.owner, func(p permission) verdict { return p.owner }},
		{"paused", c.paused, c.paused, func(p permission) verdict { return p.paused }},
		{"parent", c.owner, c.child, func(p permission) verdict { return p.parent }},
		{"child", c.child, c.owner, func(p permission) verdict { return p.child }},
		{"sibling", c.sibling, c.child, func(p permission) verdict { return p.sibling }},
		{"stranger", c.stranger, c.owner, func(p permission) verdict { return p.stranger }},
	}
}

const unknownToken = "UnknownUnknownUnknownUnknownUnknownUnkno"

// nothing is an id, or a token, that nothing has.
func (c *cast) nothing(kind string) string {
	if kind == "link" {
		return unknownToken
	}
	return string(c.use.Config().IDs.NewID())
}

// of looks up what an account has.
func (c *cast) of(who *caller) func(kind string) string {
	return func(kind string) string {
		if kind == "unique" {
			c.unique++
			return fmt.Sprint("unique", c.unique)
		}
		if id, ok := who.things[kind]; ok {
			return id
		}
		return c.nothing(kind)
	}
}

// send asks as a caller.
func (c *cast) send(token string, p probe) recorded {
	c.t.Helper()
	return c.ask(token, p.method, p.target, p.body, p.accept)
}

// try goes through all probes: first what is refused, while everything is there, then what is granted, row by row.
func (c *cast) try(t *testing.T, probes []probe) {
	t.Helper()
	for _, p := range probes {
		c.tryShutOut(t, p)
	}
	for _, col := range c.columns() {
		before := c.fingerprint(col.of)
		for _, p := range probes {
			if col.permits(p.who) != granted {
				c.tryRefused(t, col, p)
			}
		}
		if col.caller != col.of && c.fingerprint(col.of) != before {
			t.Errorf("%s changed what it must not even see", col.name)
		}
	}
	for _, p := range probes {
		for _, col := range c.columns() {
			if col.permits(p.who) == granted {
				c.tryGranted(t, col, p)
			}
		}
	}
}

func (c *cast) tryShutOut(t *testing.T, p probe) {
	t.Helper()
	for name, want := range shutOut {
		answer := c.send(c.shutOut[name], p.fill(c.of(c.owner), c.of(c.owner)))
		if got := p.outcome(answer); got != want {
			t.Errorf("%s with %s: %s, want %s: %d %s", p, name, got, want, answer.status, answer.body)
		}
	}
}

func (c *cast) tryRefused(t *testing.T, col column, p probe) {
	t.Helper()
	want := string(col.permits(p.who))
	if want == string(absent) {
		want = p.absent
	}
	if col.name == "paused" {
		c.pause()
	}
	theirs := c.send(col.caller.token, p.fill(c.of(col.caller), c.of(col.of)))
	if got := p.outcome(theirs); got != want {
		t.Errorf("%s by %s: %s, want %s: %d %s", p, col.name, got, want, theirs.status, theirs.body)
	}
	c.findLeak(t, col, p, theirs)
	if p.kind() == "" || col.permits(p.who) != absent && col.permits(p.who) != forbidden {
		return
	}
	unknown, missing := c.sendUnknown(col, p)
	a, b := anonymous(theirs, col.of.things[p.kind()]), anonymous(unknown, missing)
	if p.who == ofNoEffect && p.absent != "not found" {
		a, b = anonymous(theirs, ""), anonymous(unknown, "")
	}
	if a != b {
		t.Errorf("%s by %s: another's id is told from one that nothing has:\n%s\n%s", p, col.name, a, b)
	}
}

// sendUnknown asks with an id that nothing has.
func (c *cast) sendUnknown(col column, p probe) (answer recorded, id string) {
	c.t.Helper()
	id = c.nothing(p.kind())
	return c.send(col.caller.token, p.fill(c.of(col.caller), func(string) string { return id })), id
}

func (c *cast) tryGranted(t *testing.T, col column, p probe) {
	t.Helper()
	if col.name == "paused" {
		c.pause()
	}
	unknown, missing := recorded{}, ""
	if p.kind() != "" {
		unknown, missing = c.sendUnknown(col, p)
		if got := p.outcome(unknown); got != p.absent {
			t.Errorf("%s by %s with an id that nothing has: %s, want %s: %d %s", p, col.name, got, p.absent, unknown.status, unknown.body)
		}
	}
	answer := c.send(col.caller.token, p.fill(c.of(col.caller), c.of(col.of)))
	if got := p.outcome(answer); got != "ok" {
		t.Errorf("%s by %s: %s, want ok: %d %s", p, col.name, got, answer.status, answer.body)
	}
	if p.kind() != "" && anonymous(answer, col.of.things[p.kind()]) == anonymous(unknown, missing) {
		t.Errorf("%s by %s: what it has is answered like what it has not: %s", p, col.name, answer.body)
	}
	c.findLeak(t, col, p, answer)
}

// pause pauses the paused account again after a row that has reactivated it.
func (c *cast) pause() {
	c.t.Helper()
	_, err := c.use.Accounts.PauseAccount(c.t.Context(), c.paused.account.ID)
	c.check(err)
}

// findLeak looks for ids of others in an answer, beside those that were asked for.
func (c *cast) findLeak(t *testing.T, col column, p probe, answer recorded) {
	t.Helper()
	asked := p.kind()
	for _, other := range []*caller{c.owner, c.paused, c.child, c.sibling, c.stranger} {
		if other == col.caller || col.permits(p.who) == granted && other == col.of {
			continue
		}
		for kind, id := range other.things {
			if strings.HasPrefix(kind, "collection") { // its client chose it, and others may choose the same
				continue
			}
			if id == col.of.things[asked] { // the caller asked for it
				continue
			}
			family := col.caller == c.owner && (kind == "account" || kind == "subaccount")
			if !family && kind != asked && id != string(col.caller.account.ID) && strings.Contains(answer.body, id) {
				t.Errorf("%s by %s shows the %s of %s: %s", p, col.name, kind, other.name, answer.body)
			}
		}
	}
}

var cursorInAnswer = regexp.MustCompile(`"((?:startC|endC|c)ursor)":"([A-Za-z0-9_-]+)"`)

// positionOf is a cursor without the fingerprint of its list, which tells the filters of two questions apart.
func positionOf(match string) string {
	parts := cursorInAnswer.FindStringSubmatch(match)
	cursor, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return match
	}
	return fmt.Sprintf("%q:%q", parts[1], cursor[:max(0, bytes.LastIndexByte(cursor, '.'))])
}

// anonymous is an answer in full without the id that was asked for, and without what its cursors tell of the question.
func anonymous(answer recorded, id string) string {
	var headers []string
	for name, values := range answer.header {
		headers = append(headers, fmt.Sprintf("%s: %q", name, values))
	}
	slices.Sort(headers)
	text := fmt.Sprintf("%d\n%s\n%s", answer.status, strings.Join(headers, "\n"), answer.body)
	text = cursorInAnswer.ReplaceAllStringFunc(text, positionOf)
	if id == "" {
		return text
	}
	return strings.ReplaceAll(text, id, "(id)")
}

// fingerprint is that of all rows of an account, in every table that has any.
func (c *cast) fingerprint(who *caller) string {
	c.t.Helper()
	var all strings.Builder
	err := pgx.BeginFunc(c.t.Context(), c.store.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(c.t.Context(), "SELECT set_config('afterimage.account', $1, true)", string(who.account.ID)); err != nil {
			return err
		}
		rows, err := tx.Query(c.t.Context(), `SELECT c.relname::text FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
			WHERE a.attname = 'account_id' AND c.relkind IN ('r', 'p') ORDER BY 1`)
		if err != nil {
			return err
		}
		tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for _, table := range tables {
			var sum string
			query := fmt.Sprintf("SELECT coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') FROM %s AS t", table)
			if err := tx.QueryRow(c.t.Context(), query).Scan(&sum); err != nil {
				return err
			}
			fmt.Fprintln(&all, table, sum)
		}
		return err
	})
	c.check(err)
	return all.String()
}

// restOutcome tells how a REST request ended.
func restOutcome(answer recorded) string {
	switch answer.status {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		return "ok"
	case http.StatusUnauthorized:
		return "unauthenticated"
	case http.StatusForbidden:
		if strings.Contains(answer.body, "ActivateAccount") {
			return "activate account"
		}
		return "forbidden"
	case http.StatusNotFound:
		return "not found"
	case http.StatusConflict:
		return "conflict"
	case http.StatusUnprocessableEntity:
		return "invalid"
	}
	return fmt.Sprint(answer.status)
}

// graphqlOutcome tells how a GraphQL request ended, also one that was answered by events.
func graphqlOutcome(answer recorded) string {
	body := answer.body
	if _, event, ok := strings.Cut(body, "data: "); ok {
		body, _, _ = strings.Cut(event, "\n")
	}
	var result struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	switch err := json.Unmarshal([]byte(body), &result); {
	case err != nil:
		return fmt.Sprint("no JSON: ", err)
	case len(result.Errors) == 0:
		return "ok"
	}
	return strings.ToLower(strings.ReplaceAll(result.Errors[0].Extensions.Code, "_", " "))
}
