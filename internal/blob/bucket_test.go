package blob_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"afterimage/internal/blob"
	"afterimage/internal/bucket"
	"afterimage/internal/buckettest"
)

// remote is a store in a bucket behind a proxy, with a cache of the given size.
func remote(t *testing.T, server *buckettest.Server, name string, cached int64) (*blob.Bucket, *buckettest.Proxy, string) {
	t.Helper()
	server.Bucket(t, name)
	proxy := server.NewProxy(t)
	var cache *blob.Cache
	dir := t.TempDir()
	if cached > 0 {
		var err error
		if cache, err = blob.NewCache(dir, cached); err != nil {
			t.Fatal(err)
		}
	}
	objects, err := bucket.Open(t.Context(), server.URL(t, name, proxy.Endpoint))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { objects.Close() })
	return blob.NewBucket(objects, cache), proxy, dir
}

func TestABucketIsAStore(t *testing.T) {
	for scheme, start := range map[string]func(testing.TB) *buckettest.Server{
		"s3": buckettest.StartS3, "gs": buckettest.StartGoogle, "azblob": buckettest.StartAzure,
	} {
		t.Run(scheme, func(t *testing.T) {
			server := start(t)
			t.Run("files", func(t *testing.T) { filesInABucket(t, server) })
			t.Run("mark", func(t *testing.T) { markOfABucket(t, server) })
			if scheme == "s3" { // its server keeps objects in files, and its requests name them
				t.Run("damage", func(t *testing.T) { damageInABucket(t, server) })
				t.Run("cache", func(t *testing.T) { cachedFiles(t, server) })
			}
		})
	}
}

func filesInABucket(t *testing.T, server *buckettest.Server) {
	store, proxy, _ := remote(t, server, "files", 0)
	ctx := t.Context()
	content := []byte("\x89PNG\r\n\x1a\n and pixels")
	hash := blob.Hash(content)
	for range 2 {
		if err := store.Put(ctx, hash, content); err != nil {
			t.Fatal(err)
		}
	}
	if n := proxy.Requests(http.MethodPut, "/files") + proxy.Requests(http.MethodPost, "/files"); n != 1 {
		t.Errorf("what was there was written %d times", n)
	}
	if err := store.Put(ctx, blob.Hash([]byte("other")), content); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("under a wrong name: %v", err)
	}
	if err := store.PutVariant(ctx, hash, "jpeg", []byte("small")); err != nil {
		t.Fatal(err)
	}
	file, err := store.Variant(ctx, hash, "jpeg")
	if err != nil {
		t.Fatal(err)
	}
	if read, err := io.ReadAll(file); string(read) != "small" {
		t.Errorf("variant %q, %v", read, err)
	}
	if file, err = store.OpenVerified(ctx, hash, int64(len(content))); err != nil {
		t.Fatal(err)
	}
	if read, err := io.ReadAll(file); !bytes.Equal(read, content) {
		t.Errorf("read %q, %v", read, err)
	}
	var walked []string
	if err := store.Walk(ctx, func(hash string) error { walked = append(walked, hash); return nil }); err != nil || len(walked) != 2 {
		t.Errorf("walked over %v, %v", walked, err)
	}
	if held, err := store.Holds(ctx, hash); !held || err != nil {
		t.Errorf("not held: %v", err)
	}
	if err := errors.Join(store.Remove(ctx, hash), store.Remove(ctx, hash)); err != nil {
		t.Error(err)
	}
	if held, err := store.Holds(ctx, hash); held || err != nil {
		t.Errorf("still held: %v", err)
	}
	_, missing := store.Get(ctx, hash)
	for _, err := range []error{missing, store.Verify(ctx, hash, blob.AnySize), store.VerifySize(ctx, hash, 1)} {
		if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrUnavailable) {
			t.Errorf("removed: %v", err)
		}
	}
	if _, err := store.Get(ctx, "../store-id"); !errors.Is(err, blob.ErrHash) {
		t.Errorf("no hash: %v", err)
	}
}

func damageInABucket(t *testing.T, server *buckettest.Server) {
	store, proxy, _ := remote(t, server, "damage", 0)
	ctx := t.Context()
	content := bytes.Repeat([]byte("pixels"), 1000)
	hash, size := blob.Hash(content), int64(len(content))
	if err := errors.Join(store.Put(ctx, hash, content), store.PutVariant(ctx, hash, "jpeg", content)); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(hash[:2], hash[2:4], hash+".bin")
	proxy.Break(http.MethodGet, hash, 2, buckettest.Half)
	if read, err := store.GetVerified(ctx, hash, size); err != nil || !bytes.Equal(read, content) {
		t.Errorf("after two halves: %d bytes, %v", len(read), err)
	}
	proxy.Break(http.MethodGet, hash, -1, buckettest.Half)
	if _, err := store.Get(ctx, hash); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("halves only: %v", err)
	}
	proxy.Mend()
	file := server.File("damage", key)
	flipped := bytes.Clone(content)
	flipped[3000] ^= 1
	if err := os.WriteFile(file, flipped, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := store.Verify(ctx, hash, size); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("one bit: %v", err)
	}
	if err := os.Truncate(file, 100); err != nil {
		t.Fatal(err)
	}
	if err := store.VerifySize(ctx, hash, size); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("cut: %v", err)
	}
	if err := store.Put(ctx, hash, content); err != nil { // a damaged file is written anew
		t.Fatal(err)
	}
	if err := store.Verify(ctx, hash, size); err != nil {
		t.Error(err)
	}
	if err := os.Truncate(server.File("damage", filepath.Join(hash[:2], hash[2:4], hash+".jpeg")), 100); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := store.Variant(ctx, hash, "jpeg"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a cut variant: %v", err)
		}
	}
}

// cachedFiles: what was written is read without the bucket, and never more than the limit is kept.
func cachedFiles(t *testing.T, server *buckettest.Server) {
	const limit = 100_000
	store, proxy, dir := remote(t, server, "cache", limit)
	ctx := t.Context()
	content := bytes.Repeat([]byte("pixels"), 1000)
	hash, size := blob.Hash(content), int64(len(content))
	if err := store.Put(ctx, hash, content); err != nil {
		t.Fatal(err)
	}
	before := proxy.Requests(http.MethodGet, hash)
	for range 2 {
		if _, err := store.GetVerified(ctx, hash, size); err != nil {
			t.Fatal(err)
		}
		file, err := store.OpenVerified(ctx, hash, size)
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
	if n := proxy.Requests(http.MethodGet, hash) - before; n != 0 {
		t.Errorf("the bucket was read %d times", n)
	}
	if err := os.Truncate(filepath.Join(dir, hash[:2], hash[2:4], hash+".bin"), 10); err != nil {
		t.Fatal(err)
	}
	if read, err := store.GetVerified(ctx, hash, size); err != nil || !bytes.Equal(read, content) {
		t.Errorf("with a damaged cache: %d bytes, %v", len(read), err)
	}
	for i := range 40 {
		more := bytes.Repeat([]byte{byte(i)}, 6000)
		if err := store.Put(ctx, blob.Hash(more), more); err != nil {
			t.Fatal(err)
		}
	}
	var kept int64
	if err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if info, _ := d.Info(); err == nil && !d.IsDir() {
			kept += info.Size()
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if kept > limit*9/8+6000 || kept < limit/2 {
		t.Errorf("%d bytes are kept of %d", kept, limit)
	}
	if read, err := store.GetVerified(ctx, hash, size); err != nil || !bytes.Equal(read, content) {
		t.Errorf("what is kept no longer: %d bytes, %v", len(read), err)
	}
}

func markOfABucket(t *testing.T, server *buckettest.Server) {
	store, proxy, _ := remote(t, server, "mark", 0)
	ctx := t.Context()
	if mark, err := store.Mark(ctx); mark != "" || err != nil {
		t.Errorf("a new store has the mark %q (%v)", mark, err)
	}
	for _, method := range []string{http.MethodPut, http.MethodPost} { // Google's client posts
		proxy.Break(method, "/mark", 1, buckettest.LostAnswer)
	}
	if err := store.SetMark(ctx, "first"); err != nil {
		t.Fatal(err)
	}
	if err := store.SetMark(ctx, "second"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second mark: %v", err)
	}
	store.Expect("first")
	content := []byte("pixels")
	if err := store.Put(ctx, blob.Hash(content), content); err != nil {
		t.Error(err)
	}
	store.Expect("another")
	if err := store.Put(ctx, blob.Hash(content), content); !errors.Is(err, blob.ErrOtherStore) {
		t.Errorf("written into another's bucket: %v", err)
	}
}
