// Package verify tells what the changed regions of a comparison mean and whether anybody has to look at them.
//
// Describe ties each region to the elements of the two pages: which element, what happened to it, in one line of words.
// Verify judges the findings by rules: harmless (dates, counters, carousels, advertisements …), alarming (broken pictures,
// error messages, missing sections …), or neither. It needs no model, no network and no pixels: imgdiff has measured what
// there is to measure while it compared. The same pair always gets the same answer, and each answer says why.
//
// A model that sees pictures may then be asked about what is left, with [Result.Consult]. What the rules call certain it
// cannot lower.
package verify
