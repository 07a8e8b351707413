package diffcli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"afterimage/imgdiff"
)

// lineLimit bounds one request: two long paths and room to spare.
const lineLimit = 64 << 10

// request is one line that asks for a comparison. What is nil is as on the
// command line.
type request struct {
	ID        json.RawMessage `json:"id"`
	Before    string          `json:"before"`
	After     string          `json:"after"`
	Threshold *float64        `json:"threshold"`
	IncludeAA *bool           `json:"include_aa"`
	Align     *bool           `json:"align"`
	Mask      string          `json:"mask"`
	Compose   string          `json:"compose"`
}

// line is one line of input or the end of it.
type line struct {
	text    []byte
	tooLong bool  // its text was left out
	end     error // io.EOF or why no more can be read
}

// serve answers line by line until the input ends.
func (c Command) serve(ctx context.Context, s Streams) (different bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan line)
	go readLines(ctx, s.In, lines)
	var files files
	failed := 0
	for {
		var l line
		select {
		case <-ctx.Done():
			return different, ctx.Err()
		case l = <-lines:
		}
		switch {
		case errors.Is(l.end, io.EOF):
			return different, failures(failed)
		case l.end != nil:
			return different, fmt.Errorf("read standard input: %w", l.end)
		case !l.tooLong && len(bytes.TrimSpace(l.text)) == 0:
			continue
		}
		report, failure := c.answer(ctx, &files, l)
		if failure != nil {
			failed++
			err = writeJSON(s.Out, failure)
		} else {
			different = different || report.Different
			err = writeJSON(s.Out, report)
		}
		if err != nil {
			return different, err
		}
	}
}

// answer does what one line asks for.
func (c Command) answer(ctx context.Context, files *files, l line) (*Report, *failure) {
	if l.tooLong {
		return nil, &failure{Error: fmt.Sprintf("the line has more than %d KiB", lineLimit>>10)}
	}
	r, err := parseRequest(l.text)
	if err != nil {
		return nil, &failure{ID: r.ID, Error: err.Error()}
	}
	p := pair{id: r.ID, before: r.Before, after: r.After}
	report, err := files.compare(ctx, p, r.options(c.Options), pictures{mask: r.Mask, compose: r.Compose}.always)
	if err != nil {
		return nil, &failure{ID: r.ID, Before: r.Before, After: r.After, Error: err.Error()}
	}
	return report, nil
}

// parseRequest reads an object or two paths with a tab between them.
func parseRequest(text []byte) (request, error) {
	var r request
	text = bytes.TrimRight(text, "\r\n")
	if trimmed := bytes.TrimSpace(text); bytes.HasPrefix(trimmed, []byte{'{'}) {
		d := json.NewDecoder(bytes.NewReader(trimmed))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			return r, fmt.Errorf("the line is not a request: %w", err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return r, errors.New("the line holds more than one request")
		}
	} else {
		before, after, _ := bytes.Cut(text, []byte{'\t'})
		r.Before, r.After = string(before), string(after)
	}
	if r.Before == "" || r.After == "" {
		return r, errors.New(`the line names no pair; write two paths separated by a tab, or {"before":…,"after":…}`)
	}
	if r.Mask != "" && r.Mask == r.Compose {
		return r, fmt.Errorf("mask and compose both name %s", r.Mask)
	}
	return r, nil
}

// options are the command's with the request's own.
func (r request) options(o imgdiff.Options) imgdiff.Options {
	if r.Threshold != nil {
		o.Threshold = *r.Threshold
	}
	if r.IncludeAA != nil {
		o.IncludeAntiAliased = *r.IncludeAA
	}
	if r.Align != nil {
		o.Align = *r.Align
	}
	return o
}

// readLines sends every line and then the error that ended them. It is a
// goroutine of its own because reading a terminal cannot be interrupted.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	r := bufio.NewReaderSize(in, lineLimit)
	for {
		text, err := r.ReadSlice('\n')
		l := line{text: bytes.Clone(text)}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			l = line{tooLong: true}
			skipLine(r)
		case err != nil && len(text) == 0: // else the last line lacks its end, and the error comes again
			l.end = err
		}
		select {
		case lines <- l:
		case <-ctx.Done():
			return
		}
		if l.end != nil {
			return
		}
	}
}

// skipLine reads to the end of a line that is too long. An error comes again
// with the next read.
func skipLine(r *bufio.Reader) {
	for err := bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		_, err = r.ReadSlice('\n')
	}
}
