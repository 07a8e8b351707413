// Package client has the commands that speak to a server: check, upload, approve and import.
package client
