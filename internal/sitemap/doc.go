// Package sitemap reads the sitemaps of a site (https://www.sitemaps.org/protocol.html): those listed in robots.txt, or else
// those at the usual locations, including index files, gzip and plain text. Of a site without a sitemap it can read the links
// of the start page instead.
//
// Sites are untrusted. The egress policy checks every connection when it is dialled, including redirects. The number and
// size of files, the depth of index files, the number of URLs and the time are limited. A problem with one file does not
// affect the others; the result reports it.
package sitemap
