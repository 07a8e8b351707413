// Package capture turns a page into a [Shot]: pixels, title, status, console and a manifest of how it went.
//
// [Page] is the pipeline, a readable list of small stages (see stages in page.go). It drives one [Tab], an empty page in a
// browser context of its own, and waits only through the tab's [Clock], never by sleeping: waiting is always for an event,
// within a budget. Package capture/chrome keeps browsers alive and provides the tabs.
//
// Whatever goes wrong ends as a [*Failure] with a [Reason] from a closed list and a sentence for the owner of the site.
package capture
