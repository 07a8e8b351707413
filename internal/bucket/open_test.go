package bucket

import (
	"strings"
	"testing"
)

func TestURLs(t *testing.T) {
	t.Setenv("AWS_REGION", "")
	t.Setenv("AZURE_STORAGE_KEY", "hush!")
	for place, want := range map[string]string{
		"s3://":              "no name",
		"http://example.com": "begins with azblob://, gs://, s3://",
		"s3://key:secret@bucket?region=eu-west-1":       "must not hold credentials",
		"s3://bucket?secret_key=hush":                   "a parameter that s3:// does not accept",
		"s3://bucket?region=a&region=b":                 "twice",
		"s3://bucket?region=eu-west-1&endpoint=ftp://x": "endpoint must be",
		"s3://bucket?region=eu-west-1&path_style=maybe": "path_style",
		"azblob://container":                            "storage account is missing",
		"azblob://container?storage_account=a":          "AZURE_STORAGE_KEY is not the key",
		"s3://bucket?region=%zz":                        "malformed",
		"s3://bucket/a%23b?region=eu-west-1":            "prefix",
		"s3://bucket/a/..?region=eu-west-1":             "prefix",
	} {
		b, err := Open(t.Context(), place)
		if err == nil {
			b.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") ||
			strings.Contains(err.Error(), "key:") {
			t.Errorf("%s: %v, want %q", place, err, want)
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
