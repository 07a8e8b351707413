package main

import (
	"context"
	"errors"
	"fmt"

	"afterimage/capture"
	"afterimage/internal/verify"
	"afterimage/internal/verify/bench/causes"
	"afterimage/internal/verify/bench/devtools"
)

var screens = map[capture.Device]devtools.Screen{
	capture.Desktop: {Width: 1440, Height: 900}, capture.Mobile: {Width: 390, Height: 844, Mobile: true},
}

// checker reads pages through DevTools and checks what is said of them.
type checker struct {
	browser *devtools.Browser
	count   map[devtools.Verdict]int
	wrong   []string
}

// pair opens both states of a page.
func (c *checker) pair(ctx context.Context, before, after string, device capture.Device) (*devtools.Pair, func() error, error) {
	was, err := c.browser.Open(ctx, before, screens[device])
	if err != nil {
		return nil, nil, err
	}
	is, err := c.browser.Open(ctx, after, screens[device])
	if err != nil {
		return nil, nil, errors.Join(err, was.Close(ctx))
	}
	return devtools.NewPair(was, is), func() error { return errors.Join(was.Close(ctx), is.Close(ctx)) }, nil
}

// entries checks the entries of two states.
func (c *checker) entries(ctx context.Context, pair *devtools.Pair, j *causes.Judged, where string) {
	for _, f := range j.Entries() {
		verdict, why := pair.Check(ctx, statementOf(f))
		c.count[verdict]++
		if verdict == devtools.False || verdict == devtools.Unknown {
			c.wrong = append(c.wrong, fmt.Sprintf("%s: %s\n    %s: %s\n    %s", verdict, where, f.Change, f.Description, why))
		}
	}
}

func statementOf(f *verify.Finding) *devtools.Statement {
	s := &devtools.Statement{Change: string(f.Change), Before: f.Before, After: f.After, Says: f.Description}
	if f.Element != nil {
		s.Selector = f.Element.Selector
	}
	for _, e := range f.Members {
		s.Members = append(s.Members, e.Selector)
	}
	return s
}

func (c *checker) print() {
	fmt.Printf("of the entries, by DevTools: %d hold, %d are false, %d claim nothing, %d could not be checked\n",
		c.count[devtools.Holds], c.count[devtools.False], c.count[devtools.NoClaim], c.count[devtools.Unknown])
	for _, says := range c.wrong {
		fmt.Println("  " + says)
	}
}

// check checks the entries of an edited page, if that is asked for.
func (o *options) check(ctx context.Context, studio *causes.Studio, j *causes.Judged, before, after string, device capture.Device) error {
	if o.checker == nil {
		return nil
	}
	was, is := studio.Addresses()
	pair, done, err := o.checker.pair(ctx, was+before, is+after, device)
	if err != nil {
		return err
	}
	o.checker.entries(ctx, pair, j, after+" on "+string(device))
	return done()
}
