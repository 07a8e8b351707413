// Package egress decides which addresses Afterimage may dial on behalf of somebody else's page or webhook.
//
// The decision is made once, on the resolved address, in the moment of dialling (net.Dialer.ControlContext), so that neither a
// name that resolves to an internal address nor one that changes its answer between check and use (DNS rebinding)
// gets through. Everything that is not public unicast is refused; an operator opens internal targets by an explicit list.
//
//   - [Classify] is the pure table: an address in, its kind out.
//   - [Policy] adds ports and the operator's list.
//   - [Dialer] dials under a policy; its DialContext fits http.Transport.
//   - [Upstreams] are the operator's own proxies, through which targets may be reached once they have been judged.
//   - [Proxy] is the forward proxy that a browser is made to use; a [Visit] bounds and reports what one page did with it.
package egress
