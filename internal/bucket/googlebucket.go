package bucket

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // Google compares it with what arrives; it finds accidents, not attackers
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"time"
)

// googleBucket speaks the JSON API of Google Cloud Storage, of which it needs six requests. Google's own client would make the
// program a third larger, with gRPC and what goes with it: see docs/measurements/build-cost.md.
//
// https://cloud.google.com/storage/docs/json_api/v1/objects
type googleBucket struct {
	service   string // address
	name      string
	client    *http.Client
	transport *http.Transport
	signer    *googleSigner // nil without a private key
}

func (b *googleBucket) close() error {
	b.transport.CloseIdleConnections()
	return nil
}

// object is the address of an object, or with an empty key that of the list of objects.
func (b *googleBucket) object(key string, query url.Values) string {
	address := b.service + "/storage/v1/b/" + url.PathEscape(b.name) + "/o"
	if key != "" {
		address += "/" + url.PathEscape(key)
	}
	return address + "?" + query.Encode()
}

func (b *googleBucket) read(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	answer, err := b.ask(ctx, http.MethodGet, b.object(key, url.Values{"alt": {"media"}}), "", nil, noObject)
	if err != nil {
		return nil, 0, err
	}
	return answer.Body, answer.ContentLength, nil
}

// write sends the content with its description, in one request.
func (b *googleBucket) write(ctx context.Context, key string, content []byte, mediaType string, onlyNew bool) error {
	sum := md5.Sum(content) //nolint:gosec // see above
	described, err := json.Marshal(map[string]any{"name": key, "contentType": mediaType, "md5Hash": sum[:]})
	if err != nil {
		return err
	}
	var body bytes.Buffer
	body.Grow(len(content) + len(described) + 1024)
	parts := multipart.NewWriter(&body)
	for _, part := range []struct {
		mediaType string
		content   []byte
	}{{"application/json", described}, {mediaType, content}} {
		w, err := parts.CreatePart(textproto.MIMEHeader{"Content-Type": {part.mediaType}})
		if err != nil {
			return err
		}
		if _, err := w.Write(part.content); err != nil {
			return err
		}
	}
	if err := parts.Close(); err != nil {
		return err
	}
	query := url.Values{"uploadType": {"multipart"}, "fields": {"name"}}
	if onlyNew {
		query.Set("ifGenerationMatch", "0")
	}
	address := b.service + "/upload/storage/v1/b/" + url.PathEscape(b.name) + "/o?" + query.Encode()
	answer, err := b.ask(ctx, http.MethodPost, address, "multipart/related; boundary="+parts.Boundary(), body.Bytes(), noBucket)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// googleObject is an object as Google describes it.
type googleObject struct {
	Name    string    `json:"name"`
	Size    int64     `json:"size,string"`
	MD5     []byte    `json:"md5Hash"` // none of objects that were composed
	Updated time.Time `json:"updated"`
}

func (b *googleBucket) stat(ctx context.Context, key string) (held, error) {
	var found googleObject
	err := b.askFor(ctx, b.object(key, url.Values{"fields": {"size,md5Hash,updated"}}), noObject, &found)
	return held{size: found.Size, md5: found.MD5, modified: found.Updated}, err
}

func (b *googleBucket) delete(ctx context.Context, key string) error {
	answer, err := b.ask(ctx, http.MethodDelete, b.object(key, nil), "", nil, noObject)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

func (b *googleBucket) list(ctx context.Context, prefix, token string) (page []Object, next string, err error) {
	query := url.Values{
		"prefix": {prefix}, "maxResults": {strconv.Itoa(pageSize)}, "fields": {"items(name,size,updated),nextPageToken"},
	}
	if token != "" {
		query.Set("pageToken", token)
	}
	var found struct {
		Items []googleObject `json:"items"`
		Next  string         `json:"nextPageToken"`
	}
	if err := b.askFor(ctx, b.object("", query), noBucket, &found); err != nil {
		return nil, "", err
	}
	for _, o := range found.Items {
		page = append(page, Object{Key: o.Name, Size: o.Size, Modified: o.Updated})
	}
	return page, found.Next, nil
}

func (b *googleBucket) link(_ context.Context, key string, expiry time.Duration) (string, error) {
	if b.signer == nil {
		return "", errNoSigner
	}
	return b.signer.link(b.service, b.name, key, time.Now().Add(expiry))
}
