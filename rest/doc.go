// Package rest serves the REST API, version 2, from stored GraphQL operations.
//
// An endpoint is one line of the route table (routes.go) and one named operation (operations/*.graphql). The operation
// defines everything: its aliases are the keys of the JSON response, its variables are the accepted fields and parameters,
// and the schema's types define how values are parsed. The package therefore has no resource structs, no field validation
// and no authorization; those belong to the resolvers.
//
// A request passes through: route, authentication, parsing (query, JSON or form), binding to the operation's variables,
// execution, and the response, which is the executor's bytes in the wrapper named by the route.
//
// To add an endpoint, write its operation, add its line to the route table, and a row to the table in contract_test.go. The
// OpenAPI document and the reference page include it automatically (describe.go); `go generate ./rest` updates the copy of
// the document in the repository. Limits are taken from fixed phrases in the schema's descriptions; see describe_input.go.
//
// The variables of an operation, in snake case, define what a request may carry: a variable called input accepts all fields
// of its input object, any other variable one field, and @from gives a variable other names. Paged lists take the variables
// page and perPage, and return an object with "nodes" and "total"; its other fields become part of meta.
package rest
