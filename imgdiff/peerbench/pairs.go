package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// device is a size that pages are captured at.
type device struct {
	name          string
	width, height int
}

var devices = []device{{"desktop", 1440, 8000}, {"mobile", 390, 11000}}

// scene is one kind of difference between two captures of a page.
type scene struct {
	name   string
	about  string
	change change
	taller int  // rows that the after picture has more
	resave bool // the after file holds the same pixels in other bytes
}

var scenes = []scene{
	{name: "identical", about: "two captures of one page; the files are byte-equal"},
	{name: "same-pixels", about: "the same, with a comment added to one file", resave: true},
	{name: "sparse-text", about: "every ninth number on the page is different", change: change{words: true}},
	{name: "images", about: "every third photograph is replaced", change: change{images: true}},
	{name: "anti-aliasing", about: "all text drawn a third of a pixel further right", change: change{shift: true}},
	{name: "theme", about: "page, cards and lines in slightly other colours", change: change{theme: true}},
	{name: "banner", about: "a banner of 40 px above everything, cut to the same height", change: change{banner: true}},
	{name: "banner-taller", about: "the same banner, the picture 40 px taller", change: change{banner: true}, taller: 40},
	{name: "reflow", about: "letters 0.012 em further apart, so that lines break elsewhere", change: change{reflow: true}},
}

// pair is two captures to compare.
type pair struct {
	Device string `json:"device"`
	Scene  string `json:"scene"`
	Before string `json:"-"`
	After  string `json:"-"`
	equal  bool   // both are of one size
}

// studio makes the captures of one folder, once.
type studio struct{ dir, browser string }

// makePairs captures what is missing and returns all pairs.
func (s studio) makePairs(ctx context.Context, want func(device, scene string) bool) ([]pair, error) {
	if err := s.writePages(); err != nil {
		return nil, err
	}
	var pairs []pair
	for _, d := range devices {
		plain := filepath.Join(s.dir, d.name+"-plain.png")
		for _, sc := range scenes {
			if !want(d.name, sc.name) {
				continue
			}
			if err := s.capture(ctx, "plain", d, 0, plain); err != nil {
				return nil, err
			}
			p := pair{Device: d.name, Scene: sc.name, Before: plain, After: filepath.Join(s.dir, d.name+"-"+sc.name+".png"),
				equal: sc.taller == 0}
			if err := s.captureAfter(ctx, d, sc, p); err != nil {
				return nil, err
			}
			pairs = append(pairs, p)
		}
	}
	return pairs, nil
}

// captureAfter makes the after picture of a pair.
func (s studio) captureAfter(ctx context.Context, d device, sc scene, p pair) error {
	if sc.resave {
		data, err := os.ReadFile(p.Before)
		if err != nil {
			return err
		}
		return os.WriteFile(p.After, addComment(data), 0o600) //nolint:gosec // a path that makePairs made
	}
	return s.capture(ctx, sc.name, d, sc.taller, p.After)
}

// writePages writes the sources of all pages unless an earlier run did.
func (s studio) writePages() error {
	if _, err := os.Stat(filepath.Join(s.dir, "plain.html")); err == nil {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o750); err != nil {
		return err
	}
	for n := range pictures {
		data, err := writePhoto(n)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(s.dir, strconv.Itoa(n)+".jpg"), data, 0o600); err != nil {
			return err
		}
	}
	for _, sc := range append(scenes[:len(scenes):len(scenes)], scene{name: "plain"}) { // the last tells that all are there
		if err := os.WriteFile(filepath.Join(s.dir, sc.name+".html"), []byte(writePage(sc.change)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// capture takes one picture unless an earlier run did.
func (s studio) capture(ctx context.Context, page string, d device, taller int, out string) error {
	if _, err := os.Stat(out); err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	profile, err := os.MkdirTemp("", "peerbench-profile-")
	if err != nil {
		return err
	}
	args := []string{"--headless", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1", "--font-render-hinting=none",
		"--disable-lcd-text", "--force-color-profile=srgb", "--user-data-dir=" + profile,
		fmt.Sprintf("--window-size=%d,%d", d.width, d.height+taller), "--screenshot=" + out, "file://" + filepath.Join(s.dir, page+".html")}
	if os.Geteuid() == 0 { // the browser's sandbox refuses root, and the pages are our own
		args = append([]string{"--no-sandbox"}, args...)
	}
	output, err := exec.CommandContext(ctx, s.browser, args...).CombinedOutput()
	if _, missing := os.Stat(out); err == nil && missing != nil {
		err = errors.New("it made no picture")
	}
	if err != nil {
		err = fmt.Errorf("capture %s with %s: %w\n%s", page, s.browser, err, bytes.TrimSpace(output))
	}
	return errors.Join(err, os.RemoveAll(profile))
}

// addComment returns the PNG with a tEXt chunk before its end.
func addComment(data []byte) []byte {
	const end = 12 // bytes of the IEND chunk
	text := []byte("tEXtComment\x00the same pixels")
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)-4))
	chunk = append(chunk, text...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(text))
	head := data[:max(len(data)-end, 0)]
	return append(append(bytes.Clone(head), chunk...), data[len(head):]...)
}

// browsers are the programs that can capture, best first.
var browsers = []string{"chromium-headless-shell", "chrome-headless-shell", "headless_shell"}

// newStudio finds the browser and the folder for its captures, which depends
// on the browser's version and on everything that makes the pages.
func newStudio(ctx context.Context, cache string) (studio, error) {
	var browser string
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		return studio{}, fmt.Errorf("no headless browser found; install one of %s", strings.Join(browsers, ", "))
	}
	version, err := exec.CommandContext(ctx, browser, "--version").Output()
	if err != nil {
		return studio{}, fmt.Errorf("ask %s for its version: %w", browser, err)
	}
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "%s\n%v\n", version, devices) // a hash takes everything
	for _, sc := range scenes {
		_, _ = fmt.Fprintf(hash, "%+v\n%s\n", sc, writePage(sc.change))
	}
	for n := range 2 {
		photo, err := writePhoto(n)
		if err != nil {
			return studio{}, err
		}
		_, _ = hash.Write(photo)
	}
	return studio{dir: filepath.Join(cache, fmt.Sprintf("%x", hash.Sum(nil)[:8])), browser: browser}, nil
}
