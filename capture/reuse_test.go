package capture

import (
	"testing"

	"afterimage/internal/assetcache"
)

func TestCutShort(t *testing.T) {
	length := func(value string) assetcache.Headers {
		return assetcache.Headers{{Name: "content-LENGTH", Value: value}}
	}
	for name, test := range map[string]struct {
		headers assetcache.Headers
		want    bool
	}{
		"whole":        {length("4"), false},
		"longer":       {length("3"), false},
		"shorter":      {length(" 5 "), true},
		"none":         {nil, false},
		"not a number": {length("many"), false},
		"packed":       {append(length("5"), assetcache.Header{Name: "Content-Encoding", Value: "gzip"}), false},
	} {
		if got := cutShort(test.headers, []byte("body")); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
