package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"afterimage/internal/egress"
)

// FolderPath is the full path of a folder that is given as a path or as a file:// URL.
func FolderPath(place string) (string, error) {
	scheme, _, isURL := strings.Cut(place, "://")
	if !isURL {
		return kong.ExpandPath(place), nil
	}
	if scheme != "file" {
		return "", errors.New("a folder, or in a bucket with an s3://, gs:// or azblob:// URL")
	}
	u, err := url.Parse(place)
	if err != nil || u.Host != "" && u.Host != "localhost" || u.RawQuery != "" || !filepath.IsAbs(u.Path) {
		return "", errors.New("a folder: its URL must be a full path and nothing else, such as file:///srv/pictures")
	}
	return filepath.Clean(u.Path), nil
}

// ReadUpstreams reads the file that lists upstream proxies.
func ReadUpstreams(name string) (*egress.Upstreams, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return egress.ReadUpstreams(file)
}

// Unreadable is the error for a file whose name is told before it.
func Unreadable(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("it cannot be read: %w", err)
}
