package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// fill measures everything.
func (r *report) fill(ctx context.Context, t tools, pairs []pair) error {
	var err error
	fmt.Fprintln(os.Stderr, "checking counts …")
	if r.Counts, err = checkCounts(ctx, t, pairs); err != nil {
		return err
	}
	if r.Bands, err = align(ctx, pairs); err != nil {
		return err
	}
	if err := r.measureWarm(ctx, pairs); err != nil {
		return err
	}
	return r.measureCold(ctx, t, pairs)
}

// measureWarm measures the services.
func (r *report) measureWarm(ctx context.Context, pairs []pair) (err error) {
	if r.rounds == 0 {
		return nil
	}
	var services []*service
	defer func() {
		for _, s := range services {
			err = errors.Join(err, s.stop())
		}
	}()
	for _, c := range r.services {
		s, err := startService(ctx, c)
		if err != nil {
			return err
		}
		services = append(services, s)
	}
	for _, p := range pairs {
		fmt.Fprintf(os.Stderr, "warm %s %s …\n", p.Device, p.Scene)
		r.Warm = append(r.Warm, measure(p, r.services, r.rounds+1, true, func(i int) sample { return services[i].compare(p) }))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	r.Memory = map[string]int64{}
	for i, c := range r.services {
		r.Memory[c.Name] = services[i].peakMemory()
	}
	return nil
}

// measureCold measures the commands.
func (r *report) measureCold(ctx context.Context, t tools, pairs []pair) (err error) {
	if r.coldRounds == 0 {
		return nil
	}
	launcher, err := startService(ctx, contender{Name: "the launcher", argv: []string{t.self, "-serve", "launcher"}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, launcher.stop()) }()
	for _, p := range pairs {
		fmt.Fprintf(os.Stderr, "cold %s %s …\n", p.Device, p.Scene)
		r.Cold = append(r.Cold, measure(p, r.commands, r.coldRounds, false,
			func(i int) sample { return launcher.runCommand(r.commands[i], p) }))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}
