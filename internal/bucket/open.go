package bucket

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// kind is a provider.
type kind struct {
	parameters []string // that its URLs may have
	open       func(ctx context.Context, name string, parameters url.Values) (remote, error)
}

var kinds = map[string]kind{
	"s3": {
		parameters: []string{"endpoint", "region", "profile", "path_style", "ssetype", "kmskeyid"}, open: openS3,
	},
	"gs":     {parameters: []string{"universe_domain"}, open: openGoogle},
	"azblob": {parameters: []string{"storage_account", "domain", "protocol", "localemu"}, open: openAzure},
}

// IsURL reports whether a place is a bucket and not a folder.
func IsURL(place string) bool {
	scheme, _, ok := strings.Cut(place, "://")
	_, known := kinds[scheme]
	return ok && known
}

// Open opens the bucket of a URL, without asking it anything: see [Bucket.Check].
//
//	s3://bucket/prefix?region=…&endpoint=https://…   profile, path_style, ssetype, kmskeyid
//	gs://bucket/prefix                               universe_domain
//	azblob://container/prefix?storage_account=…      domain, protocol, localemu
//
// Credentials are those of the environment, of the provider's files, or of the machine. A prefix stands before all keys.
func Open(ctx context.Context, place string) (*Bucket, error) {
	u, err := url.Parse(place)
	if err != nil {
		return nil, errors.New("the URL of the bucket is malformed: write s3://bucket, gs://bucket or azblob://container")
	}
	k, known := kinds[u.Scheme]
	if !known {
		return nil, fmt.Errorf("the URL of a bucket begins with %s", schemes())
	}
	if err := k.check(u); err != nil {
		return nil, err
	}
	prefix := strings.Trim(u.Path, "/")
	if !plain(prefix) {
		return nil, errors.New(`the prefix in the URL of the bucket has characters that not all providers accept: it must be printable, ` +
			`without \ " # % ? and without two dots before a slash`)
	}
	name := u.Scheme + "://" + u.Host
	remote, err := k.open(ctx, u.Host, u.Query())
	if err != nil {
		b := &Bucket{name: name}
		return nil, b.explain("open", err)
	}
	b := &Bucket{remote: remote, name: name, patience: usualPatience}
	if prefix != "" {
		b.name += "/" + prefix
		b.prefix = prefix + "/"
	}
	return b, nil
}

// plain reports whether a prefix is taken by all providers as it is.
func plain(prefix string) bool {
	return !strings.Contains(prefix+"/", "../") && !strings.ContainsFunc(prefix, func(r rune) bool {
		return unicode.IsControl(r) || strings.ContainsRune(`\"#%?`, r)
	})
}

// check refuses what is no URL of this kind. It repeats no values: they might be secrets.
func (k kind) check(u *url.URL) error {
	if u.User != nil {
		return errors.New("the URL of a bucket must not hold credentials: set them in the environment, such as AWS_ACCESS_KEY_ID and " +
			"AWS_SECRET_ACCESS_KEY")
	}
	if u.Host == "" {
		return fmt.Errorf("the URL of the bucket has no name: write %s://bucket", u.Scheme)
	}
	parameters, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("the parameters in the URL of the bucket are malformed: write ?name=value&name=value")
	}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if !slices.Contains(k.parameters, name) {
			return fmt.Errorf("the URL of the bucket has a parameter that %s:// does not accept; it accepts %s. Credentials are set in "+
				"the environment", u.Scheme, strings.Join(k.parameters, ", "))
		}
		if len(parameters[name]) > 1 {
			return fmt.Errorf("the URL of the bucket has the parameter %s twice", name)
		}
	}
	return nil
}

func schemes() string {
	return strings.Join(slices.Sorted(maps.Keys(kinds)), "://, ") + "://"
}
