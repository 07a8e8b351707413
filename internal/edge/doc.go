// Package edge is the layer between the network and the service's handlers: trusted proxies, HTTPS redirects, request ids,
// compression and certificate reloading.
package edge
