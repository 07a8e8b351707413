// Command bench captures labelled pairs of pages with the capture engine, compares and judges them by rules alone, and tells
// how many changes that matter stay alarms and how many harmless ones are silenced, by kind. docs/measurements/verification-benchmark.md
// is its report.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"afterimage/internal/verify/labelled"
	"afterimage/internal/verify/labelled/sites"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // the process ends anyway
	}
}

// settings are the flags.
type settings struct {
	kinds, set, keep, markdown, gather, train, open, plots, earlier string
	lanes, history, limit, fortnight                                int
	verbose, offline                                                bool
}

func run(ctx context.Context) error {
	var s settings
	flag.StringVar(&s.kinds, "kinds", "", "only kinds with these names, by commas")
	flag.StringVar(&s.set, "set", "", "only development, held-out or \"second held-out\"")
	flag.StringVar(&s.keep, "keep", "", "folder in which captures are kept, so that the next run only judges them anew")
	flag.StringVar(&s.markdown, "markdown", "", "also write the tables to this file")
	flag.StringVar(&s.gather, "gather", "", "only capture the visits of this split of the generated sites that -keep does not have yet")
	flag.StringVar(&s.train, "train", "", "train the judge and write it to this file")
	flag.BoolVar(&s.offline, "offline", false, "use only those pairs of the generated sites whose visits -keep has")
	flag.StringVar(&s.open, "open", "", "judge this split of the generated sites")
	flag.StringVar(&s.plots, "plots", "", "folder into which -open draws its plots")
	flag.StringVar(&s.earlier, "earlier", "", "file with the alarms of earlier rules, a JSON object by pair, for the plot of -open")
	flag.IntVar(&s.history, "history", 0, "how many earlier visits of each page are gathered")
	flag.IntVar(&s.limit, "limit", 1_000_000, "visits gathered in one run")
	flag.IntVar(&s.fortnight, "fortnight", 0, "only simulate a fortnight of monitoring on so many generated pages")
	flag.IntVar(&s.lanes, "lanes", 2, "pages captured at the same time")
	flag.BoolVar(&s.verbose, "v", false, "print each verdict")
	flag.Parse()
	pairs, err := s.pairs()
	if err != nil {
		return err
	}
	studio, err := newStudio(ctx, s.lanes, s.keep)
	if err != nil {
		return err
	}
	if done, err := s.other(ctx, studio); done {
		return errors.Join(err, studio.close())
	}
	outcomes, err := studio.judgeAll(ctx, pairs)
	if err := errors.Join(err, studio.close()); err != nil {
		return err
	}
	if s.verbose {
		explain(os.Stdout, outcomes)
	}
	report := tables(outcomes)
	fmt.Print(report)
	if s.markdown != "" {
		return replaceTables(s.markdown, report)
	}
	return nil
}

// other does what the flags ask for instead of judging the labelled pairs; done is false if they do not.
func (s settings) other(ctx context.Context, studio *studio) (done bool, err error) {
	studio.offline = s.offline
	switch {
	case s.gather != "":
		n, err := studio.gather(ctx, sites.Pairs(sites.Split(s.gather)), s.history, s.limit)
		fmt.Println(n, "visits were captured.")
		return true, err
	case s.train != "":
		return true, studio.train(ctx, s.train)
	case s.open != "":
		report, err := studio.openSplit(ctx, sites.Split(s.open), s.plots, s.earlier, s.verbose)
		fmt.Print(report)
		return true, err
	case s.fortnight > 0:
		f, err := studio.simulate(ctx, watchedPages(s.fortnight))
		if err != nil {
			return true, err
		}
		fmt.Print(f.table())
		if s.verbose {
			fmt.Println(strings.Join(f.loud, "\n"))
		}
		return true, nil
	}
	return false, nil
}

func (s settings) pairs() ([]labelled.Pair, error) {
	var pairs []labelled.Pair
	for _, p := range labelled.Pairs() {
		if (s.set == "" || p.Kind.Set == labelled.Set(s.set)) && (s.kinds == "" || strings.Contains(","+s.kinds+",", ","+p.Kind.Name+",")) {
			pairs = append(pairs, p)
		}
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("no pair is of kind %q in set %q", s.kinds, s.set)
	}
	return pairs, nil
}
