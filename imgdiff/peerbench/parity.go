package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"afterimage/imgdiff"
)

// checkCounts holds our counts against pixelmatch's on every pair of one size,
// with and without anti-aliasing, and describes every disagreement.
func checkCounts(ctx context.Context, t tools, pairs []pair) (checked int, err error) {
	peer, err := startService(ctx, contender{Name: "pixelmatch's counts",
		argv: []string{"node", filepath.Join(t.peers, "peers/counts.mjs")}})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, peer.stop()) }()
	var wrong []error
	for _, p := range pairs {
		if !p.equal {
			continue
		}
		before, err := os.ReadFile(p.Before)
		if err != nil {
			return checked, err
		}
		after, err := os.ReadFile(p.After)
		if err != nil {
			return checked, err
		}
		for _, o := range []imgdiff.Options{{Threshold: 0.1}, {Threshold: 0.1, IncludeAntiAliased: true}, {Threshold: 0.02}} {
			ours, err := imgdiff.Compare(ctx, before, after, o)
			if err != nil {
				return checked, err
			}
			var theirs struct{ Changed int }
			err = peer.ask(struct {
				question
				Threshold float64 `json:"threshold"`
				IncludeAA bool    `json:"includeAA"`
			}{question{p.Before, p.After}, o.Threshold, o.IncludeAntiAliased}, &theirs)
			if err != nil {
				return checked, err
			}
			checked++
			if ours.Changed != theirs.Changed {
				wrong = append(wrong,
					fmt.Errorf("COUNTS DIFFER: %s, %s, threshold %v, anti-aliased counted %v: pixelmatch counts %d, imgdiff %d",
						p.Device, p.Scene, o.Threshold, o.IncludeAntiAliased, theirs.Changed, ours.Changed))
			}
		}
	}
	return checked, errors.Join(wrong...)
}
