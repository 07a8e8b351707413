package baseline

import (
	"context"
	"iter"
	"net/http"
	"time"

	"afterimage/internal/blob"
)

// Store is where the files of a baseline are: a [Folder] or a bucket, see [InBucket]. Names of files have slashes.
type Store interface {
	// String names the place for people.
	String() string
	// prepare proves that files can be written, before pages are captured for them.
	prepare(ctx context.Context) error
	// read returns a file; the error is fs.ErrNotExist if there is none.
	read(ctx context.Context, name string) ([]byte, error)
	// holds reports whether a file is there with exactly this content.
	holds(ctx context.Context, name string, content []byte) (bool, error)
	// write puts a file under its name in one step, also over an existing one.
	write(ctx context.Context, name string, content []byte) error
	// list yields the files whose names begin with prefix, which ends with a slash.
	list(ctx context.Context, prefix string) iter.Seq2[blob.Object, error]
	// remove removes a file that list has yielded, unless it was written again since.
	remove(ctx context.Context, o blob.Object) error
	// grace is for how long files are kept that no index names any more.
	grace() time.Duration
}

// bucketGrace is longer than a comparison or an update takes: others may be reading the earlier baseline, or be about to name
// what they have just written.
const bucketGrace = 24 * time.Hour

type inBucket struct{ objects blob.Objects }

// InBucket is a store in a bucket, which any number of machines may use at the same time.
func InBucket(objects blob.Objects) Store { return inBucket{objects} }

func (b inBucket) String() string { return b.objects.String() }

func (b inBucket) prepare(ctx context.Context) error { return b.objects.Check(ctx) }

func (b inBucket) read(ctx context.Context, name string) ([]byte, error) {
	return b.objects.Read(ctx, name)
}

func (b inBucket) holds(ctx context.Context, name string, content []byte) (bool, error) {
	return b.objects.Holds(ctx, name, content)
}

func (b inBucket) write(ctx context.Context, name string, content []byte) error {
	return b.objects.Write(ctx, name, content, http.DetectContentType(content))
}

func (b inBucket) list(ctx context.Context, prefix string) iter.Seq2[blob.Object, error] {
	return b.objects.List(ctx, prefix)
}

func (b inBucket) remove(ctx context.Context, o blob.Object) error {
	now, err := b.objects.Stat(ctx, o.Key)
	if isMissing(err) || err == nil && now.Modified.After(o.Modified) {
		return nil
	}
	if err != nil {
		return err
	}
	return b.objects.Delete(ctx, o.Key)
}

func (inBucket) grace() time.Duration { return bucketGrace }
