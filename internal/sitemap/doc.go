// Package sitemap reads the sitemaps of a site, as https://www.sitemaps.org/protocol.html has them: those that robots.txt
// names, else the usual places; index files, gzip and plain text among them.
//
// A site is not trusted. Every connection, those of redirects too, is decided on by the egress policy when it is dialled.
// The number and the size of files, the depth of index files, the number of URLs and the time are limited. What is wrong
// with one file does not keep the others from being read; it is told in the result.
package sitemap
