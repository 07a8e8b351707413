package inventory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"afterimage/internal/flow"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// signIn are the steps of a flow that signs in.
func signIn() []inventory.FlowStepChange {
	return []inventory.FlowStepChange{
		{Type: "fill", Selector: vcd.Some("label=E-mail"), Value: vcd.Some("reader@example.com")},
		{Type: "fill", Selector: vcd.Some("label=Password"), Value: vcd.Some("correct horse"), Sensitive: vcd.Some(true)},
		{Type: "click", Selector: vcd.Some(`role=button[name="Sign in"]`)},
		{Type: "checkpoint", Label: vcd.Some("Signed in")},
		{Type: "assert", Selector: vcd.Some("#basket"),
			Assertion: vcd.Some(inventory.FlowAssertionChange{Kind: "text", Operator: "contains", Expected: "0 items"})},
		{Type: "checkpoint", Label: vcd.Some("Basket")},
	}
}

func (w *world) flow(site *vcd.Website, change inventory.FlowChange) *vcd.Flow {
	w.T.Helper()
	change.WebsiteID = vcd.Some(string(site.ID))
	if !change.Name.Set {
		change.Name = vcd.Some("Checkout")
	}
	if !change.URL.Set {
		change.URL = vcd.Some("https://shop.example.com/")
	}
	if !change.Steps.Set {
		change.Steps = vcd.Some(signIn())
	}
	f, err := w.Service.Inventory.CreateFlow(w.T.Context(), w.Actor, change)
	must(w.T, err)
	return f
}

// selected lists what a group has, as address and devices.
func (w *world) selected(g *vcd.Group) (lines []string) {
	w.T.Helper()
	list, err := w.Service.Inventory.Selections(w.T.Context(), w.Actor, vcd.SelectionFilter{GroupID: g.ID}, vcd.Page{Size: 100})
	must(w.T, err)
	for _, sel := range list.Items {
		line := vcd.PageName(sel.URL.Address)
		for _, d := range sel.Devices() {
			line += " " + string(d)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCheckpointsOfAFlowArePagesOfItsGroups(t *testing.T) {
	w := newWorld(t)
	site, manual, auto := w.Pair("shop.example.com")
	f := w.flow(site, inventory.FlowChange{Devices: vcd.Some([]vcd.Device{vcd.Desktop, vcd.Mobile})})
	wantLines(t, w.selected(manual), "Checkout › Basket desktop mobile", "Checkout › Signed in desktop mobile")
	wantLines(t, w.selected(auto))

	update := func(change inventory.FlowChange) {
		t.Helper()
		var err error
		f, err = w.Service.Inventory.UpdateFlow(t.Context(), w.Actor, f.ID, change)
		must(t, err)
	}
	update(inventory.FlowChange{Monitoring: vcd.Some(true), Manual: vcd.Some(false), Name: vcd.Some("Buy"),
		Devices: vcd.Some([]vcd.Device{vcd.Mobile})})
	wantLines(t, w.selected(manual))
	wantLines(t, w.selected(auto), "Buy › Basket mobile", "Buy › Signed in mobile")

	// A checkpoint that is renamed keeps its history, and what is not sent of a step stays.
	before := w.urlOf(auto, "Buy › Basket")
	steps := []inventory.FlowStepChange{
		{ID: vcd.Some(string(f.StepIDs[1])), Type: "fill", Sensitive: vcd.Some(true)},
		{ID: vcd.Some(string(f.StepIDs[5])), Type: "checkpoint", Label: vcd.Some("Empty basket")},
	}
	password := f.StepIDs[1]
	update(inventory.FlowChange{Steps: vcd.Some(steps)})
	wantLines(t, w.selected(auto), "Buy › Empty basket mobile")
	if after := w.urlOf(auto, "Buy › Empty basket"); after != before {
		t.Error("the checkpoint that was renamed has become another page")
	}
	if f.StepIDs[0] != password || f.Definition.Steps[0].Element.Selector() != "label=Password" {
		t.Errorf("the step is %+v now", f.Definition.Steps[0])
	}

	_, err := w.Service.Inventory.DeleteFlow(t.Context(), w.Actor, f.ID)
	must(t, err)
	wantLines(t, w.selected(auto))
	if _, err := w.Service.Inventory.Flow(t.Context(), w.Actor, f.ID); vcd.CodeOf(err) != vcd.CodeNotFound {
		t.Errorf("a deleted flow is read: %v", err)
	}
}

// urlOf is the page of that name in a group.
func (w *world) urlOf(g *vcd.Group, name string) vcd.ID {
	w.T.Helper()
	list, err := w.Service.Inventory.Selections(w.T.Context(), w.Actor, vcd.SelectionFilter{GroupID: g.ID}, vcd.Page{Size: 100})
	must(w.T, err)
	for _, sel := range list.Items {
		if vcd.PageName(sel.URL.Address) == name {
			return sel.URLID
		}
	}
	w.T.Fatalf("the group has no page %q", name)
	return ""
}

// What a flow types stands nowhere but in its sealed column, and opens with the flow.
func TestSecretsOfFlowsAreSealed(t *testing.T) {
	w := newWorld(t)
	site, _, _ := w.Pair("shop.example.com")
	f := w.flow(site, inventory.FlowChange{})
	secrets, err := f.Secrets(w.Service.Config().Sealer)
	must(t, err)
	if name := f.Definition.Steps[1].Secret; name != "password" || secrets[name] != "correct horse" || f.Definition.Steps[1].Value != "" {
		t.Errorf("the step %+v types %q", f.Definition.Steps[1], secrets[name])
	}
	row := vcdtest.Value[string](w.World, "SELECT (to_jsonb(f) - 'sealed_secrets')::text FROM flows AS f WHERE id = $1", f.ID)
	if strings.Contains(row, "correct") {
		t.Error("the password is stored as it is")
	}
	// The password of a step that is gone goes with it.
	f, err = w.Service.Inventory.UpdateFlow(t.Context(), w.Actor, f.ID, inventory.FlowChange{Steps: vcd.Some(signIn()[3:4])})
	must(t, err)
	if f.SealedSecrets != nil {
		t.Error("the secrets of steps that are gone are kept")
	}
}

func TestFlowsFollowTheirWebsite(t *testing.T) {
	w := newWorld(t)
	site, manual, _ := w.Pair("shop.example.com")
	f := w.flow(site, inventory.FlowChange{})
	other, _ := w.Group("another", 0, inventory.GroupChange{})
	_, err := w.Service.Inventory.UpdateWebsite(t.Context(), w.Actor, site.ID, inventory.WebsiteChange{
		ManualGroupID: vcd.Some(string(other.ID))})
	must(t, err)
	wantLines(t, w.selected(other), "Checkout › Basket desktop", "Checkout › Signed in desktop")
	wantLines(t, w.selected(manual), "Checkout › Basket desktop", "Checkout › Signed in desktop") // as other pages, it keeps them
	_, err = w.Service.Inventory.DeleteWebsite(t.Context(), w.Actor, site.ID)
	must(t, err)
	wantLines(t, w.selected(other))
	if _, err := w.Service.Inventory.Flow(t.Context(), w.Actor, f.ID); vcd.CodeOf(err) != vcd.CodeNotFound {
		t.Errorf("the flow of a deleted website is read: %v", err)
	}
}

// A checkpoint is changed and deleted with its flow only.
func TestCheckpointsBelongToTheirFlow(t *testing.T) {
	w := newWorld(t)
	site, manual, _ := w.Pair("shop.example.com")
	w.flow(site, inventory.FlowChange{})
	id := w.urlOf(manual, "Checkout › Basket")
	_, err := w.Service.Inventory.UpdateURL(t.Context(), w.Actor, id, inventory.URLChange{URL: vcd.Some("shop.example.com/basket")})
	vcdtest.WantField(t, err, "url", "checkpoint")
	wantCode(t, w.Service.Inventory.DeleteURL(t.Context(), w.Actor, id), vcd.CodeConflict)
	if w.urlOf(manual, "Checkout › Basket") != id {
		t.Error("the checkpoint is another page")
	}
}

func TestFlowsThatCannotBe(t *testing.T) {
	w := newWorld(t)
	site, _, _ := w.Pair("shop.example.com")
	w.flow(site, inventory.FlowChange{})
	with := func(steps ...inventory.FlowStepChange) vcd.Optional[[]inventory.FlowStepChange] {
		return vcd.Some(append(steps, inventory.FlowStepChange{Type: "checkpoint", Label: vcd.Some("End")}))
	}
	begun := func(kind, selector string, change func(*inventory.FlowStepChange)) inventory.FlowChange {
		step := inventory.FlowStepChange{Type: kind, Selector: vcd.Some(selector)}
		if change != nil {
			change(&step)
		}
		return inventory.FlowChange{Steps: with(step)}
	}
	secret := func(s *inventory.FlowStepChange) { s.Sensitive = vcd.Some(true) }
	changing := func(s *inventory.FlowStepChange) { s.Changes = vcd.Some(true) }
	short := func(s *inventory.FlowStepChange) { s.Sensitive, s.Value = vcd.Some(true), vcd.Some("abc") }
	seed := func(s *inventory.FlowStepChange) { s.Sensitive, s.Value = vcd.Some(true), vcd.Some("totp:0189") }
	for name, c := range map[string]struct {
		change      inventory.FlowChange
		field, rule string
	}{
		"no name":           {inventory.FlowChange{Name: vcd.Some("")}, "name", "required"},
		"a name twice":      {inventory.FlowChange{Name: vcd.Some("Checkout")}, "name", "unique"},
		"no address":        {inventory.FlowChange{URL: vcd.Some("javascript://x")}, "url", "url"},
		"a password in it":  {inventory.FlowChange{URL: vcd.Some("https://a:b@shop.example.com")}, "url", "url"},
		"no checkpoint":     {inventory.FlowChange{Steps: vcd.Some(signIn()[:2])}, "steps", "checkpoint"},
		"an unknown type":   {begun("dance", "a", nil), "steps.0.type", "in"},
		"nothing to assert": {begun("assert", "a", nil), "steps", "flow"},
		"nothing to click":  {begun("click", "", nil), "steps.0.selector", "required"},
		"nothing to hide":   {begun("hide", "", nil), "steps.0.selector", "required"},
		"nothing to await":  {begun("wait", "", nil), "steps", "flow"},
		"an unknown look": {begun("assert", "a", func(s *inventory.FlowStepChange) {
			s.Assertion = vcd.Some(inventory.FlowAssertionChange{Kind: "colour", Operator: "equals", Expected: "red"})
		}), "steps", "flow"},
		"a bad selector":    {begun("click", "role=A B", nil), "steps.0.selector", "selector"},
		"a secret click":    {begun("click", "a", secret), "steps.0.sensitive", "sensitive"},
		"a changing look":   {begun("wait", "a", changing), "steps.0.changes", "changes"},
		"no secret":         {begun("fill", "a", secret), "steps.0.value", "required"},
		"a short secret":    {begun("fill", "a", short), "secrets", "secret"},
		"a bad seed":        {begun("fill", "a", seed), "secrets", "secret"},
		"a misspelt name":   {inventory.FlowChange{Secrets: vcd.Some(map[string]string{"pasword": "correct horse"})}, "secrets", "in"},
		"another device":    {inventory.FlowChange{Devices: vcd.Some([]vcd.Device{"watch"})}, "devices.0", "in"},
		"no file of a flow": {inventory.FlowChange{Definition: vcd.Some("name: x")}, "definition", "flow"},
		"an alias":          {inventory.FlowChange{Definition: vcd.Some("a: &a [x]\nb: *a")}, "definition", "flow"},
	} {
		c.change.WebsiteID = vcd.Some(string(site.ID))
		if !c.change.Name.Set {
			c.change.Name = vcd.Some("Another")
		}
		if !c.change.URL.Set {
			c.change.URL = vcd.Some("https://shop.example.com/")
		}
		if !c.change.Steps.Set {
			c.change.Steps = vcd.Some(signIn())
		}
		t.Run(name, func(t *testing.T) {
			_, err := w.Service.Inventory.CreateFlow(t.Context(), w.Actor, c.change)
			vcdtest.WantField(t, err, c.field, c.rule)
		})
	}
	list, err := w.Service.Inventory.Flows(t.Context(), w.Actor, vcd.FlowFilter{}, vcd.Page{Size: 10})
	must(t, err)
	if len(list.Items) != 1 {
		t.Errorf("%d flows are there, want the first only", len(list.Items))
	}
}

// Whatever steps are sent, a flow that is taken can be read again.
func TestTakenFlowsAreRead(t *testing.T) {
	w := newWorld(t)
	site, _, _ := w.Pair("shop.example.com")
	texts := []string{"", " ", "a", "top", "true", "/a", "Enter", "https://example.com/", "#a: b", "- x", "“q” \"r\"", "\u00a0", "\n"}
	luck := rand.New(rand.NewPCG(1, 2))
	one := func() vcd.Optional[string] {
		if luck.IntN(4) == 0 {
			return vcd.Optional[string]{}
		}
		return vcd.Some(texts[luck.IntN(len(texts))])
	}
	taken, types := 0, []string{vcd.StepWaitForLoad}
	for _, kind := range flow.Kinds {
		types = append(types, string(kind))
	}
	for i := range 400 {
		step := inventory.FlowStepChange{Type: types[luck.IntN(len(types))], Label: one(), Selector: one(), Value: one()}
		if luck.IntN(3) == 0 {
			step.Assertion = vcd.Some(inventory.FlowAssertionChange{
				Kind:     []string{"text", "url", "count", "visible", "value"}[luck.IntN(5)],
				Operator: []string{"", "equals", "contains", "at_least"}[luck.IntN(4)],
				Expected: texts[luck.IntN(len(texts))]})
		}
		f, err := w.Service.Inventory.CreateFlow(t.Context(), w.Actor, inventory.FlowChange{
			WebsiteID: vcd.Some(string(site.ID)), Name: vcd.Some(fmt.Sprint("flow ", i)), URL: vcd.Some("shop.example.com"),
			Steps: vcd.Some([]inventory.FlowStepChange{step, {Type: "checkpoint", Label: vcd.Some("End")}})})
		if vcd.CodeOf(err) == vcd.CodeInvalid {
			continue
		}
		must(t, err)
		taken++
		_, err = w.Service.Inventory.Flow(t.Context(), w.Actor, f.ID)
		must(t, err)
		_, err = w.Service.Inventory.DeleteFlow(t.Context(), w.Actor, f.ID)
		must(t, err)
	}
	if taken < 50 {
		t.Errorf("only %d flows were taken", taken)
	}
}

// A group may have a sign-in flow of its website, which is not deleted as long as it has.
func TestASignInFlowOfAGroup(t *testing.T) {
	w := newWorld(t)
	site, manual, _ := w.Pair("shop.example.com")
	_, other, _ := w.Pair("blog.example.com")
	f := w.signInFlow(site)
	set := func(group vcd.ID, flow vcd.Optional[string]) error {
		_, err := w.Service.Inventory.UpdateGroup(t.Context(), w.Actor, group, inventory.GroupChange{SignInFlowID: flow})
		return err
	}
	vcdtest.WantField(t, set(other.ID, vcd.Some(string(f.ID))), "signInFlowId", "exists")
	vcdtest.WantField(t, set(manual.ID, vcd.Some("flow")), "signInFlowId", "uuid")
	vcdtest.WantField(t, set(manual.ID, vcd.Some(string(manual.ID))), "signInFlowId", "exists")
	stranger := &world{w.World}
	own := w.Actor
	stranger.Actor = vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	theirs, _, _ := stranger.Pair("shop.example.com")
	foreign := stranger.signInFlow(theirs)
	w.Actor = own
	vcdtest.WantField(t, set(manual.ID, vcd.Some(string(foreign.ID))), "signInFlowId", "exists")

	must(t, set(manual.ID, vcd.Some(string(f.ID))))
	_, err := w.Service.Inventory.DeleteFlow(t.Context(), w.Actor, f.ID)
	if wantCode(t, err, vcd.CodeConflict); !strings.Contains(err.Error(), "“manual of shop.example.com”") {
		t.Errorf("deleting it: %v", err)
	}
	must(t, set(manual.ID, vcd.Optional[string]{Set: true}))
	_, err = w.Service.Inventory.DeleteFlow(t.Context(), w.Actor, f.ID)
	must(t, err)

	f = w.signInFlow(site)
	must(t, set(manual.ID, vcd.Some(string(f.ID))))
	_, err = w.Service.Inventory.DeleteWebsite(t.Context(), w.Actor, site.ID)
	must(t, err)
	if g, err := w.Service.Inventory.Group(t.Context(), w.Actor, manual.ID); err != nil || g.SignInFlowID != nil {
		t.Errorf("without its website the group has the sign-in flow %v, %v", g.SignInFlowID, err)
	}
}

func (w *world) signInFlow(site *vcd.Website) *vcd.Flow {
	w.T.Helper()
	f, err := w.Service.Inventory.CreateFlow(w.T.Context(), w.Actor, inventory.FlowChange{
		WebsiteID: vcd.Some(string(site.ID)), Name: vcd.Some("Sign in"), URL: vcd.Some("shop.example.com"),
		Steps: vcd.Some([]inventory.FlowStepChange{{Type: "checkpoint", Label: vcd.Some("Signed in")}})})
	must(w.T, err)
	return f
}
