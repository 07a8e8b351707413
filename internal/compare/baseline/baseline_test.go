package baseline

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/capture"
	"afterimage/internal/bucket"
	"afterimage/internal/buckettest"
	"afterimage/internal/compare"
	"afterimage/internal/page"
)

func shot(picture string) *capture.Shot {
	return &capture.Shot{PNG: []byte(picture), Width: 1440, Height: 900, Truncated: true, Visit: page.Visit{
		Status: 200, FinalURL: "https://example.com/a", Title: "A", Console: []page.ConsoleEntry{{Text: "hello", Type: "log"}},
		Manifest: page.Manifest{Engine: "E/1", Fonts: "f", Pipeline: "virtual-time", PipelineVersion: 5, Unstable: []page.Box{{X: 1}}},
		Content:  &page.Content{Title: "A", Text: "text", Elements: []page.Element{{Tag: "body"}, {Number: 1, Tag: "p", Text: "text"}}},
	}}
}

var index = Index{Site: "https://example.com", Date: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}

// place is a store whose files are in a folder of this machine, where tests see and spoil them.
type place struct {
	Store

	dir   string
	proxy *buckettest.Proxy // in front of the server; nil for a folder
}

// recorded begins a baseline of pages with pictures.
func (p place) recorded(t *testing.T, pictures map[string]string) *Recorder {
	t.Helper()
	r, err := NewRecorder(t.Context(), p, index)
	if err != nil {
		t.Fatal(err)
	}
	for path, picture := range pictures {
		if err := r.Keep(t.Context(), path, capture.Desktop, shot(picture)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func commit(t *testing.T, r *Recorder) {
	t.Helper()
	if err := r.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (p place) opened(t *testing.T) *Baseline {
	t.Helper()
	b, err := Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// picture is what the baseline has of a page.
func picture(t *testing.T, b *Baseline, path string) string {
	t.Helper()
	got, err := b.Shot(t.Context(), path, capture.Desktop)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return ""
	}
	return string(got.PNG)
}

// files lists the files of pages with their times.
func (p place) files(t *testing.T) map[string]time.Time {
	t.Helper()
	found := make(map[string]time.Time)
	names, err := filepath.Glob(filepath.Join(p.dir, filesFolder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(name)] = info.ModTime()
	}
	return found
}

// age makes all files older.
func (p place) age(t *testing.T, by time.Duration) {
	t.Helper()
	err := filepath.WalkDir(p.dir, func(name string, file fs.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		info, err := file.Info()
		if err != nil {
			return err
		}
		return os.Chtimes(name, time.Time{}, info.ModTime().Add(-by))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// spoil writes other bytes into a file.
func (p place) spoil(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func inFolder(t *testing.T) place {
	dir := filepath.Join(t.TempDir(), "base")
	return place{Store: Folder(dir), dir: dir}
}

// inBucketOf is a new bucket behind a proxy. Half of the tests' baselines have a prefix.
func inBucketOf(t *testing.T, server *buckettest.Server, name, prefix string) place {
	t.Helper()
	server.Bucket(t, name)
	proxy := server.NewProxy(t)
	objects, err := bucket.Open(t.Context(), strings.Replace(server.URL(t, name, proxy.Endpoint), "?", "/"+prefix+"?", 1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { objects.Close() })
	return place{Store: InBucket(objects), dir: server.File(name, prefix), proxy: proxy}
}

// everywhere are the promises of all stores.
var everywhere = map[string]func(t *testing.T, open func(name string) place){
	"comes-back": comesBack, "only-changes": onlyChanges, "as-before": asBefore, "damage": damage, "two-engines": twoEngines,
}

func TestInAFolder(t *testing.T) {
	for name, check := range everywhere {
		t.Run(name, func(t *testing.T) { check(t, func(string) place { return inFolder(t) }) })
	}
	t.Run("nothing is left", nothingIsLeftInAFolder)
	t.Run("two updates", twoUpdatesOfAFolder)
	t.Run("no folder", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := NewRecorder(t.Context(), Folder(file), index)
		if want := "the baseline cannot be written to " + file + ": not a directory"; err == nil || err.Error() != want {
			t.Errorf("%v", err)
		}
	})
}

func TestInABucket(t *testing.T) {
	server := buckettest.StartS3(t)
	for name, check := range everywhere {
		t.Run(name, func(t *testing.T) {
			check(t, func(more string) place { return inBucketOf(t, server, name+more, "a/prefix") })
		})
	}
	for name, check := range map[string]func(*testing.T, place){
		"readers": readersOfAnEarlierBaseline, "updates": twoUpdatesOfABucket, "revived": revivedFiles, "refused": refusedWrites,
		"torn": anIndexThatIsNotWritten,
	} {
		t.Run(name, func(t *testing.T) { check(t, inBucketOf(t, server, name, "")) })
	}
}

func comesBack(t *testing.T, open func(string) place) {
	p := open("")
	if _, err := Open(t.Context(), p); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no baseline: %v", err)
	}
	commit(t, p.recorded(t, map[string]string{"/b": "two", "/": "one"}))
	b := p.opened(t)
	if b.Engine() != "E/1 fonts/f virtual-time/5" || b.Site != index.Site || !b.Date.Equal(index.Date) ||
		strings.Join(b.Paths(), " ") != "/ /b" || len(b.Devices()) != 1 {
		t.Errorf("%+v", b.Index)
	}
	got, err := b.Shot(t.Context(), "/", capture.Desktop)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(shot("one"), got); diff != "" {
		t.Error(diff)
	}
	if _, err := b.Shot(t.Context(), "/", capture.Mobile); !errors.Is(err, compare.ErrNotStored) {
		t.Errorf("another device: %v", err)
	}
}

func onlyChanges(t *testing.T, open func(string) place) {
	p := open("")
	commit(t, p.recorded(t, map[string]string{"/a": "one", "/b": "two"}))
	p.spoil(t, filesFolder+"/notes.png", "of somebody else")
	p.age(t, 2*bucketGrace)
	before := p.files(t)
	r := p.recorded(t, map[string]string{"/a": "one", "/b": "other"})
	commit(t, r)
	after := p.files(t)
	kept := 0
	for name, at := range after {
		if earlier, ok := before[name]; ok && earlier.Equal(at) {
			kept++
		}
	}
	written := len(after) - kept
	if r.Fresh() != 1 || written != 1 || after["notes.png"].IsZero() {
		t.Errorf("%d new pictures, %d files written; %v became %v", r.Fresh(), written, before, after)
	}
	index, err := os.ReadFile(filepath.Join(p.dir, indexName))
	if err != nil {
		t.Fatal(err)
	}
	commit(t, p.recorded(t, map[string]string{"/b": "other", "/a": "one"}))
	if again, err := os.ReadFile(filepath.Join(p.dir, indexName)); err != nil || !bytes.Equal(again, index) {
		t.Errorf("the same pages have another index: %s (%v)", again, err)
	}
}

func asBefore(t *testing.T, open func(string) place) {
	p := open("")
	commit(t, p.recorded(t, map[string]string{"/a": "one"}))
	before := p.files(t)
	r := p.recorded(t, map[string]string{"/a": "other", "/b": "new"})
	if got := picture(t, p.opened(t), "/a"); got != "one" {
		t.Errorf("while it is renewed: %q", got)
	}
	if err := r.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := p.files(t)
	for name := range after {
		if _, ok := before[name]; !ok && p.grace() == 0 {
			t.Errorf("%s is left", name)
		}
	}
	if b := p.opened(t); picture(t, b, "/a") != "one" || len(b.Pages) != 1 {
		t.Errorf("after the end: %+v", b.Index)
	}
}

func twoEngines(t *testing.T, open func(string) place) {
	r := open("").recorded(t, map[string]string{"/a": "one"})
	other := shot("x")
	other.Manifest.Engine = "E/2"
	err := r.Keep(t.Context(), "/c", capture.Desktop, other)
	if err == nil || !strings.Contains(err.Error(), "the browser or the fonts changed") {
		t.Errorf("two engines in one baseline: %v", err)
	}
}

func damage(t *testing.T, open func(string) place) {
	p := open("")
	pages := map[string]string{"/a": "one"}
	commit(t, p.recorded(t, pages))
	e := p.opened(t).Pages[0]
	for _, file := range []string{e.Picture, e.Visit, indexName} {
		for what, spoil := range map[string]func(string) error{
			"other bytes": func(file string) error { return os.WriteFile(file, []byte("{"), 0o600) },
			"gone":        os.Remove,
		} {
			if err := spoil(filepath.Join(p.dir, file)); err != nil {
				t.Fatal(err)
			}
			b, err := Open(t.Context(), p)
			if err == nil {
				_, err = b.Shot(t.Context(), "/a", capture.Desktop)
			}
			noIndex := file == indexName && what == "gone"
			named := errors.Is(err, ErrUnusable) && strings.Contains(err.Error(), p.String()+" is damaged: "+file+" is missing or was")
			if noIndex != errors.Is(err, fs.ErrNotExist) || noIndex == named {
				t.Errorf("%s, %s: %v", file, what, err)
			}
			commit(t, p.recorded(t, pages))
			if got := picture(t, p.opened(t), "/a"); got != "one" {
				t.Errorf("%s, %s, renewed: %q", file, what, got)
			}
		}
	}
	for words, text := range map[string]string{
		"knows 1":    `{"version": 9}`,
		"is damaged": `{"version": 1, "pages": [{"path": "/", "picture": "../../etc/passwd", "visit": "a"}]}`,
	} {
		p.spoil(t, indexName, text)
		if _, err := Open(t.Context(), p); !errors.Is(err, ErrUnusable) || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", text, err)
		}
		if err := p.recorded(t, map[string]string{"/a": "other"}).Abort(t.Context()); err != nil {
			t.Error(err)
		}
		if len(p.files(t)) < 3 {
			t.Error("an update that ended early removed files of a damaged baseline")
		}
	}
}

func nothingIsLeftInAFolder(t *testing.T) {
	p := inFolder(t)
	commit(t, p.recorded(t, map[string]string{"/a": "one", "/b": "two"}))
	before := p.files(t)
	commit(t, p.recorded(t, map[string]string{"/a": "other", "/b": "two"}))
	p.spoil(t, filesFolder+"/.part-killed", "half")
	commit(t, p.recorded(t, map[string]string{"/a": "one", "/b": "two"}))
	want, got := slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(p.files(t)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(p.dir, replacedFolder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("earlier indexes are kept: %v", err)
	}
}

// twoUpdatesOfAFolder: the one that ends first takes the files of the other for old ones. The other says so.
func twoUpdatesOfAFolder(t *testing.T) {
	p := inFolder(t)
	slow := p.recorded(t, map[string]string{"/a": "slow"})
	commit(t, p.recorded(t, map[string]string{"/a": "fast"}))
	err := slow.Commit(t.Context())
	if err == nil || !strings.Contains(err.Error(), "another update removed 1 of its files. Repeat it") {
		t.Errorf("the slow one: %v", err)
	}
	if got := picture(t, p.opened(t), "/a"); got != "fast" {
		t.Errorf("the baseline has %q", got)
	}
}

// readersOfAnEarlierBaseline find its files for the grace period after it was replaced, however old they are, and no longer.
func readersOfAnEarlierBaseline(t *testing.T, p place) {
	commit(t, p.recorded(t, map[string]string{"/a": "one", "/b": "two"}))
	p.age(t, 10*bucketGrace)
	reader := p.opened(t)
	commit(t, p.recorded(t, map[string]string{"/a": "other", "/b": "two"}))
	commit(t, p.recorded(t, map[string]string{"/a": "third", "/b": "two"}))
	if got := picture(t, reader, "/a"); got != "one" {
		t.Errorf("while somebody compares: %q", got)
	}
	p.age(t, bucketGrace+time.Minute)
	commit(t, p.recorded(t, map[string]string{"/a": "third", "/b": "two"}))
	if n := len(p.files(t)); n != 4 {
		t.Errorf("a day later there are %d files: %v", n, p.files(t))
	}
	if _, err := reader.Shot(t.Context(), "/a", capture.Desktop); !errors.Is(err, ErrUnusable) {
		t.Errorf("a day later: %v", err)
	}
	if got := picture(t, p.opened(t), "/a"); got != "third" {
		t.Errorf("the baseline has %q", got)
	}
	if left, err := filepath.Glob(filepath.Join(p.dir, replacedFolder, "*")); err != nil || len(left) > 0 {
		t.Errorf("%q are left (%v)", left, err)
	}
}

// twoUpdatesOfABucket: whichever ends last has made the baseline, the whole of it. One that ends early takes nothing with it that
// the other has written too.
func twoUpdatesOfABucket(t *testing.T, p place) {
	commit(t, p.recorded(t, map[string]string{"/a": "one"}))
	p.age(t, 10*bucketGrace)
	first, second, ended := p.recorded(t, map[string]string{"/a": "one", "/b": "new"}), p.recorded(t, map[string]string{"/a": "one"}),
		p.recorded(t, map[string]string{"/b": "new"})
	commit(t, first)
	if err := ended.Abort(t.Context()); err != nil {
		t.Error(err)
	}
	if b := p.opened(t); picture(t, b, "/a") != "one" || picture(t, b, "/b") != "new" {
		t.Errorf("of the first: %+v", b.Index)
	}
	third := p.recorded(t, map[string]string{"/a": "third"})
	commit(t, third)
	commit(t, second)
	if b := p.opened(t); picture(t, b, "/a") != "one" || len(b.Pages) != 1 {
		t.Errorf("of the second: %+v", b.Index)
	}
}

// revivedFiles: a page looks again as it did long ago, and files of that time are about to be removed.
func revivedFiles(t *testing.T, p place) {
	commit(t, p.recorded(t, map[string]string{"/a": "one"}))
	commit(t, p.recorded(t, map[string]string{"/a": "other"}))
	p.age(t, 2*bucketGrace)
	again := p.recorded(t, map[string]string{"/a": "one"})
	commit(t, p.recorded(t, map[string]string{"/a": "other"}))
	commit(t, again)
	if got := picture(t, p.opened(t), "/a"); got != "one" {
		t.Errorf("the baseline has %q", got)
	}
}

// refusedWrites are told before pages are captured.
func refusedWrites(t *testing.T, p place) {
	commit(t, p.recorded(t, map[string]string{"/a": "one"}))
	p.proxy.Break(http.MethodPut, "", -1, buckettest.Answer(http.StatusForbidden, "AccessDenied"))
	if _, err := NewRecorder(t.Context(), p, index); err == nil || !strings.Contains(err.Error(), "permission denied: allow") {
		t.Errorf("%v", err)
	}
	if got := picture(t, p.opened(t), "/a"); got != "one" {
		t.Errorf("who may only read reads %q", got)
	}
}

// anIndexThatIsNotWritten leaves the earlier baseline as it was.
func anIndexThatIsNotWritten(t *testing.T, p place) {
	commit(t, p.recorded(t, map[string]string{"/a": "one"}))
	r := p.recorded(t, map[string]string{"/a": "other"})
	p.proxy.Break(http.MethodPut, "/"+indexName, -1, buckettest.Answer(http.StatusForbidden, "AccessDenied"))
	if err := r.Commit(t.Context()); err == nil {
		t.Error("no error")
	}
	if got := picture(t, p.opened(t), "/a"); got != "one" {
		t.Errorf("the baseline has %q", got)
	}
}
