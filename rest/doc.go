// Package rest serves the REST interface, version 2, out of stored GraphQL operations.
//
// An endpoint is one line of the route table (routes.go) and one named operation (operations/*.graphql). The operation
// says everything: its aliases are the keys of the JSON answer, its variables are the fields and parameters a request
// may carry, and the schema's types tell how their values are read. The package therefore holds no structure of any
// resource, no rule of any field and no decision on who may do what; those belong to the operations' resolvers.
//
// A request passes through: route, authentication, reading (query, JSON or form), binding to the operation's variables,
// execution, and the answer, which is the executor's bytes in the wrapper that the route names.
//
// To add an endpoint: write its operation, add its line to the route table, and a row to the table in contract_test.go.
// The OpenAPI document and the page about it then have it too (describe.go); `go generate ./rest` keeps a copy of the
// document in the repository. Limits come from the schema's descriptions, in the phrases of describe_input.go.
// What a request may carry are the operation's variables, named in snake case: a variable called input takes all fields
// of its input object, any other variable one field, and @from gives a variable other names. Page lists take the
// variables page and perPage, and answer an object with "nodes" and "total"; whatever stands beside them goes into meta.
package rest
