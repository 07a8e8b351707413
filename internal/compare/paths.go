package compare

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode"
)

// Limits of a list of paths.
const (
	MaxPaths    = 5000
	maxPathFile = 16 << 20 // bytes
)

// ReadPaths reads a list of pages: a path or an address of either site a line. Empty lines and those that begin with # are left
// out, and so are repetitions.
func ReadPaths(list io.Reader, sides ...Site) ([]string, error) {
	lines := bufio.NewScanner(io.LimitReader(list, maxPathFile))
	var paths Pages
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		path, err := readPath(line, sides)
		if err == nil {
			err = paths.Add(path)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("the list cannot be read: %w", err)
	}
	if len(paths.list) == 0 {
		return nil, errors.New("the list names no page; write one path per line, such as /shop")
	}
	return paths.list, nil
}

func readPath(text string, sides []Site) (string, error) {
	if strings.Contains(text, "://") {
		for _, side := range sides {
			if path, ok := side.Path(text); ok {
				return path, nil
			}
		}
		return "", fmt.Errorf("%q belongs to neither site; write only its path", text)
	}
	if !strings.HasPrefix(text, "/") {
		text = "/" + text
	}
	return text, CheckPath(text)
}

// CheckPath says what is wrong with the path of a page; nil for nothing.
func CheckPath(path string) error {
	switch {
	case len(path) > maxAddress:
		return fmt.Errorf("the path has %d bytes; at most %d are supported", len(path), maxAddress)
	case !strings.HasPrefix(path, "/"):
		return fmt.Errorf("the path %q does not begin with a slash", path)
	case strings.ContainsFunc(path, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\\' }):
		return fmt.Errorf("the path %q contains white space, a control character or a backslash", path)
	}
	if _, err := url.Parse("http://host" + path); err != nil {
		return fmt.Errorf("%q is not a path", path)
	}
	return nil
}

// Pages are distinct paths in the order in which they were added.
type Pages struct {
	list  []string
	known map[string]bool
}

// Add adds a path unless it is known. The error says that there are too many.
func (p *Pages) Add(path string) error {
	if p.known[path] {
		return nil
	}
	if len(p.list) == MaxPaths {
		return fmt.Errorf("there are more than %d pages; compare them in several runs", MaxPaths)
	}
	if p.known == nil {
		p.known = make(map[string]bool)
	}
	p.known[path] = true
	p.list = append(p.list, path)
	return nil
}

// List returns the paths.
func (p *Pages) List() []string { return p.list }
