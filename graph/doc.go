// Package graph serves the GraphQL API: queries and mutations over POST and GET, subscriptions over WebSocket
// (graphql-transport-ws) and server-sent events. It also executes the stored operations behind the REST API.
//
// A request passes through: authentication (before the operation is read), size limits, parsing with a token limit, limits
// on its shape, validation, the cost limit, and execution. Resolvers are in package resolver, their output in view, client
// input in input, and scalars in scalar.
//
// Subscriptions are resumable: every message carries an event number, and the argument "after" takes the last one received.
// Clients of server-sent events resume the same way, instead of with the Last-Event-ID header.
package graph
