// Package model holds the types that gqlgen generates from the schema: filters and other plain inputs, and outputs that
// have no domain type.
package model
