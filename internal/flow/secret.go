package flow

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MinSecret is the length of a secret in characters. A shorter one would stand in many texts by chance.
	MinSecret = 4
	maxSecret = 1000
)

// CheckSecret checks what a flow may type into a page and show nowhere: one line of text. A secret that begins with otpauth://totp/ or
// totp: is the seed of codes after RFC 6238, which are returned; nil for others. No error repeats the text.
func CheckSecret(text string) (*OneTime, error) {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return nil, errors.New("a secret must be one line of text")
	}
	if n := utf8.RuneCountInString(text); n < MinSecret || n > maxSecret {
		return nil, fmt.Errorf("a secret must have %d to %d characters: a shorter one would occur in ordinary words", MinSecret, maxSecret)
	}
	if !strings.HasPrefix(text, "otpauth:") && !strings.HasPrefix(text, "totp:") {
		return nil, nil
	}
	return ReadOneTime(text)
}
