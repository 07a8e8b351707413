package sitemap

import (
	"context"
	"errors"
	"mime"
	"net/url"
	"path"

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

// isPage tells whether the name of a file leaves open that it is a page: a picture or a document to download is none.
func isPage(u *url.URL) bool {
	kind, _, _ := mime.ParseMediaType(mime.TypeByExtension(path.Ext(u.Path)))
	return kind == "" || kind == "text/html" || kind == "application/xhtml+xml"
}
