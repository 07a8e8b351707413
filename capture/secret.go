package capture

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"afterimage/internal/flow"
	"afterimage/internal/page"
)

// Secret is what a flow types into a page and shows nowhere: a text, or a seed of one-time codes. It does not print itself.
type Secret struct {
	text string
	code *flow.OneTime
}

// NewSecret makes a secret of a text. A secret that begins with otpauth://totp/ or totp: is the seed of codes after RFC 6238. No error
// repeats it.
func NewSecret(text string) (Secret, error) {
	code, err := flow.CheckSecret(text)
	return Secret{text: text, code: code}, err
}

// String implements fmt.Stringer.
func (Secret) String() string { return "[secret]" }

// GoString implements fmt.GoStringer.
func (Secret) GoString() string { return "[secret]" }

// MarshalJSON implements json.Marshaler.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// known is a text that must not be told, and what stands in its place.
type known struct {
	text, name string
	forms      *regexp.Regexp // in which it may be written
}

// vault has the secrets of a flow, and hides them in all that is told of it.
type vault struct {
	secrets map[string]Secret
	hosts   map[string][]string
	known   []known // longest first
	pieces  []known // of them that stood by themselves on a page
	safe    bool    // the flow begins encrypted
}

// typed is what a secret types now.
func (v *vault) typed(name string, now time.Time) string {
	s := v.secrets[name]
	if s.code == nil {
		return s.text
	}
	code := s.code.At(now)
	v.add(name, code)
	return code
}

func (v *vault) add(name, text string) {
	if slices.ContainsFunc(v.known, func(k known) bool { return k.text == text }) {
		return
	}
	v.known = append(v.known, known{text: text, name: name, forms: formsOf(text)})
	slices.SortStableFunc(v.known, func(a, b known) int { return len(b.text) - len(a.text) })
}

// addPiece adds what a page showed of a secret in one of several elements.
func (v *vault) addPiece(piece string) {
	piece = page.CollapseSpace(piece)
	if len(piece) < minBeginning || slices.ContainsFunc(v.pieces, func(k known) bool { return k.text == piece }) {
		return
	}
	for _, k := range v.known {
		if strings.Contains(page.CollapseSpace(k.text), piece) {
			v.pieces = append(v.pieces, known{text: piece, name: k.name, forms: formsOf(piece)})
			return
		}
	}
}

func (k known) instead() string { return "[secret " + k.name + "]" }

// words are all texts that no picture may show.
func (v *vault) words() []string {
	var words []string
	for _, k := range v.known {
		words = append(words, k.text)
		if collapsed := page.CollapseSpace(k.text); collapsed != k.text {
			words = append(words, collapsed)
		}
	}
	return words
}

// formsOf finds a secret as it may stand in an address, a document, a script or a header: each of its characters plain, in either
// case, or escaped in one of many ways, and all of it in base64 or as a number.
func formsOf(text string) *regexp.Regexp {
	var pattern strings.Builder
	for _, c := range text {
		if pattern.Len() > 0 {
			pattern.WriteString(`\n?`) // texts of several elements are told one in a line
		}
		pattern.WriteString("(?:" + strings.Join(escapes(c), "|") + ")")
	}
	alternatives := []string{"(?i:" + pattern.String() + ")"}
	for _, raw := range inBytes(text) {
		alternatives = append(alternatives, "(?i:"+fmt.Sprintf("%x", raw)+")")
		for _, form := range inBase64(raw) {
			alternatives = append(alternatives, regexp.QuoteMeta(form))
		}
	}
	return regexp.MustCompile(strings.Join(alternatives, "|"))
}

// inBytes is a text in the encodings that pages use.
func inBytes(text string) [][]byte {
	latin := make([]byte, 0, len(text))
	for _, c := range text {
		if c > unicode.MaxLatin1 {
			return [][]byte{[]byte(text)}
		}
		latin = append(latin, byte(c))
	}
	return [][]byte{[]byte(text), latin}
}

// escapes are the ways to write a character, as regular expressions.
func escapes(c rune) []string {
	ways := []string{regexp.QuoteMeta(string(c)), fmt.Sprintf(`\\u0*%x`, c), fmt.Sprintf(`\\x%02x`, c), fmt.Sprintf("%%u%04x", c),
		fmt.Sprintf("&#0*%d;", c), fmt.Sprintf("&#x0*%x;", c), `\\+` + regexp.QuoteMeta(string(c))}
	for _, raw := range inBytes(string(c)) {
		percent := ""
		for _, b := range raw {
			percent += fmt.Sprintf("%%(?:25)*%02x", b) // also when an escaped text is escaped again
		}
		ways = append(ways, percent)
	}
	if named := html.EscapeString(string(c)); named != string(c) {
		ways = append(ways, regexp.QuoteMeta(named))
	}
	switch c {
	case ' ':
		ways = append(ways, `\s+`, `\+`, "%(?:25)*2b", "&nbsp;")
	case '"':
		ways = append(ways, "&quot;")
	}
	return ways
}

// inBase64 is what of a text is certain to stand in the base64 form of a longer one, wherever it begins in it.
func inBase64(text []byte) []string {
	var forms []string
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			all := encoding.EncodeToString(append(make([]byte, shift), text...))
			from, to := (shift*8+5)/6, (shift+len(text))*8/6
			if to-from >= flow.MinSecret {
				forms = append(forms, all[from:to])
			}
		}
	}
	return forms
}

// minBeginning is how much of a secret at the end of a text is taken for it: texts are cut off.
const minBeginning = 4

// hide returns a text without secrets.
func (v *vault) hide(text string) string {
	if v == nil || len(v.known) == 0 || text == "" {
		return text
	}
	for _, k := range append(v.known[:len(v.known):len(v.known)], v.pieces...) {
		text = k.forms.ReplaceAllLiteralString(text, k.instead())
	}
	for _, k := range v.known {
		for n := min(len(k.text)-1, len(text)); n >= minBeginning; n-- {
			if strings.HasSuffix(text, k.text[:n]) {
				return text[:len(text)-n] + k.instead()
			}
		}
	}
	return text
}

// hideAll hides secrets in all texts that a value leads to.
func (v *vault) hideAll(value any) {
	if v != nil && len(v.known) > 0 {
		v.walk(reflect.ValueOf(value))
	}
}

func (v *vault) walk(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			v.walk(value.Elem())
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				v.walk(value.Field(i))
			}
		}
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return // a picture
		}
		for i := range value.Len() {
			v.walk(value.Index(i))
		}
	case reflect.Map:
		v.walkMap(value)
	case reflect.String:
		if value.CanSet() {
			value.SetString(v.hide(value.String()))
		}
	default:
	}
}

func (v *vault) walkMap(table reflect.Value) {
	for _, key := range table.MapKeys() {
		entry := reflect.New(table.Type().Elem()).Elem()
		entry.Set(table.MapIndex(key))
		v.walk(entry)
		if key.Kind() == reflect.String {
			if hidden := v.hide(key.String()); hidden != key.String() {
				table.SetMapIndex(key, reflect.Value{})
				key = reflect.ValueOf(hidden).Convert(key.Type())
			}
		}
		table.SetMapIndex(key, entry)
	}
}

// accepts reports whether a secret may be given to a page; otherwise why not.
func (v *vault) accepts(name, protocol, host string) (reason string, ok bool) {
	hosts := v.hosts[name]
	switch {
	case !slices.ContainsFunc(hosts, func(h string) bool { return sameHost(h, protocol, host) }):
		if host == "" {
			host = "a frame without an address"
		}
		return fmt.Sprintf("The secret %s is for %s and was not given to %s.", name, strings.Join(hosts, ", "), host), false
	case v.safe && protocol != "https:":
		return fmt.Sprintf("The secret %s was not given to %s, because the page is not encrypted.", name, host), false
	}
	return "", true
}

// sameHost compares hosts. One without a port has that of the protocol.
func sameHost(allowed, protocol, host string) bool {
	full := func(h string) string {
		u, err := url.Parse(strings.TrimSuffix(protocol, ":") + "://" + h)
		if err != nil {
			return ""
		}
		return hostPort(u)
	}
	return host != "" && full(allowed) == full(host)
}
