package baseline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"sync"
	"time"

	"afterimage/capture"
	"afterimage/internal/compare"
)

// replacedFolder holds indexes that were replaced lately, where a store has a grace period: their files are still needed.
const replacedFolder = "replaced"

// Recorder renews a baseline. Nothing of the earlier one is lost before Commit.
type Recorder struct {
	store   Store
	earlier map[string]bool // files that the index named when the recorder began

	mu    sync.Mutex
	index Index
	fresh int // pictures that the earlier baseline did not have
}

// NewRecorder begins to renew the baseline in a store, which is tried first. The index has everything but the pages and the engine.
func NewRecorder(ctx context.Context, store Store, index Index) (*Recorder, error) {
	r := &Recorder{store: store, earlier: make(map[string]bool), index: index}
	r.index.Version, r.index.Pages = formatVersion, nil
	if err := store.prepare(ctx); err != nil {
		return nil, err
	}
	earlier, err := Open(ctx, store)
	if err == nil {
		earlier.names(r.earlier)
	} else if !isMissing(err) && !errors.Is(err, ErrUnusable) {
		return nil, err
	}
	return r, nil
}

// names adds the files that an index names to a set.
func (x *Index) names(set map[string]bool) {
	for i := range x.Pages {
		set[x.Pages[i].Picture], set[x.Pages[i].Visit] = true, true
	}
}

// Keep stores a capture; several may be kept at the same time.
func (r *Recorder) Keep(ctx context.Context, path string, device capture.Device, shot *capture.Shot) error {
	v := visit{Visit: shot.Visit, Truncated: shot.Truncated}
	m := &v.Manifest
	m.Stages, m.WaitedFor, m.ReceivedBytes = nil, nil, 0 // which differ from visit to visit of the same page
	packed, err := pack(&v)
	if err != nil {
		return err
	}
	stem := filesFolder + "/" + compare.FileStem(path, device)
	e := Entry{
		Path: path, Device: device, Width: shot.Width, Height: shot.Height,
		Picture: stem + "." + hashOf(shot.PNG) + ".png", Visit: stem + "." + hashOf(packed) + ".json.gz",
	}
	fresh, err := r.write(ctx, e.Picture, shot.PNG)
	if err == nil {
		_, err = r.write(ctx, e.Visit, packed)
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if fresh {
		r.fresh++
	}
	if engine := shot.Manifest.Version(); r.index.Engine == "" {
		r.index.Engine = engine
	} else if r.index.Engine != engine {
		return errors.New("the browser or the fonts changed while the baseline was being made: make it again")
	}
	r.index.Pages = append(r.index.Pages, e)
	return nil
}

// write writes a file unless the earlier baseline has it, and reports whether it did. Other files with this content are written
// all the same: one that no index names may be removed at any time, unless it is new.
func (r *Recorder) write(ctx context.Context, name string, content []byte) (fresh bool, err error) {
	if r.earlier[name] {
		if held, err := r.store.holds(ctx, name, content); held || err != nil {
			return false, err
		}
	}
	return true, r.store.write(ctx, name, content)
}

// Fresh is how many pictures the earlier baseline did not have.
func (r *Recorder) Fresh() int { return r.fresh }

// Commit makes what was kept the baseline, and removes files that no baseline needs any more.
func (r *Recorder) Commit(ctx context.Context) error {
	slices.SortFunc(r.index.Pages, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Device, b.Device))
	})
	text, err := json.MarshalIndent(r.index, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the index of the baseline: %w", err)
	}
	if err := r.complete(ctx); err != nil {
		return err
	}
	if err := r.replaceIndex(ctx, append(text, '\n')); err != nil {
		return err
	}
	return r.sweep(ctx)
}

// complete finds out whether all files are still there. Another update, of a folder for example, may have removed some.
func (r *Recorder) complete(ctx context.Context) error {
	missing := make(map[string]bool)
	r.index.names(missing)
	for o, err := range r.store.list(ctx, filesFolder+"/") {
		if err != nil {
			return err
		}
		delete(missing, o.Key)
	}
	if len(missing) > 0 {
		return fmt.Errorf("the baseline in %s was not updated: another update removed %d of its files. Repeat it", r.store, len(missing))
	}
	return nil
}

// replaceIndex writes the index, and keeps the one that it replaces for the grace period.
func (r *Recorder) replaceIndex(ctx context.Context, text []byte) error {
	was, err := r.store.read(ctx, indexName)
	switch {
	case err == nil && bytes.Equal(was, text):
		return nil
	case err == nil && r.store.grace() > 0:
		if err := r.store.write(ctx, replacedFolder+"/"+hashOf(was)+".json", was); err != nil {
			return err
		}
	case err != nil && !isMissing(err):
		return err
	}
	return r.store.write(ctx, indexName, text)
}

// Abort removes what was written, if the baseline is not to be updated after all. What another process may have written as well is left to
// the next update after the grace period.
func (r *Recorder) Abort(ctx context.Context) error {
	if r.store.grace() > 0 {
		return nil
	}
	return r.sweep(ctx)
}

// ours are names of files as a recorder makes them. The place may hold others.
var ours = regexp.MustCompile(`-(desktop|mobile)\.[0-9a-f]{16}\.(png|json\.gz)$|^\.part-`)

// sweep removes the files that no index names, once the grace period is over.
func (r *Recorder) sweep(ctx context.Context) error {
	named, err := r.named(ctx)
	if errors.Is(err, ErrUnusable) {
		return nil // what belongs to a damaged baseline is not for us to tell
	}
	if err != nil {
		return err
	}
	for o, err := range r.store.list(ctx, filesFolder+"/") {
		if err != nil {
			return err
		}
		if !named[o.Key] && ours.MatchString(path.Base(o.Key)) && r.isOver(o.Modified) {
			if err := r.store.remove(ctx, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// named are the files of the index that is there, which may be that of another recorder, and of those that were replaced lately.
func (r *Recorder) named(ctx context.Context) (map[string]bool, error) {
	set := make(map[string]bool)
	current, err := Open(ctx, r.store)
	switch {
	case err == nil:
		current.names(set)
	case !isMissing(err):
		return nil, err
	}
	for o, err := range r.store.list(ctx, replacedFolder+"/") {
		if err != nil {
			return nil, err
		}
		if r.isOver(o.Modified) {
			err = r.store.remove(ctx, o)
		} else {
			err = r.addReplaced(ctx, o.Key, set)
		}
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

// addReplaced adds the files of an index that was replaced. One that another recorder has just removed needs none.
func (r *Recorder) addReplaced(ctx context.Context, name string, set map[string]bool) error {
	text, err := r.store.read(ctx, name)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var replaced Index
	if json.Unmarshal(text, &replaced) == nil { // else it was damaged before, and there is nothing to be read by it
		replaced.names(set)
	}
	return nil
}

func (r *Recorder) isOver(modified time.Time) bool { return time.Since(modified) >= r.store.grace() }
