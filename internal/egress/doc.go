// Package egress decides which addresses Afterimage may dial on behalf of a captured page or a webhook.
//
// The decision is made once, on the resolved address, at dial time (net.Dialer.ControlContext). Neither a name that resolves
// to an internal address nor one that changes its answer between check and use (DNS rebinding) gets through. Everything but
// public unicast is refused, except for the operator's allow list.
//
//   - [Classify] is the pure table: it maps an address to its kind.
//   - [Policy] adds ports and the allow list.
//   - [Dialer] dials under a policy; its DialContext fits http.Transport.
//   - [Upstreams] are the operator's proxies, through which checked targets can be reached.
//   - [Proxy] is the forward proxy of the browser; a [Visit] limits and reports what one page does with it.
package egress
