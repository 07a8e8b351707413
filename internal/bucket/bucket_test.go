package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"afterimage/internal/buckettest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// impatient is as patient as the tests are.
var impatient = patience{
	total: 20 * time.Second, silence: 150 * time.Millisecond, slowest: 64 << 10, first: time.Millisecond, longest: 4 * time.Millisecond,
	maxTries: 4,
}

func opened(t *testing.T, url string) *Bucket {
	t.Helper()
	b, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	b.patience = impatient
	t.Cleanup(func() { b.Close() })
	return b
}

// faulty is an empty bucket behind a proxy.
func faulty(t *testing.T, server *buckettest.Server, name string) (*Bucket, *buckettest.Proxy) {
	t.Helper()
	server.Bucket(t, name)
	proxy := server.NewProxy(t)
	return opened(t, server.URL(t, name, proxy.Endpoint)), proxy
}

func TestOnAServer(t *testing.T) {
	server := buckettest.StartS3(t)
	t.Run("objects are kept", func(t *testing.T) { objectsAreKept(t, server) })
	t.Run("failures in passing are survived", func(t *testing.T) { failuresInPassingAreSurvived(t, server) })
	t.Run("failures that last are explained", func(t *testing.T) { failuresThatLastAreExplained(t, server) })
	t.Run("rights are proved one by one", func(t *testing.T) { rightsAreProvedOneByOne(t, server) })
	t.Run("calls hear their context", func(t *testing.T) { callsHearTheirContext(t, server) })
}

var content = bytes.Repeat([]byte("pixels"), 20_000)

func objectsAreKept(t *testing.T, server *buckettest.Server) {
	prefixed := strings.Replace(server.Bucket(t, "shared"), "shared?", "shared/a/prefix?", 1)
	for _, url := range []string{server.Bucket(t, "pictures"), prefixed} {
		b := opened(t, url)
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
		var keys []string
		for o, err := range b.List(ctx, "ab/") {
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, fmt.Sprint(o.Key, " ", o.Size))
		}
		if got := strings.Join(keys, ", "); got != "ab/one 120000, ab/two 0" {
			t.Errorf("listed %s", got)
		}
		if err := errors.Join(b.Delete(ctx, "ab/one"), b.Delete(ctx, "ab/one")); err != nil {
			t.Error(err)
		}
		if _, err := b.Stat(ctx, "ab/one"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("deleted: %v", err)
		}
	}
	if _, err := os.Stat(server.File("shared", "a/prefix/ac/three")); err != nil {
		t.Error(err)
	}
}

// failuresInPassingAreSurvived: whatever goes wrong once, the call succeeds and what it returns is whole.
func failuresInPassingAreSurvived(t *testing.T, server *buckettest.Server) {
	b, proxy := faulty(t, server, "passing")
	ctx := t.Context()
	for name, c := range map[string]struct {
		method string
		fault  buckettest.Fault
	}{
		"overloaded":             {"", buckettest.Answer(http.StatusServiceUnavailable, "SlowDown")},
		"broken":                 {"", buckettest.Answer(http.StatusInternalServerError, "InternalError")},
		"reset":                  {"", buckettest.Reset},
		"silent":                 {"", buckettest.Silence},
		"answer of write lost":   {http.MethodPut, buckettest.LostAnswer},
		"half of a body":         {http.MethodGet, buckettest.Torn},
		"half kept":              {http.MethodPut, proxy.HalfKept},
		"a clock two hours off":  {"", buckettest.Skewed(2 * time.Hour)},
		"deleted without answer": {http.MethodDelete, buckettest.LostAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			defer proxy.Mend()
			times := 2
			if strings.Contains(name, "clock") {
				times = -1
			}
			proxy.Break(c.method, "/passing", times, c.fault)
			if err := b.Write(ctx, "one", content, "image/png"); err != nil {
				t.Fatal(err)
			}
			if read, err := b.Read(ctx, "one"); err != nil || !bytes.Equal(read, content) {
				t.Errorf("read %d bytes, %v", len(read), err)
			}
			if err := b.Create(ctx, "once", content, "image/png"); err != nil {
				t.Error(err)
			}
			listed := 0
			for _, err := range b.List(ctx, "") {
				if listed++; err != nil {
					t.Error(err)
				}
			}
			if listed != 2 {
				t.Errorf("listed %d", listed)
			}
			if err := errors.Join(b.Delete(ctx, "one"), b.Delete(ctx, "once")); err != nil {
				t.Error(err)
			}
		})
	}
}

// failuresThatLastAreExplained: in one line, with a remedy, and without secrets.
func failuresThatLastAreExplained(t *testing.T, server *buckettest.Server) {
	b, proxy := faulty(t, server, "lasting")
	ctx := t.Context()
	if err := b.Write(ctx, "one", content, "image/png"); err != nil {
		t.Fatal(err)
	}
	server.AddUser(t, "reader", "a secret of a reader")
	read := func(b *Bucket) error { _, err := b.Read(ctx, "one"); return err }
	write := func(b *Bucket) error { return b.Write(ctx, "two", content, "image/png") }
	check := func(b *Bucket) error { return b.Check(ctx) }
	as := func(access, secret, url string) *Bucket {
		t.Setenv("AWS_ACCESS_KEY_ID", access)
		t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
		defer t.Setenv("AWS_SECRET_ACCESS_KEY", buckettest.SecretKey)
		defer t.Setenv("AWS_ACCESS_KEY_ID", buckettest.AccessKey)
		return opened(t, url)
	}
	here := server.URL(t, "lasting", server.Endpoint)
	for name, c := range map[string]struct {
		bucket *Bucket
		fault  buckettest.Fault
		do     func(*Bucket) error
		want   reason
	}{
		"no bucket":         {opened(t, server.URL(t, "other", server.Endpoint)), nil, check, reasonNoBucket},
		"no rights":         {as("reader", "a secret of a reader", here), nil, check, reasonDenied},
		"wrong secret":      {as(buckettest.AccessKey, "another secret", here), nil, check, reasonSecret},
		"unknown key":       {as("nobody", "another secret", here), nil, check, reasonSecret},
		"no server":         {opened(t, server.URL(t, "pictures", "http://127.0.0.1:1")), nil, check, reasonUnreachable},
		"always half kept":  {b, proxy.HalfKept, write, reasonDamaged},
		"always silent":     {b, buckettest.Silence, read, reasonSilent},
		"always overloaded": {b, buckettest.Answer(http.StatusServiceUnavailable, "SlowDown"), read, reasonOther},
		"full":              {b, buckettest.Answer(http.StatusInsufficientStorage, "XMinioStorageFull"), write, reasonFull},
		"always skewed":     {b, buckettest.Answer(http.StatusForbidden, "RequestTimeTooSkewed"), read, reasonSkew},
	} {
		t.Run(name, func(t *testing.T) {
			defer proxy.Mend()
			if c.fault != nil {
				proxy.Break("", "/lasting", -1, c.fault)
			}
			err := c.do(c.bucket)
			var told *Error
			if !errors.As(err, &told) || told.reason != c.want {
				t.Fatalf("%v, want: %s", err, c.want)
			}
			text := err.Error()
			if strings.Contains(text, "\n") || !strings.Contains(text, "s3://") || strings.Contains(text, "secret of") ||
				strings.Contains(text, "Signature=") {
				t.Errorf("told: %s", text)
			}
		})
	}
}

// rightsAreProvedOneByOne: a bucket in which nothing can be deleted would grow for ever.
func rightsAreProvedOneByOne(t *testing.T, server *buckettest.Server) {
	b, proxy := faulty(t, server, "rights")
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodGet} {
		proxy.Break(method, "/rights", -1, buckettest.Answer(http.StatusForbidden, "AccessDenied"))
		if err := b.Check(t.Context()); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("no %s: %v", method, err)
		}
		proxy.Mend()
	}
}

func callsHearTheirContext(t *testing.T, server *buckettest.Server) {
	b, proxy := faulty(t, server, "context")
	b.patience = usualPatience
	heard := make(chan struct{}, 1)
	proxy.Break("", "", -1, func(w http.ResponseWriter, r *http.Request, pass http.Handler) {
		heard <- struct{}{}
		buckettest.Silence(w, r, pass)
	})
	left := errors.New("the client has left")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { <-heard; cancel(left) }()
	if _, err := b.Read(ctx, "one"); !errors.Is(err, left) {
		t.Errorf("read: %v", err)
	}
}

func TestURLs(t *testing.T) {
	t.Setenv("AWS_REGION", "")
	for url, want := range map[string]string{
		"s3://":              "no name",
		"http://example.com": "begins with azblob://, gs://, s3://",
		"s3://key:secret@bucket?region=eu-west-1":       "must not hold credentials",
		"s3://bucket?secret_key=hush":                   "a parameter that s3:// does not take",
		"s3://bucket?region=a&region=b":                 "twice",
		"s3://bucket?region=eu-west-1&endpoint=ftp://x": "endpoint must be",
		"s3://bucket?region=eu-west-1&path_style=maybe": "path_style",
		"azblob://container":                            "storage account is missing",
		"s3://bucket?region=%zz":                        "malformed",
	} {
		b, err := Open(t.Context(), url)
		if err == nil {
			b.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") ||
			strings.Contains(err.Error(), "key:") {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
	for place, want := range map[string]bool{
		"/var/images": false, "file:///var": false, "s3://b": true, "gs://b": true, "azblob://c": true, "s3": false,
	} {
		if got := IsURL(place); got != want {
			t.Errorf("%s: %t", place, got)
		}
	}
}
