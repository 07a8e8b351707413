package capture

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

const maxConsoleText = 2000 // bytes of one entry

// console collects the first entries: the cause of a problem comes first, its consequences later.
type console struct{ entries []page.ConsoleEntry }

func (c *console) add(kind, text, address string) {
	if len(c.entries) == page.MaxConsoleEntries {
		return
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(cut(text, maxConsoleText), "\uFFFD"), "\x00", "")
	c.entries = append(c.entries, page.ConsoleEntry{Text: text, Type: kind, URL: shorten(address)})
}

func (c *console) called(e proto.RuntimeConsoleAPICalled) {
	words := make([]string, 0, len(e.Args))
	for _, arg := range e.Args {
		words = append(words, valueText(arg))
	}
	c.add(string(e.Type), strings.Join(words, " "), callerURL(e.StackTrace))
}

func (c *console) thrown(e proto.RuntimeExceptionThrown) {
	if e.ExceptionDetails == nil {
		return
	}
	address := e.ExceptionDetails.URL
	if address == "" {
		address = callerURL(e.ExceptionDetails.StackTrace)
	}
	c.add("error", exceptionText(e.ExceptionDetails), address)
}

func (c *console) logged(e proto.LogEntryAdded) {
	if e.Entry != nil && !ofDriver.MatchString(e.Entry.Text) {
		c.add(string(e.Entry.Level), drawingContext.ReplaceAllLiteralString(e.Entry.Text, "[WebGL]"), e.Entry.URL)
	}
}

var (
	// ofDriver are messages of the browser about its own drawing with WebGL, which depend on the machine and the moment.
	ofDriver = regexp.MustCompile(`^\[[^\]]*\] ?(Automatic fallback to software WebGL|GL Driver Message \([^)]*\bPerformance\b)`)
	// drawingContext is where a drawing is in memory, at another place each time.
	drawingContext = regexp.MustCompile(`^\[\.WebGL-0x[0-9a-fA-F]+\]`)
)

func exceptionText(e *proto.RuntimeExceptionDetails) string {
	if e.Exception == nil {
		return e.Text
	}
	return e.Text + " " + valueText(e.Exception)
}

// valueText formats a value as the console shows it.
func valueText(v *proto.RuntimeRemoteObject) string {
	if v == nil {
		return ""
	}
	var raw json.RawMessage
	hasValue := v.Value.Unmarshal(&raw) == nil
	var text string
	switch {
	case v.Type == proto.RuntimeRemoteObjectTypeString && json.Unmarshal(raw, &text) == nil:
		return text
	case v.UnserializableValue != "":
		return string(v.UnserializableValue)
	case hasValue:
		return string(raw)
	case v.Description != "":
		return v.Description
	}
	return string(v.Type)
}

func callerURL(stack *proto.RuntimeStackTrace) string {
	if stack == nil || len(stack.CallFrames) == 0 || stack.CallFrames[0] == nil {
		return ""
	}
	return stack.CallFrames[0].URL
}
