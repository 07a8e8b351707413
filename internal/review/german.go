package review

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"afterimage/vcd"
)

var germanMonths = [...]string{
	"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
}

var german = words{
	Language: "de",
	Name:     "Deutsch",

	Status: map[vcd.ComparisonStatus]string{
		vcd.ComparisonNew: "Zu prüfen", vcd.ComparisonOK: "OK", vcd.ComparisonFalsePositive: "Fehlalarm",
		vcd.ComparisonToFix: "Zu beheben",
	},
	Verdict: map[vcd.Category]string{
		vcd.CategoryAllGood: "Harmlos", vcd.CategoryNotSure: "Unklar", vcd.CategoryAlert: "Alarm",
	},
	Device:  map[vcd.Device]string{vcd.Desktop: "Desktop", vcd.Mobile: "Mobil"},
	Pages:   func(n int) string { return counted(n, "Seite", "Seiten") },
	percent: func(text string) string { return strings.Replace(text, ".", ",", 1) + " %" },
	date: func(t time.Time) string {
		return fmt.Sprintf("%d. %s %d", t.Day(), germanMonths[t.Month()-1], t.Year())
	},

	AllPages:       "Alle Seiten dieses Laufs",
	NothingChanged: "Keine Änderungen gefunden.",
	PartlySeen:     "nicht vollständig erfasst",
	Before:         "Vorher",
	After:          "Nachher",
	Differs:        "Unterschiede",
	PageBefore:     "Die Seite vorher",
	PageAfter:      "Die Seite nachher",
	PageDiffers:    "Unterschiede zwischen vorher und nachher",
	Cutoff:         "Die Seite ist zu groß für eine Aufnahme und wurde abgeschnitten: Der Rest wurde nicht verglichen.",
	Changed:        func(percent string) string { return percent + " geändert" },
	Threshold:      func(percent string) string { return "Schwelle " + percent },
	InPlace:        func(percent string) string { return percent + " ohne Ausrichtung" },
	WithoutShifts:  func(percent string) string { return percent + " ausgerichtet" },
	Unseen: func(parts string) string {
		return "Teile der Seite wurden nicht erfasst und nicht verglichen: " + parts + "."
	},
	Area: func(width, height int) string {
		return fmt.Sprintf("Geänderte Pixel auf einer Fläche von %d × %d", width, height)
	},

	Running:     "läuft noch",
	Report:      "Bericht (PDF)",
	WhatChanged: "Was sich geändert hat",
	See:         "Auf einer Seite ansehen",
	PagesTitle:  "Seiten",
	WithChange:  "mit dieser Änderung:",
	ShowAll:     "Alle Seiten anzeigen",
	None:        "Dieser Lauf hat keine Vergleiche.",
	Previous:    "Zurück",
	Next:        "Weiter",
	OnDesktop:   "Desktop",
	OnMobile:    "mobil",
	OnBoth:      "Desktop und mobil",
	Finished:    func(when string) string { return "beendet am " + when },
	Above:       func(n int) string { return fmt.Sprintf("%d über der Schwelle", n) },
	MoreChanges: func(n int) string {
		return counted(n, "weitere Änderung", "weitere Änderungen") + " auf den Seiten unten."
	},
	On:     func(pages, devices string) string { return "auf " + pages + ", " + devices },
	PageOf: func(page, pages int) string { return fmt.Sprintf("Seite %d von %d", page, pages) },

	Kind:          "Sichtbare Änderungen",
	Compared:      "verglichen",
	FigureChanged: "geändert",
	Fine:          "in Ordnung",
	ToFix:         "zu beheben",
	Open:          "offen",
	NotThere:      "Vorher nicht vorhanden.",
	Gone:          "Nicht mehr vorhanden.",
	OtherChanges:  "Weitere Änderungen",
	Page:          "Seite",
	DeviceTitle:   "Gerät",
	ChangedTitle:  "Geändert",
	Decision:      "Entscheidung",
	Decided:       "geprüft",
	File:          "bericht.pdf",
	MoreInReport: func(n int) string {
		return counted(n, "weitere Änderung", "weitere Änderungen") + " auf diesen Seiten."
	},
	MorePages: func(n int) string {
		return counted(n, "weitere Seite", "weitere Seiten") + " mit kleineren Unterschieden."
	},
	StillOpen: func(n int) string { return counted(n, "Seite", "Seiten") + " offen" },
	Approved:  func(rest string) string { return "freigegeben, " + rest },
	At:        func(when string) string { return "Aufnahmen vom " + when },
	Between:   func(from, to string) string { return "Aufnahmen vom " + from + " bis " + to },

	NothingHere: "Unter dieser Adresse gibt es nichts. Der Link wurde vielleicht ersetzt oder ist abgelaufen: " +
		"Fragen Sie nach einem neuen.",
	Unavailable:    "Der Dienst ist vorübergehend nicht erreichbar. Bitte versuchen Sie es erneut.",
	CannotShow:     "Die Seite kann nicht angezeigt werden.",
	ReadOnly:       "Diese Seite ist schreibgeschützt.",
	NotSaved:       "Das konnte nicht gespeichert werden. Bitte versuchen Sie es später erneut.",
	BadName:        "Bitte geben Sie einen Namen mit höchstens 60 sichtbaren Zeichen ein.",
	BadText:        "Bitte geben Sie einen Kommentar mit höchstens 10.000 Zeichen ein.",
	TooManyChanges: "Zu viele Änderungen in kurzer Zeit. Bitte warten Sie einen Moment.",
	TooManyReports: "Zu viele Berichte in kurzer Zeit. Bitte warten Sie einen Moment.",
	ReportBusy:     "Gerade wird ein anderer Bericht erstellt. Bitte versuchen Sie es gleich erneut.",
	NoBrowser:      "Dieser Server kann keine Berichte erstellen: Er läuft ohne Browser.",
}

// counted writes a number with a word in the singular or the plural.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
