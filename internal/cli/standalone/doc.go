// Package standalone has the commands that need neither a server nor an installation: capture, compare, diff and flow.
package standalone
