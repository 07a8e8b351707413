package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"afterimage/internal/cli"
	"afterimage/internal/compare"
	"afterimage/internal/compare/report"
	"afterimage/internal/remote"
)

// runFlags say how a run of a server is followed, and what is told of it.
type runFlags struct {
	Wait        bool          `help:"Wait for the end of the run; --no-wait only starts it." default:"true" negatable:"" env:"-"`
	Report      string        `help:"Write the report to this folder." placeholder:"DIR" type:"path" env:"-"`
	PicturesURL string        `name:"pictures-url" help:"Address under which that folder will be published, for the pictures in summary.md." placeholder:"URL" env:"-"`
	FailOn      string        `help:"Exit 1 at this severity or above: ${enum}." enum:"alert,unsure,any" default:"unsure" env:"-"`
	Timeout     time.Duration `help:"Time limit for the whole command." default:"1h" placeholder:"TIME" env:"-"`
}

// misuse says which flags do not go together.
func (c *runFlags) misuse(pre bool) error {
	switch {
	case c.Report != "" && (pre || !c.Wait):
		return errors.New("--report cannot be combined with --pre or --no-wait, which have no result to report")
	case c.Timeout < time.Second:
		return errors.New("--timeout must be at least 1s")
	}
	return nil
}

// folder is where the report goes; nil for none.
func (c *runFlags) folder() (*report.Folder, error) {
	if c.Report == "" {
		return nil, nil
	}
	return report.Open(c.Report)
}

// await follows a run to its end and reads it.
func (c *runFlags) await(ctx context.Context, client *remote.Client, id string) (*remote.Batch, error) {
	b, err := client.Batch(ctx, id)
	if err != nil {
		return nil, err
	}
	if b.FinishedAt == nil {
		if err := c.follow(ctx, client, id); err != nil {
			return nil, err
		}
		if b, err = client.Batch(ctx, id); err != nil {
			return nil, err
		}
	}
	if b.CancelledAt != nil {
		return nil, fmt.Errorf("the run %q was cancelled: there is no result. Start it again", b.Name)
	}
	return b, nil
}

func (c *runFlags) follow(ctx context.Context, client *remote.Client, id string) error {
	progress := report.Progress{Out: os.Stderr, Live: cli.IsTerminal(os.Stderr), Done: "done"}
	var told remote.Counts
	return client.Follow(ctx, id, func(n remote.Counts) {
		if n == told {
			return // the end of the run changes no count
		}
		told = n
		progress.Show(compare.Progress{Done: n.Done + n.Failed, All: max(1, n.Total), Failed: n.Failed})
	})
}

// explain says what becomes of a run that was not followed to its end.
func (c *runFlags) explain(ctx, limited context.Context, err error, batch string) error {
	switch {
	case ctx.Err() != nil:
		err = errors.New("interrupted")
	case limited.Err() != nil:
		err = fmt.Errorf("the run did not finish within %s (--timeout)", c.Timeout)
	}
	if batch == "" || !(ctx.Err() != nil || limited.Err() != nil || errors.Is(err, remote.ErrLost)) {
		return err
	}
	return fmt.Errorf("%w; the run continues: follow it with afterimage check --batch %s", err, batch)
}

// tellPre says how many screenshots a run took that compares nothing.
func tellPre(b *remote.Batch) int {
	n := b.QueuesCount
	fmt.Fprintf(os.Stdout, "%d of %d screenshots taken before the change, %d failed.\n", n.Done, n.Total, n.Failed)
	if n.Failed > 0 {
		return compare.ExitUnknown
	}
	return compare.ExitEqual
}

// tell prints and reports what a run found.
func (c *runFlags) tell(
	ctx context.Context, client *remote.Client, b *remote.Batch, folder *report.Folder, begun time.Time,
) (code int, err error) {
	if b.Type == remote.TypePre {
		return tellPre(b), nil
	}
	var album compare.Album
	if folder != nil {
		album = folder
	}
	page, err := cli.ReportPage(folder)
	if err != nil {
		return 0, err
	}
	result, err := client.Result(ctx, b, album)
	if err != nil {
		return 0, err
	}
	made := report.Run{
		Started: begun, Took: time.Since(begun), FailOn: compare.FailOn(c.FailOn), PicturesURL: c.PicturesURL, Page: page,
		Version: cli.Version,
	}
	if err := cli.Publish(ctx, folder, c.Report, result, made); err != nil {
		return 0, err
	}
	if b.ComparisonsCount.New > 0 {
		fmt.Fprintf(os.Stderr, "Review it at %s\nor approve it with afterimage approve %s\n", client.Address("/runs/"+b.ID), b.ID)
	}
	return result.ExitCode(made.FailOn), cli.TellGitHub(result, made)
}
