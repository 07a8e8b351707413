// Package hiddenpairs tests that no change hides behind another: it generates pages on which several things change at once,
// labels each, and checks that judging a pair lists every one of them, names it rightly, and never calls a pair explained
// that has a change nobody was told of. It contains tests only.
package hiddenpairs
