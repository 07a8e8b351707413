package verify

import (
	"fmt"
	"strings"
)

// ConsoleEntry is a line of the browser's console.
type ConsoleEntry struct {
	Text, Type, URL string
}

// ConsoleVerdict is what is thought of a change of the console.
type ConsoleVerdict struct {
	Category    Category
	Description string
	Reason      string
}

// alarmingConsole are the beginnings of errors that break a page, as browsers word them.
var alarmingConsole = []string{
	"uncaught", "unhandled", "failed to load resource", "referenceerror", "typeerror", "syntaxerror", "rangeerror", "chunkloaderror",
	"refused to execute", "refused to apply style", "mixed content", "access to ", "blocked loading", "net::err",
}

// JudgeConsole judges what is new in the console and what is gone. Nil when nothing changed.
func JudgeConsole(added, removed []ConsoleEntry) *ConsoleVerdict {
	if len(added)+len(removed) == 0 {
		return nil
	}
	verdict := &ConsoleVerdict{
		Category: AllGood, Description: fmt.Sprintf("%s new in the console, %s gone.", entries(len(added)), entries(len(removed))),
		Reason: "Nothing that is new in the console is an error.",
	}
	for _, e := range added {
		category, reason := judgeEntry(e)
		if category.rank() > verdict.Category.rank() {
			verdict.Category, verdict.Reason = category, reason
			verdict.Description = "New in the console: " + quote(e.Text)
		}
	}
	return verdict
}

func judgeEntry(e ConsoleEntry) (Category, string) {
	if !strings.EqualFold(e.Type, "error") {
		return AllGood, ""
	}
	text := strings.ToLower(e.Text)
	for _, sign := range alarmingConsole {
		if strings.HasPrefix(text, sign) {
			return Alert, "It is an error that keeps a part of the page from working."
		}
	}
	return NotSure, "It is an error of the page's own, and what it breaks is unknown."
}

func entries(n int) string {
	switch n {
	case 0:
		return "Nothing"
	case 1:
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
