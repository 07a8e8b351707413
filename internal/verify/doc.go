// Package verify judges what the changed regions of a comparison mean and whether they need attention.
//
// Describe maps each region to the elements of both pages: which element, and what happened to it, in one line. Verify
// judges the findings by rules: harmless (dates, counters, carousels, ads …), alarming (broken images, error messages,
// missing sections …), or neither. It needs no model, no network and no pixels, because imgdiff has taken all measurements
// during the comparison. It is deterministic, and every verdict has a reason.
//
// It rests on three packages, each of which knows nothing of those before it: dom matches the elements of both pages, css compares
// their styles, and wording reads their texts. Package consult may then ask a vision model about undecided regions; it cannot overrule
// a verdict that the rules call certain. Package console judges what is new in the console.
package verify
