package sites

import (
	"math/rand/v2"
	"slices"
)

// Damage is something that goes wrong with a page and that somebody has to see.
type Damage struct {
	Name  string
	Split Split
	// Inside means that it happens in the varying part itself.
	Inside bool
	// apply changes the page, and reports whether the page has what it takes.
	apply func(*damaged) bool
}

// Label is the name of the damage in addresses, "none" for nil.
func (d *Damage) Label() string {
	if d == nil {
		return "none"
	}
	return dashed(d.Name)
}

// damaged is a page while it is damaged.
type damaged struct {
	*site
	r    *rand.Rand // the same on all runs
	body *node
	part *node // the varying part
}

// Damages are all damages. Which split one belongs to was fixed when it was written, before anything was trained.
var Damages = slices.Concat([]*Damage{
	{"empty part", Train, true, emptyPart},
	{"part with an error", Train, true, partWithError},
	{"figures that are none", Train, true, figuresThatAreNone},
	{"broken pictures", Train, true, brokenPictures},
	{"part of another height", Train, true, tallPart},
	{"covered part", Train, true, coveredPart},
	{"unfilled template", Train, true, unfilledTemplate},
	{"part upon itself", Train, true, stackedPart},
	{"invisible texts", Train, true, invisibleTexts},
	{"one entry left", Train, true, oneEntryLeft},
	{"price of nothing", Train, true, priceOfNothing},
	{"unstyled part", Train, true, unstyledPart},
	{"part gone", Train, true, partGone},

	{"placeholders only", Validation, true, placeholdersOnly},
	{"objects as texts", Validation, true, objectsAsTexts},
	{"half a part", Validation, true, halfPart},

	{"words for nothing", HeldOut, true, wordsForNothing},
	{"pictures out of proportion", HeldOut, true, outOfProportion},
	{"part behind a veil", HeldOut, true, veil},
	{"the same entry throughout", HeldOut, true, sameEntry},
	{"letters upon each other", HeldOut, true, crowdedLetters},
	{"code in texts", HeldOut, true, codeInTexts},

	{"other price", Train, false, otherPrice},
	{"sold out", Train, false, soldOut},
	{"registration closed", Train, false, registrationClosed},
	{"closed", Train, false, closedNow},
	{"other limit", Train, false, otherLimit},
	{"other day of an event", Train, false, otherDay},
	{"missing button", Train, false, missingButton},
	{"other label of a button", Train, false, otherLabel},
	{"missing field", Train, false, missingField},
	{"missing menu entry", Train, false, missingEntry},
	{"missing heading", Train, false, missingHeading},
	{"other paragraph", Train, false, otherParagraph},
	{"broken picture of the page", Train, false, brokenPicture},
	{"missing footer", Train, false, missingFooter},
	{"pale texts", Train, false, paleTexts},
	{"columns collapsed", Train, false, collapsedColumns},
	{"section twice", Train, false, sectionTwice},
	{"cover over the page", Train, false, coverOverPage},
	{"huge letters", Train, false, hugeLetters},
	{"missing row", Train, false, missingRow},
	{"steps in another order", Train, false, stepsReordered},
	{"other legal number", Train, false, otherLegalNumber},

	{"button without a label", Validation, false, buttonWithoutLabel},
	{"other figure in a table", Validation, false, otherFigure},
	{"section gone", Validation, false, sectionGone},
	{"texts cut off", Validation, false, textsCutOff},
	{"menu in another language", Validation, false, foreignMenu},

	{"digit lost in a price", HeldOut, false, digitLost},
	{"other currency", HeldOut, false, otherCurrency},
	{"narrow page", HeldOut, false, narrowPage},
	{"form that cannot be sent", HeldOut, false, formWithoutButton},
	{"other heading", HeldOut, false, otherHeading},
	{"garbled letters", HeldOut, false, garbled},
	{"pictures moved over texts", HeldOut, false, pictureOverText},
	{"menu entries exchanged", HeldOut, false, menuExchanged},
	{"sentence with a not", HeldOut, false, sentenceTurned},
	{"missing column", HeldOut, false, missingColumn},
}, unseenDamages)
