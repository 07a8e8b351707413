package capture

import (
	"encoding/json"
	"strings"
)

const (
	maxConsoleEntries = 100
	maxConsoleText    = 2000 // bytes of one entry
)

// console collects the first entries: the cause of a page's trouble stands at the top, its echoes below.
type console struct{ entries []ConsoleEntry }

func (c *console) add(kind, text, address string) {
	if len(c.entries) == maxConsoleEntries {
		return
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(cut(text, maxConsoleText), "\uFFFD"), "\x00", "")
	c.entries = append(c.entries, ConsoleEntry{Text: text, Type: kind, URL: shorten(address)})
}

// remoteObject is a value as the console shows it.
type remoteObject struct {
	Type        string          `json:"type"`
	Value       json.RawMessage `json:"value"`
	Unserial    string          `json:"unserializableValue"`
	Description string          `json:"description"`
}

func (v remoteObject) String() string {
	var text string
	switch {
	case json.Unmarshal(v.Value, &text) == nil && v.Type == "string":
		return text
	case v.Unserial != "":
		return v.Unserial
	case len(v.Value) > 0:
		return string(v.Value)
	case v.Description != "":
		return v.Description
	}
	return v.Type
}

type stackTrace struct {
	CallFrames []struct {
		URL string `json:"url"`
	} `json:"callFrames"`
}

func (s *stackTrace) url() string {
	if s == nil || len(s.CallFrames) == 0 {
		return ""
	}
	return s.CallFrames[0].URL
}

type consoleCall struct {
	Type       string         `json:"type"`
	Args       []remoteObject `json:"args"`
	StackTrace *stackTrace    `json:"stackTrace"`
}

func (c *console) called(e consoleCall) {
	words := make([]string, 0, len(e.Args))
	for _, arg := range e.Args {
		words = append(words, arg.String())
	}
	c.add(e.Type, strings.Join(words, " "), e.StackTrace.url())
}

type exceptionThrown struct {
	Details struct {
		Text       string        `json:"text"`
		URL        string        `json:"url"`
		Exception  *remoteObject `json:"exception"`
		StackTrace *stackTrace   `json:"stackTrace"`
	} `json:"exceptionDetails"`
}

func (c *console) thrown(e exceptionThrown) {
	text, address := e.Details.Text, e.Details.URL
	if e.Details.Exception != nil {
		text += " " + e.Details.Exception.String()
	}
	if address == "" {
		address = e.Details.StackTrace.url()
	}
	c.add("error", text, address)
}

type logEntry struct {
	Entry struct {
		Level string `json:"level"`
		Text  string `json:"text"`
		URL   string `json:"url"`
	} `json:"entry"`
}

func (c *console) logged(e logEntry) { c.add(e.Entry.Level, e.Entry.Text, e.Entry.URL) }
