package baseline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"afterimage/capture"
	"afterimage/internal/compare"
)

// Recorder renews a baseline. Nothing of the earlier one is lost before Commit.
type Recorder struct {
	dir string

	mu    sync.Mutex
	index Index
	files map[string]bool // of the new index
	fresh int             // pictures that the earlier baseline did not have
}

// NewRecorder begins to renew the baseline in a folder, which is made if it is missing. The index has everything but the pages and
// the engine.
func NewRecorder(dir string, index Index) (*Recorder, error) {
	r := &Recorder{dir: dir, index: index, files: make(map[string]bool)}
	r.index.Version, r.index.Pages = formatVersion, nil
	if err := os.MkdirAll(filepath.Join(dir, filesFolder), 0o755); err != nil { //nolint:gosec // a folder of the caller's
		return nil, r.explain(err)
	}
	return r, nil
}

// Keep stores a capture; several may be kept at the same time.
func (r *Recorder) Keep(path string, device capture.Device, shot *capture.Shot) error {
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
	fresh, err := r.write(e.Picture, shot.PNG)
	if err == nil {
		_, err = r.write(e.Visit, packed)
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
		return errors.New("the browser or the fonts changed while the baseline was made: repeat it")
	}
	r.index.Pages = append(r.index.Pages, e)
	r.files[e.Picture], r.files[e.Visit] = true, true
	return nil
}

// Fresh is how many pictures the earlier baseline did not have.
func (r *Recorder) Fresh() int { return r.fresh }

// Commit makes what was kept the baseline, and removes files that are not in it any more.
func (r *Recorder) Commit() error {
	slices.SortFunc(r.index.Pages, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Device, b.Device))
	})
	text, err := json.MarshalIndent(r.index, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the index of the baseline: %w", err)
	}
	if err := r.replace(indexName, append(text, '\n')); err != nil {
		return err
	}
	return r.sweep()
}

// Abort removes what was written, if the baseline is not to be renewed after all.
func (r *Recorder) Abort() error {
	r.files = make(map[string]bool)
	if earlier, err := Open(r.dir); err == nil {
		for i := range earlier.Pages {
			r.files[earlier.Pages[i].Picture], r.files[earlier.Pages[i].Visit] = true, true
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil // what belongs to a damaged baseline is not for us to tell
	}
	return r.sweep()
}

// ours are names of files as a recorder makes them. The folder may hold others.
var ours = regexp.MustCompile(`-(desktop|mobile)\.[0-9a-f]{16}\.(png|json\.gz)$|^\.part-`)

// sweep removes the files of baselines that are not in use.
func (r *Recorder) sweep() error {
	found, err := os.ReadDir(filepath.Join(r.dir, filesFolder))
	if err != nil {
		return r.explain(err)
	}
	for _, file := range found {
		if name := filesFolder + "/" + file.Name(); !r.files[name] && ours.MatchString(file.Name()) {
			if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(name))); err != nil {
				return r.explain(err)
			}
		}
	}
	return nil
}

// write writes a file unless it is there, and reports whether it did. Its name tells its content.
func (r *Recorder) write(name string, content []byte) (fresh bool, err error) {
	there, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err == nil && hashOf(there) == hashOf(content) {
		return false, nil
	}
	return true, r.replace(name, content)
}

// replace puts a file under its name when it is complete and on the disk.
func (r *Recorder) replace(name string, content []byte) error {
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	part, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return r.explain(err)
	}
	_, err = part.Write(content)
	err = errors.Join(err, part.Chmod(0o644), part.Sync(), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		_ = os.Remove(part.Name())
		return r.explain(err)
	}
	return nil
}

// explain says in one line that the folder cannot be written, and why.
func (r *Recorder) explain(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("the baseline cannot be written to %s: %w", r.dir, err)
}
