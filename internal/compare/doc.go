// Package compare compares two sites page by page, without a server or a database: usually a preview with production, before a
// deploy.
//
// [Run] captures both sides of every page with one pool of browsers, at the same moment of page time and with the same random
// numbers, compares the pictures with package imgdiff and judges the changes by the rules of package verify, as the service
// does. Only then it sets apart what differs because the sides are different hosts, see hosts.go and environment.go. A change
// that needs attention is confirmed by a second capture of both sides: what differs between two captures of one side is no
// difference between the sides.
//
// The result is in the order of the pages, whatever was captured first, so that equal runs have equal results.
package compare
