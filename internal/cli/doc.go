// Package cli has what the commands of the program share: how they end, log, print tables, and read secrets and files that flags name.
package cli
