package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
)

// A backup relies on files that the place has already, so nobody may remove files while one is made. Both sides announce themselves
// by an object, and then look for the other's: whoever comes later sees it and gives way.
const (
	claimName  = "under-way" // in the folder of a backup that is being made
	pruneName  = "pruning"
	checkEvery = 10 * time.Second
	renewEvery = time.Minute
	staleAfter = 15 * time.Minute // an announcement that was not renewed for so long is of a process that died
)

// claim announces a backup.
func (r *Repository) claim(ctx context.Context, id string) error {
	if err := r.announce(ctx, backupsPrefix+id+"/"+claimName); err != nil {
		return err
	}
	pruning, err := r.announced(ctx, pruneName)
	if err != nil {
		return err
	}
	if pruning {
		return errors.Join(r.unclaim(ctx, id), fmt.Errorf("old backups in %s are being removed: repeat the backup when that is done, "+
			"in %s at the latest", r.place, staleAfter))
	}
	return nil
}

func (r *Repository) unclaim(ctx context.Context, id string) error {
	return r.place.Delete(ctx, backupsPrefix+id+"/"+claimName)
}

func (r *Repository) announce(ctx context.Context, name string) error {
	return r.place.Write(ctx, name, []byte(time.Now().UTC().Format(time.RFC3339)+"\n"), mediaType)
}

// announced reports whether an announcement is there and fresh.
func (r *Repository) announced(ctx context.Context, name string) (bool, error) {
	raw, err := r.place.Read(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(raw)))
	return err == nil && time.Since(at) < staleAfter, nil
}

// keepAlive renews the announcement of a backup, and proves again and again that its files are held, until stop is called. It cancels
// the backup when either fails.
func (r *Repository) keepAlive(
	ctx context.Context, id string, every time.Duration, check func(context.Context) error, cancel context.CancelCauseFunc,
) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		renewed := time.Now()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if err := check(ctx); err != nil {
				cancel(fmt.Errorf("the connection that keeps pictures from being removed was lost: repeat the backup; "+
					"it does not copy again what has been copied: %w", err))
				return
			}
			if time.Since(renewed) < renewEvery {
				continue
			}
			renewed = time.Now()
			if err := r.announce(ctx, backupsPrefix+id+"/"+claimName); err != nil {
				cancel(err)
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

// Prune removes all backups but the newest ones, what is left of interrupted backups, and files that no backup names any more.
func (r *Repository) Prune(ctx context.Context, keep int) (removed []*Manifest, files int, err error) {
	if keep < 1 {
		return nil, 0, errors.New("at least one backup must be kept")
	}
	if err := r.announce(ctx, pruneName); err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, r.place.Delete(context.WithoutCancel(ctx), pruneName)) }()
	all, err := r.List(ctx)
	if err != nil {
		return nil, 0, err
	}
	kept := all[max(0, len(all)-keep):]
	removed = all[:len(all)-len(kept)]
	if err := r.removeBackups(ctx, kept); err != nil {
		return nil, 0, err
	}
	files, err = r.removeFiles(ctx, kept)
	return removed, files, err
}

// removeBackups removes the objects of all backups but some. It fails before it removes any if one is being made.
func (r *Repository) removeBackups(ctx context.Context, kept []*Manifest) error {
	keep := make(map[string]bool)
	for _, m := range kept {
		keep[m.ID] = true
	}
	var names, manifests []string
	for object, err := range r.place.List(ctx, backupsPrefix) {
		if err != nil {
			return err
		}
		name := object.Key
		id, _, _ := strings.Cut(strings.TrimPrefix(name, backupsPrefix), "/")
		switch {
		case path.Base(name) == claimName:
			fresh, err := r.announced(ctx, name)
			if err != nil {
				return err
			}
			if fresh {
				return fmt.Errorf("a backup is being made in %s: repeat this when it has finished", r.place)
			}
			names = append(names, name)
		case keep[id]:
		case path.Base(name) == manifestName:
			manifests = append(manifests, name)
		default:
			names = append(names, name)
		}
	}
	for _, name := range append(manifests, names...) { // without its manifest it is no backup
		if err := r.place.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// removeFiles removes the files that none of the backups names.
func (r *Repository) removeFiles(ctx context.Context, kept []*Manifest) (removed int, err error) {
	named := make(nameSet)
	for _, m := range kept {
		for f, err := range r.filesOf(ctx, m.ID, m.Lists) {
			if err != nil {
				return 0, err
			}
			named.add(r.sealer.fileName(f.Hash))
		}
	}
	announced := time.Now()
	for object, err := range r.place.List(ctx, filesPrefix) {
		if err != nil {
			return removed, err
		}
		name := object.Key
		if named.has(name) {
			continue
		}
		if time.Since(announced) > renewEvery {
			announced = time.Now()
			if err := r.announce(ctx, pruneName); err != nil {
				return removed, err
			}
		}
		if err := r.place.Delete(ctx, name); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}
