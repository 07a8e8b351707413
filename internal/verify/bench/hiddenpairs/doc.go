// Package hiddenpairs generates pages on which several things change at once, and labels each change: beside each other, in
// and upon each other, tiny, far down, outside of what can be seen, in nearly the same colour, behind inserted rows, in a
// part that always changes. Tests check that judging such a pair lists every change and names it rightly, and that nothing
// accepts a pair with a change that nobody was told of.
package hiddenpairs
