// Package flow holds the definition of a flow: the steps by which a reader comes to pages that have no address of their own, such as
// a basket or an account, and the places on the way at which pictures are taken.
//
// [Read] reads a definition from YAML or JSON and [Flow.YAML] writes it. Package capture walks it.
package flow
