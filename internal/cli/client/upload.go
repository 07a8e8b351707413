package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"afterimage/internal/cli"
	"afterimage/internal/compare"
	"afterimage/internal/compare/report"
	"afterimage/internal/remote"
	"afterimage/internal/upload/folder"
	"afterimage/vcd"
)

// Upload sends screenshots that other tools took into a run of a group, and reports what changed as check does.
type Upload struct {
	serverFlags

	Dir    string `arg:"" help:"Folder with PNG files; their paths below it, without the ending, are the names of the pages." type:"existingdir"`
	Group  string `help:"Name or id of the group." placeholder:"GROUP" required:"" env:"-"`
	Pre    bool   `help:"Upload the screenshots before the change; later uploads are compared with them." env:"-"`
	Device string `help:"Device of the screenshots: ${enum}." enum:"desktop,mobile" default:"desktop" env:"-"`
	Prefix string `help:"Prefix of all names, followed by a slash, for example the name of the browser." placeholder:"NAME" env:"-"`
	Name   string `help:"Name of the run, for example the branch and commit." placeholder:"NAME" env:"-"`
	Build  string `help:"Id of the build; uploads with the same id fill the same run." placeholder:"ID" env:"-"`
	Shard  string `help:"Number of this part and total number of parts of the build, for example 2/4; the run continues once all parts have been uploaded." placeholder:"N/M" env:"-"`
	runFlags
}

// Help is what follows the flags on the help page.
func (Upload) Help() string {
	return `Sends the PNG files of a folder, for example those taken by tests with Playwright, Cypress or Storybook,
into a run of a group. The server compares each file with the newest one of the same name and device that
was uploaded with --pre. The group's threshold and rules, verdicts and review apply as they do to pages
that the server captures itself. Output and exit code are those of check.

Difference and reference images that tools leave beside their screenshots are skipped: files whose names end with
-diff, -actual, -expected, -received or (failed), and folders named diff or __diff_output__.

A file home.afterimage.json beside home.png can give the name of the page, the device, and the elements in
the picture, which are used to describe changes in words. The Playwright package writes this file.

An upload with --build can be repeated: files that have already been sent are not stored again.

Examples:
  export AFTERIMAGE_SERVER=https://afterimage.example.com AFTERIMAGE_TOKEN=…
  afterimage upload screenshots --group Shop --pre                       on the main branch
  afterimage upload screenshots --group Shop                             on other branches
  afterimage upload screenshots --group Shop --build 4711 --shard 2/4    one of four parallel jobs
`
}

// Run uploads.
func (c *Upload) Run(ctx context.Context) error {
	return cli.Ended(c.upload(ctx))
}

func (c *Upload) upload(ctx context.Context) (code int, err error) {
	shard, shards, err := c.part()
	if err != nil {
		return 0, err
	}
	if err := c.misuse(c.Pre); err != nil {
		return 0, err
	}
	found, err := c.find()
	if err != nil {
		return 0, err
	}
	client, err := c.client()
	if err != nil {
		return 0, err
	}
	reported, err := c.folder()
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	run, err := c.fill(limited, client, found, shard, shards)
	switch {
	case err != nil && ctx.Err() != nil:
		return 0, errors.New("interrupted: repeat the upload, with the same --build if it had one")
	case err != nil && limited.Err() != nil:
		return 0, fmt.Errorf("the upload did not finish within %s (--timeout)", c.Timeout)
	case err != nil:
		return 0, err
	case run.Open:
		fmt.Fprintf(os.Stderr, "%d of %d parts have been uploaded; the upload of the last part reports the result.\n",
			len(run.FinishedShards), run.Shards)
		fallthrough
	case !c.Wait:
		fmt.Fprintln(os.Stdout, run.BatchID)
		return compare.ExitEqual, nil
	}
	finished, err := c.await(limited, client, run.BatchID)
	if err != nil {
		return 0, c.explain(ctx, limited, err, run.BatchID)
	}
	return c.tell(limited, client, finished, reported, begun)
}

// part reads --shard.
func (c *Upload) part() (shard, shards int, err error) {
	if c.Shard == "" {
		return 1, 1, nil
	}
	n, m, _ := strings.Cut(c.Shard, "/")
	shard, err = strconv.Atoi(n)
	if err == nil {
		shards, err = strconv.Atoi(m)
	}
	switch {
	case err != nil || shard < 1 || shard > shards || shards > 1000:
		return 0, 0, fmt.Errorf("--shard must be the number of this part and of all parts, such as 2/4, not %q", c.Shard)
	case c.Build == "":
		return 0, 0, errors.New("--build is missing: with --shard, give all parts the same id of their build")
	}
	return shard, shards, nil
}

func (c *Upload) find() (*folder.Found, error) {
	found, err := folder.Find(c.Dir)
	if err != nil {
		return nil, err
	}
	if found.Skipped > 0 {
		fmt.Fprintf(os.Stderr, "Skipped as differences, references or failures: %s\n", vcd.Plural(found.Skipped, "file"))
	}
	if len(found.Screenshots) == 0 && c.Shard == "" {
		return nil, fmt.Errorf("%s holds no PNG file: let the tests write their screenshots there", c.Dir)
	}
	return found, nil
}

// fill begins the run, sends everything and says that nothing more will come.
func (c *Upload) fill(ctx context.Context, client *remote.Client, found *folder.Found, shard, shards int) (*remote.Upload, error) {
	groups, err := client.Groups(ctx, []string{c.Group})
	if err != nil {
		return nil, err
	}
	run, err := client.BeginUpload(ctx, remote.UploadRequest{
		Group: groups[0], Pre: c.Pre, Build: c.Build, Shards: shards, Name: c.Name,
	})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "The run is %s\n", client.Address("/runs/"+run.BatchID))
	if !run.Open {
		fmt.Fprintln(os.Stderr, "This build has been uploaded already.")
		return run, nil
	}
	if err := c.sendAll(ctx, client, run.BatchID, found.Screenshots); err != nil {
		return nil, err
	}
	return client.FinishUpload(ctx, run.BatchID, shard)
}

// sentAtOnce is how many screenshots are sent at the same time, fewer than a server accepts of an account.
const sentAtOnce = 4

func (c *Upload) sendAll(ctx context.Context, client *remote.Client, batch string, screenshots []folder.Screenshot) error {
	progress := report.Progress{Out: os.Stderr, Live: cli.IsTerminal(os.Stderr), Done: "sent"}
	var sent, known atomic.Int64
	told := make(chan struct{}, 1) // held while progress is written
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(sentAtOnce)
	for _, s := range screenshots {
		group.Go(func() error {
			added, err := c.send(ctx, client, batch, s)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Path, err)
			}
			if !added {
				known.Add(1)
			}
			told <- struct{}{}
			progress.Show(compare.Progress{Done: int(sent.Add(1)), All: len(screenshots)})
			<-told
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if n := known.Load(); n > 0 {
		fmt.Fprintf(os.Stderr, "%d of them had already been sent.\n", n)
	}
	return nil
}

// maxFile is what a server accepts, in bytes.
const maxFile = 16 << 20

func (c *Upload) send(ctx context.Context, client *remote.Client, batch string, s folder.Screenshot) (added bool, err error) {
	info, err := os.Stat(s.Path)
	if err != nil {
		return false, err
	}
	if info.Size() > maxFile {
		return false, fmt.Errorf("the file has %d bytes, at most %d MiB are accepted: take a screenshot of a part of the page", info.Size(),
			maxFile>>20)
	}
	file, err := os.ReadFile(s.Path)
	if err != nil {
		return false, err
	}
	shot := &remote.Screenshot{Name: s.Name, Device: c.Device, PNG: file}
	if c.Prefix != "" {
		shot.Name = strings.TrimSuffix(c.Prefix, "/") + "/" + shot.Name
	}
	if s.Facts != nil {
		shot.Device, shot.Elements = cmp.Or(s.Facts.Device, c.Device), s.Facts.Elements
	}
	return client.Send(ctx, batch, shot)
}
