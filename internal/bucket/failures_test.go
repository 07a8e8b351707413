package bucket

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"afterimage/internal/buckettest"
)

// failuresInPassingAreSurvived: whatever goes wrong once, the call succeeds and what it returns is whole.
func failuresInPassingAreSurvived(t *testing.T, server *buckettest.Server, p protocol) {
	b, proxy := faulty(t, server, "passing")
	for name, c := range map[string]struct {
		method string
		fault  buckettest.Fault
	}{
		"overloaded":             {"", buckettest.Answer(http.StatusServiceUnavailable, "SlowDown")},
		"broken":                 {"", buckettest.Answer(http.StatusInternalServerError, "InternalError")},
		"reset":                  {"", buckettest.Reset},
		"silent":                 {"", buckettest.Silence},
		"answer of write lost":   {p.write, buckettest.LostAnswer},
		"half of a body":         {http.MethodGet, buckettest.Torn},
		"half sent":              {p.write, buckettest.HalfSent},
		"a bit sent wrong":       {p.write, buckettest.Flipped},
		"deleted without answer": {http.MethodDelete, buckettest.LostAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			defer proxy.Mend()
			if name == "silent" {
				b.hasty(t)
			}
			proxy.Break(c.method, "/passing", 2, c.fault)
			everyCallSucceeds(t, b)
		})
	}
}

// damageOfWhatIsNewIsMended: nobody else has written it, so it is no reason to say that it is taken.
func damageOfWhatIsNewIsMended(t *testing.T, server *buckettest.Server, p protocol) {
	b, proxy := faulty(t, server, "new")
	faults := map[string]buckettest.Fault{
		"answer lost": buckettest.LostAnswer, "half sent": buckettest.HalfSent, "a bit sent wrong": buckettest.Flipped,
	}
	if server.Root != "" {
		faults["half kept"] = proxy.HalfKept
	}
	for name, fault := range faults {
		proxy.Break(p.write, "/new", 1, fault)
		if err := b.Create(t.Context(), name, content, "image/png"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if read, err := b.Read(t.Context(), name); err != nil || !bytes.Equal(read, content) {
			t.Errorf("%s: read %d bytes, %v", name, len(read), err)
		}
		proxy.Mend()
	}
}

func everyCallSucceeds(t *testing.T, b *Bucket) {
	t.Helper()
	ctx := t.Context()
	if err := b.Write(ctx, "one", content, "image/png"); err != nil {
		t.Fatal(err)
	}
	if read, err := b.Read(ctx, "one"); err != nil || !bytes.Equal(read, content) {
		t.Errorf("read %d bytes, %v", len(read), err)
	}
	if err := b.Create(ctx, "once", content, "image/png"); err != nil {
		t.Error(err)
	}
	if got := listed(t, b, ""); got != "once 120000, one 120000" {
		t.Errorf("listed %s", got)
	}
	if err := errors.Join(b.Delete(ctx, "one"), b.Delete(ctx, "once")); err != nil {
		t.Error(err)
	}
}

// what the tests do with a bucket that fails.
func read(b *Bucket) error  { _, err := b.Read(context.Background(), "one"); return err }
func write(b *Bucket) error { return b.Write(context.Background(), "two", content, "image/png") }
func check(b *Bucket) error { return b.Check(context.Background()) }

// explained finds that a call fails for a reason, and says so in one line, with a remedy, and without secrets.
func explained(t *testing.T, b *Bucket, do func(*Bucket) error, want reason) {
	t.Helper()
	err := do(b)
	var told *Error
	if !errors.As(err, &told) || told.reason != want {
		t.Fatalf("%v, want: %s", err, want)
	}
	text := err.Error()
	if strings.Contains(text, "\n") || !strings.Contains(text, b.String()) {
		t.Errorf("told: %s", text)
	}
	for _, unwanted := range []string{"secret of", buckettest.AccountKey, "Signature=", "sig=", "-----"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("told: %s", text)
		}
	}
}

func failuresThatLastAreExplained(t *testing.T, server *buckettest.Server) {
	b, proxy := faulty(t, server, "lasting")
	if err := b.Write(t.Context(), "one", content, "image/png"); err != nil {
		t.Fatal(err)
	}
	nowhere := opened(t, server.URL(t, "pictures", "http://127.0.0.1:1"))
	other := opened(t, server.URL(t, "other", server.Endpoint))
	for name, c := range map[string]struct {
		bucket *Bucket
		fault  buckettest.Fault
		do     func(*Bucket) error
		want   reason
	}{
		"no bucket":         {other, nil, check, reasonNoBucket},
		"no bucket to fill": {other, nil, write, reasonNoBucket},
		"no server":         {nowhere, nil, check, reasonUnreachable},
		"no credentials":    {b, buckettest.Answer(http.StatusUnauthorized, "AuthenticationFailed"), read, reasonSecret},
		"no rights":         {b, buckettest.Answer(http.StatusForbidden, "AccessDenied"), read, reasonDenied},
		"always silent":     {b, buckettest.Silence, read, reasonSilent},
		"always dripping":   {b, buckettest.Dripping, read, reasonSilent},
		"always overloaded": {b, buckettest.Answer(http.StatusServiceUnavailable, "SlowDown"), read, reasonOther},
		"always a bit":      {b, buckettest.Flipped, write, reasonDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			defer proxy.Mend()
			if c.fault != nil {
				proxy.Break("", "/lasting", -1, c.fault)
			}
			if c.want == reasonSilent {
				c.bucket.hasty(t)
			}
			explained(t, c.bucket, c.do, c.want)
		})
	}
}

// rightsAreProvedOneByOne: a bucket in which nothing can be deleted would grow for ever.
func rightsAreProvedOneByOne(t *testing.T, server *buckettest.Server, p protocol) {
	b, proxy := faulty(t, server, "rights")
	if err := b.Write(t.Context(), "one", content, "image/png"); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{p.write, http.MethodDelete, http.MethodGet} {
		proxy.Break(method, "/rights", -1, buckettest.Answer(http.StatusForbidden, "AccessDenied"))
		if err := b.Check(t.Context()); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("no %s: %v", method, err)
		}
		if method == http.MethodDelete {
			if err := b.Delete(t.Context(), "one"); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("delete without the right to: %v", err)
			}
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

// whatOnlyS3Does: its server keeps objects in files, knows users, and minds the clock.
func whatOnlyS3Does(t *testing.T, server *buckettest.Server) {
	b, proxy := faulty(t, server, "only")
	t.Run("half kept", func(t *testing.T) {
		defer proxy.Mend()
		proxy.Break(http.MethodPut, "/only", 2, proxy.HalfKept)
		everyCallSucceeds(t, b)
	})
	t.Run("a clock two hours off", func(t *testing.T) {
		defer proxy.Mend()
		proxy.Break("", "/only", -1, buckettest.Skewed(2*time.Hour))
		everyCallSucceeds(t, b)
	})
	server.AddUser(t, "reader", "a secret of a reader")
	as := func(access, secret string) *Bucket {
		t.Setenv("AWS_ACCESS_KEY_ID", access)
		t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
		defer t.Setenv("AWS_SECRET_ACCESS_KEY", buckettest.SecretKey)
		defer t.Setenv("AWS_ACCESS_KEY_ID", buckettest.AccessKey)
		return opened(t, server.URL(t, "only", server.Endpoint))
	}
	for name, c := range map[string]struct {
		bucket *Bucket
		fault  buckettest.Fault
		do     func(*Bucket) error
		want   reason
	}{
		"no rights of a user": {as("reader", "a secret of a reader"), nil, check, reasonDenied},
		"wrong secret":        {as(buckettest.AccessKey, "another secret of"), nil, check, reasonSecret},
		"unknown key":         {as("nobody", "another secret of"), nil, check, reasonSecret},
		"always half kept":    {b, proxy.HalfKept, write, reasonDamaged},
		"full":                {b, buckettest.Answer(http.StatusInsufficientStorage, "XMinioStorageFull"), write, reasonFull},
		"always skewed":       {b, buckettest.Answer(http.StatusForbidden, "RequestTimeTooSkewed"), read, reasonSkew},
	} {
		t.Run(name, func(t *testing.T) {
			defer proxy.Mend()
			if c.fault != nil {
				proxy.Break("", "/only", -1, c.fault)
			}
			if c.want == reasonSilent {
				c.bucket.hasty(t)
			}
			explained(t, c.bucket, c.do, c.want)
		})
	}
}

// credentialsOfAzure are a key, a token whose rights end where it says, or a connection string. To a wrong signature Azurite says
// AuthorizationFailure, Azure AuthenticationFailed.
func credentialsOfAzure(t *testing.T, server *buckettest.Server) {
	place := server.Bucket(t, "tokens")
	if err := opened(t, place).Write(t.Context(), "one", content, "image/png"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AZURE_STORAGE_KEY", base64.StdEncoding.EncodeToString([]byte("another secret of")))
	explained(t, opened(t, place), check, reasonDenied)
	t.Setenv("AZURE_STORAGE_KEY", "")
	token := server.ReadOnly(t, "tokens")
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", token)
	reader := opened(t, place)
	if err := read(reader); err != nil {
		t.Error(err)
	}
	explained(t, reader, write, reasonDenied)
	explained(t, reader, check, reasonDenied)
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", strings.Replace(token, "sig=", "sig=AA", 1))
	explained(t, opened(t, place), read, reasonDenied)
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", "")
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", server.ConnectionString())
	if err := check(opened(t, place)); err != nil {
		t.Error(err)
	}
}
