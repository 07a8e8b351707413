// Package dom describes the elements of a page as a tree, and finds which elements of two pages are the same, how their styles and their
// order changed, where they paint, and how people call them.
//
// All of it counts its work in [Steps], which limit what a page crafted for it can cost.
package dom
