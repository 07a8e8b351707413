package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// basketShop shows its basket to those who have signed in only.
type basketShop struct{ after atomic.Bool }

const basketPassword = "correct horse battery"

func (s *basketShop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, err := r.Cookie("session")
	switch {
	case r.URL.Path == "/sign-in" && r.FormValue("password") == basketPassword:
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1", Path: "/"})
		http.Redirect(w, r, "/basket", http.StatusSeeOther)
	case r.URL.Path == "/basket" && err == nil:
		total := "12 €"
		if s.after.Load() {
			total = "1,200 €"
		}
		// A page that repeats what was typed must not show it.
		fmt.Fprintf(w, `<!doctype html><link rel=icon href=data:,><title>Basket</title><h1>Your basket</h1><p>Total: %s
<p>Signed in with %s`, total, html.EscapeString(basketPassword))
	default:
		fmt.Fprint(w, `<!doctype html><link rel=icon href=data:,><title>Shop</title><h1>Welcome</h1><form method=post action=/sign-in>
<label>Password <input type=password name=password></label><button>Sign in</button></form>`)
	}
}

// flowRun is what GET /flow-runs/{id} answers.
type flowRun struct {
	Status string
	Steps  []struct {
		Does, Status string
		Error        *string
		Value        *string
		Checkpoint   *struct {
			Screenshot *struct{ Link string }
			Comparison *struct {
				ID                string
				DifferencePercent float64 `json:"difference_percent"`
			}
			Baseline bool
		}
	}
}

// TestAFlowOfAWebsite signs in to a shop before and after its release: the checkpoint behind the form is compared, a step that cannot be
// done is named, and the password is told nowhere.
func TestAFlowOfAWebsite(t *testing.T) {
	t.Parallel()
	shop := &basketShop{}
	host := pages(t, shop)
	s := lodge(t)
	group, website := s.website(host)
	flow := must[data[struct{ ID string }]](s, http.MethodPost, "/flows", map[string]any{
		"website_id": website, "name": "Basket", "url": "http://" + host + "/", "steps": []map[string]any{
			{"type": "fill", "selector": "label=Password", "value": basketPassword, "sensitive": true},
			{"type": "click", "selector": `role=button[name="Sign in"]`},
			{"type": "assert", "assertion": map[string]any{"kind": "address", "operator": "equals", "expected": "/basket"}},
			{"type": "checkpoint", "label": "Basket"},
		}}).Data.ID
	s.runFlow(group, "pre", flow)
	shop.after.Store(true)
	after := s.runFlow(group, "post", flow)
	compared := after.Steps[3].Checkpoint
	if after.Status != "done" || compared == nil || compared.Comparison == nil || compared.Baseline {
		t.Fatalf("the flow after the release is %+v", after)
	}
	c := must[data[struct {
		FlowName            string  `json:"flow_name"`
		FlowCheckpointLabel string  `json:"flow_checkpoint_label"`
		DifferencePercent   float64 `json:"difference_percent"`
	}]](s, http.MethodGet, "/comparisons/"+compared.Comparison.ID, nil).Data
	if c.FlowName != "Basket" || c.FlowCheckpointLabel != "Basket" || c.DifferencePercent == 0 {
		t.Errorf("the comparison is %+v", c)
	}
	content := string(must[json.RawMessage](s, http.MethodGet, "/comparisons/"+compared.Comparison.ID, nil)) +
		string(query[json.RawMessage](s, `query($id: ID!) { comparison(id: $id) { findings { description } } }`,
			map[string]any{"id": compared.Comparison.ID})) +
		string(must[json.RawMessage](s, http.MethodGet, "/flows/"+flow, nil))
	if strings.Contains(content, basketPassword) || !strings.Contains(content, "1,200") {
		t.Errorf("what is told of it: %s", content)
	}

	must[data[struct{ ID string }]](s, http.MethodPut, "/flows/"+flow, map[string]any{"steps": []map[string]any{
		{"type": "click", "selector": `role=button[name="Buy"]`}, {"type": "checkpoint", "label": "Basket"},
	}})
	s.tryBasket(host, website, flow)
	broken := s.runFlow(group, "pre", flow)
	if step := broken.Steps[0]; broken.Status != "failed" || step.Error == nil || !strings.Contains(*step.Error, "nearest: “Sign in”") {
		t.Errorf("the flow that cannot be done is %+v", broken)
	}
}

// website makes a website of a host with its two groups.
func (s *service) website(host string) (manual, id string) {
	s.t.Helper()
	manual = must[data[struct{ ID string }]](s, http.MethodPost, "/groups", map[string]any{"name": "manual"}).Data.ID
	auto := must[data[struct{ ID string }]](s, http.MethodPost, "/groups", map[string]any{"name": "auto", "monitoring": true}).Data.ID
	made := must[data[struct{ ID string }]](s, http.MethodPost, "/websites", map[string]any{
		"domain": host, "manual_detection_group_id": manual, "auto_detection_group_id": auto,
	})
	return manual, made.Data.ID
}

// runFlow runs a group and returns what became of the flow.
func (s *service) runFlow(group, kind, flow string) flowRun {
	s.t.Helper()
	s.await(s.take(group, kind))
	last := must[page[struct{ ID string }]](s, http.MethodGet, "/flows/"+flow+"/runs", nil).Data[0]
	return must[data[flowRun]](s, http.MethodGet, "/flow-runs/"+last.ID, nil).Data
}

// tryBasket tries flows that are not saved: a new one, and the flow as it was changed.
func (s *service) tryBasket(host, website, flow string) {
	s.t.Helper()
	signIn := []map[string]any{
		{"type": "FILL", "selector": "label=Password", "value": basketPassword, "sensitive": true},
		{"type": "CLICK", "selector": `role=button[name="Sign in"]`, "changes": true},
		{"type": "WAIT", "value": "/basket"},
		{"type": "CLICK", "selector": `role=button[name="Buy"]`},
	}
	input := map[string]any{"websiteId": website, "url": "http://" + host + "/", "steps": signIn, "allowChanges": true, "lastStep": 3}
	var passed flowTrial
	if err := json.Unmarshal(s.tryFlow(input, "DONE"), &passed); err != nil {
		s.t.Fatal(err)
	}
	if len(passed.Steps) != 3 || passed.Steps[2].Status != "PASSED" {
		s.t.Fatalf("the trial up to a step is %+v", passed)
	}
	links := []*string{passed.PictureLink}
	for _, step := range passed.Steps {
		links = append(links, step.PictureLink, step.PreviewLink)
	}
	for _, link := range links {
		if link == nil {
			s.t.Fatalf("a picture of the trial is missing: %+v", passed)
		}
		if a, err := http.Get(*link); err != nil || a.StatusCode != http.StatusOK || a.Body.Close() != nil {
			s.t.Errorf("%s: %v, %v", *link, a, err)
		}
	}
	var stuck flowTrial
	if err := json.Unmarshal(s.tryFlow(map[string]any{"flowId": flow}, "FAILED"), &stuck); err != nil {
		s.t.Fatal(err)
	}
	if step := stuck.Steps[0]; step.Error == nil || !strings.Contains(*step.Error, "nearest: “Sign in”") || step.PictureLink == nil ||
		stuck.PictureLink == nil {
		s.t.Errorf("the trial that cannot be done is %+v", stuck)
	}
}

// flowTrial is what GraphQL answers of a trial.
type flowTrial struct {
	ID, Status  string
	PictureLink *string
	Steps       []struct {
		Status                   string
		Error                    *string
		PictureLink, PreviewLink *string
	}
}

// tryFlow tries a flow, waits for the end, and returns what is told of it.
func (s *service) tryFlow(input map[string]any, want string) json.RawMessage {
	s.t.Helper()
	begun := query[struct{ TryFlow struct{ Trial flowTrial } }](s,
		`mutation($input: TryFlowInput!) { tryFlow(input: $input) { trial { id status } } }`, map[string]any{"input": input})
	var told struct{ FlowTrial json.RawMessage }
	var trial flowTrial
	waitFor(s.t, "the end of the trial", func() bool {
		told = query[struct{ FlowTrial json.RawMessage }](s, `query($id: ID!) { flowTrial(id: $id) { id status errorMsg failure pictureLink
			previewLink steps { number type label does status durationMs error actual pictureLink previewLink } } }`,
			map[string]any{"id": begun.TryFlow.Trial.ID})
		if err := json.Unmarshal(told.FlowTrial, &trial); err != nil {
			s.t.Fatal(err)
		}
		return trial.Status == "DONE" || trial.Status == "FAILED"
	})
	if trial.Status != want {
		s.t.Fatalf("the trial is %s, want %s: %s", trial.Status, want, told.FlowTrial)
	}
	return told.FlowTrial
}
