// Package rest serves the REST interface, version 2, out of stored GraphQL operations.
//
// An endpoint is one line of the route table (routes.go) and one named operation (operations/*.graphql). The operation
// says everything: its aliases are the keys of the JSON answer, its variables are the fields and parameters a request
// may carry, and the schema's types tell how their values are read. The package therefore holds no structure of any
// resource, no rule of any field and no decision on who may do what; those belong to the operations' resolvers.
//
// A request passes through: route, authentication, reading (query, JSON or form), binding to the operation's variables,
// execution, and the answer, which is the executor's bytes in the wrapper that the route names.
package rest
