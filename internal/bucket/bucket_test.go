package bucket

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"afterimage/internal/buckettest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// impatient is as patient as the tests are.
var impatient = patience{
	total: 5 * time.Minute, silence: 30 * time.Second, slowest: 1 << 20, dripping: 1 << 20, first: time.Millisecond,
	longest: 4 * time.Millisecond, maxTries: 4,
}

func opened(t *testing.T, place string) *Bucket {
	t.Helper()
	b, err := Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	b.patience = impatient
	t.Cleanup(func() { b.Close() })
	return b
}

// hasty lets a test not wait long for servers that never answer.
func (b *Bucket) hasty(t *testing.T) {
	t.Helper()
	b.patience.silence = time.Second
	t.Cleanup(func() { b.patience.silence = impatient.silence })
}

// faulty is an empty bucket behind a proxy.
func faulty(t *testing.T, server *buckettest.Server, name string) (*Bucket, *buckettest.Proxy) {
	t.Helper()
	server.Bucket(t, name)
	proxy := server.NewProxy(t)
	return opened(t, server.URL(t, name, proxy.Endpoint)), proxy
}

// protocol is what the tests know of a server.
type protocol struct {
	start func(testing.TB) *buckettest.Server
	write string // the method of requests that write
	links bool   // whether its links can be signed with the credentials of tests
}

var protocols = map[string]protocol{
	"s3":     {start: buckettest.StartS3, write: http.MethodPut, links: true},
	"gs":     {start: buckettest.StartGoogle, write: http.MethodPost},
	"azblob": {start: buckettest.StartAzure, write: http.MethodPut, links: true},
}

func TestOnServers(t *testing.T) {
	for scheme, p := range protocols {
		t.Run(scheme, func(t *testing.T) {
			server := p.start(t)
			t.Run("objects are kept", func(t *testing.T) { objectsAreKept(t, server) })
			t.Run("objects of several parts are kept", func(t *testing.T) { severalPartsAreKept(t, server, p) })
			t.Run("lists have pages", func(t *testing.T) { listsHavePages(t, server) })
			t.Run("links are for everybody", func(t *testing.T) { linksAreForEverybody(t, server, p) })
			t.Run("failures in passing are survived", func(t *testing.T) { failuresInPassingAreSurvived(t, server, p) })
			t.Run("damage of what is new is mended", func(t *testing.T) { damageOfWhatIsNewIsMended(t, server, p) })
			t.Run("failures that last are explained", func(t *testing.T) { failuresThatLastAreExplained(t, server) })
			t.Run("rights are proved one by one", func(t *testing.T) { rightsAreProvedOneByOne(t, server, p) })
			t.Run("calls hear their context", func(t *testing.T) { callsHearTheirContext(t, server) })
			switch scheme {
			case "s3":
				t.Run("what only S3 does", func(t *testing.T) { whatOnlyS3Does(t, server) })
			case "azblob":
				t.Run("credentials of Azure", func(t *testing.T) { credentialsOfAzure(t, server) })
			}
		})
	}
}

var content = bytes.Repeat([]byte("pixels"), 20_000)

// within is the URL of a bucket with a prefix before all keys.
func within(t *testing.T, place, prefix string) string {
	t.Helper()
	u, err := url.Parse(place)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = prefix
	return u.String()
}

func objectsAreKept(t *testing.T, server *buckettest.Server) {
	shared := server.Bucket(t, "shared")
	for _, place := range []string{server.Bucket(t, "pictures"), within(t, shared, "/a/prefix")} {
		b := opened(t, place)
		ctx := t.Context()
		if err := b.Check(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Read(ctx, "ab/none"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("nothing: %v", err)
		}
		if err := errors.Join(b.Write(ctx, "ab/one", content, "image/png"), b.Write(ctx, "ab/two", nil, "image/png"),
			b.Write(ctx, "ac/three", []byte("3"), "text/plain"), b.Write(ctx, "ac/three", []byte("three"), "text/plain")); err != nil {
			t.Fatal(err)
		}
		if read, err := b.Read(ctx, "ab/one"); err != nil || !bytes.Equal(read, content) {
			t.Errorf("read %d bytes, %v", len(read), err)
		}
		if err := b.Create(ctx, "ac/three", []byte("other"), "text/plain"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a second one: %v", err)
		}
		if read, err := b.Read(ctx, "ac/three"); string(read) != "three" {
			t.Errorf("read %q, %v", read, err)
		}
		if holds, err := b.Holds(ctx, "ab/one", content); !holds || err != nil {
			t.Errorf("what was written is not held: %v", err)
		}
		for key, other := range map[string]string{"ac/three": "THREE", "ab/none": ""} {
			if holds, err := b.Holds(ctx, key, []byte(other)); holds || err != nil {
				t.Errorf("%s holds what was never written (%v)", key, err)
			}
		}
		if o, err := b.Stat(ctx, "ab/one"); o.Size != int64(len(content)) || time.Since(o.Modified).Abs() > time.Minute || err != nil {
			t.Errorf("described as %+v, %v", o, err)
		}
		if got := listed(t, b, "ab/"); got != "ab/one 120000, ab/two 0" {
			t.Errorf("listed %s", got)
		}
		if err := errors.Join(b.Delete(ctx, "ab/one"), b.Delete(ctx, "ab/one")); err != nil {
			t.Error(err)
		}
		if _, err := b.Stat(ctx, "ab/one"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("deleted: %v", err)
		}
	}
	if got := listed(t, opened(t, shared), ""); got != "a/prefix/ab/two 0, a/prefix/ac/three 5" {
		t.Errorf("without the prefix: %s", got)
	}
}

// listed are the keys and sizes of a bucket.
func listed(t *testing.T, b *Bucket, prefix string) string {
	t.Helper()
	var objects []string
	for o, err := range b.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, fmt.Sprint(o.Key, " ", o.Size))
	}
	return strings.Join(objects, ", ")
}

// severalPartsAreKept: servers know no sum of what came in parts, or only the one they were told.
func severalPartsAreKept(t *testing.T, server *buckettest.Server, p protocol) {
	b, proxy := faulty(t, server, "parts")
	b.patience = usualPatience
	large := bytes.Repeat([]byte("pixels"), partSize/6+1000)
	if err := b.Write(t.Context(), "large", large, "image/png"); err != nil {
		t.Fatal(err)
	}
	if read, err := b.Read(t.Context(), "large"); err != nil || !bytes.Equal(read, large) {
		t.Errorf("read %d bytes, %v", len(read), err)
	}
	if err := b.Create(t.Context(), "large", large[1:], "image/png"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second one: %v", err)
	}
	proxy.Break(p.write, "/parts", 1, buckettest.Flipped)
	if err := b.Write(t.Context(), "large", large, "image/png"); err != nil {
		t.Fatal(err)
	}
	if read, err := b.Read(t.Context(), "large"); err != nil || !bytes.Equal(read, large) {
		t.Errorf("after a bit went wrong: read %d bytes, %v", len(read), err)
	}
}

// listsHavePages: a page ends after a thousand objects, but the list does not.
func listsHavePages(t *testing.T, server *buckettest.Server) {
	b := opened(t, server.Bucket(t, "many"))
	b.patience = usualPatience // a page of a thousand may take a while
	const many = pageSize + 10
	var writing errgroup.Group
	writing.SetLimit(8)
	for i := range many {
		writing.Go(func() error {
			return b.remote.write(t.Context(), fmt.Sprintf("%05d", i), nil, "text/plain", false)
		})
	}
	if err := writing.Wait(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for o, err := range b.List(t.Context(), "") {
		if want := fmt.Sprintf("%05d", n); err != nil || o.Key != want {
			t.Fatalf("listed %s, %v; want %s", o.Key, err, want)
		}
		n++
	}
	if n != many {
		t.Errorf("listed %d", n)
	}
}

// linksAreForEverybody who has them, until they end.
func linksAreForEverybody(t *testing.T, server *buckettest.Server, p protocol) {
	b := opened(t, server.Bucket(t, "linked"))
	if err := b.Write(t.Context(), "one", content, "image/png"); err != nil {
		t.Fatal(err)
	}
	link, err := b.Link(t.Context(), "one", time.Hour)
	if !p.links {
		if err == nil {
			t.Errorf("signed without a key: %s", link)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if status, read := get(t, link); status != http.StatusOK || !bytes.Equal(read, content) {
		t.Errorf("status %d, %d bytes", status, len(read))
	}
	other, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	other.Path = strings.Replace(other.Path, "/one", "/two", 1)
	if status, _ := get(t, other.String()); status != http.StatusForbidden {
		t.Errorf("a link to another object: status %d", status)
	}
}

func get(t *testing.T, address string) (status int, body []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err = io.ReadAll(answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, body
}
