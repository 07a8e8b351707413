package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"strings"

	"golang.org/x/net/html/charset"
)

var errEncoding = errors.New("its character encoding is not supported; the sitemap protocol requires UTF-8")

// signatures are how files begin that are not in an encoding like ASCII, and those with a byte order mark.
var signatures = []struct{ start, label string }{
	{"\xef\xbb\xbf", "utf-8"},
	{"\xff\xfe", "utf-16le"}, {"<\x00", "utf-16le"}, {"h\x00", "utf-16le"},
	{"\xfe\xff", "utf-16be"}, {"\x00<", "utf-16be"}, {"\x00h", "utf-16be"},
}

// utf8Text returns the text of a file in UTF-8. It is known when the file's first bytes or else the charset of its content type tell
// the encoding; both go before what an XML declaration says (RFC 7303, section 3).
func utf8Text(raw io.Reader, contentType string) (text *bufio.Reader, known bool, err error) {
	text = bufio.NewReaderSize(raw, 4096)
	label := charsetOf(contentType)
	start, _ := text.Peek(3) // a shorter file has no signature
	for _, s := range signatures {
		if bytes.HasPrefix(start, []byte(s.start)) {
			label = s.label
			break
		}
	}
	if label == "" {
		return text, false, nil
	}
	e, name := charset.Lookup(label)
	if e == nil {
		return nil, false, errEncoding
	}
	if name != "utf-8" { // whose errors are not to be covered up
		text = bufio.NewReaderSize(e.NewDecoder().Reader(text), 4096)
	}
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		_, _ = text.Discard(len(mark))
	}
	return text, true, nil
}

// charsetOf is the charset of a content type; "" for none.
func charsetOf(contentType string) string {
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return parameters["charset"]
}

// declared is for decoders of XML: it reads the encoding that a declaration names, unless the text is in UTF-8 already. UTF-16 is what
// a declaration of single bytes cannot be in.
func declared(known bool) func(label string, input io.Reader) (io.Reader, error) {
	return func(label string, input io.Reader) (io.Reader, error) {
		if known || strings.HasPrefix(strings.ToLower(label), "utf-16") {
			return input, nil
		}
		decoded, err := charset.NewReaderLabel(label, input)
		if err != nil {
			return nil, errEncoding
		}
		return decoded, nil
	}
}
