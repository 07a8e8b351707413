// Package capture turns a page into a [Shot]: pixels, title, status, console and a manifest of the capture.
//
// [Page] is the pipeline, a list of small stages (see stages in page.go). It drives one [Tab], an empty page in its own
// browser context, and waits only through the tab's [Clock], never by sleeping: every wait is for an event, with a
// timeout. Package capture/chrome keeps browsers running and provides the tabs.
//
// [Walk] carries out the steps of a flow in one tab with the same stages, clock and observer. It takes pictures at checkpoints and leaves
// the page as it was before each of them. What its secrets are is in none of its results.
//
// Every error is a [*Failure] with a [Reason] from a closed list and a sentence for the site's owner.
package capture
