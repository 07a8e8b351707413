package imports

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"afterimage/internal/flow"
)

// titled is the line with which a test begins.
var titled = regexp.MustCompile(`^test\(\s*['"]([^'"]+)['"]`)

// playwright takes over a script line by line, as codegen writes it: one statement in each.
func (b *builder) playwright(text string) {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if found := titled.FindStringSubmatch(line); len(found) == 2 && found[1] != "test" {
			b.flow.Name = cut(found[1])
		}
		statement, awaited := strings.CutPrefix(line, "await ")
		statement = strings.TrimSpace(statement)
		if !strings.HasPrefix(statement, "page.") && !strings.HasPrefix(statement, "expect(") {
			if awaited || strings.HasPrefix(line, "const page") {
				b.leave(i+1, "%s: only statements that begin with page. or expect( can be converted", shown(line))
			}
			continue
		}
		step, err := b.statement(i+1, statement)
		switch {
		case err != nil:
			b.leave(i+1, "%s: %s", shown(line), err)
		case step.Kind != "":
			b.add(step)
		}
	}
}

func shown(line string) string {
	if len(line) > 80 {
		return strings.ToValidUTF8(line[:80], "") + "…"
	}
	return line
}

// statement reads one statement. A step without a kind was taken over otherwise.
func (b *builder) statement(line int, text string) (flow.Step, error) {
	chain, err := parse(text)
	if err != nil {
		return flow.Step{}, err
	}
	if chain[0].name == "expect" {
		step, err := expectation(chain)
		step.Line = line
		return step, err
	}
	last := chain[len(chain)-1]
	if len(chain) == 2 && last.name == "goto" {
		address, err := textArgument(last)
		if err == nil {
			b.begin(line, address)
		}
		return flow.Step{}, err
	}
	if len(chain) == 2 && (last.name == "waitForLoadState" || last.name == "close") {
		return flow.Step{}, nil // a flow waits by itself
	}
	if len(chain) == 2 && last.name == "waitForURL" {
		address, err := textArgument(last)
		return flow.Step{Kind: flow.Wait, Line: line, For: flow.AwaitAddress, Value: strings.ReplaceAll(address, "**", "*")}, err
	}
	step, err := action(last)
	step.Line = line
	if err == nil {
		step.Element, err = locator(chain[1 : len(chain)-1])
	}
	return step, err
}

// action reads what is done with an element.
func action(last call) (flow.Step, error) {
	switch last.name {
	case "click", "check", "hover":
		if len(last.args) > 0 {
			return flow.Step{}, fmt.Errorf("options of %s are not supported", last.name)
		}
		return flow.Step{Kind: flow.Kind(last.name)}, nil
	case "uncheck":
		return flow.Step{Kind: flow.Check, Off: true}, nil
	case "fill", "press", "selectOption":
		text, err := textArgument(last)
		kind := map[string]flow.Kind{"fill": flow.Fill, "press": flow.Press, "selectOption": flow.Select}[last.name]
		return flow.Step{Kind: kind, Value: text}, err
	}
	return flow.Step{}, fmt.Errorf("%s has no equivalent", last.name)
}

// textArgument is the only argument of a call, a text.
func textArgument(c call) (string, error) {
	if len(c.args) != 1 || c.args[0].text == nil {
		return "", fmt.Errorf("%s is supported with one text only", c.name)
	}
	return *c.args[0].text, nil
}

// locator reads how an element is found. What is in a frame is found without naming the frame.
func locator(chain []call) (flow.Element, error) {
	for i, c := range chain {
		if c.name == "contentFrame" || c.name == "frameLocator" {
			return locator(chain[i+1:])
		}
	}
	if len(chain) == 0 {
		return nil, errors.New("it names no element")
	}
	found, err := locatorBy(chain[0])
	if err != nil {
		return nil, err
	}
	for _, c := range chain[1:] {
		switch {
		case c.name == "first":
			found.Nth = 1
		case c.name == "nth" && len(c.args) == 1:
			n, err := strconv.Atoi(c.args[0].word)
			if err != nil || n < 0 {
				return nil, errors.New("nth is supported with a number only")
			}
			found.Nth = n + 1
		case c.name == "locator" && found.CSS != "" && found.Nth == 0:
			inner, err := locatorBy(c)
			if err != nil {
				return nil, err
			}
			found.CSS += " " + inner.CSS
		default:
			return nil, fmt.Errorf("%s within another element is not supported", c.name)
		}
	}
	return flow.Element{found}, nil
}

// plainPattern is a regular expression that only looks for words.
var plainPattern = regexp.MustCompile(`^\(\?i\)[\pL\pN ]+$`)

func locatorBy(c call) (flow.Locator, error) {
	if len(c.args) == 0 {
		return flow.Locator{}, fmt.Errorf("%s has no equivalent", c.name)
	}
	options := map[string]value{}
	if len(c.args) > 1 {
		options = c.args[1].object
	}
	for name := range options {
		if !slices.Contains([]string{"name", "exact"}, name) {
			return flow.Locator{}, fmt.Errorf("the option %s of %s is not supported", name, c.name)
		}
	}
	words, err := wordsOf(c.args[0])
	if err != nil {
		return flow.Locator{}, err
	}
	l := flow.Locator{Exact: options["exact"].word == "true"}
	switch c.name {
	case "getByRole":
		l.Role = words
		if given, ok := options["name"]; ok {
			l.Name, err = wordsOf(given)
		}
	case "getByLabel":
		l.Label = words
	case "getByText":
		l.Text = words
	case "getByPlaceholder":
		l.Placeholder = words
	case "getByTestId":
		l.TestID = words
	case "locator":
		if l.CSS = words; strings.HasPrefix(words, "xpath=") || strings.HasPrefix(words, "//") || strings.Contains(words, ">>") {
			err = errors.New("only CSS selectors are supported")
		}
	default:
		err = fmt.Errorf("%s has no equivalent", c.name)
	}
	return l, err
}

func wordsOf(v value) (string, error) {
	switch {
	case v.text != nil:
		return *v.text, nil
	case v.pattern != nil && plainPattern.MatchString(*v.pattern):
		return strings.TrimPrefix(*v.pattern, "(?i)"), nil
	}
	return "", errors.New("only texts are supported here")
}

// expectation reads expect(…).toBe…: a step that asserts.
func expectation(chain []call) (flow.Step, error) {
	if len(chain) < 2 || len(chain[0].args) != 1 || len(chain[0].args[0].chain) == 0 {
		return flow.Step{}, errScript
	}
	subject, last := chain[0].args[0].chain, chain[len(chain)-1]
	step := flow.Step{Kind: flow.Assert}
	not := len(chain) == 3 && chain[1].name == "not"
	if len(chain) > 2 && (!not || last.name != "toBeVisible") {
		return step, fmt.Errorf("%s is not supported before %s", chain[1].name, last.name)
	}
	var err error
	if step.Assertion, err = assertionOf(last, not); err != nil || last.name == "toHaveURL" {
		return step, err
	}
	step.Element, err = locator(subject[1:])
	return step, err
}

func assertionOf(last call, not bool) (flow.Assertion, error) {
	looks := map[string]flow.Assertion{
		"toHaveText":    {Look: flow.LookText, Operator: flow.Equals},
		"toContainText": {Look: flow.LookText, Operator: flow.Contains},
		"toHaveURL":     {Look: flow.LookAddress, Operator: flow.Equals},
		"toHaveValue":   {Look: flow.LookValue, Operator: flow.Equals},
		"toHaveCount":   {Look: flow.LookCount, Operator: flow.Equals},
	}
	if last.name == "toBeVisible" || last.name == "toBeHidden" {
		seen := (last.name == "toBeVisible") != not
		return flow.Assertion{Look: flow.LookVisible, Operator: flow.Equals, Expected: strconv.FormatBool(seen)}, nil
	}
	a, known := looks[last.name]
	if !known || len(last.args) != 1 {
		return a, fmt.Errorf("%s has no equivalent", last.name)
	}
	switch arg := last.args[0]; {
	case arg.text != nil && a.Look != flow.LookCount:
		a.Expected = *arg.text
	case arg.pattern != nil:
		a.Operator, a.Expected = flow.Matches, *arg.pattern
	case arg.word != "" && a.Look == flow.LookCount:
		a.Expected = arg.word
	default:
		return a, fmt.Errorf("%s is supported with a text or a regular expression only", last.name)
	}
	return a, nil
}
