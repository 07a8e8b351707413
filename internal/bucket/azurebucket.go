package bucket

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
)

// azureBucket is a container of Azure Blob Storage.
type azureBucket struct{ client *container.Client }

func (b *azureBucket) close() error { return nil }

func (b *azureBucket) read(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	answer, err := b.client.NewBlobClient(key).DownloadStream(ctx, nil)
	if err != nil {
		return nil, 0, err
	}
	if answer.ContentLength == nil {
		return answer.Body, -1, nil
	}
	return answer.Body, *answer.ContentLength, nil
}

// write tells Azure no MD5: it computes that of what arrives in one part, and of several keeps the one it is told, unseen.
func (b *azureBucket) write(ctx context.Context, key string, content []byte, mediaType string, onlyNew bool) error {
	options := &blockblob.UploadStreamOptions{
		BlockSize: partSize, Concurrency: 1, HTTPHeaders: &blob.HTTPHeaders{BlobContentType: &mediaType},
	}
	if onlyNew {
		options.AccessConditions = &blob.AccessConditions{
			ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: to.Ptr(azcore.ETagAny)},
		}
	}
	_, err := b.client.NewBlockBlobClient(key).UploadStream(ctx, bytes.NewReader(content), options)
	return err
}

func (b *azureBucket) stat(ctx context.Context, key string) (held, error) {
	answer, err := b.client.NewBlobClient(key).GetProperties(ctx, nil)
	if err != nil {
		return held{}, err
	}
	return held{size: valueOf(answer.ContentLength), md5: answer.ContentMD5, modified: valueOf(answer.LastModified)}, nil
}

func (b *azureBucket) delete(ctx context.Context, key string) error {
	_, err := b.client.NewBlobClient(key).Delete(ctx, nil)
	return err
}

func (b *azureBucket) list(ctx context.Context, prefix, token string) (page []Object, next string, err error) {
	options := &container.ListBlobsFlatOptions{Prefix: &prefix, MaxResults: to.Ptr(int32(pageSize))}
	if token != "" {
		options.Marker = &token
	}
	answer, err := b.client.NewListBlobsFlatPager(options).NextPage(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, item := range answer.Segment.BlobItems {
		o := Object{Key: valueOf(item.Name)}
		if p := item.Properties; p != nil {
			o.Size, o.Modified = valueOf(p.ContentLength), valueOf(p.LastModified)
		}
		page = append(page, o)
	}
	return page, valueOf(answer.NextMarker), nil
}

func (b *azureBucket) link(_ context.Context, key string, expiry time.Duration) (string, error) {
	now := time.Now().UTC()
	return b.client.NewBlobClient(key).GetSASURL(sas.BlobPermissions{Read: true}, now.Add(expiry), &blob.GetSASURLOptions{StartTime: &now})
}

// valueOf is what a field of an answer holds, or nothing.
func valueOf[T any](field *T) (value T) {
	if field != nil {
		value = *field
	}
	return value
}
