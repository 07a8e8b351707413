// Package edge is what stands between the network and the handlers of the service: it believes the proxies that it is
// told to, keeps clients on TLS, names requests, compresses answers and renews certificates.
package edge
