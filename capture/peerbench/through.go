package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// through is our whole service with its own database, with the protocol of peers/adapter.mjs. It is asked by REST for runs of a group's
// pages. It makes no files.
type through struct {
	settings
	folder string
	cmd    *exec.Cmd
	url    string
	token  string
	groups map[string]string // ids, by the addresses of their pages
}

// startThrough starts a service in a folder of its own. With -auto it chooses by itself how many pages it captures at once.
func startThrough(ctx context.Context, s settings, atOnce int) (_ *through, err error) {
	t := &through{settings: s, groups: make(map[string]string)}
	if t.folder, err = os.MkdirTemp("", "throughbench-"); err != nil {
		return nil, err
	}
	if err := os.Chmod(t.folder, 0o755); err != nil { //nolint:gosec // the database's own user must be able to pass
		return nil, errors.Join(err, os.RemoveAll(t.folder))
	}
	args := []string{
		"serve", "--data-dir", t.folder, "--listen", "127.0.0.1:0", "--browser", s.browser,
		"--allow-hosts", s.allow, "--host-captures", "0", "--rate-limit", "0", "--log-level", "warn",
	}
	if !s.auto {
		args = append(args, "--captures", strconv.Itoa(atOnce))
	}
	t.cmd = exec.CommandContext(ctx, s.program, args...)
	t.cmd.Stderr = os.Stderr
	t.cmd.Cancel = func() error { return t.cmd.Process.Signal(unix.SIGTERM) }
	said, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := t.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the service: %w", err)
	}
	lines := bufio.NewScanner(said)
	for t.url == "" && lines.Scan() {
		if _, rest, found := strings.Cut(lines.Text(), "serves at "); found {
			t.url, _, _ = strings.Cut(rest, " ")
		}
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		token, err := os.ReadFile(filepath.Join(t.folder, "owner-token"))
		if t.token = strings.TrimSpace(string(token)); t.token != "" { // the file is empty at first
			return t, nil
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return nil, errors.Join(errors.New("the service did not start"), err, t.stop())
		}
	}
}

func (t *through) stop() error {
	err := t.cmd.Process.Signal(unix.SIGTERM)
	if waited := t.cmd.Wait(); waited != nil {
		err = errors.Join(err, fmt.Errorf("the service: %w", waited))
	}
	return errors.Join(err, os.RemoveAll(t.folder))
}

// take has the pages captured by a run of their group. The time is that from the request for the run until its end is
// told.
func (t *through) take(ctx context.Context, b batch) (answer, error) {
	group, err := t.group(ctx, b)
	if err != nil {
		return answer{}, err
	}
	begin := time.Now()
	var taken struct {
		Batch string `json:"batch_id"`
	}
	asked := map[string]any{"group_ids": []string{group}, "sc_type": "pre"}
	if err := t.ask(ctx, http.MethodPost, "/screenshots/take", asked, &taken); err != nil {
		return answer{}, err
	}
	if err := t.follow(ctx, taken.Batch); err != nil {
		return answer{}, err
	}
	a := answer{NS: time.Since(begin).Nanoseconds(), Errors: make([]*string, len(b.Jobs))}
	var failed struct {
		Data []struct {
			Link  string `json:"url_link"`
			Error string `json:"error_msg"`
		}
	}
	if err := t.ask(ctx, http.MethodGet, "/queues?per_page=100&status=failed&batch_id="+taken.Batch, nil, &failed); err != nil {
		return answer{}, err
	}
	for _, f := range failed.Data {
		for i := range b.Jobs {
			if b.distinct(i) == f.Link {
				a.Errors[i] = new(f.Error)
			}
		}
	}
	return a, nil
}

// distinct is the address of a job with a query that tells it from others of the same page: a group has each address once.
func (b batch) distinct(i int) string { return b.Jobs[i].URL + "?job=" + strconv.Itoa(i) }

// group returns the group of the pages on the desktop, which is made once, as a user does.
func (t *through) group(ctx context.Context, b batch) (string, error) {
	var addresses strings.Builder
	for i := range b.Jobs {
		fmt.Fprintln(&addresses, b.distinct(i))
	}
	if id := t.groups[addresses.String()]; id != "" {
		return id, nil
	}
	type made struct {
		Data struct{ ID string }
	}
	var group made
	if err := t.ask(ctx, http.MethodPost, "/groups", map[string]any{"name": "Bench"}, &group); err != nil {
		return "", err
	}
	var pages []map[string]any
	for i := range b.Jobs {
		var page made
		if err := t.ask(ctx, http.MethodPost, "/urls", map[string]any{"url": b.distinct(i)}, &page); err != nil {
			return "", err
		}
		pages = append(pages, map[string]any{"id": page.Data.ID, "desktop": true, "mobile": false})
	}
	err := t.ask(ctx, http.MethodPost, "/groups/"+group.Data.ID+"/add-urls", map[string]any{"urls": pages}, &struct{}{})
	if err == nil {
		t.groups[addresses.String()] = group.Data.ID
	}
	return group.Data.ID, err
}

// follow waits for the end of a run as a dashboard does: by an event stream. Asking for it again and again would be a load of its
// own.
func (t *through) follow(ctx context.Context, run string) error {
	body, err := json.Marshal(map[string]any{
		"query":     "subscription ($id: ID!) { batchProgress(id: $id) { finished } }",
		"variables": map[string]string{"id": run},
	})
	if err != nil {
		return err
	}
	r, err := t.request(ctx, http.MethodPost, "/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"finished":true`) {
			return nil
		}
	}
	return errors.Join(fmt.Errorf("the event stream of run %s ended before the run: status %d", run, response.StatusCode), lines.Err())
}

func (t *through) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, t.url+path, body)
	if err == nil {
		r.Header.Set("Authorization", "Bearer "+t.token)
		r.Header.Set("Content-Type", "application/json")
	}
	return r, err
}

func (t *through) ask(ctx context.Context, method, path string, body, into any) error {
	sent := new(bytes.Buffer)
	if body != nil {
		if err := json.NewEncoder(sent).Encode(body); err != nil {
			return err
		}
	}
	r, err := t.request(ctx, method, "/api/v2"+path, sent)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: status %d: %.300s", method, path, response.StatusCode, raw)
	}
	return json.Unmarshal(raw, into)
}
