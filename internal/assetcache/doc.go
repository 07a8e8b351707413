// Package assetcache lets the captures of one batch share the styles, scripts, fonts and pictures of a site, so that the site
// serves each of them about once.
//
//   - [Request.Key] and [Lifetime] are the rules: which requests are the same, and for how long a response answers further
//     ones (RFC 9111). Both are pure functions.
//   - [Cache] holds the responses of all batches in memory, within one limit. A [Scope] names what is shared, usually a
//     batch; a [Visit] is one capture's part in it.
//
// The first visit that asks for an asset fetches it, and the others wait for it for a moment (a single flight). Nothing is
// ever validated: what is no longer fresh is fetched again.
package assetcache
