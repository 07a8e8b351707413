package sitemap

import (
	"context"
	"errors"

	"afterimage/internal/hyperlink"
)

// Limits of a start page.
const (
	maxPage  = 10 << 20 // bytes
	maxLinks = 5000     // that are looked at
)

// links takes the start page of a site and those of its pages to which it links.
func (w *walk) links(ctx context.Context, address string) error {
	body, err := w.reader.open(ctx, address, maxPage)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		w.problem("%s: %s.", shown(address), explain(err))
		return nil
	}
	defer body.Close()
	err = w.add(body.from.String())
	looked := 0
	for link := range hyperlink.All(body.from, body) {
		if looked++; err != nil || looked > maxLinks {
			break
		}
		if isPage(link) {
			err = w.add(link.String())
		}
	}
	var ours *takeError
	switch {
	case errors.As(err, &ours):
		return ours.error
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return nil
}
