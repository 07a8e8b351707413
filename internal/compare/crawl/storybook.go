package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"afterimage/internal/compare"
)

// storybookIndex lists the stories of a Storybook: index.json since version 7. Entries of type docs are pages of text.
const storybookIndex = "/index.json"

type story struct {
	Type string `json:"type"`
}

// Stories returns the paths of all stories of the Storybook at a site, each as a page of its own without the frame around it, in
// the order of their ids.
func (c *Crawler) Stories(ctx context.Context, site compare.Site) ([]string, error) {
	w := c.on(site)
	defer w.client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, site.Address(storybookIndex), http.NoBody)
	if err != nil {
		return nil, err
	}
	w.identify(request)
	response, err := w.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers with HTTP status %d: is it a Storybook of version 7 or newer?", request.URL, response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxDocument {
		return nil, fmt.Errorf("%s is longer than %d MiB", request.URL, maxDocument>>20)
	}
	var index struct {
		Entries map[string]story `json:"entries"`
	}
	if err := json.Unmarshal(text, &index); err != nil || index.Entries == nil {
		return nil, fmt.Errorf("%s has no entries: is it a Storybook of version 7 or newer?", request.URL)
	}
	return storyPaths(index.Entries)
}

func storyPaths(entries map[string]story) ([]string, error) {
	var pages compare.Pages
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		path := "/iframe.html?id=" + url.QueryEscape(id) + "&viewMode=story"
		if cmp.Or(entries[id].Type, "story") != "story" || compare.CheckPath(path) != nil {
			continue
		}
		if err := pages.Add(path); err != nil {
			return nil, err
		}
	}
	if len(pages.List()) == 0 {
		return nil, errors.New("the Storybook has no stories")
	}
	return pages.List(), nil
}
