package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/vcd"
)

// Kinds of changes that are none of an element.
const (
	KindConsole   vcd.ChangeKind = "console"
	KindBlank     vcd.ChangeKind = "blank_page"
	KindTruncated vcd.ChangeKind = "cut_off"
	KindUnlisted  vcd.ChangeKind = "unlisted"
)

// SeverityCategory is the verdict on a change beside the pixels.
func SeverityCategory(s page.Severity) vcd.Category {
	switch s {
	case page.SeverityNotice:
		return vcd.CategoryAllGood
	case page.SeverityAlarm:
		return vcd.CategoryAlert
	}
	return vcd.CategoryNotSure
}

// BlankCategory is the verdict on pictures of which one is blank, or both.
func BlankCategory(issue string) vcd.Category {
	switch verify.CaptureIssue(issue) {
	case verify.AfterBlank:
		return vcd.CategoryAlert
	case verify.BothBlank:
		return vcd.CategoryAllGood
	case verify.BeforeBlank:
	}
	return vcd.CategoryNotSure
}

// TellBlank adds that a picture is blank.
func (p *Pair) TellBlank(issue string, category vcd.Category, summary string) {
	p.Tell(KindBlank, category, summary, "A picture shows only one colour.", issue)
}

// Tell adds a change that is none of an element. It is the same change on every page where it says the same about the same.
func (p *Pair) Tell(kind vcd.ChangeKind, category vcd.Category, description, reason, about string) *Finding {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(kind), about}, "\x00")))
	p.Findings = append(p.Findings, Finding{Finding: vcd.Finding{
		FoundChange: vcd.FoundChange{Kind: kind, Category: category, Fingerprint: hex.EncodeToString(sum[:8])},
		Description: description, Reason: reason, Ruled: category, Judge: vcd.JudgeRules, Confidence: 1,
	}})
	return &p.Findings[len(p.Findings)-1]
}
