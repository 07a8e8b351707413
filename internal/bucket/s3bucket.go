package bucket

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// s3Bucket is a bucket of AWS or of another server of its kind.
type s3Bucket struct {
	client                    *s3.Client
	name                      string
	encryption, encryptionKey string
}

func (b *s3Bucket) close() error { return nil }

func (b *s3Bucket) read(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	answer, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.name, Key: &key})
	if err != nil {
		return nil, 0, err
	}
	if answer.ContentLength == nil {
		return answer.Body, -1, nil
	}
	return answer.Body, *answer.ContentLength, nil
}

// write sends large objects in parts, which S3 joins when all have arrived.
func (b *s3Bucket) write(ctx context.Context, key string, content []byte, mediaType string, onlyNew bool) error {
	input := &transfermanager.UploadObjectInput{
		Bucket: &b.name, Key: &key, ContentType: &mediaType, Body: bytes.NewReader(content),
		ServerSideEncryption: types.ServerSideEncryption(b.encryption),
	}
	if b.encryptionKey != "" {
		input.SSEKMSKeyID = &b.encryptionKey
	}
	if onlyNew {
		input.IfNoneMatch = aws.String("*")
	}
	manager := transfermanager.New(b.client, func(o *transfermanager.Options) {
		o.PartSizeBytes, o.Concurrency = partSize, 1
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
	})
	_, err := manager.UploadObject(ctx, input)
	return err
}

func (b *s3Bucket) stat(ctx context.Context, key string) (held, error) {
	answer, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.name, Key: &key})
	if err != nil {
		return held{}, err
	}
	return held{size: valueOf(answer.ContentLength), md5: md5OfTag(valueOf(answer.ETag)), modified: valueOf(answer.LastModified)}, nil
}

// md5OfTag is the sum that the tag of an object is which came in one part; nil for other tags.
func md5OfTag(tag string) []byte {
	sum, err := hex.DecodeString(strings.Trim(tag, `"`))
	if err != nil || len(sum) == 0 {
		return nil
	}
	return sum
}

func (b *s3Bucket) delete(ctx context.Context, key string) error {
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.name, Key: &key})
	return err
}

func (b *s3Bucket) list(ctx context.Context, prefix, token string) (page []Object, next string, err error) {
	input := &s3.ListObjectsV2Input{Bucket: &b.name, Prefix: &prefix, MaxKeys: aws.Int32(pageSize)}
	if token != "" {
		input.ContinuationToken = &token
	}
	answer, err := b.client.ListObjectsV2(ctx, input)
	if err != nil {
		return nil, "", err
	}
	for _, o := range answer.Contents {
		page = append(page, Object{Key: valueOf(o.Key), Size: valueOf(o.Size), Modified: valueOf(o.LastModified)})
	}
	return page, valueOf(answer.NextContinuationToken), nil
}

func (b *s3Bucket) link(ctx context.Context, key string, expiry time.Duration) (string, error) {
	signed, err := s3.NewPresignClient(b.client, s3.WithPresignExpires(expiry)).
		PresignGetObject(ctx, &s3.GetObjectInput{Bucket: &b.name, Key: &key})
	if err != nil {
		return "", err
	}
	return signed.URL, nil
}
