package flow

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Key is a key of a keyboard as browsers describe it.
type Key struct {
	Key       string // what pages are told: Enter, a
	Code      string // where it is on a keyboard
	Number    int    // the code that Windows has for it
	Text      string // what it types; "" for nothing
	Modifiers int    // bits: Alt 1, Control 2, Meta 4, Shift 8
}

// keys are those that have names.
var keys = map[string]Key{
	"Enter":      {Key: "Enter", Code: "Enter", Number: 13, Text: "\r"},
	"Tab":        {Key: "Tab", Code: "Tab", Number: 9},
	"Escape":     {Key: "Escape", Code: "Escape", Number: 27},
	"Space":      {Key: " ", Code: "Space", Number: 32, Text: " "},
	"Backspace":  {Key: "Backspace", Code: "Backspace", Number: 8},
	"Delete":     {Key: "Delete", Code: "Delete", Number: 46},
	"Home":       {Key: "Home", Code: "Home", Number: 36},
	"End":        {Key: "End", Code: "End", Number: 35},
	"PageUp":     {Key: "PageUp", Code: "PageUp", Number: 33},
	"PageDown":   {Key: "PageDown", Code: "PageDown", Number: 34},
	"ArrowLeft":  {Key: "ArrowLeft", Code: "ArrowLeft", Number: 37},
	"ArrowUp":    {Key: "ArrowUp", Code: "ArrowUp", Number: 38},
	"ArrowRight": {Key: "ArrowRight", Code: "ArrowRight", Number: 39},
	"ArrowDown":  {Key: "ArrowDown", Code: "ArrowDown", Number: 40},
}

var modifiers = map[string]int{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}

// CheckKey says what is wrong with the name of a key; nil for nothing.
func CheckKey(name string) error {
	_, err := ParseKey(name)
	return err
}

// ParseKey reads the name of a key, with modifiers before it: Control+Shift+a.
func ParseKey(name string) (Key, error) {
	pressed := 0
	for {
		word, rest, more := strings.Cut(name, "+")
		bit, known := modifiers[word]
		if !more || !known || rest == "" {
			break
		}
		pressed |= bit
		name = rest
	}
	key, known := keys[name]
	if !known {
		if utf8.RuneCountInString(name) != 1 {
			return Key{}, fmt.Errorf("the key %q is unknown: give one character, or Enter, Tab, Escape, Space, Backspace, Delete, "+
				"Home, End, PageUp, PageDown or an arrow such as ArrowDown", name)
		}
		key = character(name)
	}
	key.Modifiers = pressed
	if pressed&^modifiers["Shift"] != 0 {
		key.Text = "" // a shortcut types nothing
	}
	return key, nil
}

// character is the key of a character. Where it is on a keyboard is known for letters and digits.
func character(name string) Key {
	key := Key{Key: name, Text: name}
	switch c := strings.ToUpper(name)[0]; {
	case c >= 'A' && c <= 'Z' && len(name) == 1:
		key.Code, key.Number = "Key"+string(c), int(c)
	case c >= '0' && c <= '9':
		key.Code, key.Number = "Digit"+string(c), int(c)
	}
	return key
}
