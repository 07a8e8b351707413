package run

import (
	"context"
	"fmt"
	"strings"

	"afterimage/internal/page"
	"afterimage/vcd"
)

// beforeWalls makes monitoring compare a page with what it was before a wall was there: what changed meanwhile must not be lost.
// While the wall stays, its first picture has told of it.
func (task *CompareTask) beforeWalls(ctx context.Context, tx Tx) error {
	if !task.Monitoring || task.Before.Wall() == nil || task.After.Wall() != nil {
		return nil
	}
	before, err := tx.PageBaselineOfVersion(ctx, task.Subject, task.After.SCVersion)
	if err == nil && before != nil {
		task.Before = before
	}
	return err
}

// walled says why the screenshots cannot be compared; "" if they can: one shows a wall instead of the page, so that nothing can be
// told of it. Where a notice replaces a page that was there before, that is a change like others.
func (task *CompareTask) walled() string {
	was, is := task.Before.Wall(), task.After.Wall()
	switch {
	case was == nil && !hidden(is):
		return ""
	case was == nil:
		return instead("The screenshot shows", is)
	case is == nil:
		return instead("The earlier screenshot shows", was)
	}
	return instead("Both screenshots show", is)
}

func hidden(w *page.Wall) bool { return w != nil && w.Hides() }

func instead(shows string, w *page.Wall) string {
	remedy := w.Remedy()
	if w.Kind == page.WallSignIn {
		remedy = "Give the group a sign-in flow or a password, or add the URL where visitors sign in instead."
	}
	return vcd.Shown(strings.TrimSpace(fmt.Sprintf("%s %s instead of the page. %s", shows, w.What(), remedy)))
}
