// Package graph serves the GraphQL interface: queries and mutations by POST and GET, subscriptions over WebSocket
// (graphql-transport-ws) and server-sent events. It also runs the stored operations that the REST interface is made of.
//
// A request passes through: who asks (before anything of the operation is read), the limits on its size, parsing with a
// token limit, the limits on its shape, validation, the limit on its cost, and execution. Resolvers are in package
// resolver, what they show in view, what clients send in input, the spelling of single values in scalar.
//
// Subscriptions resume: every message carries an event number, and the argument "after" takes the last one received.
// This is also how a client of server-sent events resumes, in place of the Last-Event-ID header.
package graph
