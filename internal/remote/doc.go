// Package remote talks to an Afterimage server for programs on the command line: it starts and follows runs, reads what they
// found as a [compare.Result], so that it is printed and reported like a comparison without a server, and reviews.
//
// Everything goes through the server's GraphQL API, with the documents in the folder documents. A subscription that breaks is
// taken up where it was, see stream.go.
package remote
