package flow

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

var (
	secretName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	keyName    = regexp.MustCompile(`^((Control|Shift|Alt|Meta)\+){0,4}[^\s+]+$|^((Control|Shift|Alt|Meta)\+){0,4}\+$`)
)

// Check says what is wrong with a definition; nil for nothing.
func (f *Flow) Check() error {
	if !legible(f.Name) || len(f.Name) > maxName {
		return fmt.Errorf("name must be text of 1 to %d bytes, such as Checkout", maxName)
	}
	if err := checkAddress(f.Start, nil); f.Start == "" || err != nil {
		return fmt.Errorf("start must be the http or https address of the first page, not %q", f.Start)
	}
	for _, device := range f.Devices {
		if device != "desktop" && device != "mobile" {
			return fmt.Errorf("devices must be desktop, mobile or both, not %q", device)
		}
	}
	if len(f.Devices) == 2 && f.Devices[0] == f.Devices[1] {
		return fmt.Errorf("devices names %s twice: remove one of them", f.Devices[0])
	}
	for _, s := range f.Secrets {
		if err := s.check(); err != nil {
			return err
		}
	}
	if len(f.Steps) == 0 || len(f.Steps) > MaxSteps {
		return fmt.Errorf("there are %d steps; 1 to %d are supported", len(f.Steps), MaxSteps)
	}
	return f.checkSteps()
}

func (s Secret) check() error {
	if !secretName.MatchString(s.Name) {
		return fmt.Errorf("the name of a secret must be letters, digits, - and _, not %q", s.Name)
	}
	for _, host := range s.Hosts {
		u, err := url.Parse("https://" + host)
		if err != nil || u.Host != host || u.Hostname() == "" {
			return fmt.Errorf("secrets: %s: %q is not a host or host:port, such as shop.example.com", s.Name, host)
		}
	}
	return nil
}

func (f *Flow) checkSteps() error {
	start, err := url.Parse(f.Start)
	if err != nil {
		return err
	}
	names := make(map[string]int)
	for i := range f.Steps {
		s := &f.Steps[i]
		if err := s.check(start); err != nil {
			return fmt.Errorf("%sstep %d (%s): %w", s.place(), i+1, s.Kind, err)
		}
		if s.Kind != Checkpoint {
			continue
		}
		if other := names[strings.ToLower(s.Label)]; other > 0 {
			return fmt.Errorf("%sstep %d (checkpoint): step %d already has the name %q: give each checkpoint its own name",
				s.place(), i+1, other, s.Label)
		}
		names[strings.ToLower(s.Label)] = i + 1
	}
	return nil
}

func (s *Step) place() string {
	if s.Line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", s.Line)
}

// check refuses what the reader lets through.
func (s *Step) check(start *url.URL) error {
	if err := s.checkTexts(); err != nil {
		return err
	}
	switch s.Dialogs {
	case "", AcceptDialogs, DismissDialogs:
	default:
		return fmt.Errorf("dialogs must be accept or dismiss, not %q", s.Dialogs)
	}
	switch s.Kind {
	case Navigate:
		return checkAddress(s.Value, start)
	case Fill:
		if s.Secret != "" && !secretName.MatchString(s.Secret) {
			return fmt.Errorf("the name of a secret must be letters, digits, - and _, not %q", s.Secret)
		}
	case Press:
		if !keyName.MatchString(s.Value) {
			return fmt.Errorf("press must be a key such as Enter, Tab, a or Control+a, not %q", s.Value)
		}
		return CheckKey(s.Value)
	case Scroll:
		if s.Element == nil && s.Value != "top" && s.Value != "bottom" {
			return fmt.Errorf("scroll must be top, bottom or an element, not %q", s.Value)
		}
	case Assert:
		return s.checkAssertion()
	case Click, Select, Check, Hover, Wait, Hide, Checkpoint:
	default:
		return fmt.Errorf("the kind %q is unknown", s.Kind)
	}
	return nil
}

// checkTexts refuses what could not be written to a file and read again.
func (s *Step) checkTexts() error {
	for _, l := range s.Element {
		if err := l.check(); err != nil {
			return fmt.Errorf("its element %w", err)
		}
	}
	for _, text := range append([]string{s.Label, s.Value, s.Assertion.Expected}, s.Selectors...) {
		if text != "" && !legible(text+"a") {
			return fmt.Errorf("%q contains a character that cannot be written", text)
		}
	}
	if len(s.Label) > maxName || len(s.Value) > maxValue || len(s.Assertion.Expected) > maxValue {
		return fmt.Errorf("one of its texts is longer than %d bytes, or its name is longer than %d", maxValue, maxName)
	}
	return s.checkNeeded()
}

// checkNeeded refuses a step without the text that it is about.
func (s *Step) checkNeeded() error {
	switch {
	case s.Kind == Checkpoint && s.Label == "":
		return errors.New("a checkpoint needs a name")
	case s.Kind == Select && (s.Value == "" || len(s.Value) > maxName):
		return fmt.Errorf("it needs the words or the value of an option, of at most %d bytes", maxName)
	case (s.Kind == Navigate || s.Kind == Wait) && len(s.Value) > maxWords:
		return fmt.Errorf("its text or address is longer than %d bytes", maxWords)
	case s.Kind == Wait && (s.For == AwaitText || s.For == AwaitAddress) && strings.TrimSpace(s.Value) == "",
		s.Kind == Navigate && strings.TrimSpace(s.Value) == "":
		return errors.New("it needs a text or an address")
	}
	return nil
}

func (s *Step) checkAssertion() error {
	a := s.Assertion
	if a.Operator == "" {
		return fmt.Errorf("it does not say what is expected: add %s", words(operators[a.Look]))
	}
	if needs := a.Look == LookCount || a.Look == LookValue || a.Look == LookVisible; needs && s.Element == nil {
		return fmt.Errorf("%s needs an element: add the field on", a.Look)
	}
	if a.Look == LookAddress && s.Element != nil {
		return errors.New("the address belongs to the page, not to an element: remove the field on")
	}
	if a.Operator == Matches {
		if _, err := regexp.Compile(a.Expected); err != nil {
			return fmt.Errorf("the value of matches is not a regular expression: %w", err)
		}
	}
	if a.Look == LookVisible && a.Expected != "true" && a.Expected != "false" {
		return fmt.Errorf("visible must be true or false, not %q", a.Expected)
	}
	if a.Look == LookCount {
		if n, err := strconv.Atoi(a.Expected); err != nil || n < 0 {
			return fmt.Errorf("%s must be a number, not %q", a.Operator, a.Expected)
		}
	}
	return nil
}

func words(list []Operator) string {
	names := make([]string, len(list))
	for i, operator := range list {
		names[i] = string(operator)
	}
	return strings.Join(names, ", ")
}

// checkAddress accepts http and https addresses, and those that are relative to a start.
func checkAddress(address string, start *url.URL) error {
	u, err := url.Parse(address)
	if err == nil && start != nil {
		u = start.ResolveReference(u)
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return fmt.Errorf("%q must be an http or https address, or a path relative to start", address)
	}
	return nil
}

// Resolve is the address of a Navigate step.
func (f *Flow) Resolve(address string) (string, error) {
	start, err := url.Parse(f.Start)
	if err != nil {
		return "", err
	}
	u, err := start.Parse(address)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

// HostsOf are the hosts to whose pages a secret may be given.
func (f *Flow) HostsOf(secret string) []string {
	for _, s := range f.Secrets {
		if s.Name == secret && len(s.Hosts) > 0 {
			return s.Hosts
		}
	}
	if u, err := url.Parse(f.Start); err == nil {
		return []string{u.Host}
	}
	return nil
}
