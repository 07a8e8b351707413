package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"afterimage/internal/sitemap"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

// importTimeout allows ten minutes for a site's sitemaps plus the time to process them.
const importTimeout = 15 * time.Minute

// SitemapReader reads the sitemaps of a site, or else the links of its start page. *sitemap.Reader is one.
type SitemapReader interface {
	Read(ctx context.Context, domain string, take func([]string) error) (sitemap.Result, error)
	ReadOrLinks(ctx context.Context, domain string, take func([]string) error) (sitemap.Result, error)
}

// importWorker imports URLs into an account in bulk. It may be restarted at any time and then finds what it has already
// done.
type importWorker struct {
	river.WorkerDefaults[importArgs]
	service *app.Service
	reader  SitemapReader
	logger  *slog.Logger
}

func (w *importWorker) Timeout(*river.Job[importArgs]) time.Duration { return importTimeout }

func (w *importWorker) Work(ctx context.Context, job *river.Job[importArgs]) error {
	ctx = withCompletion(ctx, job)
	actor := vcd.Actor{Account: job.Args.Account}
	i, err := w.service.Inventory.BeginImport(ctx, actor, job.Args.Import)
	if err != nil || i == nil {
		return err
	}
	if i.Kind == vcd.ImportSync {
		err = w.service.Inventory.RunSync(ctx, actor, i.ID)
	} else {
		err = w.readSitemap(ctx, actor, i)
	}
	if err != nil && job.Attempt >= job.MaxAttempts && ctx.Err() == nil {
		w.logger.ErrorContext(ctx, "gave up an import of URLs", "import", i.ID, "cause", err)
		return w.service.Inventory.FailImport(ctx, actor, i.ID, "An internal error occurred repeatedly. Please try again later.")
	}
	return err
}

func (w *importWorker) readSitemap(ctx context.Context, actor vcd.Actor, i *vcd.URLImport) error {
	added := 0
	read := w.reader.Read
	if i.OrLinks {
		read = w.reader.ReadOrLinks
	}
	result, err := read(ctx, i.Domain, func(urls []string) error {
		n, err := w.service.Inventory.ImportURLs(ctx, actor, urls, i.OverHTTP)
		added += n
		return err
	})
	if err != nil {
		return err
	}
	problems := result.Problems
	if result.NoPages > 0 {
		problems = append(problems, fmt.Sprintf("Skipped %s listed in the sitemap, such as PDF documents, because only pages are imported.",
			vcd.Plural(result.NoPages, "file")))
	}
	if result.Cut {
		problems = append(problems, "A limit was reached: the site may have more URLs than were imported.")
	}
	if len(problems) > 0 {
		w.logger.InfoContext(ctx, "a site's sitemap was read with problems", "import", i.ID, "domain", i.Domain, "urls", result.URLs,
			"problems", problems)
	}
	return w.service.Inventory.FinishImport(ctx, actor, i.ID, result.URLs, added, problems)
}
