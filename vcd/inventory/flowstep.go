package inventory

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"afterimage/internal/flow"
	"afterimage/vcd"
)

// FlowStepChange is a step as a client sends it. A step with the id of an existing one keeps the fields that are not sent.
type FlowStepChange struct {
	ID        vcd.Optional[string]
	Type      string
	Label     vcd.Optional[string]
	Selector  vcd.Optional[string] // as flow.Element.Selector writes it
	Value     vcd.Optional[string]
	Sensitive vcd.Optional[bool] // the value of a fill step is sealed and shown nowhere
	Changes   vcd.Optional[bool] // something that lasts: the flow is not repeated unasked
	Assertion vcd.Optional[FlowAssertionChange]
}

// FlowAssertionChange is what must hold.
type FlowAssertionChange struct{ Kind, Operator, Expected string }

const maxSecretName = 40

// looked are further names of what assertions look at.
var looked = map[string]flow.Looked{"url": flow.LookAddress, "visibility": flow.LookVisible}

// flowSteps are the steps of a flow that is being changed.
type flowSteps struct {
	v       *vcd.Validation
	old     map[vcd.ID]*flow.Step
	secrets vcd.FlowSecrets // of the flow so far; becomes that of its new steps
	ids     vcd.IDs

	steps   []flow.Step
	stepIDs []vcd.ID
	kept    vcd.FlowSecrets
	used    map[vcd.ID]bool
}

func newFlowSteps(v *vcd.Validation, ids vcd.IDs, f *vcd.Flow, secrets vcd.FlowSecrets) *flowSteps {
	s := &flowSteps{
		v: v, ids: ids, secrets: secrets, old: map[vcd.ID]*flow.Step{}, kept: vcd.FlowSecrets{}, used: map[vcd.ID]bool{},
	}
	for i, id := range f.StepIDs {
		s.old[id] = &f.Definition.Steps[i]
	}
	return s
}

// needsElement are the kinds of steps that cannot be done without an element.
var needsElement = map[flow.Kind]bool{
	flow.Click: true, flow.Fill: true, flow.Select: true, flow.Check: true, flow.Hover: true, flow.Hide: true,
}

// add adds the step at a position.
func (s *flowSteps) add(i int, in FlowStepChange) {
	at := func(field string) string { return vcd.Indexed("steps", i, field) }
	problems := len(s.v.Problems())
	id, step := s.base(in)
	if !s.kind(&step, in.Type) {
		s.v.Add(at("type"), "in", "The selected {field} is invalid.")
		return
	}
	vcd.Assign(&step.Label, in.Label)
	step.Label = strings.TrimSpace(step.Label)
	if selector := in.Selector.Value; in.Selector.Set && (selector == nil || *selector != vcd.StepSelector(&step)) {
		s.find(&step, at("selector"), selector)
	}
	if needsElement[step.Kind] && len(s.v.Problems()) == problems {
		s.v.Check(len(step.Element)+len(step.Selectors) > 0, at("selector"), "required", "The {field} field is required.")
	}
	if in.Sensitive.Set && in.Sensitive.Value != nil {
		s.guard(&step, *in.Sensitive.Value, at("sensitive"))
	}
	vcd.Assign(&step.Changes, in.Changes)
	s.v.Check(!step.Changes || step.Kind.Acts(), at("changes"), "changes",
		"The {field} field can be true only for steps that do something to the page.")
	s.value(&step, in.Value, at("value"))
	if a := in.Assertion.Value; a != nil {
		step.Assertion = assertionOf(*a)
	}
	if step.Kind == flow.Scroll && step.Element == nil && step.Value == "" {
		step.Value = "bottom"
	}
	s.steps, s.stepIDs = append(s.steps, step), append(s.stepIDs, id)
}

// base is the step that a change is based on, with its id.
func (s *flowSteps) base(in FlowStepChange) (vcd.ID, flow.Step) {
	if in.ID.Value != nil {
		if id, ok := vcd.ParseID(*in.ID.Value); ok && !s.used[id] {
			if old := s.old[id]; old != nil {
				s.used[id] = true
				if vcd.StepType(old) == in.Type {
					return id, *old
				}
				return id, flow.Step{Label: old.Label}
			}
		}
	}
	if id, step := s.named(in); step != nil {
		return id, *step
	}
	return s.ids.NewID(), flow.Step{}
}

// named is the checkpoint of the flow that has the name of a new one: it is the same.
func (s *flowSteps) named(in FlowStepChange) (vcd.ID, *flow.Step) {
	for id, old := range s.old {
		if in.Label.Value != nil && in.Type == string(flow.Checkpoint) && old.Kind == flow.Checkpoint && !s.used[id] &&
			strings.EqualFold(old.Label, *in.Label.Value) {
			s.used[id] = true
			return id, &flow.Step{}
		}
	}
	return "", nil
}

// kind gives a step its type, unless it has it already.
func (s *flowSteps) kind(step *flow.Step, kind string) bool {
	if kind == vcd.StepWaitForLoad {
		step.Kind, step.For = flow.Wait, flow.AwaitQuiet
		return true
	}
	for _, known := range flow.Kinds {
		if string(known) == kind {
			step.Kind = known
			return true
		}
	}
	return false
}

// find reads by what the elements of a step are found.
func (s *flowSteps) find(step *flow.Step, path string, selector *string) {
	step.Element, step.Selectors = nil, nil
	switch {
	case selector == nil || strings.TrimSpace(*selector) == "":
	case step.Kind == flow.Hide:
		step.Selectors = []string{strings.TrimSpace(*selector)}
	default:
		element, err := flow.ParseSelector(*selector)
		if err != nil {
			s.v.Add(path, "selector", fmt.Sprintf("The {field} field %v.", err))
		}
		step.Element = element
		if step.Kind == flow.Wait {
			step.For = flow.AwaitElement
		}
	}
}

// guard makes the value of a step a secret, or no secret any more.
func (s *flowSteps) guard(step *flow.Step, sensitive bool, path string) {
	switch {
	case !sensitive:
		step.Secret = ""
	case step.Kind != flow.Fill:
		s.v.Add(path, "sensitive", "The {field} field can be true for fill steps only.")
	case step.Secret == "":
		step.Secret = s.secretName(step)
	}
}

// notInNames is what names of secrets do not have.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// secretName names a secret after its field, as people are told of it: password, card-number-2.
func (s *flowSteps) secretName(step *flow.Step) string {
	words := step.Label
	if words == "" && len(step.Element) > 0 {
		l := step.Element[0]
		words = cmp.Or(l.Label, l.Name, l.Placeholder, l.TestID)
	}
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(words), "-"), "-")
	if name == "" || len(name) > maxSecretName || name[0] < 'a' {
		name = "secret"
	}
	for n, base := 2, name; s.secrets[name] != "" || s.kept[name] != ""; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	return name
}

// value gives a step its text; a sensitive one keeps what it has until another one is sent.
func (s *flowSteps) value(step *flow.Step, given vcd.Optional[string], path string) {
	if step.Secret != "" {
		secret, known := s.secrets[step.Secret]
		if given.Value != nil && *given.Value != "" {
			secret, known = *given.Value, true
		}
		s.v.Check(known, path, "required", "The {field} field is required: a sensitive step needs a value.")
		s.kept[step.Secret], step.Value = secret, ""
		return
	}
	if !given.Set {
		return
	}
	text := ""
	if given.Value != nil {
		text = *given.Value
	}
	if step.Kind == flow.Check {
		step.Off = text == "false" || text == "0"
		return
	}
	step.Value = text
	if step.Kind == flow.Wait && step.Element == nil && step.For != flow.AwaitQuiet {
		step.For = flow.AwaitText
		if strings.HasPrefix(text, "/") || strings.Contains(text, "://") {
			step.For = flow.AwaitAddress
		}
	}
}

func assertionOf(in FlowAssertionChange) flow.Assertion {
	a := flow.Assertion{Look: flow.Looked(in.Kind), Operator: flow.Operator(in.Operator), Expected: in.Expected}
	if known, ok := looked[in.Kind]; ok {
		a.Look = known
	}
	if a.Operator == "" {
		a.Operator = flow.Equals
	}
	return a
}
